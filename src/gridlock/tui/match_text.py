"""The text beside and below a match's board, and the advice shown on the board."""

from dataclasses import replace

from gridlock.core.game import SWAP, Game, Player
from gridlock.core.grid import cells_of
from gridlock.play.advice import Advice
from gridlock.play.clocks import time_text
from gridlock.play.match import LiveMatch
from gridlock.play.match_text import called, closing, only_person, result, round_number
from gridlock.players import short_name
from gridlock.tui.picture import Picture

OUTLOOKS = {"win": " can win.", "loss": " loses against perfect play.", "unknown": " is to move; who wins isn't known."}
REGION, MOVE, WHY = 2, 3, 4  # the steps of a hint after the first one, which says who wins


def label(live: LiveMatch, player: Player) -> str:
    """Return a player's name and marker; in a match against a program, default names become `You` or `The computer`."""
    you = only_person(live.match)
    if you is None or live.game.player_name(player) != live.game.variant.book.players[player - 1]:
        return live.voice.label(live.game, player)
    name = called(live.game, player, you)
    return f"{name[0].upper()}{name[1:]} ({live.game.mark_of(player)})"


def players(live: LiveMatch) -> list[str]:
    """Return lines that show the players, the match score, and whose turn it is."""
    match, game, lines = live.match, live.game, []
    for player in (1, 2):
        turn = ">" if game.outcome is None and game.turn == player else " "
        kind = match.kinds[player - 1]
        time = f"{time_text(match.times[player - 1])}  " if match.times else ""
        lines.append(f"{turn} {time}{label(live, player)}{'' if kind == 'human' else f', {short_name(kind)}'}")
    if match.rounds > 1:
        lines.append("{}, score {} - {}".format(round_number(match), *match.score()))
    return [*lines, ""]


def clocks(live: LiveMatch) -> str:
    """Return a short line that shows both players' remaining time and marks whose turn it is."""
    game, times = live.game, live.match.times or (0.0, 0.0)
    turn = None if game.outcome else game.turn
    return "  ".join(f"{'>' * (turn == one)}{game.mark_of(one)} {time_text(times[one - 1])}" for one in (1, 2))


def moves(live: LiveMatch, marked: int | None) -> list[str]:
    """Return the moves so far as numbered lines; if `marked` is the number of a move, put a `>` before that move."""
    events = list(live.game.history())
    latest = {event.ply: number for number, event in enumerate(events)}  # a pass belongs to the move before it
    at = None if marked is None else latest.get(marked, -1)
    lines = [live.voice.history_entry(event) for event in events]
    return [f"{'>' if number == at else ' '}{number + 1:>3}. {line}" for number, line in enumerate(lines)]


def looking_back(live: LiveMatch, at: int, since: int) -> str:
    """Return the text to show with a past position.

    If moves have been made since the player began to view earlier positions, the text mentions the latest move.
    """
    game = live.game
    where = f"You're viewing move {at} of {len(game.moves)}." if at else "You're viewing the start of the game."
    words = f"{where} Press [ or ] to step, or Enter to return."
    if game.outcome is not None:
        return f"{ending(live)}\n{words}"
    if len(game.moves) > since:
        latest = list(game.history())[-1]
        return f"{label(live, latest.player)} has moved: {live.voice.history_entry(latest)}.\n{words}"
    return words


def turn(live: LiveMatch, waiting: str, alone: bool) -> str:
    """Return a sentence that says whether the other player had to pass, and whose turn it is.

    If the list of moves is hidden, the sentence begins with the program's last move.
    """
    game, you = live.game, only_person(live.match)
    passed = f"{label(live, 3 - game.turn)} must pass. " if game.passing else ""
    if not live.persons_turn:
        return passed + (waiting or f"{label(live, game.turn)} is thinking ...")
    words = f"It's your move ({game.mark_of(you)})" if you else f"{label(live, game.turn)}, it's your move"
    latest = list(game.history())[-1] if alone and game.moves else None
    if latest and latest.cell is not None and live.match.kinds[latest.player - 1] != "human":
        words = f"{game.mark_of(latest.player)} played {game.variant.name(latest.cell)}. {words}"
    return f"{passed}{words}{', or press s to take over the other side' if game.can_swap else ''}."


def ending(live: LiveMatch) -> str:
    """Return the result of the game or, after the last of several rounds, of the match."""
    match = live.match
    return closing(match)[0] if match.finished and match.rounds > 1 else result(live.game, only_person(match))


class Coach:
    """The advice on the current position, and how much of it is shown."""

    def __init__(self) -> None:
        self.advice: Advice | None = None
        self.step = 0
        self.values = False
        self.pairs = False

    @property
    def wanted(self) -> bool:
        """Whether the person has asked for any advice."""
        return bool(self.step or self.values or self.pairs)

    def forget(self) -> None:
        """Discard the advice, because the position has changed, but keep showing move values if they were shown."""
        self.advice = None
        self.step = 0
        self.pairs = False

    def next_step(self) -> None:
        """Show the next step of the hint."""
        self.step = min(WHY, self.step + 1)
        self.pairs = self.pairs or self.step == WHY

    def picture(self, game: Game, causes: int) -> Picture:
        """Return the picture of a game, including any advice to show on it."""
        shown = Picture.of(game, causes)
        advice = self.advice
        if advice is None:
            return shown
        texts = dict(advice.values) if self.values else {}
        if self.step >= MOVE and advice.move not in (None, SWAP):
            texts[advice.move] = (f"*{texts.get(advice.move, ('',))[0]}", "hint")
        elif self.step == REGION:
            texts |= dict.fromkeys(cells_of(advice.region & shown.legal), ("?", "hint"))
        pairs = advice.pairs if self.pairs else {}
        return replace(shown, texts=texts, pairs=pairs, drawn=not advice.mirror)

    def words(self, onlooker: str = "") -> str:
        """Return the advice for the current step as text.

        If the user is only watching, `onlooker` is the name of the player to move; otherwise, `onlooker` is empty.
        """
        advice = self.advice
        if advice is None:
            return ""
        said = ""
        if self.pairs and self.step != WHY:
            said = advice.reason
        elif self.step:
            said = advice.steps[self.step - 1] + ("  (h: more)" if self.step < WHY else "")
        if self.pairs and advice.pairs:
            how = (
                "= answers the cell under the cursor"
                if advice.mirror
                else "joined cells or equal letters answer each other"
            )
            said += f"  [{how}]"
        elif self.values and not said:
            said = f"{onlooker + OUTLOOKS[advice.verdict] if onlooker else advice.opinion} {advice.legend}"
        return said
