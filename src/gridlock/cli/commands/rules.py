"""`gridlock rules`: explain a game on one screen."""

import shlex
import textwrap
from itertools import zip_longest

import click

from gridlock.cli.files import print_json, setup
from gridlock.cli.options import complete_game, find_book, is_file, json_option, time_option
from gridlock.cli.terminal import Terminal, page, tell
from gridlock.core.game import Game
from gridlock.core.grid import cells_of, first_of
from gridlock.core.notation import takes_steps
from gridlock.core.rulebook import BLOCKED, RuleBook, Variant
from gridlock.core.rules import RULE_BOOKS, load_packages
from gridlock.core.rules import variant as variant_of
from gridlock.drawing.text import CLOSED, numbered_board, visible, window, wrapped
from gridlock.play.exits import Exit
from gridlock.play.lessons import tips
from gridlock.userdata.library import folder, own_books, own_games

WIDTH, HEIGHT = 80, 23  # columns and lines of the screen, less one line for the prompt
NARROWEST = 12  # columns for the legend beside the board
QUICKLY = 0.5  # seconds to spend on solving one board
OPEN = "."


@click.command(epilog="Example: gridlock rules chain")
@click.argument("game", metavar="[GAME]", required=False, shell_complete=complete_game)
@click.option("--shapes", is_flag=True, help="List one game for each combination of rules, and show who wins.")
@time_option("With --shapes: the time limit per board, in seconds. [default: 0.5]")
@json_option
def rules(game: str | None, shapes: bool, seconds: float | None, as_json: bool) -> int:
    """Explain GAME on one screen, and show what the engine says about the game's tips. Without GAME, list all games.

    To use your own game, give the path to the file that defines it, such as ./hermit.toml. If the file is in the folder
    'own-games' beside your saved games, the game's name is enough. --shapes lists one game for each combination of
    marker rules, and shows who wins each game on small boards. Press Ctrl-C to stop early and see the results so far.
    """
    if shapes and game is not None:
        raise click.UsageError("--shapes shows all games at once: leave out GAME.")
    if not shapes and seconds is not None:
        raise click.UsageError("--time needs --shapes.")
    if game is not None:
        book = find_book(game)
        if as_json:
            print_json({**_facts(book), "tips": [{"tip": tip.tip, "finding": tip.finding} for tip in tips(book)]})
        else:
            columns = min(WIDTH, Terminal().columns or WIDTH)
            page(*explain(variant_of(book), game.strip(), columns), *_tested_tips(book, columns))
        return Exit.DONE
    load_packages()
    if shapes:
        from gridlock.cli.commands.atlas import show_shapes

        return show_shapes(QUICKLY if seconds is None else seconds, as_json)
    if as_json:
        print_json({"games": [_facts(book) for book in [*RULE_BOOKS.values(), *own_books()]]})
    else:
        tell(*overview())
    return Exit.DONE


def _facts(book: RuleBook) -> dict[str, object]:
    shown = {"title": book.title, "summary": book.summary, "rules": book.rules, "players": list(book.players)}
    return {**setup(variant_of(book)), **shown, "marks": list(book.marks), "passes": book.passes, "pawns": book.pawns}


def _tested_tips(book: RuleBook, columns: int) -> list[str]:
    """Return the lines that list the tips from a game's original document, with the engine's comment on each tip.

    The list is empty if the game has no tips.
    """
    advice = tips(book)
    if not advice:
        return []
    lines = ["", "Tips from the document, and what the engine says about each:"]
    for tip in advice:
        first, *more = wrapped([tip.tip], columns - 2)
        lines += ["", f"- {first}", *(f"  {line}" for line in [*more, *wrapped([tip.finding], columns - 2)])]
    return [*lines, "", f"Learn it step by step with: gridlock learn {book.name}"]


def overview() -> list[str]:
    """Return all games, one per line, then the user's game files that cannot be used, each with the reason."""
    own = own_games()
    books = [*RULE_BOOKS.values(), *(game.book for game in own if game.book)]
    boards = {book.name: str(variant_of(book).grid) for book in books}
    wide, size = max(map(len, boards)), max(map(len, boards.values()))
    lines = [f"{book.name:{wide}}  {boards[book.name]:{size}}  {book.summary}" for book in books]
    lines += [f"Not usable: {game.problem}" for game in own if game.problem]
    how = [f"Read the rules of a game with: gridlock rules {next(iter(RULE_BOOKS))}"]
    return [*lines, "", *how, f"Files of your own games go into {folder()}"]


