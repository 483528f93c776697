"""The sentences that each game addresses to its players, worded exactly as in the document that describes the game."""

from gridlock.core.game import Event, Game, Player, Termination
from gridlock.core.grid import Cell, cells_of
from gridlock.core.rulebook import Variant
from gridlock.play.match_text import result


class Voice:
    """The default wording of the messages that players see during a game.

    Subclasses replace some of the default messages with sentences from the document that describes the game.
    """

    row_then_column = False  # whether the two numbers of a move are asked for one after the other
    entry = "row and column"  # what to type for a move

    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    def name(self, game: Game, player: Player) -> str:
        """Return a player's name."""
        return game.player_name(player)

    def label(self, game: Game, player: Player) -> str:
        """Return a player's name and marker, such as `Player 1 (X)`."""
        return f"{game.player_name(player)} ({game.mark_of(player)})"

    def place(self, cell: Cell) -> str:
        """Return the name of a cell, as used in sentences."""
        return self.variant.name(cell)

    def intro(self, _game: Game, _short: bool) -> list[str]:
        """Return the lines to print below the board at the start of a turn, or fewer lines if `short` is true."""
        return []

    def prompt(self, game: Game, _row: int | None) -> str:
        """Return the prompt for a move; `row` is None until the player has entered the row."""
        return f"{self.label(game, game.turn)}, enter your move ({self.entry}): "

    def announcement(self, game: Game, event: Event, by_program: bool) -> list[str]:
        """Return the lines to print after a move or a swap."""
        if event.cell is None:
            name, mark = game.player_name(event.player), game.mark_of(event.player)
            return [f"{name} takes over the other side and now plays {mark}."]
        return [self.program_move(game, event, event.cell)] if by_program else self.own_move(game, event, event.cell)

    def own_move(self, _game: Game, _event: Event, _cell: Cell) -> list[str]:
        """Return the lines to print after a person's move."""
        return []

    def program_move(self, game: Game, event: Event, cell: Cell) -> str:
        """Return the sentence to print after a program's move."""
        return f"{self.label(game, event.player)} plays {self.place(cell)}."

    def refused(self, _game: Game, words: str, _short: bool) -> list[str]:
        """Return the lines to print after an illegal move."""
        return [f"Invalid move. Cell is {words}. Try again."]

    def passed(self, game: Game) -> list[str]:
        """Return the line that announces a pass, if a player has just been forced to pass."""
        if not game.passing:
            return []
        player = game.player(game.positions[-1].turn)
        return [f"{self.name(game, player)}, no valid moves available. Passing turn."]

    def stuck(self, game: Game, winner: Player, _short: bool) -> list[str]:
        """Return the lines to print when a game ends because a player has no moves left."""
        return [f"No valid moves remaining for {self.name(game, 3 - winner)}. {self.name(game, winner)} wins!"]

    def closing(self, game: Game, you: Player | None, short: bool) -> list[str]:
        """Return the lines that announce the result of a game.

        The games' original documents describe only games between two people, and name the winner. If `you` is
        a player's number, the result addresses that player instead (`You win` or `You lose`).
        """
        outcome = game.outcome
        assert outcome is not None
        if you is not None:
            return [result(game, you)]
        if outcome.termination is not Termination.STUCK:
            loser, does = self.name(game, 3 - outcome.winner), outcome.termination.does
            return [f"{loser} {does}. {self.name(game, outcome.winner)} wins!"]
        return self.stuck(game, outcome.winner, short)

    def history_entry(self, event: Event) -> str:
        """Return the text of one event in the game's history."""
        mark = self.variant.book.mark(event.side)
        if event.swap:
            return "swap"
        return f"{mark} passes" if event.cell is None else f"{mark} {self.variant.name(event.cell)}"

    def cells(self, game: Game) -> str:
        """Return the names of the legal cells, separated by spaces, or "none"."""
        return " ".join(map(self.variant.name, cells_of(game.legal))) or "none"


