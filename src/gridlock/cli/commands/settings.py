"""`gridlock settings`: show and change your settings."""

import click

from gridlock.cli.files import print_json
from gridlock.cli.options import did_you_mean, json_option
from gridlock.cli.terminal import tell
from gridlock.core.errors import BadBoard
from gridlock.core.names import clean_name
from gridlock.core.notation import read_board
from gridlock.core.rules import RULE_BOOKS
from gridlock.drawing.text import visible
from gridlock.players import HUMAN, agents
from gridlock.userdata.folder import name_aside
from gridlock.userdata.settings import CHOICES, KEYS, BadSettings, Preferences, place, store


def _complete(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """Complete a setting's key, or its value if it has only a few possible values."""
    if param.name == "key":
        words = [*KEYS, *(f"board.{game}" for game in RULE_BOOKS)]
    else:
        words = [*(CHOICES | {"level": (HUMAN, *agents)}).get(ctx.params.get("key", ""), ())]
    return [word for word in words if word.startswith(begun)]


@click.command(epilog="Examples: gridlock settings, gridlock settings name Ada, gridlock settings level hard")
@click.argument("key", required=False, shell_complete=_complete)
@click.argument("value", required=False, shell_complete=_complete)
@json_option
def settings(key: str | None, value: str | None, as_json: bool) -> None:
    """Show your settings, or one of them, or set KEY to VALUE (use "" to clear it).

    \b
    name        your name when you play at this terminal
    level       the opponent that menus offer first, such as easy or perfect
    theme       the colours of the full screen: dark, light or contrast
    screen      what 'gridlock' alone opens: full, or lines (for screen readers)
    board.GAME  the board that menus offer for a game
    """
    preferences = Preferences.load(agents)
    if key is not None:
        key = key if key in {*preferences.stored, *preferences.problems} else key.lower()
    if key is not None and value is not None:
        if preferences.damage:
            tell(f"{visible(preferences.damage, 500)} It is renamed to {name_aside(place())}.", err=True)
        preferences = _change(key, value)
        tell(f"Saved in {place()}.", err=True)
    facts = {name: getattr(preferences, name) for name in KEYS}
    if as_json:
        problems = preferences.problems | ({"": preferences.damage} if preferences.damage else {})
        print_json({"settings": {**facts, "board": preferences.board}, "problems": problems, "file": str(place())})
        return
    rows = facts | {f"board.{game}": board for game, board in preferences.board.items()}
    rows |= {name: f"(ignored: {problem})" for name, problem in preferences.problems.items()}
    rows |= dict.fromkeys(preferences.unknown, "(unknown to this version)")
    if key is None:
        rows |= {} if any(name.startswith("board.") for name in rows) else {"board.GAME": ""}
        wide = min(40, max(map(len, rows)))
        tell(*(visible(f"{name:{wide}}  {said or '(not set)'}", 500) for name, said in rows.items()))
        if preferences.problems or preferences.unknown:
            tell("Clear a setting with: gridlock settings KEY ''")
        tell(visible(preferences.damage or f"Settings file: {place()}", 500))
    elif value is None:
        if key not in rows and key.removeprefix("board.") not in RULE_BOOKS:
            raise click.UsageError(f"there is no setting '{key[:40]}'.{did_you_mean(key, rows)}")
        tell(visible(rows.get(key) or "(not set)", 500))


def _change(key: str, value: str) -> Preferences:
    """Change one setting, or raise an error that says why the value is not allowed."""
    if key == "name" and value and not clean_name(value):
        raise click.UsageError("a name needs at least one character that can be shown.")
    if key.startswith("board.") and value:
        if key.removeprefix("board.") not in RULE_BOOKS:
            raise click.UsageError(f"there is no game '{key[6:46]}'.{did_you_mean(key[6:], RULE_BOOKS)}")
        try:
            value = "{}x{}".format(*read_board(value))
        except BadBoard as error:
            raise click.UsageError(str(error)) from None
    try:
        return store({key: value.lower() if key in ("theme", "screen") else value}, agents)
    except BadSettings as error:
        offered = (CHOICES | {"level": (HUMAN, *agents)}).get(key, ())
        meant = did_you_mean(value, offered)
        if key == "level" and not meant:
            meant = f" The levels are {', '.join(offered)}."
        raise click.UsageError(f"{error}{meant}") from None
