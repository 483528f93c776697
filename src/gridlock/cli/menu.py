"""`gridlock` without a command: open the full screen or, in line mode, ask which game to resume or start."""

import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from gridlock.cli.line.session import play_match
from gridlock.cli.options import is_file
from gridlock.cli.terminal import Terminal, tell
from gridlock.core import rules
from gridlock.core.errors import GridLockError
from gridlock.core.match import Match, new_seed
from gridlock.core.notation import read_board
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.drawing.text import visible
from gridlock.play.exits import Exit
from gridlock.play.match import CHANCE, FRIEND, ago, resume, seats, side_choices, unfinished, with_name
from gridlock.play.saved_games import moves_made, opponents
from gridlock.players import HUMAN, AgentFailed, agents
from gridlock.userdata.folder import GameIsOpen
from gridlock.userdata.library import own_games
from gridlock.userdata.saves import Entry, Slot, new_name, short_id
from gridlock.userdata.settings import Preferences, load_and_warn, remember

MOST_OFFERED = 3  # unfinished games to offer
FULL = "f"  # the key for the full screen
QUIT = ("q", "quit", "exit")
MISSING = "Full-screen mode needs the textual package. Install it with: pip install textual"
UNDRAWABLE = (
    "Full-screen mode needs a UTF-8 locale, so GridLock is using line mode. To change that: export LC_ALL=C.UTF-8"
)
screen_option = click.option(
    "--screen/--plain", "full", default=False, help="Play full-screen, or line by line (default)."
)


def wanted() -> bool:
    """Return whether `gridlock` without a command starts in full-screen mode.

    Screen readers need plain lines, so full-screen mode stays off if the environment variable ACCESSIBLE is set or the
    setting `screen` is "lines".
    """
    return not os.environ.get("ACCESSIBLE") and Preferences.load().screen != "lines"


def installed() -> bool:
    """Return whether Textual, which full-screen mode needs, is installed."""
    return find_spec("textual") is not None


def possible(terminal: Terminal) -> bool:
    """Return whether full-screen mode can start; report a missing package or an unsuitable encoding."""
    if not terminal.interactive or terminal.dumb:
        return False
    if not drawable():
        tell(UNDRAWABLE, err=True)
        return False
    if not installed():
        tell(MISSING, err=True)
    return installed()


