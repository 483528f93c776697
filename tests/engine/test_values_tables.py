"""Tests of docs/values-tables.md: its tables, theorem, examples and observations."""

import doctest
import re
from fractions import Fraction
from html import unescape
from itertools import product
from math import prod
from pathlib import Path
from runpy import run_path

import pytest

from gridlock.core import rules
from gridlock.core.game import Game
from gridlock.core.grid import Adjacency, Grid, cells_of
from gridlock.core.notation import play_moves
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.kernels import interface
from gridlock.engine.kernels.walls import BITS, MASK, UNIT, heat
from gridlock.engine.regions import regions
from gridlock.play.exercises import value_by_rules
from gridlock.values import Value, value_of

DOCS = Path(__file__).parents[2] / "docs"
SCRIPT = run_path(str(DOCS / "values_table.py"))
PAGE = (DOCS / "values-tables.md").read_text(encoding="utf-8")
ROWS = {name: SCRIPT["rows_on"](PAGE, name) for name in SCRIPT["TABLES"]}
EVERY = [(name, board) for name, rows in ROWS.items() for board in rows]
AT_ONCE = [
    ("paths", "1x4"),
    ("paths", "1x12"),
    ("showdown king", "4x4"),
    ("showdown king", "5x5"),
    ("showdown orthogonal", "2x5"),
    ("scatter king", "3x3"),
    ("scatter orthogonal", "3x4"),
]


def size(board):
    return prod(map(int, board.split("x")))


def cells(row):
    """Return the cells of a table row, without Markdown around names."""
    found = [unescape(cell.strip()) for cell in row.split("|")[1:-1]]
    return [re.sub(r"^(?:`|<code>)(.*?)(?:`|</code>)$", r"\1", cell) for cell in found]


def temperature(name, board):
    return Fraction(cells(ROWS[name][board])[2])


def without_version(row):
    return row.rpartition(",")[0]


def test_every_row_belongs_to_a_table_and_names_its_command():
    assert len(EVERY) > 80
    for name, board in EVERY:
        table = SCRIPT["TABLES"][name]
        assert board in table.boards
        command = cells(ROWS[name][board])[-1]
        assert re.match(rf"`gridlock value {table.game} --board {board}( --adjacency {table.adjacency})?`, \d", command)
    for name, rows in ROWS.items():
        assert list(rows) == [board for board in SCRIPT["TABLES"][name].boards if board in rows]


def test_boards_without_a_row_are_named():
    named = re.search(r"Not made yet: ([^.]*)\.", PAGE)
    for name, table in SCRIPT["TABLES"].items():
        for board in set(table.boards) - set(ROWS[name]):
            assert named, f"{name} {board} is missing"
            assert board in named[1]


@pytest.mark.parametrize(("name", "board"), AT_ONCE)
def test_some_rows_are_made_again(name, board):
    assert without_version(SCRIPT["row"](name, board)) == without_version(ROWS[name][board])


@pytest.mark.deep
@pytest.mark.parametrize(("name", "board"), EVERY)
def test_all_rows_are_made_again(name, board):
    assert without_version(SCRIPT["row"](name, board)) == without_version(ROWS[name][board])


@pytest.mark.parametrize(("name", "board"), [one for one in EVERY if size(one[1]) <= 6])
def test_small_boards_have_the_value_that_the_rules_give(name, board):
    table = SCRIPT["TABLES"][name]
    variant = rules.variant(rules.named(table.game), board, table.adjacency)
    value = value_by_rules(variant, variant.start())
    assert cells(ROWS[name][board])[1] == str(value)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "board"), [one for one in EVERY if 6 < size(one[1]) <= 8])
def test_boards_of_eight_cells_have_the_value_that_the_rules_give(name, board):
    test_small_boards_have_the_value_that_the_rules_give(name, board)


def test_a_row_is_not_made_if_the_search_disagrees():
    variant = rules.variant(rules.named("showdown"), "3x3", "king")
    found = regions(variant, variant.start(), Clock(), whole=True)
    SCRIPT["check"](found)
    wrong = type(found)(found.variant, found.position, found.regions, found.free, Value("+-7"))
    with pytest.raises(AssertionError, match="disagree"):
        SCRIPT["check"](wrong)


