"""Tests of the agent registry: every interface lists an added agent, but loads its code only when the agent plays."""

import asyncio
import io
import json
import sys

import pytest
from web_client import client
from web_server import Served

import gridlock as gl
from gridlock.cli import menu
from gridlock.cli.options import complete_player
from gridlock.command import run
from gridlock.core.match import Match
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.players import AGENTS, agents, built_in
from gridlock.tui.app import FullScreen
from gridlock.tui.page import AppState, Note
from gridlock.tui.setup import SetupPage
from gridlock.userdata.saves import Slot
from gridlock.userdata.settings import Preferences

TUTOR = 'built_in("tutor", "levels:easy", "Explains what it does.")'
LOUD = """
import pathlib
pathlib.Path(__file__).with_name("loaded").touch()
def play(game, rng, seconds):
    raise RuntimeError("a secret")
"""


@pytest.fixture
def serve(tmp_path):
    """Return a function that starts a server with the given options."""
    started = []

    def start(*options):
        started.append(Served(str(tmp_path / "games.sqlite3"), tmp_path / "log", *options))
        return started[-1].start()

    yield start
    for server in started:
        server.close()


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Run a command, type lines into it, and return its output."""
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path / "home"))

    def do(words, *lines, code=0):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert run(words.split()) == code
        printed = capsys.readouterr()
        return printed.out + printed.err

    return do


# -- an agent that is built in --------------------------------------------------------------------------------------


class Paper:
    """A terminal that collects the menu's output and never answers a question."""

    interactive = dumb = False

    def __init__(self):
        self.lines = []

    def say(self, *lines):
        self.lines += lines

    def ask(self, _question, _words=()):
        raise EOFError


def test_an_agent_that_is_built_in_is_known_on_every_surface(command, monkeypatch):
    assert "tutor" not in command("play --help")
    monkeypatch.setitem(AGENTS, "tutor", eval(TUTOR, {"built_in": built_in}))
    names = ["random", "easy", "medium", "hard", "perfect", "tutor"]
    assert list(agents) == agents.online() == names
    assert "tutor" in repr(agents)
    assert "  tutor    Explains what it does.\n" in command("play --help")
    assert [item.value for item in complete_player(None, None, "")] == ["human", *names]
    assert {item.help for item in complete_player(None, None, "t")} == {"Explains what it does."}
    command("settings level tutor")
    assert "tutor" in command("settings")
    assert "The levels are human, random, easy, medium, hard, perfect, tutor." in command(
        "settings level xyzzy", code=2
    )
    assert "wins!" in command("play chain --player1 tutor --player2 tutor")
    paper = Paper()
    with pytest.raises(EOFError):
        menu._new_match(paper, RULE_BOOKS["chain"], Preferences())
    assert "  7  the computer, tutor    Explains what it does." in paper.lines
    assert SetupPage(AppState(), RULE_BOOKS["chain"]).players[0].values[:-1] == names
    watched = SetupPage(AppState(), RULE_BOOKS["chain"], watching=True)
    assert [choice.values for choice in watched.players] == [names, names]
    watched.players[0].chosen = "tutor"
    assert watched.players[0].line(narrow=False).endswith("< tutor >  Explains what it does.")


@pytest.mark.slow
def test_an_agent_that_is_built_in_plays_in_the_browser(install, serve):
    folder = install("nothing", "")
    (folder / "sitecustomize.py").write_text(
        f"from gridlock.players import AGENTS, built_in\nAGENTS['tutor'] = {TUTOR}\n"
    )
    server = serve()
    levels = server.get("/api/games")[1]["levels"]
    assert levels[-1] == {"name": "tutor", "summary": "Explains what it does."}
    create = server.get("/api/openapi.json")[1]["components"]["schemas"]["Create"]["properties"]
    names = [level["name"] for level in levels]
    assert create["opponent"]["enum"] == [*names, "levels", "screen", "link"]
    assert create["levels"]["anyOf"][0]["prefixItems"][0]["enum"] == names
    assert server.create("chain", "levels", levels=["tutor", "easy"])
    made = server.create("chain", "tutor")

    async def scene():
        async with client(server, made["id"], made["token"]) as page:
            await page.play(0)
            await page.until(ply=2)

    asyncio.run(scene())
    assert not [line for line in server.lines() if line["event"] == "a worker failed"]


# -- agents of packages ---------------------------------------------------------------------------------------------


def test_listing_the_agents_of_packages_loads_none(install):
    folder = install("loud", LOUD, loud="play", **{"Bad Name": "play", "human": "play", "easy": "play"})
    assert list(agents) == ["random", "easy", "medium", "hard", "perfect", "loud"]
    assert "loud" in agents
    assert "loud (package loud)" in repr(agents)
    assert agents.entry("loud").summary == "From the package loud."
    assert not (folder / "loaded").exists()
    assert callable(agents["loud"])
    assert (folder / "loaded").exists()


@pytest.mark.slow
def test_a_name_from_the_network_loads_nothing_that_is_not_allowed(install, serve):
    folder = install("loud", LOUD, loud="play")
    server = serve()

    def refused(name, **wish):
        status, said = server.post("/api/games", {"setup": {"game": "chain"}, "opponent": name, **wish})
        assert status == 422
        return said["words"]

    unknown = refused("ghost")
    assert unknown == (
        "No agent called 'ghost' plays on this server. The agents are random, easy, medium, hard, perfect."
    )
    assert refused("loud") == unknown.replace("ghost", "loud")
    assert refused("learned") == unknown.replace("ghost", "learned")
    for pair in (["loud", "easy"], ["easy", "loud"]):
        assert refused("levels", levels=pair) == unknown.replace("ghost", "loud")
    assert "loud" not in json.dumps(server.get("/api/games")[1])
    assert not (folder / "loaded").exists()
    assert not server.complaints()


