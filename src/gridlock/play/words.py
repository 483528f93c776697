"""What each game says to its players, to the letter of its document."""

from gridlock.core.game import Event, Game, Player, Termination
from gridlock.core.grid import Cell, cells_of
from gridlock.core.rulebook import Variant


class Voice:
    """How a game speaks that has no document of its own; the five documents' voices differ where they must."""

    row_then_column = False  # asks for the two numbers one after the other

    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    def name(self, game: Game, player: Player) -> str:
        """What a player is called."""
        return game.player_name(player)

    def label(self, game: Game, player: Player) -> str:
        """A player's name and marker, such as `Player 1 (X)`."""
        return f"{game.player_name(player)} ({game.mark_of(player)})"

    def intro(self, _game: Game, _short: bool) -> list[str]:
        """What is said at the beginning of a turn, under the board; short where lines are scarce."""
        return []

    def prompt(self, game: Game, _row: int | None) -> str:
        """The question for a move."""
        return f"{self.label(game, game.turn)}, enter your move (row and column): "

    def happened(self, game: Game, event: Event, by_program: bool) -> list[str]:
        """What is said once a player has moved or swapped."""
        if event.cell is None:
            name, mark = game.player_name(event.player), game.mark_of(event.player)
            return [f"{name} takes over the other side and now plays {mark}."]
        return [self.watched(game, event, event.cell)] if by_program else self.played(game, event, event.cell)

    def played(self, _game: Game, _event: Event, _cell: Cell) -> list[str]:
        """What is said of the player's own move."""
        return []

    def watched(self, game: Game, event: Event, cell: Cell) -> str:
        """What is said of a program's move."""
        return f"{self.label(game, event.player)} plays {self.variant.name(cell)}."

    def refused(self, _game: Game, words: str, _short: bool) -> list[str]:
        """What is said of a move that the rules refuse."""
        return [f"Invalid move. Cell is {words}. Try again."]

    def passed(self, game: Game) -> list[str]:
        """What is said when a player has just had to pass."""
        if not game.passing:
            return []
        player = game.player(game.positions[-1].turn)
        return [f"{self.name(game, player)}, no valid moves available. Passing turn."]

    def stuck(self, game: Game, winner: Player, _short: bool) -> list[str]:
        """What is said when the game is over because nobody can go on."""
        return [f"No valid moves remaining for {self.name(game, 3 - winner)}. {self.name(game, winner)} wins!"]

    def closing(self, game: Game, short: bool) -> list[str]:
        """How the game ended."""
        outcome = game.outcome
        assert outcome is not None  # asked only at the end
        if outcome.termination is not Termination.STUCK:
            loser, does = self.name(game, 3 - outcome.winner), outcome.termination.does
            return [f"{loser} {does}. {self.name(game, outcome.winner)} wins!"]
        return self.stuck(game, outcome.winner, short)

    def told(self, event: Event) -> str:
        """One entry of the game's history."""
        mark = self.variant.book.mark(event.side)
        if event.swap:
            return "swap"
        return f"{mark} passes" if event.cell is None else f"{mark} {self.variant.name(event.cell)}"


class ChainVoice(Voice):
    """The GridLock Rule Book: asks for the row, then the column."""

    row_then_column = True

    def intro(self, game: Game, short: bool) -> list[str]:
        """Whose turn it is, the last move, and the cells around it."""
        turn = f"{self.name(game, game.turn)}, it's your turn."
        last = game.position.their_head
        if last is None:
            return [turn]
        moved = f"Last move was at {self._place(last)}."
        if short:
            cells = " ".join(self.variant.name(cell) for cell in cells_of(game.legal))
            return [f"{turn} {moved}", f"Available adjacent cells: {cells or 'none'}"]
        taken = game.position.taken
        lines = [turn, moved, "Available adjacent cells:"]
        for cell in self.variant.grid.neighbours(last):
            lines.append(f"- {self._place(cell)}{' (occupied)' * (taken >> cell & 1)}")
        return lines

    def _place(self, cell: Cell) -> str:
        return "Row {}, Column {}".format(*self.variant.coordinates(cell))

    def prompt(self, _game: Game, row: int | None) -> str:
        """Row first."""
        name, size = ("row", self.variant.grid.rows) if row is None else ("column", self.variant.grid.cols)
        first = self.variant.book.origin
        return f"Enter the {name} number ({first}-{size - 1 + first}): "

    def watched(self, game: Game, event: Event, cell: Cell) -> str:
        """A program's move, named as the document names cells."""
        return f"{self.label(game, event.player)} plays {self._place(cell)}."

    def stuck(self, game: Game, winner: Player, short: bool) -> list[str]:
        """The loser's turn, which cannot be taken."""
        return [
            *self.intro(game, short),
            "No legal moves available. You cannot make a move.",
            f"{self.name(game, winner)} wins!",
        ]


