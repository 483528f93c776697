"""Tests of play in a terminal window: highlights, layout, and leaving the game."""

import os
import re
import signal
from pathlib import Path

import pytest
from window import Window, window

from gridlock.core.game import Game
from gridlock.core.notation import read_move
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.drawing.text import plain_board

pytestmark = pytest.mark.slow

PROMPTS = {
    "keepaway": "enter your move (row and column): ",
    "chain": "Enter the row number (1-18): ",
    "scatter": "enter your move (row column): ",
    "trails": "Enter your move (row,column): ",
    "showdown": "enter your move (row and column): ",
}
FIRST = {"trails": "0 1"}
AGAIN = {"trails": "17 16"}  # a second move that is legal in every game on 18x18


def prompt(game: str, board: int) -> str:
    return PROMPTS[game].replace("18", str(board))


@pytest.mark.parametrize("game", PROMPTS)
def test_18x18_and_the_prompt_fit_the_usual_window(game: str, tmp_path: Path) -> None:
    first = RULE_BOOKS[game].origin
    with window(f"play {game} --board 18x18 --swap", tmp_path) as played:
        played.wait_for(PROMPTS[game])
        for move in (FIRST.get(game, "9 9"), AGAIN.get(game, "9 10" if game == "chain" else "1 1")):
            played.enter(move, PROMPTS[game])
            rows = [line for line in played.visible if line[:2].strip().isdigit() and len(line) > 20]
            assert [int(line[:2]) for line in rows] == list(range(first, first + 18))
            assert played.visible[-1].rstrip().endswith(PROMPTS[game].strip())
        if game == "chain":  # chain's second question must not push the board off the screen
            played.type("9\r")
            played.wait_for("Enter the column number (1-18): ")
            assert any(line.startswith(" 1 ") for line in played.visible)


def test_the_list_of_available_cells_does_not_push_a_large_board_out(tmp_path: Path) -> None:
    with window("play showdown --board 18x18", tmp_path) as played:
        played.wait_for(PROMPTS["showdown"])
        played.enter("9 9", PROMPTS["showdown"])
        played.enter("8 8", PROMPTS["showdown"])
        assert any(line.startswith(" 1 ") for line in played.visible)
        assert "Invalid move. The cell is adjacent to your opponent's marker." in played.visible


@pytest.mark.parametrize("game", PROMPTS)
def test_a_turn_against_the_computer_has_one_board_and_fits_the_window(game: str, tmp_path: Path) -> None:
    asked = prompt(game, 5)
    with window(f"play {game} --board 5x5 --player2 easy --seed 1", tmp_path) as played:
        played.wait_for(asked)
        played.enter(FIRST.get(game, "3 3"), asked)
        assert len(re.findall(r"(?m)^ ?\(?1[ ,]", played.plain)) == 1, "the row of that number is drawn once"
        assert played.plain.count("\n") < 24
        assert re.search(r"(plays|moved to) .*\n\n", played.plain), "the answer stands above the board it is on"


def assert_the_part_is_visible(played: Window) -> None:
    """Check that the visible rows of the board are those given in the line "Rows N-M, columns N-M"."""
    (part,) = [match for line in played.visible if (match := re.match(r"Rows (\d+)-(\d+), columns \d+-\d+", line))]
    numbers = [int(line[:3]) for line in played.visible if re.match(r" *\d+[ >!][.:XOAB#]", line)]
    assert numbers == list(range(int(part[1]), int(part[2]) + 1))


@pytest.mark.parametrize("game", PROMPTS)
def test_a_small_window_is_usable(game: str, tmp_path: Path) -> None:
    asked = prompt(game, 12)
    with window(f"play {game} --board 12x12", tmp_path, columns=40, lines=12) as played:
        played.wait_for(asked)
        played.enter(FIRST.get(game, "9 9"), asked)
        shown = "\n".join(played.visible)
        assert_the_part_is_visible(played)
        assert (">X" in shown) if game != "trails" else (" B" in shown)
        played.enter("board 1 1", asked)
        assert any(line[:4] in (" 1 :", " 1 B", " 1 A", " 1 .") for line in played.visible)