def drawable() -> bool:
    """Return whether the terminal's encoding includes the characters that full-screen mode uses."""
    try:
        "┌╲╳▒·↑".encode(sys.stdout.encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def open_screen(match: Match | None = None, slot: Slot | None = None) -> int:
    """Open a match or the start page in full-screen mode."""
    opener: Callable[[Match | None, Slot | None], int] = click.get_current_context().obj
    return opener(match, slot)


class Leave(Exception):
    """The signal that the user has quit the menu."""


def choose_and_play() -> int:
    """Offer unfinished games, then ask for the game, opponent, board and side; Enter always chooses the default."""
    terminal = Terminal()
    preferences = load_and_warn(agents)
    terminal.say("GridLock: lock your opponent out. Press Enter for the choice in brackets, or type 'q' to quit.", "")
    try:
        chosen = _book_or_game(terminal)
        if chosen is None:
            return open_screen()
        if isinstance(chosen, Entry):
            return play_match(*resume(chosen), terminal)
        match = _new_match(terminal, chosen, preferences)
    except Leave:
        return Exit.DONE
    except (GameIsOpen, AgentFailed) as error:
        terminal.say(str(error))
        return Exit.AGENT if isinstance(error, AgentFailed) else Exit.DONE
    terminal.say("")
    return play_match(match, Slot(new_name()), terminal)


def with_own_name(names: tuple[str, str], kinds: tuple[str, str], terminal: Terminal) -> tuple[str, str]:
    """Return the players' names; at a terminal, the first human player gets the name from the settings."""
    return with_name(names, kinds, load_and_warn().name) if terminal.interactive and "human" in kinds else names


def _book_or_game(terminal: Terminal) -> RuleBook | Entry | None:
    """Ask which game to start or resume; return None if the user chooses the full-screen interface."""
    rules.load_packages()
    own = own_games()
    books = {book.name: book for book in [*rules.RULE_BOOKS.values(), *(game.book for game in own if game.book)]}
    wide = max(map(len, books)) + 1
    for number, book in enumerate(books.values(), 1):
        terminal.say(f"  {number:<2}  {book.name:<{wide}} {book.summary}")
    terminal.say(*(f"  -   {game.problem}" for game in own if game.problem))
    saved = {f"r{number}" if number > 1 else "r": entry for number, entry in enumerate(unfinished(MOST_OFFERED), 1)}
    for key, entry in saved.items():
        terminal.say(f"  {key:<2}  resume {_describe(entry)}")
    full = [FULL] if terminal.interactive and not terminal.dumb and drawable() and installed() else []
    for key in full:
        terminal.say(f"  {key:<2}  open the full screen")
    while True:
        answer = _choose(terminal, "Which game", list(books), rules.FIRST, files=True, others=[*saved, *full])
        if answer in full:
            return None
        if answer in saved:
            return saved[answer]
        if not is_file(answer):
            return books[answer]
        try:
            return rules.rule_book(Path(answer).expanduser())
        except GridLockError as error:
            terminal.say(visible(str(error)))


def _describe(entry: Entry) -> str:
    """Describe an unfinished game in a few words."""
    assert entry.saved is not None  # damaged games are not offered
    match = entry.saved.match
    what = f"{match.variant.book.name} {match.variant.grid}, {opponents(match)}, {moves_made(match)}"
    return f"{what}, {ago(entry.changed)} ({short_id(entry.name)})"


def _new_match(terminal: Terminal, book: RuleBook, preferences: Preferences) -> Match:
    """Ask for the opponent, the board and the side, and remember the answers."""
    opponents = [HUMAN, *agents]
    lines = {entry.name: f"the computer, {entry.name}" for entry in agents.offered()}
    wide = max(map(len, lines.values()))
    terminal.say(f"  1  {FRIEND}")
    for number, entry in enumerate(agents.offered(), 2):
        terminal.say(f"  {number}  {lines[entry.name]:<{wide}}  {entry.summary}")
    kind = _choose(terminal, "Which opponent", opponents, preferences.level_among(opponents))
    variant = _board(terminal, book, preferences.board_of(book))
    choices = [*side_choices(book, kind), CHANCE]
    for number, line in enumerate(choices, 1):
        terminal.say(f"  {number}  {line}")
    answer = _choose(terminal, "Who starts", [str(number) for number in range(1, len(choices) + 1)], "1")
    kinds, starts = seats(book, kind, choices[int(answer) - 1])
    remember(kind if kind != "human" else preferences.level, book, str(variant.grid))
    names = with_own_name(("", ""), kinds, terminal)
    return Match(variant, kinds=kinds, starts=starts, names=names, seed=new_seed())


def _board(terminal: Terminal, book: RuleBook, default: str) -> Variant:
    while True:
        text = terminal.ask(f"Which board [{default}]? ").strip()
        if text.lower() in QUIT:
            raise Leave
        try:
            return rules.variant(book, "{}x{}".format(*read_board(text or default)))
        except GridLockError as error:
            terminal.say(visible(str(error)))


def _choose(
    terminal: Terminal, question: str, names: list[str], default: str, files: bool = False, others: Sequence[str] = ()
) -> str:
    """Ask the user to choose one of several names by typing its first few letters, all of it, or its number.

    The user may also type one of the keys in `others` or, if `files` is set, a file name.
    """
    while True:
        text = terminal.ask(f"{question} [{default}]? ", [*names, *others, "quit"]).strip()
        answer = text.lower()
        if not answer:
            return default
        if answer in QUIT:
            raise Leave
        if answer in others:
            return answer
        if answer.isascii() and answer.isdigit() and len(answer) < 4 and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        matching = [answer] if answer in names else [name for name in names if name.startswith(answer)]
        if len(matching) == 1:
            return matching[0]
        if files and is_file(text):
            return text
        own = ", or a file such as ./hermit.toml" * files
        listed = "" if names[0] == "1" else f", or one of: {', '.join(names)}{own}"
        terminal.say(f"Enter a number from 1 to {len(names)}{listed}.")
