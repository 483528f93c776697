"""Games as files: the text record that chess players will recognise, and the same as JSON (see docs/records.md).

Loading is strict. A record that is damaged, cut short or impossible is refused with its line and the reason, so that
what loads is the game that was saved.
"""

import json
import re
import textwrap
import zlib
from collections.abc import Iterator
from typing import Any, NoReturn

from gridlock.errors import BadRecord, GridLockError, IllegalMove, UnreadableMove
from gridlock.game import Game, clean_name
from gridlock.movetext import push_stored, written
from gridlock.rules import variant

VERSION = "1"
LONGEST = 4_000_000  # characters in a file; the longest game on the largest board takes about 80,000
LONGEST_TAG = 200  # characters in a free tag that is written
UNFINISHED = "unfinished"
FIELDS = ("Game", "Board", "Adjacency", "Starts", "Swap", "Player1", "Player2", "Result", "Termination")
FREE_TAGS = ("Event", "Site", "Date", "Round")  # for people; they say nothing about the moves
TAGS = ("GridLock", *FREE_TAGS, *FIELDS, "Check")

_TAG = re.compile(r'\[([A-Za-z0-9]+) "((?:[^"\\]|\\["\\])*)"\]')
_NUMBER = re.compile(r"([0-9]{1,6})\.")
_RESULTS = {None: "*", 1: "1-0", 2: "0-1"}


# -- what a record says -------------------------------------------------------------------------------------------


def _fields(game: Game) -> dict[str, str]:
    """The tags of a game, in the order they are written."""
    outcome = game.outcome
    return {
        "Game": game.variant.book.name,
        "Board": str(game.variant.grid),
        "Adjacency": str(game.variant.grid.adjacency),
        "Starts": str(game.starts),
        "Swap": "on" if game.swap else "off",
        "Player1": game.player_name(1),
        "Player2": game.player_name(2),
        "Result": _RESULTS[outcome.winner if outcome else None],
        "Termination": str(outcome.termination) if outcome else UNFINISHED,
    }


def _check(game: Game) -> str:
    """A checksum over everything that matters, so that a damaged record is noticed even if it is still legal."""
    text = "\n".join([VERSION, *_fields(game).values(), *written(game)])
    return f"{zlib.crc32(text.encode()):08x}"


def _replay(tags: dict[str, str], moves: list[tuple[str, str]], where: str = "") -> Game:
    """The game that tags (which stand `where`) and moves (each with its place) describe, if they are true."""
    try:
        game = Game(
            variant(tags["Game"], tags["Board"], tags["Adjacency"]),
            starts=_choice(where, tags, "Starts", {"1": 1, "2": 2}),
            swap=_choice(where, tags, "Swap", {"on": True, "off": False}),
            names=(tags["Player1"], tags["Player2"]),
        )
    except BadRecord:
        raise
    except GridLockError as error:
        raise BadRecord(f"{where}in the tags: {error}") from None
    for place, text in moves:
        try:
            push_stored(game, text)
        except (IllegalMove, UnreadableMove) as error:
            raise BadRecord(f"{place}: move {len(game.moves) + 1} ({text[:40]!r}) is not possible: {error}") from None
    if tags["Termination"] == "resigned" and not game.outcome:
        game.resign(_choice(where, tags, "Result", {"1-0": 2, "0-1": 1}))
    for name, said in _fields(game).items():
        if tags[name] != said and name in ("Result", "Termination"):
            raise BadRecord(f"{where}{name} says {tags[name][:40]!r}, but after its moves the game is {said!r}")
    if tags.get("Check", _check(game)) != _check(game):
        raise BadRecord(
            f"{where}the moves or tags do not fit the Check tag (if you changed them by hand, remove that tag)"
        )
    return game


def _choice(where: str, tags: dict[str, str], name: str, values: dict[str, Any]) -> Any:
    if tags[name] not in values:
        raise BadRecord(f"{where}{name} is {tags[name][:40]!r}, where {' or '.join(values)} was expected")
    return values[tags[name]]


# -- text ---------------------------------------------------------------------------------------------------------


def dump_text(game: Game, free_tags: dict[str, str] | None = None) -> str:
    """A game as a text record; the free tags are those of FREE_TAGS that somebody wants in it."""
    free = {name: clean_name(text, LONGEST_TAG) for name, text in (free_tags or {}).items()}
    tags = {"GridLock": VERSION, **free, **_fields(game), "Check": _check(game)}
    lines = ['[{} "{}"]'.format(name, re.sub(r'(["\\])', r"\\\1", text)) for name, text in tags.items()]
    words = []
    for index, move in enumerate(written(game)):
        words += [f"{index // 2 + 1}.", move] if index % 2 == 0 else [move]
    words.append(tags["Result"])
    return "\n".join([*lines, "", *textwrap.wrap(" ".join(words), 88), ""])


def _tokens(lines: list[str], first: int) -> Iterator[tuple[int, str]]:
    """The words of a record's moves, comments left out, each with its line number (the first is given)."""
    comment = 0  # the line on which an open comment began
    for number, line in enumerate(lines, first):
        while line := line.strip():
            if comment:
                _, closed, line = line.partition("}")
                comment = 0 if closed else comment
                line = line if closed else ""
            elif line[0] == "{":
                comment, line = number, line[1:]
            elif line[0] == ";":
                break
            else:
                word = re.match(r"[^\s{};]+|\}", line)
                assert word is not None  # what is left begins with something that can be shown
                yield number, word[0]
                line = line[word.end() :]
    if comment:
        raise BadRecord(f"line {comment}: a comment begins here and never ends")


