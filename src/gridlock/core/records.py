"""Game records as JSON, or as text in a format that chess players will recognise (see docs/records.md).

Loading is strict: a damaged, truncated or impossible record raises an error that names the line and the reason, so a
record that loads is exactly the game that was saved.
"""

import json
import os
import re
import textwrap
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from gridlock.core import rules
from gridlock.core.definition import book_from, definition_of
from gridlock.core.errors import BadGame, BadPosition, BadRecord, GridLockError, IllegalMove, UnreadableMove
from gridlock.core.files import write_safely
from gridlock.core.game import Game, Termination
from gridlock.core.names import clean_name
from gridlock.core.notation import push_stored, written
from gridlock.core.rulebook import RuleBook

VERSION = "1"
LONGEST = 4_000_000  # characters in a file; the longest game on the largest board takes about 80,000
LONGEST_TAG = 200  # characters in a free tag that is written
LONGEST_COMMENT = 2_000  # characters in a comment
UNFINISHED = "unfinished"
FIELDS = ("Game", "Board", "Adjacency", "Starts", "Swap", "Player1", "Player2", "Result", "Termination")
FREE_TAGS = ("Event", "Site", "Date", "Round")  # for people; they do not affect the moves
DEFINITION = "Definition"  # the tag that defines a game that is not built in
POSITION = "Position"  # the tag for a starting position that is not the usual one
TAGS = ("GridLock", *FREE_TAGS, *FIELDS, DEFINITION, POSITION, "Check")

_TAG = re.compile(r'\[([A-Za-z0-9]+) "((?:[^"\\]|\\["\\])*)"\]')
_TOKEN = re.compile(r"\{([^}]*)\}|;([^\n]*)|[^\s{};]+|[{}]")  # a comment of either kind, or a word
_NUMBER = re.compile(r"([0-9]{1,6})\.")
_FORFEITS = frozenset(Termination) - {Termination.STUCK}  # the moves alone do not show these endings
_RESULTS = {None: "*", 1: "1-0", 2: "0-1"}


# -- tags -------------------------------------------------------------------------------------------------------


