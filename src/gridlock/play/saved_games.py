"""Descriptions of saved games for use in lists: the game, the players, and the progress so far."""

import time

from gridlock.core.match import Match
from gridlock.core.names import clean_name
from gridlock.drawing.text import visible
from gridlock.play.match_text import count_of_moves, only_person
from gridlock.players import short_name
from gridlock.userdata.folder import holder
from gridlock.userdata.saves import Entry, entry_of, folder


def status(entry: Entry) -> str:
    """Return a game's state in words: finished, unfinished, no moves, open (in another window), or damaged."""
    if entry.saved is None:
        return "damaged"
    if entry.saved.match.finished:
        return "finished"
    if holder(folder() / f"{entry.name}.json"):
        return "open"
    return "unfinished" if entry.saved.match.begun else "no moves"


def is_watched(match: Match) -> bool:
    """Return whether both players are programs, in which case people can only watch the match."""
    return "human" not in match.kinds


def names(match: Match) -> list[str]:
    """Return the players' names."""
    return [clean_name(name) or default for name, default in zip(match.names, match.variant.book.players, strict=True)]


def summary(entry: Entry) -> str:
    """Return a line that gives the game, its players, and the score or result."""
    if entry.saved is None:
        return entry.damage
    match = entry.saved.match
    named = zip(names(match), match.kinds, strict=True)
    first, second = labels = [name if kind == "human" else f"{name} ({short_name(kind)})" for name, kind in named]
    game = match.games[-1] if match.games else None
    if match.rounds > 1:
        how = "{} {} - {} {}, round {} of {}".format(first, *match.score(), second, len(match.games), match.rounds)
    elif game and game.outcome:
        how = f"{labels[game.outcome.winner - 1]} beat {labels[2 - game.outcome.winner]}"
    else:
        how = f"{first} - {second}, {moves_made(match)}"
    watched = ", watched" if is_watched(match) else ""
    return f"{match.variant.book.name} {match.variant.grid}{watched}, {how}"


def line(entry: Entry) -> str:
    """Describe a saved game in one short line: the game, the opponent, and the match's progress or result."""
    if entry.saved is None:
        return f"{visible(entry.name)}: damaged"
    match = entry.saved.match
    return f"{match.variant.book.name} {match.variant.grid}, {opponents(match)}, {_state(match)}"


def _state(match: Match) -> str:
    if match.rounds > 1:
        return "score {}-{}{}".format(*match.score(), "" if match.finished else f", round {len(match.games)}")
    if not match.finished:
        return moves_made(match)
    winner, you = match.winner() or 1, only_person(match)
    return f"{names(match)[winner - 1]} won" if you is None else "won" if winner == you else "lost"


def details(entry: Entry) -> str:
    """Return a few lines about a game: its state, its players, when it was played, and how many hints were used."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.changed))
    lines = [f"{status(entry).capitalize()}. Last played {when}.", f"{summary(entry)}."]
    match = entry.saved.match if entry.saved else None
    if match is not None and only_person(match) and None not in match.hints:
        lines.append(f"Hints used: {sum(filter(None, match.hints))}.")
    return "\n".join(lines)


def named_entry(name: str) -> Entry | None:
    """Return the current state of a saved game, or None if the game has been deleted."""
    path = folder() / f"{name}.json"
    try:
        return entry_of(path, path.lstat().st_mtime)
    except OSError:
        return None


def opponents(match: Match) -> str:
    """Return who is playing, from the point of view of the person at this terminal."""
    programs = [short_name(kind) for kind in match.kinds if kind != "human"]
    if len(programs) == 2:
        return f"watched, {' against '.join(programs)}"
    return f"against {programs[0]}" if programs else "two players"


def moves_made(match: Match) -> str:
    """Return the number of moves in the current round as a phrase, such as `2 moves`."""
    return count_of_moves(len(match.games[-1].moves) if match.games else 0)
