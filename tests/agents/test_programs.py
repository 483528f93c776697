"""Tests of programs and functions as players: their specifications, the messages they receive, and their moves."""

import io
import json
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import which

import pytest

import gridlock as gl
from bot_checks import BOTS, nothing_remains, spec
from gridlock.arena.ugi.options import Options
from gridlock.command import run
from gridlock.core.game import SWAP
from gridlock.core.match import Match
from gridlock.players import AgentFailed, MoveClock, agents, is_spec, read_spec, short_name
from gridlock.players.conversations import go_command, position_command, turn_line
from gridlock.players.pool import PlayerPool
from gridlock.userdata.saves import Slot
from hermit import HERMIT

FIRST = f"{BOTS / 'functions.py'}:first"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs need Linux or macOS")


def whole_game(kind: str, isolated: bool = False, **settings: object) -> gl.Game:
    """Let one player play both sides of a game."""
    game = gl.Game(settings.pop("game", "showdown"), **settings)
    with closing(agents.start(kind, isolated=isolated)) as player:
        while not game.is_over:
            game.push(player.choose(game, Random(1), 2.0))
    return game


def first_moves(**settings: object) -> list[int]:
    """Return the moves of a game in which both players take the first legal cell."""
    game = gl.Game(settings.pop("game", "showdown"), **settings)
    while not game.is_over:
        game.push(game.legal_moves[0])
    return game.moves


# -- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("process:./my-bot --fast", "my-bot"),
        ("ugi:my-bot", "my-bot"),
        ("line:'/home/a b/bot'", "bot"),
        ("process:python3 -u bots/x.py 3", "x.py"),
        ("process:python3.12", "python3.12"),
        ("sandbox:line:node bot.js", "bot.js"),
        ("./my.py:agent", "my.py:agent"),
        ("sandbox:deep/my.py:agent", "my.py:agent"),
    ],
)
def test_a_specification_has_a_short_name_and_is_read_again(text: str, name: str) -> None:
    assert is_spec(text)
    assert short_name(text) == read_spec(text).name == name
    again = read_spec(read_spec(text).text)
    assert again.text == read_spec(text).text
    assert (again.scheme, again.is_sandboxed) == (read_spec(text).scheme, read_spec(text).is_sandboxed)


@pytest.mark.parametrize("text", ["easy", "human", "my.py", "process", "x:y", "", None, 3, "showdown.toml:x"])
def test_other_texts_are_no_specifications(text: object) -> None:
    assert not is_spec(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("process:", "has no command"),
        ("process:'", "cannot be read: no closing quotation"),
        ("process:\0", "has no command"),
        ("line:./nowhere", r"There is no program '\./nowhere'\."),
        ("nowhere/my.py:agent", r"There is no file 'nowhere/my\.py'\."),
        ("sandbox:easy", "names no program"),
        ("sandbox:sandbox:process:true", "names no program"),
    ],
)
def test_a_wrong_specification_gets_a_sentence(text: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AgentFailed, match=words):
        agents.start(text)
    assert run(["play", "showdown", "--player2", text.replace("\0", "")]) == 2
    assert "Invalid value for '--player2': " in capsys.readouterr().err


FUNCTIONS = """
import os
from pathlib import Path
number = 3
Path("process").write_text(str(os.getpid()))
def first(game, rng, seconds):
    return game.legal()[0]
"""


