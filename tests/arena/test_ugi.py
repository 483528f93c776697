"""Tests of the engine's side of UGI: every command, in any order, and input that is not a command."""

import random
import shlex
import sys
from pathlib import Path

import pytest
from ugi_talk import ask, talk

from gridlock import RULE_BOOKS, Game
from gridlock.arena.ugi.limits import Limits, read_limits, share
from gridlock.arena.ugi.session import MOST_WAITING
from gridlock.engine import engine
from gridlock.players import agents

LARGE = ("setoption name board value 11x11", "position startpos moves 6,6")  # a search of this board never ends


def move_of(lines: list[str]) -> str:
    """Return the best move from the lines that answer `go`; the last line consists of `bestmove` and the move."""
    word, move = lines[-1].split()
    assert word == "bestmove"
    assert all(line.startswith("info ") for line in lines[:-1])
    return move


# -- one command after the other --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("castle", "There is no command 'castle'. Send 'help' for a list of commands."),
        ("UGI", "There is no command 'UGI'. Send 'help' for a list of commands."),
        ("\x1b[31mred", "There is no command '\N{REPLACEMENT CHARACTER}[31mred'. Send 'help' for a list of commands."),
        ("position", "A position is set with: position startpos|fen POSITION [moves MOVES]"),
        ("position moves 1,1", "A position is set with: position startpos|fen POSITION [moves MOVES]"),
        ("position fen", "A position is set with: position startpos|fen POSITION [moves MOVES]"),
        ("position startpos 1,1", "A position is set with: position startpos|fen POSITION [moves MOVES]"),
        ("position startpos moves 6,6", "Move 1 (6,6) is not possible: the cell is outside the grid."),
        ("position startpos moves 1,1 swap", "Move 2 (swap) is not possible: this game has no swap rule."),
        ("position startpos moves pass", "Move 1 (pass) is not possible: the player to move has a move."),
        ("position fen ::", "A position has 7 fields (game, adjacency, rows, turn, the cell each side took "
         "last, and swap), not 0: '::'."),
        ("position fen nim:king:5:X:-:-:-", "There is no game called 'nim'. The games are "
         "keepaway, chain, scatter, trails, showdown."),
        ("setoption board 3x3", "An option is set with: setoption name NAME value VALUE"),
        ("setoption name game value nim", "There is no game called 'nim'. The games are "
         "keepaway, chain, scatter, trails, showdown."),
        ("setoption name board value big", "'big' is not a board. Give rows x columns, such as 5x6."),
        ("setoption name adjacency value knight", "Adjacency must be king or orthogonal, not 'knight'."),
        ("setoption name swap value perhaps", "The option 'swap' must be true or false, not 'perhaps'."),
        ("setoption name memory value 0", "The option 'memory' must be a number from 1 to 1048576, not '0'."),
        ("setoption name memory value ٣", "The option 'memory' must be a number from 1 to 1048576, not '٣'."),
        ("go movetime soon", "movetime must be followed by a whole number, not 'soon'."),
        ("go depth", "depth must be followed by a whole number, not ''."),
        ("query weather", "The valid queries are: query gameover, query p1turn, query result, query value."),
        ("perft", "Sequences are counted with: perft N, where N is from 1 to 9999."),
        ("perft 0", "Sequences are counted with: perft N, where N is from 1 to 9999."),
    ],
)  # fmt: skip
def test_what_makes_no_sense_gets_one_sentence_and_changes_nothing(line: str, sentence: str) -> None:
    before, after = ("position startpos moves 3,3", "d"), ("d",)
    with talk() as conversation:
        drawn = conversation.ask(*before)
        assert conversation.ask(line) == [f"info string {sentence}"]
        assert conversation.ask(*after) == drawn


def test_an_unknown_agent_is_rejected() -> None:
    [answer] = ask("setoption name agent value nobody")
    assert answer.startswith("info string There is no agent called 'nobody'. The agents are random, easy")


@pytest.mark.parametrize("agent", ["random", "easy", "medium", "hard", "perfect"])
@pytest.mark.parametrize("limits", ["movetime 20", "p1time 500 p2time 1", "depth 2", "nodes 50", "movetime 0"])
def test_every_agent_answers_with_a_legal_move(agent: str, limits: str) -> None:
    for name in RULE_BOOKS:
        lines = ask(f"setoption name agent value {agent}", f"setoption name game value {name}", f"go {limits}")
        assert move_of(lines) in Game(name).legal_moves


