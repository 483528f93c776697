"""The menu after a match: play again, change sides, or review the game."""

from gridlock.cli.progress import Progress
from gridlock.cli.terminal import Terminal
from gridlock.core.match import Match
from gridlock.play.match import LiveMatch
from gridlock.userdata.export import write_record

WORDS = {"a": "again", "s": "sides", "r": "review", "q": "quit", "exit": "quit", "": "quit"}
QUESTION = "Again, sides, review, save FILE or quit [quit]? "
HELP = """\
  again   play again
  sides   play again with sides changed: {first} becomes {second}
  review  see where the game was won and lost
  save F  write the game to file F
  quit    quit (or press Enter); 'gridlock games' lists the game"""


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
            terminal.say(write_record(rest, match.games) if rest else "Give a file name, such as: save game.txt")
        else:
            first, second = match.variant.book.players
            terminal.say(HELP.format(first=first, second=second))


def _review(match: Match, terminal: Terminal) -> None:
    from gridlock.play.review import review_game  # loads the engine, so only when it is needed

    for game in match.games:
        try:
            with Progress("Reviewing") as progress:
                found = review_game(game, match.think, progress=progress)
            terminal.say("", *found.report())
        except KeyboardInterrupt:
            terminal.say("", "Stopped.")
            return