def _load_text(text: str) -> list[Game]:
    """Every game of a text file."""
    lines = text.split("\n")
    games = []
    number = 0
    while number < len(lines):
        if not lines[number].strip():
            number += 1
            continue
        tags: dict[str, str] = {}
        first = number + 1
        while number < len(lines) and lines[number].startswith("["):
            _read_tag(lines[number].rstrip(), number + 1, tags)
            number += 1
        body = number
        while number < len(lines) and not lines[number].startswith("[GridLock "):
            number += 1
        missing = [name for name in ("GridLock", *FIELDS) if name not in tags]
        if missing:
            raise BadRecord(f"line {first}: the tag {missing[0]} is missing")
        moves = _read_moves(lines[body:number], body + 1, tags["Result"])
        games.append(_replay(tags, moves, f"line {first}: "))
    if not games:
        raise BadRecord("line 1: there is no game in it")
    return games


def _read_tag(line: str, number: int, tags: dict[str, str]) -> None:
    match = _TAG.fullmatch(line)
    if not match:
        raise BadRecord(f'line {number}: a tag looks like [Game "chain"], not {line[:40]!r}')
    name, value = match[1], re.sub(r'\\(["\\])', r"\1", match[2])
    if name in tags:
        raise BadRecord(f"line {number}: the tag {name} stands there twice")
    if name not in TAGS:
        raise BadRecord(f"line {number}: there is no tag {name[:40]!r}")
    if not tags and (name, value) != ("GridLock", VERSION):
        raise BadRecord(f'line {number}: a record begins with [GridLock "{VERSION}"]')
    tags[name] = value


def _read_moves(lines: list[str], first: int, result: str) -> list[tuple[str, str]]:
    """The moves on the lines after the tags, the first of which is given; they must end with the result."""
    moves: list[tuple[str, str]] = []
    ended = False
    for number, word in _tokens(lines, first):
        place = f"line {number}"
        numbered = _NUMBER.fullmatch(word)
        if ended:
            raise BadRecord(f"{place}: {word[:40]!r} stands after the result")
        if word in _RESULTS.values():
            if word != result:
                raise BadRecord(f"{place}: the moves end with {word}, but the tag Result says {result[:40]!r}")
            ended = True
        elif numbered:
            if len(moves) % 2 or int(numbered[1]) != len(moves) // 2 + 1:
                raise BadRecord(f"{place}: the number {word} stands at the wrong move")
        else:
            moves.append((place, word))
    if not ended:
        raise BadRecord(f"line {first + max(len(lines), 1) - 1}: the record ends before its result ({result[:40]!r})")
    return moves


# -- JSON ---------------------------------------------------------------------------------------------------------


def dump_json(game: Game) -> dict[str, Any]:
    """A game as an object of the same tags, with its moves as a list."""
    return {"GridLock": VERSION, **_fields(game), "Moves": written(game), "Check": _check(game)}


def load_json(data: object) -> Game:
    """The game that such an object describes."""
    if not isinstance(data, dict):
        raise BadRecord("a game is an object with tags and Moves")
    tags = {name: value for name, value in data.items() if name != "Moves"}
    moves = data.get("Moves")
    if tags.get("GridLock") != VERSION:
        raise BadRecord(f'it does not say "GridLock": "{VERSION}"')
    for name in (*FIELDS, *tags):
        if name not in TAGS:
            raise BadRecord(f"there is no tag {str(name)[:40]!r}")
        if not isinstance(tags.get(name), str):
            raise BadRecord(f"{name} is missing or not a text")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadRecord("Moves is not a list of texts")
    return _replay(tags, [("Moves", move) for move in moves])


def _refuse_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise BadRecord("a name stands there twice in one object")
    return data


def read_json(text: str) -> Any:
    """JSON from outside: what is not proper JSON is refused with its line."""

    def refuse(constant: str) -> NoReturn:
        raise BadRecord(f"{constant} is not a value that JSON knows")

    try:
        return json.loads(text, object_pairs_hook=_refuse_twins, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise BadRecord(f"line {error.lineno}: this is not JSON ({error.msg})") from None
    except (ValueError, RecursionError):
        raise BadRecord("its numbers or lists are larger than any game needs") from None


# -- files --------------------------------------------------------------------------------------------------------


def loads(text: str) -> list[Game]:
    """Every game of a file, text or JSON."""
    if len(text) > LONGEST:
        raise BadRecord(f"it is longer than {LONGEST:,} characters, more than any record needs")
    if text.lstrip().startswith("{"):
        return [load_json(read_json(text))]
    if re.match(r"\s*\[\s*[{\]]", text):
        return [load_json(entry) for entry in read_json(text)] or _load_text("")
    return _load_text(text.replace("\r\n", "\n"))


def load_bytes(data: bytes) -> list[Game]:
    """Every game of a file as it lies on disk."""
    try:
        return loads(data[: 4 * LONGEST + 4].decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadRecord(f"line {line}: this is not UTF-8 text") from None
