"""Tests that the names of values can be read back, and that any other text is rejected with a message."""

import re
import sys
from itertools import product

import pytest
from naive_games import random_game, value_of_naive

from gridlock.values import ParseError, Value, miny, nimber, star, switch, up

NAMES = {  # a text: its name in Unicode and in ASCII
    "0": ("0", "0"),
    "-5/2": ("-5/2", "-5/2"),
    "\N{MINUS SIGN}5/2": ("-5/2", "-5/2"),
    "4/2": ("2", "2"),
    "{|}": ("0", "0"),
    "{ 0 | 1 }": ("1/2", "1/2"),
    "*": ("*", "*"),
    "*1": ("*", "*"),
    "*0": ("0", "0"),
    "*2": ("*2", "*2"),
    "-*2": ("*2", "*2"),
    "3/4*": ("3/4*", "3/4*"),
    "^": ("↑", "^"),
    "-^": ("↓", "v"),
    "v": ("↓", "v"),
    "^^": ("⇑", "^^"),
    "⇓*": ("⇓*", "vv*"),
    "^3": ("↑3", "^3"),
    "^^^": ("↑3", "^3"),
    "↓4*3": ("↓4*3", "v4*3"),
    "-1↑*": ("-1↑*", "-1^*"),
    "{0|*}": ("↑", "^"),
    "{0,*|0}": ("↑*", "^*"),
    "{0|↑*}": ("⇑", "^^"),
    "{0,*|0,*}": ("*2", "*2"),
    "±8": ("±8", "+-8"),
    "+-8": ("±8", "+-8"),
    "{8|-8}": ("±8", "+-8"),
    "{5|1}": ("{5|1}", "{5|1}"),
    "{1|1}": ("1*", "1*"),
    "±{3|1}": ("±{3|1}", "+-{3|1}"),
    "±{1,{2|0}}": ("±{1,{2|0}}", "+-{1,{2|0}}"),
    "{3|{1|-1}}": ("{3|±1}", "{3|+-1}"),
    "{3||1|-1}": ("{3|±1}", "{3|+-1}"),
    "{4|3||2|1}": ("{{4|3}|{2|1}}", "{{4|3}|{2|1}}"),
    "{9|8||7|||3||2|1}": ("{{{9|8}|7}|{3|{2|1}}}", "{{{9|8}|7}|{3|{2|1}}}"),
    "{0||0|-2}": ("⧾_2", "Tiny(2)"),
    "{2|0||0}": ("⧿_2", "Miny(2)"),
    "⧾_2": ("⧾_2", "Tiny(2)"),
    "Tiny(1/2)": ("⧾_1/2", "Tiny(1/2)"),
    "miny({3|1})": ("⧿_{3|1}", "Miny({3|1})"),
    "(3)": ("3", "3"),
    "-{3|1}": ("{-1|-3}", "{-1|-3}"),
}


@pytest.mark.parametrize("text", NAMES)
def test_names(text):
    value = Value(text)
    assert (str(value), format(value, "ascii")) == NAMES[text]
    assert Value(str(value)) == Value(format(value, "ascii")) == value
    assert repr(value) == f"Value({NAMES[text][1]!r})"


def test_every_game_of_day_two_and_random_later_ones_can_be_read_back(rng):
    first = [Value(0), Value(1), Value(-1), star]
    chains = [(), *((value,) for value in first), (Value(0), star)]
    second = {Value.game(left, right) for left, right in product(chains, repeat=2)}
    assert len(second) == 22
    for value in [*second, *(value_of_naive(random_game(rng, 4)) for _ in range(60))]:
        assert Value(str(value)) == value
        assert eval(repr(value)) == value
        assert format(value, "ascii").isascii()


def test_ups_and_stars_are_named_as_sums():
    for ups, size in product(range(-6, 7), range(5)):
        value = ups * up + nimber(size)
        arrows = "⇑" if ups == 2 else "⇓" if ups == -2 else "" if not ups else "↑" if ups > 0 else "↓"
        count = str(abs(ups)) if abs(ups) > 2 else ""
        suffix = f"*{size if size > 1 else ''}" if size else ""
        assert str(value) == (f"{arrows}{count}{suffix}" or "0")
        assert Value(str(value)) == value
        assert str(value + 2) == f"2{arrows}{count}{suffix}"


def test_the_order_of_options_does_not_depend_on_what_came_before():
    forwards = Value.game(["{5|-1}", 1, "{2|0}"], [-1, "{0|-2}", "{1|-4}"])
    backwards = Value.game(["{2|0}", 1, "{5|-1}"], ["{1|-4}", "{0|-2}", -1])
    assert str(forwards) == str(backwards) == "{1,{2|0},{5|-1}|-1,{0|-2},{1|-4}}"
    assert list(map(str, forwards.left)) == ["1", "{2|0}", "{5|-1}"]


def test_a_format_is_that_of_text():
    assert f"[{up:>3}]" == "[  ↑]"
    assert f"{star:ascii}" == "*"