@pytest.mark.slow
@pytest.mark.parametrize("function", ["nosuch", "number"])
def test_a_missing_function_is_rejected_before_play(
    function: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.py").write_text(FUNCTIONS)
    text, words = f"./my.py:{function}", f"here is no function '{function}' in './my.py'."
    Path("plan.toml").write_text(f'agents = ["easy", "{text}"]\ngames = 2\n[[boards]]\ngame = "chain"\n')
    for command, code in (
        (["match", text, "easy", "--games", "2"], 2),
        (["play", "chain", "--player2", text], 2),
        (["tournament", "plan.toml"], 3),
    ):
        capsys.readouterr()
        assert run(command) == code
        assert words in capsys.readouterr().err
    with pytest.raises(AgentFailed, match="There is no function"):
        gl.match(text, "easy", games=2, game="chain")
    with pytest.raises(AgentFailed, match="There is no function"):
        Options().set(["name", "Agent", "value", text])
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {"my.py", "plan.toml", "process"}
    assert Path("process").read_text() != str(os.getpid())  # the file has run, but not in our own process
    agents.check("./my.py:first")


@pytest.mark.slow
def test_what_a_file_prints_does_not_hide_or_feign_a_missing_function(tmp_path: Path) -> None:
    file = tmp_path / "my.py"
    file.write_text("import atexit, sys\natexit.register(print, 'Goodbye.', file=sys.stderr)\n")
    with pytest.raises(AgentFailed, match="There is no function 'agent'"):
        agents.check(f"{file}:agent")
    file.write_text(f"""raise SystemExit("There is no function 'agent' in '{file}'.")""")
    agents.check(f"{file}:agent")


@pytest.mark.slow
def test_a_file_that_cannot_be_run_is_reported_by_its_first_game(tmp_path: Path) -> None:
    file = tmp_path / "my.py"
    file.write_text("import nowhere_at_all\n")
    agents.check(f"{file}:agent")
    with closing(agents.start(f"{file}:agent")) as player, pytest.raises(AgentFailed, match="nowhere_at_all"):
        player.choose(gl.Game("chain"), Random(1), 1.0)


# -- what is sent -----------------------------------------------------------------------------------------------------


def test_the_position_is_one_word_and_passes_are_named() -> None:
    game = gl.Game("scatter", "3x3")
    assert position_command(game) == "position fen scatter:king:3/3/3:X:-:-:-"
    for move in ("2,2", "1,1"):
        game.push(move)
    assert position_command(game) == "position fen scatter:king:3/3/3:X:-:-:- moves 2,2 1,1 pass"
    game = gl.Game("showdown", "3x3", swap=True)
    for move in ("2,2", SWAP):
        game.push(move)
    assert position_command(game) == "position fen showdown:king:3/3/3:X:-:-:swap moves 2,2 swap"


def test_the_time_is_that_of_a_move_or_of_both_clocks() -> None:
    assert go_command(2.0) == "go movetime 2000"
    assert go_command(0.0) == "go movetime 1"
    assert go_command(2.0, MoveClock((61.5, 0.25), 3)) == "go p1time 61500 p2time 250 p1inc 3000 p2inc 3000"


def test_the_line_of_a_turn() -> None:
    game = gl.Game("trails", "3x4")
    assert turn_line(game) == "trails 3x4 orthogonal moves"
    game.push("0,1")
    assert turn_line(game) == "trails 3x4 orthogonal moves 0,1"
    start = "trails:orthogonal:A2/3/2B:B:0,0:2,2:-"
    assert turn_line(gl.Game("trails", starts=2)) == f"trails 3x3 orthogonal from {start} moves"
    game = gl.Game("scatter", "3x3", swap=True)
    for move in ("2,2", "1,1"):
        game.push(move)
    assert turn_line(game) == "scatter 3x3 king swap moves 2,2 1,1 pass"


# -- games ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scheme", "game"), [("line", "scatter"), ("process", "trails")])
def test_the_simplest_bot_plays(scheme: str, game: str) -> None:
    with nothing_remains():
        assert whole_game(spec("line_bot", scheme), game=game).moves == first_moves(game=game)


@pytest.mark.slow
@pytest.mark.parametrize("name", gl.RULE_BOOKS)
def test_the_simplest_bot_plays_every_game_whoever_starts(name: str) -> None:
    with nothing_remains():
        moves = whole_game(spec("line_bot", "line"), game=name, board="3x3", starts=2).moves
    assert moves == first_moves(game=name, board="3x3", starts=2)


def test_a_function_from_a_file_plays() -> None:
    with nothing_remains():
        assert whole_game(FIRST).moves == first_moves()


def test_a_function_of_this_program_plays_in_a_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(agents, "mine", lambda game, _rng, _seconds: game.legal_moves[0])
    with nothing_remains():
        assert whole_game("mine", isolated=True, swap=True, start=None).moves == first_moves(swap=True)
    assert type(agents.start("easy", isolated=True)) is type(agents.start("easy"))


@pytest.mark.slow
def test_an_agent_of_a_package_plays_isolated(install) -> None:
    install("tame", "def play(game, rng, seconds):\n    return game.legal_moves[0]\n", tame="play")
    with nothing_remains():
        assert whole_game("tame", isolated=True).moves == first_moves()


@pytest.mark.parametrize("isolated", [False, True])
def test_a_game_of_your_own_reaches_the_process_of_a_function(isolated: bool, monkeypatch) -> None:
    monkeypatch.setitem(agents, "mine", lambda game, _rng, _seconds: game.legal_moves[0])
    with nothing_remains():
        kind = "mine" if isolated else FIRST
        assert whole_game(kind, isolated=isolated, game=HERMIT).moves == first_moves(game=HERMIT)


def test_numpy_integers_are_moves() -> None:
    np = pytest.importorskip("numpy")
    for answer in (np.int64(77), np.uint8(77), (np.int32(8), np.int16(8)), np.array([8, 8]).tolist()):
        player = agents.start("random")
        player._load = lambda answer=answer: lambda *_: answer
        move = player.choose(gl.Game("showdown", "10x10"), Random(1), 1.0)
        assert (move, type(move)) == (77, int)


@pytest.mark.slow
@pytest.mark.skipif(which("bwrap") is None, reason="bubblewrap is not installed")
def test_a_sandbox_has_no_network_and_a_file_system_that_is_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)  # the sandbox cannot write its coverage
    bare = [
        "bwrap",
        "--unshare-all",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--tmpfs",
        "/tmp",
        "true",
    ]
    if subprocess.run(bare, capture_output=True).returncode:
        pytest.skip("bubblewrap cannot make a sandbox here")
    curious = tmp_path / "curious.py"
    curious.write_text(
        "import json, os, socket, sys\n"
        "def tried(what):\n    try:\n        what()\n    except OSError as error:\n        return error.strerror\n"
        "def agent(game, rng, seconds):\n"
        f"    wrote = tried(lambda: open({str(tmp_path / 'mine')!r}, 'w'))\n"
        "    home = tried(lambda: open(os.path.expanduser('~/mine'), 'w'))\n"
        "    net = tried(lambda: socket.create_connection(('192.0.2.1', 9), 1))\n"
        "    open('/tmp/scratch', 'w')\n"
        "    raise ValueError(json.dumps([wrote, home, net, sorted(os.listdir('/run')), len(os.listdir('/tmp'))]))\n"
    )
    with nothing_remains(), pytest.raises(AgentFailed) as failure:
        whole_game(f"sandbox:{curious}:agent")
    said = str(failure.value)
    wrote, home, net, run_folder, _ = json.loads(said[said.index("[") : said.rindex("]") + 1])
    assert (wrote, home) == ("Read-only file system",) * 2
    assert net == "Network is unreachable"
    assert run_folder == []
    assert not (tmp_path / "mine").exists()


