"""Playing a match at the terminal, turn by turn."""

import time
from contextlib import suppress
from functools import partial

from gridlock.cli.line import announce
from gridlock.cli.line.afterwards import what_next
from gridlock.cli.line.prompt import Failed, Prompt, Quit
from gridlock.cli.line.screen import Screen
from gridlock.cli.terminal import Terminal
from gridlock.core.match import Match
from gridlock.play import match_text
from gridlock.play.exits import Exit
from gridlock.play.match import LiveMatch
from gridlock.players import HUMAN, AgentFailed, Player, agents
from gridlock.userdata.saves import Slot


def play_match(match: Match, slot: Slot, terminal: Terminal, pause: float = 0.0) -> int:
    """Play a match, and at a terminal further ones if the player wants; return the exit code."""
    worst: int = Exit.DONE
    live: LiveMatch | None = LiveMatch(match, slot, terminal, batched=not pause)
    while live is not None:
        try:
            code = Session(live, terminal, pause).run()
        finally:
            live.slot.release()
        worst = worst or code
        stays = terminal.interactive and not live.watched and live.match.finished and code != Exit.INTERRUPTED
        live = what_next(live, terminal) if stays else None
    return worst


class Session:
    """A match being played at a terminal: asks people, and lets programs move."""

    def __init__(self, live: LiveMatch, terminal: Terminal, pause: float = 0.0) -> None:
        """`pause` is the time in seconds between two moves when only programs play."""
        self.live = live
        self.terminal = terminal
        self.screen = Screen(terminal, live.voice)
        self.prompt = Prompt(live, terminal, self.screen)
        self.pause = pause if live.watched else 0.0
        self.players = [None if kind == HUMAN else agents.start(kind) for kind in live.match.kinds]

    def run(self) -> int:
        """Play until the match is over or the player stops, and return the exit code."""
        autosave = self.live.autosave
        try:
            try:
                self._match()
                if autosave.unsaved:
                    self.terminal.warn(autosave.how_to_resume())
            except (Quit, EOFError) as reason:
                words = self.live.leave()
                self.terminal.say(*([""] if isinstance(reason, EOFError) else []), words)
        except (AgentFailed, Failed) as failure:
            self.terminal.warn(f"{failure} {self.live.leave()}")
            return Exit.AGENT
        except KeyboardInterrupt:  # the saved file is complete; memory may hold half a move
            self.terminal.warn(f"\n{autosave.how_to_resume()}")
            return Exit.INTERRUPTED
        except SystemExit:  # terminated, or the window was closed
            with suppress(OSError):
                self.terminal.warn(f"\n{autosave.how_to_resume()}")
            raise
        except OSError:  # the output is closed
            autosave.save()
            self.terminal.warn(autosave.how_to_resume())
            raise
        finally:
            for player in filter(None, self.players):
                player.close()
        return Exit.FAILED if autosave.unsaved else Exit.DONE

    # -- a match, its rounds and their turns ----------------------------------------------------------------------

    def _match(self) -> None:
        match = self.live.match
        if self.terminal.window:
            self.terminal.say(*announce.welcome(match, self.live.voice, self.terminal))
        self.terminal.say(*match_text.opening(match))
        while not match.finished:
            self._round()
        self.live.autosave.finish()
        self.terminal.say(*match_text.closing(match))

    def _round(self) -> None:
        game = self.live.start_round()
        self.terminal.say(*match_text.round_opening(self.live.match))
        while not game.outcome:
            self.terminal.say(*self.live.voice.passed(game))
            player = self.players[game.turn - 1]
            if player is None:
                self.prompt.ask()
            else:
                self._let_program_move(player)
        self.screen.show(game, partial(self.live.voice.closing, game, match_text.only_person(self.live.match)))
        if self.live.match.rounds > 1:
            self.terminal.say(match_text.score(self.live.match))

    def _let_program_move(self, player: Player) -> None:
        """Let a program move."""
        from random import Random

        live, game = self.live, self.live.game
        if not self.terminal.interactive or live.watched:
            self.screen.show(game)  # a person at a terminal sees one board per turn, after the answer
        with self.terminal.busy(f"{live.voice.label(game, game.turn)} is thinking"):
            trial, _, seed, think = live.turn_of_program
            move = player.choose(trial, Random(seed), think)
        self.terminal.say(*live.announcement(live.push(move)))
        if self.pause and not game.outcome:
            time.sleep(self.pause)
