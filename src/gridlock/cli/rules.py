"""`gridlock rules`: explain a game on one screen."""

import textwrap

import click

from gridlock.errors import GridLockError
from gridlock.game import Game
from gridlock.grid import Cell
from gridlock.rulebook import BLOCKED, RuleBook, Variant
from gridlock.rules import RULE_BOOKS, variant

WIDTH, HEIGHT = 80, 23  # of the screen, with a line left for the prompt
OPEN, CLOSED = "+", "-"


@click.command(epilog="Example: gridlock rules chain")
@click.argument("game", metavar="[GAME]", required=False)
def rules(game: str | None) -> None:
    """Explain GAME on one screen; without GAME, list all games."""
    if game is None:
        click.echo("\n".join(overview()))
        return
    try:
        chosen = variant(game.strip().lower())
    except GridLockError as error:
        raise click.BadParameter(str(error), param_hint="'GAME'") from None
    click.echo("\n".join(explain(chosen)))


def overview() -> list[str]:
    """All games, a line each."""
    boards = {name: str(variant(name).grid) for name in RULE_BOOKS}
    wide, size = max(map(len, boards)), max(map(len, boards.values()))
    lines = [f"{name:{wide}}  {boards[name]:{size}}  {RULE_BOOKS[name].summary}" for name in RULE_BOOKS]
    return [*lines, "", f"To read the rules of one: gridlock rules {next(iter(RULE_BOOKS))}"]


def explain(chosen: Variant) -> list[str]:
    """One game: its rules, what a marker does, how to type a move, how it ends and how to try it."""
    book = chosen.book
    head = [*textwrap.wrap(f"{book.title.upper()}. {book.summary}", WIDTH), "", *textwrap.wrap(book.rules, WIDTH), ""]
    foot = [
        "",
        f"Board    {chosen.grid}, or any other with --board; cells touch "
        + {"king": "at sides and corners", "orthogonal": "at their sides"}[book.adjacency],
        f"Typing   row and column, such as {chosen.coordinates(0)[0]} {chosen.coordinates(0)[1]} or {chosen.name(0)}; "
        f"both count from {book.origin}",
        f"The end  {_ending(book)}",
        f"Try it   gridlock play {book.name} --player2 medium",
    ]
    return [*head, *_diagram(chosen, HEIGHT - len(head) - len(foot)), *foot]


def _ending(book: RuleBook) -> str:
    if book.passes:
        return "with no open cell you pass; once both are stuck, who placed last wins"
    return "a player with no open cell on their turn loses; there are no draws"


def _diagram(chosen: Variant, room: int) -> list[str]:
    """The board after the rule book's example, what is closed to the next player marked, with a legend beside it."""
    game = Game(chosen)
    for row, col in chosen.book.example:
        game.push(chosen.cell(row, col))
    marks, legal, position = chosen.book.marks, game.legal, game.position
    grid, first = chosen.grid, chosen.book.origin

    def glyph(cell: Cell) -> str:
        return chosen.content(position, cell) or (OPEN if legal >> cell & 1 else CLOSED)

    down, across = _part(game, room - 1)
    width = len(str(first + grid.rows - 1))
    label = len(str(first + grid.cols - 1)) + 1
    board = [" " * width + "".join(f"{first + col:>{label}}" for col in across)]
    for row in down:
        board.append(f"{first + row:>{width}}" + "".join(f"{glyph(row * grid.cols + col):>{label}}" for col in across))

    mover = marks[position.turn - 1]
    played = ", then ".join(
        f"{marks[event.side - 1]} {'to' if chosen.book.pawns else 'at'} {chosen.name(event.cell)}"
        for event in game.history()
        if event.cell is not None
    )
    legend = [f"After {played}:" if played else "At the start:", f"{OPEN} open to {mover}, who is next"]
    drawn = "".join(board)
    if CLOSED in drawn:
        legend.append(f"{CLOSED} closed to {mover}: the cell is {chosen.book.closed}")
    if BLOCKED in drawn:
        legend.append(f"{BLOCKED} blocked for good")
    if len(down) < grid.rows or len(across) < grid.cols:
        legend.append(f"(a part of the board of {grid})")
    wrap = textwrap.TextWrapper(WIDTH - len(board[0]) - 6, subsequent_indent="  ")
    legend = ["", *(line for item in legend for line in wrap.wrap(item))]
    lines = max(len(board), len(legend))
    pairs = zip(board + [""] * (lines - len(board)), legend + [""] * (lines - len(legend)), strict=True)
    return [f"  {left:{len(board[0])}}    {right}".rstrip() for left, right in pairs]


def _part(game: Game, room: int) -> tuple[range, range]:
    """The rows and columns to draw: all, or on a large board those around the last move."""
    grid = game.variant.grid
    row, col = divmod(game.moves[-1] if game.moves else 0, grid.cols)

    def around(centre: int, size: int, most: int) -> range:
        length = max(1, min(size, most))
        begin = max(0, min(centre - length // 2, size - length))
        return range(begin, begin + length)

    return around(row, grid.rows, room), around(col, grid.cols, 9)