# -- at the terminal --------------------------------------------------------------------------------------------------


def test_a_game_against_a_function_resumes_from_any_folder(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(BOTS)
    for command in (["play", "showdown", "--player2", "./functions.py:first"], ["resume"]):
        monkeypatch.setattr(sys, "stdin", io.StringIO("5 5\n" if command[0] == "play" else "5 4\n"))
        with nothing_remains():
            assert run(command) == 0
        monkeypatch.chdir(tmp_path)
    assert "Player 2 (O) plays 1,2." in capsys.readouterr().out
    assert run(["games"]) == 0
    assert "(functions.py:first)" in capsys.readouterr().out


def test_a_game_whose_program_is_gone_says_so(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    match = Match(gl.variant("showdown", "3x3"), kinds=("human", "process:/nowhere/bot --fast"))
    match.current().push(0)
    slot = Slot("20250101-000000-aaaaaa")
    slot.save(match)
    slot.release()
    assert run(["resume", "aaaaaa"]) == 4
    told = capsys.readouterr().err
    assert "This game needs bot, but there is no program '/nowhere/bot'. You can still show, review" in told
    assert run(["show", "aaaaaa"]) == 0


# -- programs that stay open ------------------------------------------------------------------------------------------


def test_a_program_stays_open_for_the_next_game_until_it_is_idle() -> None:
    pool, entry = PlayerPool(), agents.entry(FIRST)
    with nothing_remains():
        for name in ("chain", "showdown", "chain"):
            game = gl.Game(name)
            for _ in range(2):
                game.push(pool.choose(entry, game, Random(1), 0.0))
            assert game.moves == first_moves(game=name)[:2]
        [(player, _)] = pool._open.values()
        running = player._program.pid
        pool.close_idle(3600.0)
        assert player._program.pid == running
        time.sleep(0.01)
        pool.close_idle(0.0)
        assert not pool._open
