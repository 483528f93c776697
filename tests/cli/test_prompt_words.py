"""Tests of typed input: words, moves, directions, boards, levels and commands, including typos and capital letters."""

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import BashComplete
from window import window

from gridlock.command import COMMANDS, cli, run
from gridlock.core.errors import BadBoard
from gridlock.core.notation import read_board, read_step, step_word
from gridlock.core.rules import variant
from gridlock.userdata.saves import delete, entries

ASKED = "enter your move (row and column): "
Command = Callable[..., str]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def do(words: str, *typed: str, code: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        assert run(words.split()) == code
        printed = capsys.readouterr()
        return printed.out + printed.err

    return do


def moves() -> list[int]:
    """Return the moves of the most recently saved game; a game without moves is not saved."""
    latest = next(entries(), None)
    if latest is None:
        return []
    assert latest.saved is not None
    return latest.saved.match.games[-1].moves


# -- undo and redo ---------------------------------------------------------------------------------------------------


def test_on_one_screen_undo_takes_back_the_move_just_made(command: Command) -> None:
    out = command("play showdown --name1 Ada --name2 Bob", "1 1", "5 5", "undo", "quit")
    assert "Undid 1 move." in out
    assert moves() == [0]
    out = command("play showdown", "1 1", "undo", "undo", "5 5", "quit")
    assert out.count("Undid 1 move.") == 1
    assert "Nothing to undo: no move has been made yet." in out
    assert moves() == [24]


def test_redo_makes_again_what_was_taken_back(command: Command) -> None:
    out = command("play showdown", "1 1", "5 5", "1 5", "undo", "undo", "redo", "redo", "redo", "quit")
    assert out.count("Redid 1 move.") == 2
    assert "Nothing to redo" in out
    assert moves() == [0, 24, 4]
    command("play showdown", "1 1", "5 5", "undo", "5 1", "redo", "quit")
    assert moves() == [0, 20], "another move ends it"
    command("play showdown --swap", "1 1", "swap", "undo", "redo", "quit")
    assert moves() == [0, -1]


def test_against_the_computer_both_moves_are_taken_back_and_made_again(command: Command) -> None:
    out = command("play showdown --player2 random --seed 1", "1 1", "undo", "redo", "quit")
    assert "Undid 2 moves." in out
    assert "Redid 2 moves." in out
    assert len(moves()) == 2


def test_a_new_round_forgets_what_was_taken_back(command: Command) -> None:
    out = command("play keepaway --rounds 2", "1 1", "undo", "2 2", "redo", "quit")
    assert "Nothing to redo" in out


# -- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["q", "Q", "exit", "EXIT", "quit"])
def test_words_to_leave(word: str, command: Command) -> None:
    assert command("play chain", "1 1", word).endswith("Resume it with: gridlock resume\n")


def test_help_and_rules(command: Command) -> None:
    assert "  redo     redo what you have just undone" in command("play chain", "?")
    assert "up       and down, left, right" not in command("play chain", "help")
    assert "up       and down, left, right" in command("play trails", "help")
    assert "so that the markers form one path" in command("play chain", "rules")


def test_a_slip_is_asked_about(command: Command) -> None:
    assert "Did you mean hint? Try again" in command("play chain", "hitn")
    assert "Did you mean history? Try again" in command("play chain", "histroy")
    assert "Did you mean" not in command("play chain", "xyzzy")
    assert "Columns have numbers here, not letters. Enter a row" in command("play chain", "a1")


def test_enter_draws_the_board_again(tmp_path: Path) -> None:
    with window("play showdown", tmp_path) as played:
        played.wait_for(ASKED)
        played.enter("", ASKED)
        assert "1  . | . | . | . | ." in played.plain
        assert "Invalid" not in played.plain
    with window("play chain", tmp_path) as played:
        played.wait_for("(1-4): ")
        played.enter("2", "column number (1-4): ")
        played.enter("", "row number (1-4): ")


def test_tab_completes_words_and_moves(tmp_path: Path) -> None:
    with window("play trails", tmp_path) as played:
        played.wait_for("Enter your move (row,column): ")
        played.enter("hist\t", "Enter your move (row,column): ")
        assert "No moves yet." in played.plain
        played.enter("rig\t", "Enter your move (row,column): ")
        assert "You moved to (0,1) and blocked (0,0)." in played.plain
        played.enter("2,\t", "Enter your move (row,column): ")
        assert "You moved to (2,1) and blocked (2,2)." in played.plain


@pytest.mark.parametrize("game", ["keepaway", "chain", "scatter", "trails", "showdown"])
def test_an_example_of_a_move_is_one_that_is_possible(game: str, command: Command) -> None:
    chosen = variant(game)
    for typed in ((), ("1 2",), ("0 1",)):
        for entry in list(entries()):
            delete(entry)
        out = command(f"play {game}", *typed, "nonsense", "quit")
        found = re.search(r"such as (\d),(\d)", out)
        assert found is not None
        position = chosen.start()
        for move in moves():
            position = position.after(move)
        if chosen.legal(position):
            assert chosen.refusal(position, chosen.cell(int(found[1]), int(found[2]))) is None


def test_the_welcome_names_a_step_that_is_possible(tmp_path: Path) -> None:
    with window("play trails --starts 2", tmp_path) as played:
        played.wait_for("Enter your move (row,column): ")
        assert "such as 1,2, a direction such as up, or 'help'." in played.plain
    with window("play trails", tmp_path) as played:
        played.wait_for("Enter your move (row,column): ")
        assert "such as 0,1, a direction such as right, or 'help'." in played.plain


def test_a_row_outside_the_board_is_refused_before_the_column_is_asked_for(command: Command) -> None:
    out = command("play chain", "9", "-1", "0", "2", "9", "1", "1", "quit")
    assert out.count("Invalid move. Cell is outside the grid. Try again.\nEnter the row number (1-4): ") == 4
    assert moves() == [0]


# -- directions ------------------------------------------------------------------------------------------------------


def test_directions_move_a_pawn(command: Command) -> None:
    command("play trails --board 4x4", "right", "UP", "d", "w", "down", "A", "quit")
    assert [variant("trails", "4x4").name(move) for move in moves()] == ["0,1", "2,3", "0,2", "1,3", "1,2", "1,2"][:5]


def test_directions_by_shape_not_by_name(command: Command, tmp_path: Path) -> None:
    (tmp_path / "step.toml").write_text('title = "Step"\n[shape]\nfollows = "near"\npawn = true\n')
    (tmp_path / "leap.toml").write_text('title = "Leap"\n[shape]\nfollows = "away"\npawn = true\n')
    command("play ./step.toml", "down right", "up-left", "quit")
    assert moves() == [6, 18]
    out = command("play ./leap.toml", "down", "quit")
    assert "Invalid move. Enter a row and a column" in out
    assert "Enter a row and a column" in command("play showdown", "up", "quit")


def test_a_direction_off_the_board_or_onto_a_blocked_cell_is_refused(command: Command) -> None:
    out = command("play trails", "up", "right", "left", "up", "left", "quit")
    assert "Cell is outside the grid." in out
    assert "Cell is blocked." in out


def test_steps_and_their_words_are_each_other() -> None:
    for adjacency in ("king", "orthogonal"):
        chosen = variant("trails", "3x3", adjacency)
        centre = chosen.start()._replace(my_head=4)
        for cell in chosen.legal_cells(centre):
            word = step_word(chosen, centre, cell)
            assert read_step(word, chosen, centre) == chosen.coordinates(cell)
    for text in ("", "up down", "left left", "up left down", "sideways", "w w"):
        assert read_step(text, chosen, centre) is None


# -- boards, levels and commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["5x6", "5 x 6", "5X6", "5 × 6", "5*6", "5 by 6", " 5x6 "])  # noqa: RUF001
def test_boards_as_people_type_them(text: str) -> None:
    assert read_board(text) == (5, 6)


@pytest.mark.parametrize("text", ["5", "5x", "x5", "5 6", "5xx6", "axb", "5x5x5", ""])
def test_invalid_boards(text: str) -> None:
    with pytest.raises(BadBoard):
        read_board(text)


def test_a_board_with_blanks_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    for words in (["legal", "chain", "--board", "2 x 3"], ["atlas", "chain", "--up-to", "2 x 3"]):
        assert run(words) == 0
    assert "1,1 1,2 1,3 2,1 2,2 2,3" in capsys.readouterr().out


def test_levels_and_commands_in_any_case(command: Command) -> None:
    assert "plays" in command("PLAY SHOWDOWN --player1 Random --player2 EASY --seed 1")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("ply showdown", "there is no command 'ply'. Did you mean play?"),
        ("analise chain", "there is no command 'analise'. Did you mean analyse?"),
        ("play shwodown", "Did you mean showdown?"),
        ("play chain --player2 prefect", "Did you mean perfect?"),
        ("help revue", "there is no command 'revue'. Did you mean review?"),
        ("xyzzy", "there is no command 'xyzzy'.\n"),
    ],
)
def test_did_you_mean(words: str, meant: str, command: Command) -> None:
    out = command(words, code=2)
    assert meant in out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_explains_every_command_with_an_example(name: str, command: Command) -> None:
    out = command(f"help {name}")
    assert out == command(f"{name} --help")
    assert re.search(rf"Examples?: gridlock {name}\b", " ".join(out.split()))