@pytest.mark.slow
@pytest.mark.parametrize("game", PROMPTS)
def test_the_largest_board_is_usable(game: str, tmp_path: Path) -> None:
    asked = prompt(game, 100)
    with window(f"play {game} --board 100x100", tmp_path) as played:
        played.wait_for(asked)
        played.enter(FIRST.get(game, "77 99"), asked)
        own = " B" if game == "trails" else ">X"  # the opponent sees the move they must answer
        assert own in "\n".join(played.visible)
        assert_the_part_is_visible(played)
        assert max(map(len, played.visible)) <= 80
        played.enter("board 50 50", asked)
        assert "Rows 4" in "\n".join(played.visible)


MARKED = {  # moves; how the last move and a closed cell look; a rejected move, and how its cause looks
    "keepaway": (("1 1",), ">X<", ":2,2:", "2 2", "!X!"),
    "chain": (("2 2", "2 3"), ">O<", "[:]", "4 4", "!O!"),
    "scatter": (("3 3", "1 1"), ">O<", " : ", "2 2", "!X!"),
    "trails": (("0 1",), ">A<", " : ", "0 2", "!B!"),
    "showdown": (("3 3",), ">X<", " : ", "2 2", "!X!"),
}
WITHOUT_COLOUR = [{"NO_COLOR": "1"}, {"TERM": "dumb"}]


@pytest.mark.parametrize("settings", WITHOUT_COLOUR, ids=str)
@pytest.mark.parametrize("game", MARKED)
def test_without_colour_signs_say_the_same(game: str, settings: dict[str, str], tmp_path: Path) -> None:
    moves, last, closed, refused, cause = MARKED[game]
    asked = prompt(game, 4)
    with window(f"play {game}", tmp_path, **settings) as played:
        played.wait_for(asked)
        for sign in (last[0], cause[0], ":"):
            assert f"{sign}" in played.plain, "the legend names it"
        for move in moves:
            played.enter(move, asked)
        assert last in played.plain
        assert closed in played.plain
        played.enter(refused, asked)
        assert cause in played.plain
        assert "Invalid move." in played.plain
        played.enter("help", asked)
        assert "is the last move" in " ".join(played.plain.split())
        assert "\x1b[3" not in played.raw
        assert "\x1b[1" not in played.raw


@pytest.mark.parametrize("game", MARKED)
def test_colours_mark_the_documents_own_drawing(game: str, tmp_path: Path) -> None:
    """Character for character, the output matches the document's own drawing, except that rows are always numbered."""
    moves, _, _, refused, _ = MARKED[game]
    asked = prompt(game, 4)
    played_so_far = Game(variant(game))
    with window(f"play {game}", tmp_path) as played:
        played.wait_for(asked)
        assert "in reverse colours" in " ".join(played.plain.split()), "the legend says what the marks mean"
        for move in moves:
            played.enter(move, asked)
            played_so_far.push(read_move(move, played_so_far.variant, ""))
        for keys in ("board", refused):
            played.enter(keys, asked)
            drawn = plain_board(played_so_far.variant, played_so_far.position).split("\n")
            lines = [line.rstrip() for line in played.plain.split("\n")]
            for line in drawn:
                assert any(shown.endswith(line.rstrip()) for shown in lines), (line, lines)
            assert "\x1b[1" in played.raw
            assert "\x1b[2m" in played.raw
        assert re.search(r"\x1b\[1;4;31m", played.raw), "the marker that forbids"


@pytest.mark.parametrize("command", ["analyse scatter --board 9x9 --time 0.7", "play chain --player2 perfect"])
def test_a_dumb_terminal_gets_no_escape_sequence(command: str, tmp_path: Path) -> None:
    with window(command, tmp_path, TERM="dumb") as told:
        if command.startswith("play"):
            told.wait_for("(1-4): ")
            for keys in ("2", "2", "hint", "why", "values"):
                told.enter(keys, "): ")
            told.enter("quit", "gridlock resume\n")
        assert told.exit_code() in (0, 5)
        assert "\x1b" not in told.raw