class ScatterVoice(Voice):
    """GridLock on 5x5: tokens, passes, and a winner who placed last."""

    def prompt(self, game: Game, _row: int | None) -> str:
        """The document's own wording."""
        return f"{self.label(game, game.turn)}, enter your move (row column): "

    def stuck(self, game: Game, winner: Player, _short: bool) -> list[str]:
        """Neither can place."""
        name = self.name(game, winner)
        return [
            "Neither player can make a valid move.",
            f"The last player to place a token was {name}.",
            f"Congratulations, {name} wins the game!",
        ]


class TrailsVoice(Voice):
    """Grid Lock with pawns, which counts from 0."""

    def name(self, game: Game, player: Player) -> str:
        """A player's name; after a swap it no longer tells the pawn, so the pawn is told too."""
        name = game.player_name(player)
        return f"{name} (pawn {game.mark_of(player)})" if game.swapped else name

    def intro(self, game: Game, short: bool) -> list[str]:
        """Whose turn it is, where the pawn stands, and where it can go."""
        head = game.position.my_head
        assert head is not None  # pawns stand on the board from the start
        turn = f"{self.name(game, game.turn)}'s turn."
        place = "Your current position: ({}, {})".format(*self.variant.coordinates(head))
        if short:
            cells = " ".join(self.variant.name(cell) for cell in cells_of(game.legal))
            return [f"{turn} {place}", f"Available moves: {cells or 'none'}"]
        moves = ["({}, {})".format(*self.variant.coordinates(cell)) for cell in cells_of(game.legal)] or ["None"]
        return [turn, place, "Available moves:", *(f"- {move}" for move in moves)]

    def prompt(self, _game: Game, _row: int | None) -> str:
        """The document's own wording."""
        return "Enter your move (row,column): "

    def played(self, game: Game, event: Event, cell: Cell) -> list[str]:
        """Where the pawn went and what it blocked."""
        return [f"You {self._step(game, event, cell)}"]

    def watched(self, game: Game, event: Event, cell: Cell) -> str:
        """The same of a program's pawn."""
        return f"{self.name(game, event.player)} {self._step(game, event, cell)}"

    def _step(self, game: Game, event: Event, cell: Cell) -> str:
        head = game.positions[event.ply - 1].my_head  # there are no passes here
        assert head is not None
        return f"moved to ({self.variant.name(cell)}) and blocked ({self.variant.name(head)})."

    def stuck(self, game: Game, winner: Player, short: bool) -> list[str]:
        """The loser's turn, which cannot be taken."""
        return [*self.intro(game, short), f"No valid moves available. {self.name(game, winner)} wins!"]


class ShowdownVoice(Voice):
    """Gridlock Showdown, which lists the available cells after every error."""

    def played(self, _game: Game, event: Event, cell: Cell) -> list[str]:
        """The marker and its cell."""
        mark = self.variant.book.mark(event.side)
        return ["You placed an {} at ({}, {}).".format(mark, *self.variant.coordinates(cell))]

    def refused(self, game: Game, words: str, short: bool) -> list[str]:
        """The reason, and every cell that is available; where lines are scarce, only how many there are."""
        if short:
            return [f"Invalid move. The cell is {words}.", f"Available cells: {game.legal.bit_count()} (type moves)"]
        cells = ", ".join(f"({self.variant.name(cell)})" for cell in cells_of(game.legal))
        return [f"Invalid move. The cell is {words}.", f"Available cells: [{cells}]"]

    def stuck(self, game: Game, winner: Player, _short: bool) -> list[str]:
        """The loser is told first."""
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
    """The voice of a game."""
    return VOICES.get(variant.book.name, Voice)(variant)
