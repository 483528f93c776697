"""Play a match at the terminal, turn by turn, and then offer a menu."""

import time
from contextlib import suppress
from functools import partial

from gridlock.cli.line.prompt import Prompt, Quit
from gridlock.cli.line.screen import Screen, welcome
from gridlock.cli.terminal import Progress, Terminal
from gridlock.core.match import Match
from gridlock.play import match_text
from gridlock.play.exits import Exit
from gridlock.play.match import LiveMatch
from gridlock.players import HUMAN, AgentFailed, Player, agents
from gridlock.userdata.autosave import write_record
from gridlock.userdata.saves import Slot

WORDS = {"a": "again", "s": "sides", "r": "review", "q": "quit", "exit": "quit", "": "quit"}
QUESTION = "Again, sides, review, save FILE or quit [quit]? "
HELP = """\
  again   play again
  sides   play again with sides changed: {first} becomes {second}
  review  see where the game was won and lost
  save F  write the game to file F
  quit    quit (or press Enter); 'gridlock games' lists the game"""


def play_match(match: Match, slot: Slot, terminal: Terminal, pause: float = 0.0) -> int:
    """Play a match, offer further matches if the terminal is interactive, and return the exit code."""
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
    """Plays a match at a terminal: asks people for their moves, and lets programs move."""

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
        except AgentFailed as failure:
            self.terminal.warn(f"{failure} {self.live.leave()}")
            return Exit.AGENT
        except KeyboardInterrupt:  # the saved file is complete, but the match in memory may be halfway through a move
            self.terminal.warn(f"\n{autosave.how_to_resume()}")
            return Exit.INTERRUPTED
        except SystemExit:  # the process was terminated, or the window was closed
            with suppress(OSError):
                self.terminal.warn(f"\n{autosave.how_to_resume()}")
            raise
        except OSError:  # standard output is closed
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
            self.terminal.say(*welcome(match, self.live.voice, self.terminal))
        self.terminal.say(*match_text.opening(match))
        if match.clock:
            self.terminal.say("This game has clocks, which run only in full-screen mode.")
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
        """Ask a program for its move, make the move and announce it."""
        from random import Random

        live, game = self.live, self.live.game
        if not self.terminal.interactive or live.watched:
            self.screen.show(game)  # at a terminal, a person sees one board per turn, after the reply
        with self.terminal.busy(f"{live.voice.label(game, game.turn)} is thinking"):
            trial, _, seed, think = live.turn_of_program
            move = player.choose(trial, Random(seed), think)
        self.terminal.say(*live.announcement(live.push(move)))
        if self.pause and not game.outcome:
            time.sleep(self.pause)


def what_next(live: LiveMatch, terminal: Terminal) -> LiveMatch | None:
    """Ask what to do after a match; return another match to play, or None to leave."""
    match = live.match
    while True:
        try:
            text = terminal.ask(f"\n{QUESTION}", ["again", "sides", "review", "save ", "quit", "help"]).strip()
        except (EOFError, KeyboardInterrupt):
            terminal.say("")
            return None
        word, _, rest = text.partition(" ")
        word = WORDS.get(word.lower(), word.lower())
        if word == "quit":
            return None
        if word in ("again", "sides"):
            return live.again(exchanged=word == "sides")
        if word == "review":
            _review(match, terminal)
        elif word == "save":
            terminal.say(write_record(rest, match.games) if rest else "Add a file name, for example: save game.txt")
        else:
            first, second = match.variant.book.players
            terminal.say(HELP.format(first=first, second=second))


def _review(match: Match, terminal: Terminal) -> None:
    from gridlock.play.review import review_game  # imported here because it loads the engine

    for game in match.games:
        try:
            with Progress("Reviewing") as progress:
                found = review_game(game, match.think, progress=progress)
            terminal.say("", *found.report())
        except KeyboardInterrupt:
            terminal.say("", "Stopped.")
            return