def explain(variant: Variant, typed: str = "", columns: int = WIDTH) -> list[str]:
    """Explain one game: its rules and markers, how to type a move, how to win, and how to start playing."""
    book, first = variant.book, variant.book.origin
    example = variant.name(first_of(variant.legal(variant.start())) or 0)
    steps = "; or up, down, ..." * takes_steps(variant)
    said = [f"{book.title.upper()}. {book.summary}", "", book.rules, ""]
    foot = [
        "",
        f"Board:   {variant.grid}, or another size with --board; cells touch "
        + {"king": "at sides and corners", "orthogonal": "at their sides"}[book.adjacency],
        f"Moves:   row and column, such as {example.replace(',', ' ')} or {example}; both count from {first}{steps}",
        "Goal:    make the last move; a player with no open cell passes"
        if book.passes
        else "Goal:    leave the opponent no open cell on their turn; there are no draws",
        f"Theory:  {_theory(variant)}",
        f"Try it:  gridlock play {shlex.quote(visible(typed)) if is_file(typed) else book.name} --player2 medium",
    ]
    room = HEIGHT - len(wrapped(said, WIDTH)) - len(foot)
    return [*wrapped(said, columns), *_diagram(variant, room, columns), *foot]


def _theory(variant: Variant) -> str:
    """Say who wins from the starting position, if this is known without a search; if not, suggest `gridlock solve`."""
    from gridlock.engine.clock import Clock
    from gridlock.engine.engine import Engine
    from gridlock.engine.evidence import Method, Verdict

    if variant.shape is None:
        return "none, because its rules are written in Python; 'gridlock solve' searches"
    proof = Engine(variant).prove(variant.start(), Clock(QUICKLY))
    if proof is None:
        return f"no theorem decides {variant.grid}; 'gridlock solve' works out who wins"
    wins = f"the {'first' if proof.verdict is Verdict.WIN else 'second'} player wins on {variant.grid}"
    if proof.method is Method.MATCHING:
        return f"{wins}; pairs of cells decide every position"
    if proof.method is Method.CENTRE:
        return f"{wins}, by a mirror strategy with an answer to the centre"
    return f"{wins}, by a mirror strategy" if proof.method is Method.MIRROR else wins


def _diagram(variant: Variant, room: int, columns: int) -> list[str]:
    """Draw the board after the rule book's example moves, with a legend; mark the cells closed to the next player."""
    game = Game(variant)
    for move in variant.book.example:
        game.push(move)
    mark, grid = variant.book.mark, variant.grid
    row, col = divmod(game.moves[-1] if game.moves else 0, grid.cols)
    down, across = window(row, grid.rows, room - 1), window(col, grid.cols, 9)  # the part around the last move
    opened = dict.fromkeys(cells_of(game.legal), OPEN)
    board = numbered_board(variant, game.position, opened, CLOSED, part=(down, across))
    mover = mark(game.position.turn)
    played = ", then ".join(
        f"{mark(event.side)} {'to' if variant.book.pawns else 'at'} {variant.name(event.cell)}"
        for event in game.history()
        if event.cell is not None
    )
    legend = [f"After {played}:" if played else "At the start:", f"{OPEN} open to {mover}, who is next"]
    drawn = "".join(board)
    if CLOSED in drawn:
        legend.append(f"{CLOSED} closed to {mover}: the cell is {variant.book.closed}")
    if BLOCKED in drawn:
        legend.append(f"{BLOCKED} blocked for good")
    if len(down) < grid.rows or len(across) < grid.cols:
        legend.append(f"(part of the {grid} board)")
    wrap = textwrap.TextWrapper(max(NARROWEST, columns - len(board[0]) - 6), subsequent_indent="  ")
    legend = ["", *(line for item in legend for line in wrap.wrap(item))]
    pairs = zip_longest(board, legend, fillvalue="")
    return [f"  {left:{len(board[0])}}    {right}".rstrip() for left, right in pairs]