def test_the_levels_play_as_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def agent(game: Game, _rng: random.Random, seconds: float) -> str:
        seen.append((list(game.played), seconds))
        return "1,1"

    monkeypatch.setitem(agents._added, "mine", None)  # monkeypatch removes the agent again at the end
    agents["mine"] = agent
    chosen = ("setoption name agent value mine", "position startpos moves 3,3")
    assert move_of(ask(*chosen, "go movetime 1030")) == "1,1"
    assert seen == [([(3, 3)], 1.0)]
    agents["mine"] = lambda _game, _rng, _seconds: "3,3"
    info, move = ask(*chosen, "go")
    assert info.startswith("info string The computer (mine) failed with IllegalMove: '3,3' is not possible")
    assert move == "bestmove none"


@pytest.mark.parametrize("kind", ["function", "program"])
def test_a_function_or_program_in_another_folder_is_an_agent(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "my own.py"
    file.write_text("def last(game, rng, seconds):\n    return game.legal_moves[-1]\n")
    command = [sys.executable, "-m", "gridlock.players.host", f"{file}:last"]
    agent = f"{file}:last" if kind == "function" else f"process:{shlex.join(command)}"
    info, *move = ask(f"setoption name agent value {agent}", "go movetime 1000")
    assert move == ["bestmove 5,5"], info


def test_options_apply_in_any_order() -> None:
    for order in (1, -1):
        options = ["adjacency value orthogonal", "board value 2x7", "game value scatter"][::order]
        lines = ask(*(f"setoption name {option}" for option in options), "d")
        assert "fen scatter:orthogonal:7/7:X:-:-:-" in lines
    assert "turn p1" in ask("position startpos moves 3,3", "setoption name game value chain", "d")


def test_the_memory_is_the_engines() -> None:
    with talk() as conversation:
        assert conversation.ask("setoption name memory value 7") == []
        assert engine.TABLES == 7 << 20
        assert engine.engine_for(Game("chain").variant).memory == 7 << 20


def test_a_seed_repeats_the_moves_of_an_agent() -> None:
    commands = ["setoption name agent value random", "setoption name board value 9x9", "setoption name Seed value 5"]
    runs = [
        [line for line in ask(*commands, *["go"] * 5) if line.startswith("bestmove")]
        for commands[2] in ("setoption name Seed value 5", "setoption name Seed value 5", "setoption name Seed value 6")
    ]
    assert runs[0] == runs[1] != runs[2]


def test_your_own_games_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    (tmp_path / "own-games").mkdir()
    (tmp_path / "own-games" / "hermit.toml").write_text(
        'title = "Hermit"\n[shape]\ncloses_own = true\ncloses_other = true\n'
    )
    lines = ask("ugi", "setoption name game value hermit", "setoption name board value 2x4", "go movetime 50", "d")
    assert any("var hermit" in line for line in lines)
    [fen] = [line.removeprefix("fen ") for line in lines if line.startswith("fen ")]
    assert fen == "hermit:king:4/4:X:-:-:-"
    assert ask(f"position fen {fen} moves 1,1", "query p1turn") == ["response false"]


# -- while a search is running ----------------------------------------------------------------------------------------


def test_a_search_keeps_no_command_waiting_that_must_not_wait() -> None:
    with talk() as conversation:
        conversation.send(*LARGE, "go infinite", "isready", "query p1turn", "isready")
        assert [line for line in conversation.until("readyok") if line.startswith("bestmove")] == []
        assert [line for line in conversation.until("readyok") if line.startswith("bestmove")] == []
        conversation.send("stop")
        assert move_of(conversation.until("bestmove")) in Game("showdown", "11x11").legal_moves
        assert conversation.read() == "response false"
        assert conversation.ask("stop", "stop", "query p1turn") == ["response false"]


def test_an_infinite_search_answers_only_when_it_is_stopped() -> None:
    with talk() as conversation:
        conversation.send("setoption name game value chain", "go infinite", "isready")  # solved at once
        assert [line for line in conversation.until("readyok") if line.startswith("bestmove")] == []
        conversation.send("isready")
        assert [line for line in conversation.until("readyok") if line.startswith("bestmove")] == []
        conversation.send("stop")
        assert move_of(conversation.until("bestmove")) in Game("chain").legal_moves


@pytest.mark.parametrize(
    "line", ["go movetime 3600000", "go depth 200", "go nodes 999999999999", "go p1time 9999999999"]
)
def test_every_search_can_be_stopped(line: str) -> None:
    with talk() as conversation:
        conversation.send(*LARGE, line.replace("p1time", "p2time"), "isready")
        assert [said for said in conversation.until("readyok") if said.startswith("bestmove")] == []
        conversation.send("stop")
        assert move_of(conversation.until("bestmove")) in Game("showdown", "11x11").legal_moves


def test_stop_also_ends_counts_and_proofs() -> None:
    with talk() as conversation:
        conversation.send(*LARGE, "perft 9999", "isready", "stop")
        assert conversation.until("info string", "total")[-1] == "info string Stopped."
        conversation.send(LARGE[0], "position startpos moves 1,1 1,9 5,3", "query value", "isready", "stop")
        assert conversation.until("response")[-1].startswith("response ")
        assert conversation.ask("query p1turn") == ["response false"]


def test_a_stop_before_the_search_begins_counts() -> None:
    with talk() as conversation:
        conversation.send(*LARGE, "go infinite", "stop", "go infinite", "stop")
        for _ in range(2):
            assert move_of(conversation.until("bestmove")) in Game("showdown", "11x11").legal_moves


def test_quit_ends_all_searches_and_nothing_else() -> None:
    with talk() as conversation:
        conversation.send("setoption name game value chain", "go infinite")
        conversation.until("info time")
        conversation.send("perft 9999", "query p1turn", "go infinite")
        answers = [line for line in conversation.quit() if not line.startswith("info time")]
        assert answers[0].startswith("bestmove ")
        assert "info string Stopped." in answers
        assert "response true" in answers
        assert answers[-1].startswith("bestmove ")


def test_at_the_end_of_the_input_everything_is_answered() -> None:
    with talk() as conversation:
        conversation.send("position startpos moves 3,3", "go depth 1", "perft 1", *LARGE, "go infinite", "query p1turn")
        lines = conversation.end()
    assert "total 16" in lines
    assert [line.split()[0] for line in lines if not line.startswith("info")][-2:] == ["bestmove", "response"]
    with talk() as conversation:
        conversation.send(*LARGE, "go infinite", "isready")
        conversation.until("readyok")
        assert conversation.end()[-1].startswith("bestmove ")


def test_a_flood_of_commands_during_a_search_is_bounded() -> None:
    with talk() as conversation:
        conversation.send(*LARGE, "go infinite", *["query p1turn"] * (MOST_WAITING + 10))
        assert "Too many commands" in conversation.until("info string")[-1]
        conversation.send("stop")
        conversation.until("response")
    with talk() as conversation:  # while no search is running, every command in a flood is carried out
        assert conversation.ask(*["query p1turn"] * (2 * MOST_WAITING)) == ["response true"] * (2 * MOST_WAITING)


# -- time -------------------------------------------------------------------------------------------------------------


def test_a_clock_lasts_to_the_end_of_the_game(rng: random.Random) -> None:
    for _ in range(100):
        left, increment, empty = 10 ** rng.uniform(-3, 6), rng.choice([0.0, rng.random()]), rng.randrange(1, 200)
        while empty > 0:
            seconds = share(left, increment, empty)
            assert 0 <= share(left, 0.0, empty) <= seconds <= left
            left += increment - seconds
            empty -= 2
        assert left > 0


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("", Limits()),
        ("movetime 1030", Limits(1.0)),
        ("movetime 10", Limits(0.005)),
        ("movetime -5", Limits(0.0)),
        ("p1time 60030 p2time 1 p1inc 0 p2inc 0", Limits(10.0)),
        ("p1time -20 p2time 1", Limits(0.0)),
        ("p2time 1000", Limits()),
        ("depth 0", Limits(depth=1)),
        ("depth 4 nodes 100 movetime 1030", Limits(1.0, 4, 100)),
        ("infinite movetime 1", Limits(infinite=True)),
    ],
)
def test_limits(words: str, limits: Limits) -> None:
    assert read_limits(words.split(), 1, 24) == limits
    assert limits.time is None if limits.infinite else limits.time is not None