def test_new_rows_go_to_their_place_and_the_others_stay():
    page = "a\n<!-- paths -->\n<!-- end -->\nb\n<!-- showdown king -->\n<!-- end -->\n"
    page = SCRIPT["with_rows"](page, "paths", {"1x2": "| 1x2 | two |", "1x1": "| 1x1 | one |"})
    assert SCRIPT["rows_on"](page, "paths") == {"1x1": "| 1x1 | one |", "1x2": "| 1x2 | two |"}
    assert SCRIPT["rows_on"](page, "showdown king") == {}
    assert list(SCRIPT["rows_on"](page, "paths")) == ["1x1", "1x2"]


# -- the worked examples


def snort_options(position):
    """List both players' moves in a game of Snort that is played on a map.

    A position consists of the regions, each with the players who may colour it, and of the borders between regions.
    """
    open_to, borders = position

    def coloured(place, player):
        near = {one for border in borders if place in border for one in border} - {place}
        after = {one: "".join(who for who in whos if who == player or one not in near) for one, whos in open_to}
        del after[place]
        left = frozenset((one, whos) for one, whos in after.items() if whos)
        return left, frozenset(border for border in borders if border <= {one for one, _ in left})

    return tuple([coloured(place, player) for place, whos in open_to if player in whos] for player in "LR")


def le_bruyns_endgame():
    """Return the game in the page's first example, and the row, column and symbol of each cell in its diagram."""
    text = "".join(re.findall(r'^\.\.\.     "(.*)"$', PAGE, re.MULTILINE))
    rows = re.findall(r"^ +\d+  ((?:[XOxo.+] ?){13})$", PAGE, re.MULTILINE)
    return Game.from_text(text), {
        f"{'ABCDEFGHJKLMN'[col]}{13 - row}": (row, col, sign)
        for row, line in enumerate(rows)
        for col, sign in enumerate(line.split())
    }


def test_the_first_example_is_the_position_of_its_picture():
    game, board = le_bruyns_endgame()
    found = regions(game.variant, game.position, Clock(), whole=True)
    live = {cell for region in found.regions for cell in cells_of(region.cells)}
    for row, col, sign in board.values():
        cell = row * 13 + col
        expected = "X" if game.position.mine >> cell & 1 else "O" if game.position.theirs >> cell & 1 else "."
        expected = "+" if cell in live else "x" if found.free[0] >> cell & 1 else expected
        assert sign == ("o" if found.free[1] >> cell & 1 else expected)
    assert doctest.testfile(str(DOCS / "values-tables.md"), module_relative=False).failed == 0


def test_le_bruyns_endgame_as_a_map():
    """The general evaluator, which shares no code with the kernel, finds the same value from the map alone."""
    _, board = le_bruyns_endgame()
    sets = {sign: {name for name, (*_, there) in board.items() if there == sign} for sign in "XOxo+"}

    def near(name):
        row, col, _ = board[name]
        return {other for other, (r, c, _) in board.items() if abs(row - r) + abs(col - c) == 1}

    left = frozenset(
        (name, whos)
        for name in sets["x"] | sets["o"] | sets["+"]
        if (whos := "L" * (not near(name) & sets["O"]) + "R" * (not near(name) & sets["X"]))
    )
    names = {name for name, _ in left}
    borders = frozenset(frozenset((one, other)) for one in names for other in near(one) & names)
    start = left, borders

    def split(position):
        """Split a map into parts that share no border."""
        waiting, parts = dict(position[0]), []
        while waiting:
            part, new = set(), {min(waiting)}
            while new:
                part |= new
                new = {one for border in position[1] if border & part for one in border} - part
            parts.append(
                (
                    frozenset((one, waiting.pop(one)) for one in sorted(part)),
                    frozenset(border for border in position[1] if border <= part),
                )
            )
        return parts

    assert value_of(start, snort_options, split) == Value("{{3|2}|-1}")
    lefts, rights = snort_options(start)
    places = [[name for name, whos in left if player in whos] for player in "LR"]
    wins = [
        {
            name
            for name, after in zip(names, moves, strict=True)
            if value_of(after, snort_options, split).outcome in good
        }
        for names, moves, good in zip(places, (lefts, rights), ("LP", "RP"), strict=True)
    ]
    assert wins == [{"L2", "N2", "A2", "N11", "N12", "N13"}, {"M2"}]