@pytest.mark.slow
def test_a_failing_agent_is_reported_in_the_browser_and_the_game_continues(install, serve):
    install("loud", LOUD, loud="play")
    server = serve("--agent", "loud")
    assert server.get("/api/games")[1]["levels"][-1] == {"name": "loud", "summary": "From the package loud."}
    made = server.create("chain", "loud")

    async def scene():
        async with client(server, made["id"], made["token"]) as page:
            await page.act("move", cell=0)
            while (message := await page.receive())["type"] != "notice":
                pass
            return message, await page.until(ply=2)

    notice, _ = asyncio.run(scene())
    assert notice == {"type": "notice", "words": "The computer (loud) failed, so it moved at random."}
    [failure] = [line for line in server.lines() if line["event"] == "a worker failed"]
    assert failure["error"] == "The computer (loud) failed with RuntimeError: a secret."


def test_a_server_starts_only_with_agents_that_load(install, command):
    install("torn", "import nowhere\n", torn="play")
    assert "there is no agent called 'ghost'" in command("serve --agent ghost", code=2)
    assert "The package behind the agent 'torn' does not load: No module named" in command("serve --agent torn", code=4)
    assert "torn" not in agents.online()


# -- agents of programs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["", "my agent", "a\nb", "\x1b[31m", "Mine", "x" * 41, "human", "link", "a:b", 3, None]
)
def test_a_name_is_one_short_word(name):
    with pytest.raises(gl.GridLockError, match=r"cannot be an agent's name\. Use up to 40 characters") as error:
        agents[name] = len
    assert str(error.value).isprintable()
    assert name not in agents


def test_misuse_of_the_library_gets_a_clear_error():
    with pytest.raises(gl.GridLockError, match="An agent must be a function of a game, a Random and seconds, not 3"):
        agents["three"] = 3
    with pytest.raises(KeyError, match="There is no agent called 'ghost' to remove"):
        del agents["ghost"]
    with pytest.raises(KeyError, match=r"There is no agent called '7'\. The agents are random"):
        agents[7]


@pytest.mark.parametrize("installed", [False, True])
def test_an_agent_that_menus_do_not_offer_is_listed_if_it_can_play(monkeypatch, installed):
    monkeypatch.setattr("importlib.util.find_spec", {"numpy": object() if installed else None}.__getitem__)
    with pytest.raises(KeyError) as error:
        agents["nosuch"]
    names = "random, easy, medium, hard, perfect" + ", learned" * installed
    assert str(error.value).startswith(f"There is no agent called 'nosuch'. The agents are {names}")
    assert (", learned" in str(error.value)) == installed


def test_an_agent_of_a_program_is_described_by_its_docstring(monkeypatch):
    def mine(game, rng, seconds):
        """Play the first cell.

        Always.
        """

    monkeypatch.setitem(agents, "mine", mine)
    assert agents.entry("mine").summary == "Play the first cell."
    assert agents["mine"] is mine
    assert repr(agents) == "<6 agents: random, easy, medium, hard, perfect, mine (this program)>"
    assert "mine" not in agents.online()


# -- an agent that is gone ------------------------------------------------------------------------------------------

GONE = "This game needs the agent 'gone', which is not installed here. Install the package that provides it"


def saved(name, kinds, *moves):
    match = Match(variant("showdown", "3x3"), kinds=kinds)
    for move in moves:
        match.current().push(move)
    slot = Slot(name)
    slot.save(match)
    slot.release()


def test_a_game_whose_agent_is_gone_can_be_seen_and_not_resumed(command, tmp_path):
    command("games")  # the command's first use, in a home folder made for this test
    saved("20250101-000000-aaaaaa", ("human", "gone"), 0)
    listed = command("games")
    assert "gone" in listed
    assert "damaged" not in listed
    assert "X" in command("show aaaaaa")
    assert "1,1" in command("review aaaaaa")
    command(f"save aaaaaa {tmp_path / 'kept.txt'}")
    assert gl.load(tmp_path / "kept.txt")[0].moves == [0]
    assert GONE in command("resume aaaaaa", code=4)
    assert GONE in command("resume", code=4)
    saved("20240101-000000-bbbbbb", ("human", "easy"), 0)
    saved("20250101-000000-aaaaaa", ("human", "gone"), 0)  # saved again, so that it is the latest game
    resumed = command("resume", "quit")
    assert "Skipping a game: " + GONE in resumed
    assert "Your game is saved." in resumed
    saved("20230101-000000-cccccc", ("human", "gone"), 4)  # taking the centre ends this game
    assert "against gone" in command("stats")


def test_the_menu_says_which_agent_is_gone(command, monkeypatch):
    command("games")
    saved("20250101-000000-aaaaaa", ("human", "gone"), 0)

    class Typed(Paper):
        def ask(self, _question, _words=()):
            return "r"

    paper = Typed()
    monkeypatch.setattr(menu, "Terminal", lambda: paper)
    assert menu.choose_and_play() == 4
    assert paper.lines[-1].startswith(GONE)
    Slot("20250101-000000-aaaaaa").release()  # it would say so, if the rejection had left it open


def test_the_full_screen_says_which_agent_is_gone(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    saved("20250101-000000-aaaaaa", ("human", "gone"), 0)

    async def scene():
        state = AppState()
        app = FullScreen(state)
        try:
            async with app.run_test(size=(100, 30), notifications=True) as pilot:
                await pilot.press("1")
                await pilot.pause()
                assert isinstance(app.screen, Note)
                return app.screen.lines
        finally:
            await state.stop()

    [words] = asyncio.run(scene())
    assert words.startswith(GONE)
    Slot("20250101-000000-aaaaaa").release()  # it would say so, if the rejection had left it open