def _fields(game: Game) -> dict[str, str]:
    """Return the tags of a game, in the order in which they are written."""
    outcome, book = game.outcome, game.variant.book
    definition = None if book.name in rules.BUILT_IN else definition_of(book)
    return {
        "Game": book.name,
        **({DEFINITION: json.dumps(definition, ensure_ascii=False)} if definition else {}),
        **({POSITION: game.at(0).position_text()} if game.set_up else {}),
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
    """Return a checksum of the tags and moves, which reveals a damaged record even if its moves are legal."""
    text = "\n".join([VERSION, *_fields(game).values(), *written(game)])
    return f"{zlib.crc32(text.encode()):08x}"


def _replay(tags: dict[str, str], moves: list[tuple[str, str]], where: str = "") -> Game:
    """Return the game that the given tags and moves describe.

    Error messages about the tags begin with the text of `where`, for example "line 1: ".
    """
    try:
        game = _new_game(tags, where)
    except BadRecord:
        raise
    except GridLockError as error:
        raise BadRecord(f"{where}in the tags: {error}") from None
    for place, text in moves:
        try:
            push_stored(game, text)
        except (IllegalMove, UnreadableMove) as error:
            raise BadRecord(
                f"{place}: move {len(game.moves) + 1} ({text[:40]!r}) is not possible: {error.why}"
            ) from None
    if tags["Termination"] in _FORFEITS and not game.outcome:
        loser = _choice(where, tags, "Result", {"1-0": 2, "0-1": 1})
        game.resign(loser, Termination(tags["Termination"]))
    fields, check = _fields(game), _check(game)
    for name in ("Result", "Termination"):
        if tags[name] != fields[name]:
            raise BadRecord(f"{where}{name} says {tags[name][:40]!r}, but after its moves the game is {fields[name]!r}")
    if tags.get("Check", check) != check:
        raise BadRecord(
            f"{where}the moves or tags do not match the Check tag (if you changed them by hand, remove that tag)"
        )
    game.tags = _free(tags)
    return game


def _new_game(tags: dict[str, str], where: str) -> Game:
    """Return the game that the tags describe, without any of its moves."""
    variant = rules.variant(_book(tags), tags["Board"], tags["Adjacency"])
    starts = _choice(where, tags, "Starts", {"1": 1, "2": 2})
    swap = _choice(where, tags, "Swap", {"on": True, "off": False})
    names = tags["Player1"], tags["Player2"]
    if POSITION not in tags:
        return Game(variant, starts=starts, swap=swap, names=names)
    game = Game.from_text(tags[POSITION], variant.book, names)
    if game.variant != variant:
        raise BadPosition("The Position tag does not match the Game, Board and Adjacency tags.")
    return game


def _book(tags: dict[str, str]) -> RuleBook:
    """Return a record's rule book, based on the record's definition or, if it has none, on the game's name."""
    if DEFINITION not in tags:
        return rules.named(tags["Game"])
    if tags["Game"] in rules.BUILT_IN:
        raise BadGame(f"{tags['Game']} is built in and cannot be redefined.")
    definition = read_json(tags[DEFINITION])
    if not isinstance(definition, dict) or definition.get("name") != tags["Game"]:
        raise BadGame("The tags Definition and Game must name the same game.")
    return book_from(definition, tags["Game"])


def _choice(where: str, tags: dict[str, str], name: str, values: dict[str, Any]) -> Any:
    if tags[name] not in values:
        raise BadRecord(f"{where}{name} is {tags[name][:40]!r}, but must be {' or '.join(values)}")
    return values[tags[name]]


# -- text ---------------------------------------------------------------------------------------------------------


def dump_text(game: Game) -> str:
    """Return a game as a text record, with its tags and comments."""
    tags = {"GridLock": VERSION, **_free(game.tags), **_fields(game), "Check": _check(game)}
    lines = ['[{} "{}"]'.format(name, re.sub(r'(["\\])', r"\\\1", text)) for name, text in tags.items()]
    words = _comment(game, 0)
    for index, move in enumerate(written(game)):
        words += [f"{index // 2 + 1}.", move] if index % 2 == 0 else [move]
        words += _comment(game, index + 1)
    words.append(tags["Result"])
    body = textwrap.wrap(" ".join(words), 88, break_on_hyphens=False, break_long_words=False)
    return "\n".join([*lines, "", *body, ""])


def _free(tags: dict[str, str]) -> dict[str, str]:
    """Return the tags that contain free text, after cleaning their values."""
    return {name: clean_name(tags[name], LONGEST_TAG) for name in FREE_TAGS if tags.get(name)}


def _comment(game: Game, ply: int) -> list[str]:
    """Return a list that contains the comment after a move, or an empty list if there is no comment.

    Text that would end the comment or begin another record is replaced.
    """
    said = game.comments.get(ply, "").replace("}", ")").replace("[GridLock", "(GridLock")
    text = clean_name(said, LONGEST_COMMENT)
    return [f"{{{text}}}"] if text else []


def _tokens(text: str, line: int) -> Iterator[tuple[int, str]]:
    """Yield each word of a record's moves with its line number, counting from `line`; a comment begins with {."""
    at = 0
    for found in _TOKEN.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        comment = found[1] if found[2] is None else found[2]
        if found[0] == "{":
            raise BadRecord(f"line {line}: a comment begins here and never ends")
        yield line, found[0] if comment is None else "{" + re.sub(r"\s*\n\s*", " ", comment).strip()


def _load_text(text: str) -> list[Game]:
    """Load every game in a text record."""
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
        moves, comments = _read_moves(lines[body:number], body + 1, tags["Result"])
        games.append(_replay(tags, moves, f"line {first}: "))
        games[-1].comments = comments
    if not games:
        raise BadRecord("line 1: there is no game here")
    return games


def _read_tag(line: str, number: int, tags: dict[str, str]) -> None:
    match = _TAG.fullmatch(line)
    if not match:
        raise BadRecord(f'line {number}: a tag looks like [Game "chain"], not {line[:40]!r}')
    name, value = match[1], re.sub(r'\\(["\\])', r"\1", match[2])
    if name in tags:
        raise BadRecord(f"line {number}: the tag {name} appears twice")
    if name not in TAGS:
        raise BadRecord(f"line {number}: there is no tag {name[:40]!r}")
    if not tags and (name, value) != ("GridLock", VERSION):
        raise BadRecord(f'line {number}: a record begins with [GridLock "{VERSION}"]')
    tags[name] = value


def _read_moves(lines: list[str], first: int, result: str) -> tuple[list[tuple[str, str]], dict[int, str]]:
    """Read the moves and comments after the tags, up to the result; `first` is the first line's number."""
    moves: list[tuple[str, str]] = []
    comments: dict[int, str] = {}
    ended = False
    for number, word in _tokens("\n".join(lines), first):
        place = f"line {number}"
        numbered = _NUMBER.fullmatch(word)
        if word[0] == "{":
            comments[len(moves)] = " ".join(filter(None, [comments.get(len(moves)), word[1:]]))
        elif ended:
            raise BadRecord(f"{place}: {word[:40]!r} comes after the result")
        elif word in _RESULTS.values():
            if word != result:
                raise BadRecord(f"{place}: the moves end with {word}, but the tag Result says {result[:40]!r}")
            ended = True
        elif numbered:
            if len(moves) % 2 or int(numbered[1]) != len(moves) // 2 + 1:
                raise BadRecord(f"{place}: the number {word} is at the wrong move")
        else:
            moves.append((place, word))
    if not ended:
        raise BadRecord(f"line {first + max(len(lines), 1) - 1}: the record ends before its result ({result[:40]!r})")
    return moves, {ply: text for ply, text in comments.items() if text}


# -- JSON ---------------------------------------------------------------------------------------------------------


def dump_json(game: Game) -> dict[str, Any]:
    """Return a game as a JSON object: its tags, a list of moves, and comments keyed by ply."""
    comments = {"Comments": {str(ply): text for ply, text in game.comments.items() if text}} if game.comments else {}
    tags = {"GridLock": VERSION, **_free(game.tags), **_fields(game)}
    return {**tags, "Moves": written(game), **comments, "Check": _check(game)}


def load_json(data: object) -> Game:
    """Load the game that a JSON object describes."""
    if not isinstance(data, dict):
        raise BadRecord("a game must be an object with tags and Moves")
    tags = {name: value for name, value in data.items() if name not in ("Moves", "Comments")}
    moves = data.get("Moves")
    if tags.get("GridLock") != VERSION:
        raise BadRecord("this is not a GridLock record")
    for name in (*FIELDS, *tags):
        if name not in TAGS:
            raise BadRecord(f"there is no tag {str(name)[:40]!r}")
        if not isinstance(tags.get(name), str):
            raise BadRecord(f"{name} is missing or not a string")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadRecord("Moves must be a list of strings")
    comments, plies = data.get("Comments", {}), {str(ply): ply for ply in range(len(moves) + 1)}
    game = _replay(tags, [("Moves", move) for move in moves])
    if not isinstance(comments, dict) or not all(
        ply in plies and isinstance(text, str) for ply, text in comments.items()
    ):
        raise BadRecord("Comments must be an object that maps move numbers to strings")
    game.comments = {plies[ply]: clean_name(text, LONGEST_COMMENT) for ply, text in comments.items()}
    return game


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise BadRecord("a name appears twice in one object")
    return data


def read_json(text: str) -> Any:
    """Parse untrusted JSON strictly; an error names the line."""

    def refuse(constant: str) -> NoReturn:
        raise BadRecord(f"{constant} is not a value that JSON knows")

    try:
        data = json.loads(text, object_pairs_hook=_unique_names, parse_constant=refuse)
        if "\\" in text:
            json.dumps(data, ensure_ascii=False).encode()
        return data
    except UnicodeEncodeError:
        raise BadRecord("it contains a lone surrogate, such as \\ud800") from None
    except json.JSONDecodeError as error:
        raise BadRecord(f"line {error.lineno}: this is not JSON ({error.msg})") from None
    except (ValueError, RecursionError):
        raise BadRecord("its numbers or lists are larger than any game needs") from None


# -- files --------------------------------------------------------------------------------------------------------


def loads(text: str) -> list[Game]:
    """Load every game in a record, whether text or JSON."""
    if len(text) > LONGEST:
        raise BadRecord(f"it is longer than {LONGEST:,} characters, more than any record needs")
    if text.lstrip().startswith("{"):
        return [load_json(read_json(text))]
    if re.match(r"\s*\[\s*[{\]]", text):
        return [load_json(entry) for entry in read_json(text)] or _load_text("")
    return _load_text(text.replace("\r\n", "\n"))


def load_bytes(data: bytes) -> list[Game]:
    """Load every game from a record file's content."""
    try:
        return loads(data[: 4 * LONGEST + 4].decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadRecord(f"line {line}: this is not UTF-8 text") from None


def load(path: str | os.PathLike[str]) -> list[Game]:
    """Load every game in a record file, whether text or JSON."""
    try:
        with open(path, "rb") as file:
            data = file.read(4 * LONGEST + 5)
    except (OSError, ValueError) as error:
        raise BadRecord(f"{os.fspath(path)} cannot be read: {_why(error)}.") from None
    try:
        return load_bytes(data)
    except BadRecord as error:
        raise BadRecord(f"{os.fspath(path)} cannot be used: {error}.") from None


def save(games: Game | Iterable[Game], path: str | os.PathLike[str]) -> None:
    """Write one or more games as a text record, atomically replacing any existing file.

    If there are no games, or if a game has a tag or a comment that a record cannot contain, raise an error and write
    nothing.
    """
    games = [games] if isinstance(games, Game) else list(games)
    if not games:
        raise BadRecord("There are no games to save. A record needs at least one game.")
    for game in games:
        _check_notes(game)
    try:
        write_safely(Path(path), "\n".join(map(dump_text, games)))
    except (OSError, ValueError) as error:
        raise BadRecord(f"{os.fspath(path)} cannot be written: {_why(error)}.") from None


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _check_notes(game: Game) -> None:
    """Raise an error if the game has tags or comments that a record cannot contain."""
    for name, text in game.tags.items():
        if name not in FREE_TAGS:
            raise BadRecord(f"A record has no tag {name!r}. The tags for your own notes are {', '.join(FREE_TAGS)}.")
        _check_note(f"The tag {name}", text, LONGEST_TAG)
    for ply, text in game.comments.items():
        if ply not in range(len(game.moves) + 1):
            raise BadRecord(f"There is a comment on move {ply!r}, but this game has no such move.")
        _check_note(f"The comment after move {ply}", text, LONGEST_COMMENT)


def _check_note(what: str, text: object, longest: int) -> None:
    if not isinstance(text, str):
        raise BadRecord(f"{what} must be a string, not {text!r}.")
    if len(text) > longest:
        raise BadRecord(f"{what} has {len(text):,} characters, but a record can have at most {longest:,}.")