def test_a_long_name_is_given_up_before_the_negative_is_computed():
    half = Value.game([Value("{31|{29|17}}")], [Value("{5|{3|-7}}")])
    value = Value.game([half], [-half])
    assert value.name(20) is None
    assert value._shape.negative is None  # for a large value it would take a second
    assert value.name() == f"±{half}"


def test_a_name_that_is_too_long_is_replaced():
    value = switch(1, -1)
    for number in range(2, 14):  # games whose options share most of their subpositions
        value = Value.game([number + value, number], [value - number, -number - star])
    assert value.name() is None
    assert value.name(40) is None
    assert re.fullmatch(r"a game with stops \S+ and \S+ and [\d,]+ subpositions", str(value))
    assert repr(value) == f"<Value: {value}>"
    assert Value("{3|1}").name(5) == "{3|1}"
    assert Value("{3|1}").name(4) is None


BAD = {
    "": "A value is missing, at character 1 of ''.",
    "{3|1": "This '{' is never closed, at character 1 of '{3|1'.",
    "3}": "This '}' closes nothing, at character 2 of '3}'.",
    "{1)": "This ')' closes nothing, at character 3 of '{1)'.",
    "1 2": "Two values need a comma or a bar between them, at character 3 of '1 2'.",
    "{1,|2}": "A value is missing, at character 4 of '{1,|2}'.",
    "{,1|2}": "A value is missing, at character 2 of '{,1|2}'.",
    "±": "A value is missing, at character 2 of '±'.",
    "{±|1}": "A value is missing, at character 3 of '{±|1}'.",
    "()": "A value is missing, at character 2 of '()'.",
    "{1|2|3}": "A second '|' cannot stand between the same braces, at character 5 of '{1|2|3}'.",
    "{1}": "A '|' is missing between the braces, at character 3 of '{1}'.",
    "(1|2)": "A '|' may only stand between braces, at character 3 of '(1|2)'.",
    "1,2": "A ',' may only stand between braces, at character 2 of '1,2'.",
    "{3|x}": "A value cannot contain 'x', at character 4 of '{3|x}'.",
    "0.5": "A value cannot contain '.', at character 2 of '0.5'.",
    "1/3": "1/3 is not the value of a game: the denominator must be a power of two, at character 1 of '1/3'.",
    "1/0": "The denominator is 0, at character 1 of '1/0'.",
    "*999": "This value is too deep (it can take more than 200 moves to become a number), at character 1 of '*999'.",
    "v999": "This value is too deep (it can take more than 200 moves to become a number), at character 1 of 'v999'.",
    "{1" + "|" * 300 + "2}": f"A bar may have at most 200 strokes, at character 3 of '{{1{'|' * 20}…'.",
    "9" * 400: f"A number may have at most 300 digits, at character 1 of '{'9' * 20}…'.",
    "{0,1,2,3,4,5,6,7,8,9|?,0,1,2,3,4,5,6,7,8,9}": (
        "A value cannot contain '?', at character 22 of '…0,1,2,3,4,5,6,7,8,9|?,0,1,2,3,4,5,6,7,8,…'."
    ),
}


@pytest.mark.parametrize("text", BAD)
def test_bad_texts_get_one_sentence_with_the_place(text):
    with pytest.raises(ParseError) as error:
        Value(text)
    assert str(error.value) == BAD[text]
    assert error.value.place == int(re.search(r"character (\d+)", BAD[text])[1]) - 1


def test_texts_of_any_kind_name_a_value_or_are_rejected(rng):
    for _ in range(400):
        text = "".join(rng.choices("{}|,()*^v±-+/ 0123↑⇓⧾_", k=rng.randint(1, 12)))
        try:
            value = Value(text)
        except ParseError as wrong:
            error = wrong
        else:
            assert Value(str(value)) == value
            continue
        assert 0 <= error.place <= len(text)
        assert "\n" not in str(error)


def test_long_and_deep_texts_are_rejected_or_read_within_the_stack():
    with pytest.raises(ValueError, match="may have at most 10,000 characters, not 10,001"):
        Value(" " * 10_001)
    deep = 3_000
    assert Value("{" * deep + "0" + "|}" * deep) == deep
    assert Value("(" * deep + "*" + ")" * deep) == star
    with pytest.raises(ParseError, match="too deep"):
        Value("{9|" * 300 + "0" + "}" * 300)
    with pytest.raises(ValueError, match="too deep"):
        nimber(1000)
    with pytest.raises(ValueError, match="There is no nimber \\*-1"):
        nimber(-1)


def test_the_deepest_values_fit_on_the_stack():
    room = sys.getrecursionlimit() // 2

    def below(depth):
        """Call a function at a stack depth typical of a large program."""
        if depth:
            return below(depth - 1)
        assert Value("^199") > Value("^197*")
        return Value("^20") + Value("v12*") > miny(1)

    assert below(room)
