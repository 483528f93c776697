"""Tests that sentences about regions agree with values computed from the rules alone, for both sides."""

import re
from fractions import Fraction
from random import Random

import pytest
from bench import reference

from gridlock.core.game import Game
from gridlock.core.grid import Bitboard, Cell, cells_of, set_of
from gridlock.core.rulebook import Variant
from gridlock.core.rules import variant
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for
from gridlock.engine.regions import Region, Regions, open_cells, regions
from gridlock.engine.worth import Tier
from gridlock.play.advice import advise
from gridlock.play.region_words import Voice, amount, in_ascii, onlooker
from gridlock.play.regions import NO_VALUES, Report, describe, letter_of, region_legend, report_regions
from gridlock.values import Value, value_of
from hermit import HERMIT

Open = tuple[Bitboard, Bitboard]  # the cells open to side 1 and to side 2
UNIT = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅛": Fraction(1, 8), "⅜": Fraction(3, 8)}
UNIT |= {"⅝": Fraction(5, 8), "⅞": Fraction(7, 8)}


def played(name: str, board: str, moves: int, rng: Random, adjacency: str | None = None) -> Game:
    game = Game(variant(name, board, adjacency))
    for _ in range(moves):
        if not game.legal:
            break
        game.push(rng.choice(cells_of(game.legal)))
    return game


def reports(game: Game, seconds: float = 5.0) -> Report:
    return report_regions(game, advise(engine_for(game.variant), game, seconds), seconds)


def taken(rules: Variant, here: Open, side: int, cell: Cell) -> Open:
    """Return the open cells after a side has taken a cell, using one-line versions of the rules."""
    around, own, other = rules.grid.near[cell], here[side], here[1 - side]
    own, other = own & ~(1 << cell), other & ~(1 << cell)
    if rules.book.name == "scatter":
        own &= ~around
    else:
        other &= ~around
    return (own, other) if side == 0 else (other, own)


def slow_value(rules: Variant, here: Open) -> Value:
    def options(now: Open) -> tuple[list[Open], list[Open]]:
        ones, twos = ([taken(rules, now, side, cell) for cell in cells_of(now[side])] for side in (0, 1))
        return ones, twos

    return value_of(here, options)


def read(text: str) -> Fraction:
    """Return the value of a number in text form, such as 4½."""
    whole = re.fullmatch(r"(\d*)([½¼¾⅛⅜⅝⅞]?)|(?:(\d+) )?(\d+/\d+)", text)
    assert whole, text
    if whole[4]:
        return Fraction(whole[4]) + int(whole[3] or 0)
    return int(whole[1] or 0) + UNIT.get(whole[2], Fraction(0))


def read_standing(text: str) -> Fraction:
    if text == "even":
        return Fraction(0)
    number, way = text.rsplit(" ", 1)
    return read(number) * {"ahead": 1, "behind": -1}[way]


@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
@pytest.mark.parametrize("name", ["showdown", "scatter"])
def test_every_sentence_is_true(name: str, adjacency: str, rng: Random) -> None:
    check_sentences(name, adjacency, rng)


def test_the_sentences_of_both_sides_are_among_those_checked() -> None:
    heard: dict[str, set[tuple[str, int]]] = {"showdown": set(), "scatter": set()}
    for name, kinds in heard.items():
        for seed in range(3):
            kinds |= check_sentences(name, "orthogonal", Random(seed))
    assert heard["showdown"] >= {(kind, side) for kind in ("hot", "lukewarm") for side in (1, 2)}
    assert heard["scatter"] >= {("cold", 1), ("cold", 2)}


def check_sentences(name: str, adjacency: str, rng: Random) -> set[tuple[str, int]]:
    """Check every sentence that describes the regions of random positions.

    Return the kinds of regions that were found, each paired with the side to move.
    """
    kinds = set()
    for moves in (0, 1, 2, 3, 3, 4, 4, 5, 5):  # both parities, so both sides are to move
        game = played(name, "3x4" if moves > 2 else "2x3", moves, rng, adjacency)
        rules, turn = game.variant, game.position.turn
        sides = open_cells(rules, game.position)
        report = reports(game)
        covered = 0
        for one in report.regions:
            here = sides[0] & one.region.cells, sides[1] & one.region.cells
            covered |= one.region.cells
            value = slow_value(rules, here) * (1 if turn == 1 else -1)  # for the player to move
            first, second = value.stops
            said = re.fullmatch(
                r"(\w+), (\d+) cells?: (?:(hot), (\S+(?: \d+/\d+)?)\. First there, you come out (.+); second, (.+?)\."
                r"|(cold)\. You are (.+) there\.|(lukewarm)\. You come out (.+), no matter who moves there first; "
                r"only the turn is at stake\.)( Best cell \S+\.)?",
                one.words,
            )
            assert said, one.words
            assert int(said[2]) == one.region.cells.bit_count()
            kinds.add((said[3] or said[7] or said[9], turn))
            if said[3]:
                assert read(said[4]) == value.temperature > 0
                assert (read_standing(said[5]), read_standing(said[6])) == (first, second)
            elif said[7]:
                assert value == read_standing(said[8])
            else:
                assert value.temperature == 0
                assert first == second == read_standing(said[10])
            if said[11]:
                best = next(cell for cell in cells_of(sides[turn - 1]) if f" {rules.name(cell)}." in said[11])
                after = {
                    cell: slow_value(rules, taken(rules, here, turn - 1, cell)) for cell in cells_of(here[turn - 1])
                }
                sign = 1 if turn == 1 else -1
                assert not any(value * sign > after[best] * sign for value in after.values())
            else:
                assert not said[3]
        mine, theirs = (sides[side] & ~covered for side in ((0, 1) if turn == 1 else (1, 0)))
        if report.regions or mine or theirs:
            assert report.closing[-1] == f"Free moves: you {mine.bit_count()}, opponent {theirs.bit_count()}."
        check_closing(report, game, sides)
    return kinds


