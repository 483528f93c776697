"""`gridlock` alone: at most three short questions, and the game begins."""

from gridlock.agents import AGENTS
from gridlock.cli.play import new_seed, start
from gridlock.cli.store import Slot, new_name
from gridlock.errors import GridLockError
from gridlock.play.match import Match
from gridlock.rules import RULE_BOOKS, variant


def choose_and_play() -> None:
    """Ask for game, opponent and board; Enter takes the default each time."""
    print("GridLock: lock your opponent out. Press Enter to take the choice in brackets.\n")
    names = list(RULE_BOOKS)
    for number, book in enumerate(RULE_BOOKS.values(), 1):
        print(f"  {number}  {book.name:<10} {book.summary}")
    game = _choose("Which game", names, "showdown")
    opponents = ["human", *AGENTS]
    for number, name in enumerate(opponents, 1):
        print(f"  {number}  {'a friend, at this keyboard' if name == 'human' else f'the computer, {name}'}")
    kind = _choose("Against whom", opponents, opponents[-1])
    book = RULE_BOOKS[game]
    while True:
        board = input(f"Which board [{book.board[0]}x{book.board[1]}]? ").strip()
        try:
            chosen = variant(game, board or None)
            break
        except GridLockError as error:
            print(error)
    print()
    start(Match(chosen, kinds=("human", kind), seed=new_seed()), Slot(new_name(), None))


def _choose(question: str, names: list[str], default: str) -> str:
    """One of several names, by name, its beginning, or its number."""
    while True:
        answer = input(f"{question} [{default}]? ").strip().lower()
        if not answer:
            return default
        if answer.isascii() and answer.isdigit() and len(answer) < 4 and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        matching = [name for name in names if name.startswith(answer)]
        if len(matching) == 1:
            return matching[0]
        print(f"Enter a number from 1 to {len(names)}, or one of: {', '.join(names)}.")