class ChainVoice(Voice):
    """Sentences from the rules of Chain, a game that asks for the row of a move first, and then for the column."""

    row_then_column = True

    def place(self, cell: Cell) -> str:
        return "Row {}, Column {}".format(*self.variant.coordinates(cell))

    def intro(self, game: Game, short: bool) -> list[str]:
        turn = f"{self.name(game, game.turn)}, it's your turn."
        last = game.position.their_head
        if last is None:
            return [turn]
        moved = f"Last move was at {self.place(last)}."
        if short:
            return [f"{turn} {moved}", f"Available adjacent cells: {self.cells(game)}"]
        taken, around = game.position.taken, self.variant.grid.neighbours(last)
        cells = (f"- {self.place(cell)}{' (occupied)' * (taken >> cell & 1)}" for cell in around)
        return [turn, moved, "Available adjacent cells:", *cells]

    def prompt(self, _game: Game, row: int | None) -> str:
        name, size = ("row", self.variant.grid.rows) if row is None else ("column", self.variant.grid.cols)
        first = self.variant.book.origin
        return f"Enter the {name} number ({first}-{size - 1 + first}): "

    def stuck(self, game: Game, winner: Player, short: bool) -> list[str]:
        end = ["No legal moves available. You cannot make a move.", f"{self.name(game, winner)} wins!"]
        return [*self.intro(game, short), *end]


class ScatterVoice(Voice):
    """Sentences from the rules of Scatter, in which the last player to place a token wins."""

    entry = "row column"

    def stuck(self, game: Game, winner: Player, _short: bool) -> list[str]:
        name = self.name(game, winner)
        return [
            "Neither player can make a valid move.",
            f"The last player to place a token was {name}.",
            f"Congratulations, {name} wins the game!",
        ]


class TrailsVoice(Voice):
    """Sentences from the rules of Trails, which number rows and columns from 0."""

    def name(self, game: Game, player: Player) -> str:
        """Return a player's name; after a swap, also name the pawn that the player now moves."""
        name = game.player_name(player)
        return f"{name} (pawn {game.mark_of(player)})" if game.swapped else name

    def place(self, cell: Cell) -> str:
        return "({}, {})".format(*self.variant.coordinates(cell))

    def intro(self, game: Game, short: bool) -> list[str]:
        head = game.position.my_head
        assert head is not None  # pawns stand on the board from the start
        turn, place = f"{self.name(game, game.turn)}'s turn.", f"Your current position: {self.place(head)}"
        if short:
            return [f"{turn} {place}", f"Available moves: {self.cells(game)}"]
        moves = [self.place(cell) for cell in cells_of(game.legal)] or ["None"]
        return [turn, place, "Available moves:", *(f"- {move}" for move in moves)]

    def prompt(self, _game: Game, _row: int | None) -> str:
        return "Enter your move (row,column): "

    def own_move(self, game: Game, event: Event, cell: Cell) -> list[str]:
        return [f"You {self._step(game, event, cell)}"]

    def program_move(self, game: Game, event: Event, cell: Cell) -> str:
        return f"{self.name(game, event.player)} {self._step(game, event, cell)}"

    def _step(self, game: Game, event: Event, cell: Cell) -> str:
        head = game.positions[event.ply - 1].my_head  # there are no passes in this game
        assert head is not None
        return f"moved to ({self.variant.name(cell)}) and blocked ({self.variant.name(head)})."

    def stuck(self, game: Game, winner: Player, short: bool) -> list[str]:
        return [*self.intro(game, short), f"No valid moves available. {self.name(game, winner)} wins!"]


class ShowdownVoice(Voice):
    """Sentences from the rules of Showdown.

    After every illegal move, the player sees a list of the available cells.
    """

    def own_move(self, _game: Game, event: Event, cell: Cell) -> list[str]:
        mark = self.variant.book.mark(event.side)
        return ["You placed an {} at ({}, {}).".format(mark, *self.variant.coordinates(cell))]

    def refused(self, game: Game, words: str, short: bool) -> list[str]:
        cells = f"[{', '.join(f'({self.variant.name(cell)})' for cell in cells_of(game.legal))}]"
        available = f"{game.legal.bit_count()} (type moves)" if short else cells
        return [f"Invalid move. The cell is {words}.", f"Available cells: {available}"]

    def stuck(self, game: Game, winner: Player, _short: bool) -> list[str]:
        return [
            f"{self.label(game, 3 - winner)}, you have no legal moves available.",
            f"{self.label(game, winner)} wins the game!",
        ]


VOICES: dict[str, type[Voice]] = {
    "chain": ChainVoice,
    "scatter": ScatterVoice,
    "trails": TrailsVoice,
    "showdown": ShowdownVoice,
}


def voice(variant: Variant) -> Voice:
    """Return the wording that a game uses to address its players."""
    return VOICES.get(variant.book.name, Voice)(variant)
