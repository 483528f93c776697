"""`gridlock` alone: at most three short questions, and the game begins."""

from gridlock.cli.play import new_seed, start
from gridlock.cli.store import Slot, new_name
from gridlock.cli.terminal import Terminal, visible
from gridlock.errors import GridLockError
from gridlock.play.match import Match
from gridlock.players import AGENTS
from gridlock.rules import RULE_BOOKS, variant

DEFAULT_OPPONENT = "medium"


def choose_and_play() -> int:
    """Ask for game, opponent and board; Enter takes the default each time."""
    terminal = Terminal()
    terminal.say("GridLock: lock your opponent out. Press Enter to take the choice in brackets.", "")
    names = list(RULE_BOOKS)
    for number, book in enumerate(RULE_BOOKS.values(), 1):
        terminal.say(f"  {number}  {book.name:<10} {book.summary}")
    game = _choose(terminal, "Which game", names, "showdown")
    opponents = ["human", *AGENTS]
    for number, name in enumerate(opponents, 1):
        terminal.say(f"  {number}  {'a friend, at this keyboard' if name == 'human' else f'the computer, {name}'}")
    kind = _choose(terminal, "Against whom", opponents, DEFAULT_OPPONENT)
    book = RULE_BOOKS[game]
    while True:
        board = terminal.ask(f"Which board [{book.board[0]}x{book.board[1]}]? ").strip()
        try:
            chosen = variant(game, board or None)
            break
        except GridLockError as error:
            terminal.say(visible(str(error)))
    terminal.say("")
    return start(Match(chosen, kinds=("human", kind), seed=new_seed()), Slot(new_name()), terminal)


def _choose(terminal: Terminal, question: str, names: list[str], default: str) -> str:
    """One of several names, by name, its beginning, or its number."""
    while True:
        answer = terminal.ask(f"{question} [{default}]? ").strip().lower()
        if not answer:
            return default
        if answer.isascii() and answer.isdigit() and len(answer) < 4 and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        matching = [name for name in names if name.startswith(answer)]
        if len(matching) == 1:
            return matching[0]
        terminal.say(f"Enter a number from 1 to {len(names)}, or one of: {', '.join(names)}.")