@pytest.mark.parametrize("name", ["showdown", "scatter"])
def test_onlookers_hear_the_same(name: str, rng: Random) -> None:
    """Sentences for players and for onlookers differ only in the names of the sides, so testing one kind is enough."""
    for moves in range(8):
        game = played(name, "4x4", moves, rng)
        found, turn = regions(game.variant, game.position, Clock(5.0)), game.position.turn
        mark, other = game.variant.book.mark(turn), game.variant.book.mark(3 - turn)
        words = {"you come out": f"{mark} comes out", "You come out": f"{mark} comes out", "You are": f"{mark} is"}
        words |= {"you ": f"{mark} ", "opponent": other}
        lines = describe(found, "", {}, False, Voice()).lines
        for spoken, named in words.items():
            lines = [line.replace(spoken, named) for line in lines]
        assert lines == describe(found, "", {}, False, onlooker(game.variant, turn)).lines


def check_closing(report: Report, game: Game, sides: Open) -> None:
    """Check the sentences about which side is ahead, which region is hottest, and whether playing there wins."""
    rules, turn = game.variant, game.position.turn
    wins = {cell: found.win for cell, found in reference.results(rules, game.position).items()}
    hottest = [line for line in report.closing if line.startswith("Hottest")]
    heat = {one.letter: one.region.temperature for one in report.regions}
    heats = {letter: Fraction(-1) if known is None else known for letter, known in heat.items()}
    top = max(heats.values(), default=Fraction(-1))
    assert [one.letter for one in report.regions] == sorted(heats, key=lambda letter: -heats[letter])
    assert bool(hottest) == (top > 0)
    if top > 0:
        named = re.match(r"Hottest: ([A-Z]+(?: and [A-Z]+)*|\d+ regions)\.", hottest[0])
        assert named
        hot = {letter for letter, heat in heats.items() if heat == top}
        assert set(named[1].split(" and ")) == hot or named[1] == f"{len(hot)} regions"
        for cell, verb in re.findall(r"(\d+,\d+)(?: in [A-Z]+)? (wins|loses|does)", hottest[0]):
            found = next(one for one in wins if rules.name(one) == cell)
            assert wins[found] == (verb != "loses")
        there = set_of(cell for one in report.regions if one.letter in hot for cell in cells_of(one.region.cells))
        if "every move in" in hottest[0]:
            assert not any(won for cell, won in wins.items() if there >> cell & 1)
            assert any(wins.values())
        elif any(wins.values()):
            assert any(won for cell, won in wins.items() if there >> cell & 1)
    ahead = [line for line in report.closing if "ahead" in line or "behind" in line]
    if top <= 0 and sides != (0, 0):
        value = slow_value(rules, sides) * (1 if turn == 1 else -1)
        number = value.mean
        starred = "one more move is open to either player" in ahead[0]
        assert value.is_number != starred
        if said := re.match(r"You are (ahead|behind) by (\S+) moves?", ahead[0]):
            assert number == read(said[2]) * {"ahead": 1, "behind": -1}[said[1]]
        else:
            assert not number
            assert ahead[0].startswith("Neither player is ahead")


def sample(tier: Tier, turn: int, **known: object) -> Regions:
    """Return a position whose only region has the given tier and attributes."""
    rules = variant("showdown", "5x5")
    position = Game(rules).position
    facts = {"value": None, "cooled": None, "mean": None, "temperature": None, "margins": None, "best": ((7,), (8,))}
    region = Region(rules, 0b111, (0b111, 0b111), tier, **{**facts, **known})  # type: ignore[arg-type]
    return Regions(rules, position._replace(turn=turn), (region,), (0, 0))