def test_help_alone_lists_the_commands(command: Command) -> None:
    out = command("help")
    assert all(f"\n  {name} " in out for name in COMMANDS)
    assert command("-V") == command("--version")


def test_play_alone_opens_the_menu_at_a_terminal(command: Command, tmp_path: Path) -> None:
    with window("play", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        asked.type("q\r")
        assert asked.exit_code() == 0
    assert "which game? For example" in command("play", code=2)
    with window("play --board 4x4", tmp_path) as asked:
        assert asked.exit_code() == 2


@pytest.mark.parametrize(
    ("answer", "prompt", "first"),
    [
        ("1", "Player 1 (X), ", "Player 1 (X), enter"),
        ("2", "Player 1 (X), ", "Player 2 (O) plays"),
        ("3", "Player 2 (O), ", "Player 1 (X) plays"),
        ("4", "Player 2 (O), ", "Player 2 (O), enter"),
    ],
)
def test_the_menu_asks_which_side_and_who_starts(answer: str, prompt: str, first: str, tmp_path: Path) -> None:
    with window("--plain", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        asked.enter("", "Which opponent [medium]? ")
        asked.enter("random", "Which board [5x5]? ")
        asked.enter("", "Who starts [1]? ")
        asked.enter(answer, f"{prompt}{ASKED}")
        said = re.search(r"Player \d \([XO]\)(, enter| plays)", asked.plain)
        assert said is not None
        assert said[0] == first


# -- the shell -------------------------------------------------------------------------------------------------------


def completed(words: str, begun: str) -> list[str]:
    shell = BashComplete(cli, {}, "gridlock", "_GRIDLOCK_COMPLETE")
    return [item.value for item in shell.get_completions(words.split(), begun)]


def test_the_shell_completes_commands_games_levels_boards_and_saved_games(command: Command) -> None:
    command("play chain", "1 1", "quit")
    (entry,) = entries()
    assert completed("", "re") == ["resume", "review"]
    assert completed("play", "s") == ["scatter", "showdown"]
    assert completed("play showdown --player2", "h") == ["human", "hard"]
    assert completed("play trails --board", "")[0] == "3x3"
    for name in ("resume", "review", "show", "save"):
        assert completed(name, "") == [entry.name[-6:]]
    assert completed("games --delete", "") == [entry.name[-6:]]
    assert completed("help", "comp") == ["completion"]
    assert completed("settings", "board.s") == ["board.scatter", "board.showdown"]
    assert completed("settings theme", "") == ["dark", "light", "contrast"]
    assert completed("settings level", "h") == ["human", "hard"]
    assert completed("settings name", "") == []


def test_the_shell_offers_only_unfinished_games_to_resume(command: Command) -> None:
    command("play keepaway --player1 random --player2 random")
    assert len(completed("review", "")) == 1
    assert completed("resume", "") == [""]  # only a file name can be completed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_is_printed(shell: str, command: Command) -> None:
    assert f"_GRIDLOCK_COMPLETE={shell}_complete" in command(f"completion {shell}")