@pytest.mark.parametrize(("keys", "code"), [("\x03", 130), ("\x04", 0), ("quit\r", 0)])
def test_leaving_in_the_middle(keys: str, code: int, tmp_path: Path) -> None:
    with window("play scatter --rounds 2", tmp_path) as played:
        played.wait_for(PROMPTS["scatter"])
        played.enter("3 3", PROMPTS["scatter"])
        played.type(keys)
        assert played.exit_code() == code
        assert "Resume it with: gridlock resume" in played.plain
        assert "Traceback" not in played.plain
        assert "Interrupted" not in played.plain
    with window("resume", tmp_path) as resumed:
        resumed.wait_for(PROMPTS["scatter"])
        assert "Round 1 of 2. Score: Player 1: 0, Player 2: 0." in resumed.plain
        assert "\x1b[1;36;7mX\x1b[0m" in resumed.raw, "the last move"


def test_odd_keys_do_no_harm(tmp_path: Path) -> None:
    with window("play showdown", tmp_path) as played:
        played.wait_for(PROMPTS["showdown"])
        for keys in (
            "\x1b[A\x1b[D\x1b[31m",
            "٣ ٣",
            "\udcff\udcfe",
            "9" * 3000,
            "\x00\x07",
            "\uff13 \uff13",
            "\x1b]0;title\x07",
        ):
            played.enter(keys, PROMPTS["showdown"])
        played.enter("\x153 3", PROMPTS["showdown"])  # Ctrl-U clears the line before the move is typed
        assert "You placed an X at (3, 3)." in played.plain


def printed(played: Window) -> list[str]:
    """Return the printed lines, without colours and without any text that was later erased."""
    kept = re.sub(r"[^\n]*\x1b\[K", "", played.raw)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", kept).splitlines()


LONG = ("keepaway --board 12x12", "scatter --board 8x8", "showdown --board 5x5")


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (40, 12)])
@pytest.mark.parametrize("game", LONG)
def test_words_are_not_broken(game: str, columns: int, lines: int, tmp_path: Path) -> None:
    asked = PROMPTS[game.split()[0]]
    with window(f"play {game} --time 0.5", tmp_path, columns=columns, lines=lines) as played:
        played.wait_for(asked)
        for command in ("help", "hint", "why", "values", "moves", "3 3", "hint", "why", "history"):
            assert max(map(len, printed(played)[:-1]), default=0) <= columns, played.plain
            played.enter(command, asked)


def test_a_list_is_wrapped_under_its_words(tmp_path: Path) -> None:
    with window("play showdown", tmp_path, columns=40) as played:
        played.wait_for(PROMPTS["showdown"])
        played.enter("help", PROMPTS["showdown"])
        assert "  board    draw the board again (board\n           ROW COLUMN: the part around\n" in played.plain


def test_no_prompt_when_only_programs_play(tmp_path: Path) -> None:
    with window("play trails --player1 random --player2 random --seed 1", tmp_path) as played:
        assert played.exit_code() == 0
        assert "is the computer (random)." in played.plain
        assert "Type a row" not in played.plain


def test_an_analysis_is_wrapped_too(tmp_path: Path) -> None:
    with window("analyse chain --board 5x9", tmp_path, columns=40) as told:
        assert told.exit_code() == 0
        assert "pair up" in " ".join(told.plain.split())
        assert max(map(len, printed(told))) <= 40


def test_the_prompt_is_there_again_after_a_stop(tmp_path: Path) -> None:
    with window("play showdown", tmp_path) as played:
        played.wait_for(PROMPTS["showdown"])
        played.type("3 ")
        played.wait_for("column): 3")
        played.raw = ""
        shown, tries = False, 0
        while not shown:  # the game may be suspended before it waits for a key, so try again
            os.kill(played.process.pid, signal.SIGSTOP)
            os.waitpid(played.process.pid, os.WUNTRACED)
            os.kill(played.process.pid, signal.SIGCONT)  # as Ctrl-Z and fg do
            tries += 1
            try:
                played.wait_for("Player 1 (X), enter your move (row and column): 3", 1)
                shown = True
            except AssertionError:
                assert tries < 30
        played.enter("3", PROMPTS["showdown"])
        assert "You placed an X at (3, 3)." in played.plain
