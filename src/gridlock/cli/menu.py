"""`gridlock` alone: at most three short questions, and the game begins."""

from pathlib import Path

from gridlock import rules
from gridlock.cli.options import is_file, new_seed
from gridlock.cli.session import play_match
from gridlock.cli.store import Slot, new_name
from gridlock.cli.terminal import Terminal, visible
from gridlock.errors import GridLockError
from gridlock.play.match import Match
from gridlock.players import agents
from gridlock.rulebook import RuleBook

DEFAULT_OPPONENT = "medium"


def choose_and_play() -> int:
    """Ask for game, opponent and board; Enter takes the default each time."""
    terminal = Terminal()
    terminal.say("GridLock: lock your opponent out. Press Enter to take the choice in brackets.", "")
    book = _book(terminal)
    opponents = ["human", *agents]
    for number, name in enumerate(opponents, 1):
        terminal.say(f"  {number}  {'a friend, at this keyboard' if name == 'human' else f'the computer, {name}'}")
    kind = _choose(terminal, "Against whom", opponents, DEFAULT_OPPONENT)
    while True:
        board = terminal.ask(f"Which board [{book.board[0]}x{book.board[1]}]? ").strip()
        try:
            variant = rules.variant(book, board or None)
            break
        except GridLockError as error:
            terminal.say(visible(str(error)))
    terminal.say("")
    return play_match(Match(variant, kinds=("human", kind), seed=new_seed()), Slot(new_name()), terminal)


def _book(terminal: Terminal) -> RuleBook:
    """The game: one of those known by name, or from a file."""
    rules.load_packages()
    names = list(rules.RULE_BOOKS)
    wide = max(map(len, names)) + 1
    for number, book in enumerate(rules.RULE_BOOKS.values(), 1):
        terminal.say(f"  {number}  {book.name:<{wide}} {book.summary}")
    while True:
        answer = _choose(terminal, "Which game", names, rules.FIRST, files=True)
        if not is_file(answer):
            return rules.named(answer)
        try:
            return rules.rule_book(Path(answer).expanduser())
        except GridLockError as error:
            terminal.say(visible(str(error)))


def _choose(terminal: Terminal, question: str, names: list[str], default: str, files: bool = False) -> str:
    """One of several names, by name, its beginning, or its number; or perhaps the name of a file."""
    while True:
        text = terminal.ask(f"{question} [{default}]? ").strip()
        answer = text.lower()
        if not answer:
            return default
        if answer.isascii() and answer.isdigit() and len(answer) < 4 and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        matching = [answer] if answer in names else [name for name in names if name.startswith(answer)]
        if len(matching) == 1:
            return matching[0]
        if files and is_file(text):
            return text
        own = ", or a file such as ./hermit.toml" * files
        terminal.say(f"Enter a number from 1 to {len(names)}, or one of: {', '.join(names)}{own}.")
