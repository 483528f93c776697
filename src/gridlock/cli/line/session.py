"""Playing a match at the terminal, turn by turn."""

import time
from contextlib import suppress
from functools import partial

from gridlock.cli.line import announce
from gridlock.cli.line.afterwards import what_next
from gridlock.cli.line.prompt import Failed, Prompt, Quit
from gridlock.cli.line.screen import Screen
from gridlock.cli.terminal import Terminal
from gridlock.core.game import SWAP, Game
from gridlock.core.match import Match
from gridlock.play.exits import Exit
from gridlock.play.words import voice
from gridlock.players import HUMAN, AgentFailed, Player, agents
from gridlock.userdata.autosave import Keeper
from gridlock.userdata.saves import Slot, new_name


def play_match(match: Match, slot: Slot, terminal: Terminal, pause: float = 0.0) -> int:
    """Play a match that has its place on disk, and at a terminal more of them; return the exit code."""
    worst: int = Exit.DONE
    while True:
        try:
            code = Session(match, slot, terminal, pause).run()
        finally:
            slot.release()
        worst = worst or code
        stays = terminal.interactive and "human" in match.kinds and match.finished and code != Exit.INTERRUPTED
        another = what_next(match, terminal) if stays else None
        if another is None:
            return worst
        match, slot = another, Slot(new_name())


class Session:
    """A match being played: asks people, lets programs move, and keeps everything on disk."""

    def __init__(self, match: Match, slot: Slot, terminal: Terminal, pause: float = 0.0) -> None:
        """`pause` is how many seconds a program's move stays before the next program moves."""
        self.match = match
        self.terminal = terminal
        self.voice = voice(match.variant)
        self.screen = Screen(terminal, self.voice)
        self.keeper = Keeper(match, slot, terminal, together=not pause)
        self.prompt = Prompt(match, terminal, self.screen, self._acted)
        self.pause = pause if "human" not in match.kinds else 0.0
        self.players = [None if kind == HUMAN else agents.start(kind) for kind in match.kinds]

    def run(self) -> int:
        """Play until the match is over or the player stops, and return the exit code."""
        keeper = self.keeper
        try:
            try:
                self._match()
                if keeper.unsaved:
                    self.terminal.warn(keeper.how_to_go_on())
            except (Quit, EOFError) as reason:
                keeper.finish()
                self.terminal.say(*([""] if isinstance(reason, EOFError) else []), keeper.how_to_go_on())
        except (AgentFailed, Failed) as failure:
            keeper.finish()
            self.terminal.warn(f"{failure} {keeper.how_to_go_on()}")
            return Exit.AGENT
        except KeyboardInterrupt:  # what is on disk is whole; what is in memory may be half a move
            self.terminal.warn(f"\n{keeper.how_to_go_on()}")
            return Exit.INTERRUPTED
        except SystemExit:  # terminated, or the window was closed
            with suppress(OSError):
                self.terminal.warn(f"\n{keeper.how_to_go_on()}")
            raise
        except OSError:  # nobody listens any more
            keeper.keep()
            self.terminal.warn(keeper.how_to_go_on())
            raise
        finally:
            for player in filter(None, self.players):
                player.close()
        return Exit.FAILED if keeper.unsaved else Exit.DONE

    # -- a match, its rounds and their turns ----------------------------------------------------------------------

    def _match(self) -> None:
        if self.terminal.window:
            self.terminal.say(*announce.welcome(self.match, self.voice, self.terminal))
        self.terminal.say(*announce.opening(self.match))
        while not self.match.finished:
            self._round(self.match.current())
        self.keeper.finish()
        self.terminal.say(*announce.closing(self.match))

    def _round(self, game: Game) -> None:
        self.terminal.say(*announce.round_opening(self.match))
        self.prompt.begin()
        self.keeper.moved()
        while not game.outcome:
            if game.passing:
                stuck = game.player(game.positions[-1].turn)
                self.terminal.say(self.voice.passed(game, stuck))
            player = self.players[game.turn - 1]
            if player is None:
                self.prompt.ask(game)
            else:
                self._let(game, player)
        self.screen.show(game, partial(self.voice.closing, game))
        if self.match.rounds > 1:
            self.terminal.say(announce.score(self.match))

    def _let(self, game: Game, player: Player) -> None:
        """Let a program move."""
        from random import Random

        # Chance follows from the seed and the turn alone, so that a resumed match goes on as it would have.
        rng = Random(f"{self.match.seed}/{len(self.match.games)}/{len(game.moves)}")
        if not self.terminal.interactive or "human" not in self.match.kinds:
            self.screen.show(game)  # a person at a terminal has one board a turn, with the answer on it
        with self.terminal.busy(f"{self.voice.label(game, game.turn)} is thinking"):
            move = player.choose(game, rng, self.match.think)
        if move == SWAP:
            line = self.prompt.take_over(game)
        else:
            line = self.voice.watched(game, move)
            game.push(move)
        self._acted(line)
        if self.pause and not game.outcome:
            time.sleep(self.pause)

    def _acted(self, *lines: str) -> None:
        """Put what was done on disk, and only then tell of it."""
        self.keeper.moved()
        self.terminal.say(*lines)