@pytest.mark.parametrize(
    ("tier", "known", "one", "two"),
    [
        (
            Tier.COOLED,
            {"cooled": Value("{2|-5}"), "temperature": Fraction(9, 2)},
            "A, 3 cells: hot, 4½. First there, X comes out at least 2 ahead; second, at least 5 behind. Best cell 2,3.",
            "A, 3 cells: hot, 4½. First there, O comes out at least 5 ahead; second, at least 2 behind. Best cell 2,4.",
        ),
        (
            Tier.COOLED,
            {"cooled": Value(1), "mean": Fraction(1)},
            "A, 3 cells: temperature at most 1. First there, X comes out at least 1 ahead; second, at most 1 ahead. "
            "Best cell 2,3.",
            "A, 3 cells: temperature at most 1. First there, O comes out at most 1 behind; second, at least 1 behind. "
            "Best cell 2,4.",
        ),
        (
            Tier.MARGINS,
            {"margins": (3, -1), "best": ((), ())},
            "A, 3 cells: hot, at least 1. First there, X comes out at least 3 ahead; second, at most 1 ahead.",
            "A, 3 cells: hot, at least 1. First there, O comes out at most 1 behind; second, at least 3 behind.",
        ),
        (
            Tier.MARGINS,
            {"margins": (0, 0), "best": ((), ())},
            "A, 3 cells: temperature not worked out in time. First there, X comes out even or ahead; "
            "second, even or behind.",
            "A, 3 cells: temperature not worked out in time. First there, O comes out even or ahead; "
            "second, even or behind.",
        ),
        (Tier.UNKNOWN, {}, "A, 3 cells: not worked out in time.", "A, 3 cells: not worked out in time."),
    ],
)
def test_what_is_not_known_exactly_is_said_to_be_a_bound(
    tier: Tier, known: dict[str, object], one: str, two: str
) -> None:
    for turn, words in ((1, one), (2, two)):
        found = sample(tier, turn, **known)
        assert describe(found, "", {}, False, onlooker(found.variant, turn)).regions[0].words == words


def test_bounds_hold_for_values_that_are_known() -> None:
    """The bounds that are reported when a region's exact value is unknown must hold for the exact value."""
    rng = Random(5)
    for moves in range(6):
        game = played("showdown", "4x4", moves, rng)
        for region in regions(game.variant, game.position, Clock(5.0)).regions:
            assert region.value is not None
            left, right = region.value.stops
            cooled = region.value.cool(1).stops
            assert left >= cooled[0]
            assert right <= cooled[1]
            assert region.value.temperature >= (left - right) / 2


def test_the_hottest_is_named_with_its_doubts() -> None:
    found = sample(Tier.EXACT, 1, value=Value("{3|-6}"), temperature=Fraction(9, 2), mean=Fraction(-3, 2))
    (hot,) = found.regions
    other = Region(hot.variant, 0b111000, (0, 0), Tier.UNKNOWN, None, None, None, None, None, ((), ()))
    both = Regions(found.variant, found.position, (other, hot), (0b1000000, 0))
    report = describe(both, "Verdict.", {7: "loss", 20: "win"}, False, Voice())
    assert report.lines == [
        "Verdict.",
        "A, 3 cells: hot, 4½. First there, you come out 3 ahead; second, 6 behind. Best cell 2,3.",
        "B, 3 cells: not worked out in time.",
        "Hottest: A (B may be hotter). But every move in A loses, while 5,1 wins.",
        "Free moves: you 1, opponent 0.",
    ]
    partly = describe(both, "", {7: "loss", 1: "unknown", 20: "win"}, False, Voice())
    assert partly.closing[0] == "Hottest: A (B may be hotter). 5,1 is known to win."
    assert describe(both, "", {}, True, Voice()).closing[0].endswith("As a rule of thumb, play there first.")


def test_the_best_cell_is_one_that_wins_if_there_is_one() -> None:
    game = Game(variant("showdown", "5x5"))
    (region,) = regions(game.variant, game.position, Clock(5.0)).regions
    middle = game.variant.grid.size // 2
    assert region.best[0][0] != middle  # the hottest cell is another
    report = reports(game)
    assert report.regions[0].words.endswith("Best cell 3,3.")
    assert report.closing[0] == "Hottest: A. 3,3 wins."


def test_a_single_cell_is_not_called_the_best() -> None:
    game = Game(variant("showdown", "1x1"))
    assert reports(game).regions[0].words.endswith("only the turn is at stake.")


def test_the_legend_explains_what_the_board_shows() -> None:
    game = Game(variant("showdown", "4x4"))
    assert region_legend(game, reports(game)) == "Letters are regions."
    game.push(0)
    assert region_legend(game, reports(game)) == "Letters are regions."
    game.push(2)  # no player may play between the two
    assert ": is closed" in region_legend(game, reports(game))


@pytest.mark.parametrize("name", ["keepaway", "chain", "trails"])
def test_games_without_values_say_so(name: str) -> None:
    assert reports(Game(variant(name)), 0.5).closing == (NO_VALUES,)


def test_a_game_of_your_own_has_regions() -> None:
    game = Game(Variant(HERMIT, variant("showdown", "2x3").grid))
    assert reports(game).regions[0].words.startswith("A, 6 cells: lukewarm. You come out even")


def test_amounts_are_written_as_people_write_them() -> None:
    numbers = {"9/2": "4½", "1/2": "½", "-3/4": "-¾", "3": "3", "15/16": "15/16", "47/16": "2 15/16", "0": "0"}
    assert {text: amount(Fraction(text)) for text in numbers} == numbers
    assert in_ascii(["hot, 4½, ½ or 15/16"]) == ["hot, 4 1/2, 1/2 or 15/16"]


def test_letters_never_run_out() -> None:
    assert [letter_of(number) for number in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]