def test_the_worked_example(gridlock_output):
    game = Game(rules.variant(rules.named("showdown"), "2x5", "orthogonal"))
    play_moves(game, "1,3 2,2")
    found = regions(game.variant, game.position, Clock(), whole=True)
    assert found.value == value_by_rules(game.variant, game.position) == Value("{{3|2}|-1}")
    assert [region.value for region in found.regions] == [Value("{0|-1}"), Value("{3|{0|-1}}")]
    command = re.search(r"`gridlock (value [^`]*2,2\")`", PAGE)[1]
    shown = gridlock_output(*re.sub('"1,3 2,2"', "1,3_2,2", command).split())
    assert shown.partition("The whole position")[2].strip() in PAGE


@pytest.fixture
def gridlock_output(capsys):
    """Return a function that runs a command and returns the output; underscores in the arguments become spaces."""
    from gridlock.command import run

    def do(*words):
        assert run([word.replace("_", " ") for word in words]) == 0
        return capsys.readouterr().out

    return do


# -- the theorem


def column_position(rows, cols, columns):
    """Return the set of all cells in these columns."""
    return sum(1 << row * cols + col for row in range(rows) for col in columns)


def test_the_theorem_on_columns(rng):
    for _ in range(40):
        cols = rng.randrange(1, 8)
        kinds = [rng.randrange(4) for _ in range(cols)]
        ones, twos = ([col for col in range(cols) if kinds[col] & bit] for bit in (1, 2))
        heats, whole = [], []
        for rows in (1, 2, 3):
            kernel = interface.snort_values(Grid(rows, cols, Adjacency.KING), 16 * MEBIBYTE)[0]
            value = kernel.value(column_position(rows, cols, ones), column_position(rows, cols, twos), Clock())
            heats.append(heat(kernel.store, value))
            whole.append(not value & MASK and not (value >> BITS) % UNIT)
        for rows in (2, 3):
            assert heats[rows - 1].mean == rows * heats[0].mean
            assert 1 + heats[rows - 1].temperature == rows * (1 + heats[0].temperature)
            assert whole[rows - 1] == whole[0]


def test_the_theorem_on_the_page():
    checked = 0
    for rows in (2, 3):
        for cols in range(rows, 9):
            path = temperature("paths", f"1x{cols}")
            assert 1 + temperature("showdown king", f"{rows}x{cols}") == rows * (1 + path)
            checked += 1
    assert checked == 13
    assert temperature("showdown king", "2x4") == 4
    assert temperature("showdown king", "3x4") == Fraction(13, 2)


# -- the observations


def fractions_among_all(rows, cols, adjacency):
    """Try every set of open cells for each player, and count the positions whose value is a fraction."""
    kernel = interface.snort_values(Grid(rows, cols, adjacency), 64 * MEBIBYTE)[0]
    found = 0
    for ones, twos in product(range(1 << rows * cols), repeat=2):
        value = kernel.value(ones, twos, Clock())
        found += not value & MASK and (value >> BITS) % UNIT != 0
    return found


@pytest.mark.parametrize("adjacency", Adjacency)
def test_numbers_are_whole_on_small_boards(adjacency):
    assert fractions_among_all(2, 3, adjacency) == 0


@pytest.mark.deep
@pytest.mark.parametrize("adjacency", Adjacency)
def test_numbers_are_whole_on_3x3(adjacency):
    assert fractions_among_all(3, 3, adjacency) == 0


def test_the_temperatures_of_paths_repeat():
    found = [temperature("paths", f"1x{cols}") for cols in range(13, 25)]
    assert found == [2, 2, 2, Fraction(3, 2), Fraction(3, 2), 1] * 2


def test_a_corner_costs_a_move_or_half_a_move():
    for name in ("scatter king", "scatter orthogonal"):
        for board, row in ROWS[name].items():
            empty, after = cells(row)[1:3]
            assert (empty, after) == ("*", "0") if board == "1x1" else empty == "0" and after in ("-1", "-1/2")
            if name.endswith("orthogonal"):
                assert after == ("-1/2" if size(board) % 2 else "-1")


def test_two_boards_are_worth_a_star():
    assert cells(ROWS["paths"]["1x6"])[1] == cells(ROWS["showdown king"]["6x6"])[1] == "*"
