"""`gridlock settings`: what is remembered about you."""

import click

from gridlock.cli.facts import print_json
from gridlock.cli.options import did_you_mean, json_option
from gridlock.cli.terminal import tell
from gridlock.core.errors import BadBoard
from gridlock.core.notation import read_board
from gridlock.core.rules import RULE_BOOKS
from gridlock.players import HUMAN, agents
from gridlock.userdata.settings import THEMES, BadSettings, Preferences, place


def _complete(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    keys = ["name", "level", "theme", "screen", *(f"board.{game}" for game in RULE_BOOKS)]
    return [key for key in keys if key.startswith(begun)]


@click.command(epilog="Examples: gridlock settings, gridlock settings name Ada, gridlock settings level hard")
@click.argument("key", required=False, shell_complete=_complete)
@click.argument("value", required=False)
@json_option
def settings(key: str | None, value: str | None, as_json: bool) -> None:
    """Show what is remembered, or set KEY to VALUE (to nothing, with "", forgets it).

    \b
    name        what you are called when you play at this terminal
    level       the agent that menus offer first, such as easy or perfect
    theme       how the full screen looks: dark, light or contrast
    screen      how gridlock alone begins: full, or lines (for a screen reader)
    board.GAME  the board that the menu offers for a game
    """
    kept = Preferences.load()
    if key is not None:
        if value is None:
            raise click.UsageError(f"set {key[:40]} to what? To forget it: gridlock settings {key[:40]} ''")
        kept = _changed(kept, key.lower(), value)
        kept.save()
        tell(f"Kept in {place()}.", err=True)
    facts = {"name": kept.name, "level": kept.level, "theme": kept.theme, "screen": kept.screen, "board": kept.board}
    if as_json:
        print_json({"settings": facts, "file": str(place())})
        return
    if key is None:
        boards = [(f"board.{game}", size) for game, size in kept.board.items()] or [("board.GAME", "")]
        rows = [("name", kept.name), ("level", kept.level), ("theme", kept.theme), ("screen", kept.screen), *boards]
        wide = max(len(name) for name, _ in rows)
        tell(*(f"{name:{wide}}  {said or '(not set)'}" for name, said in rows), f"The file is {place()}")


def _changed(kept: Preferences, key: str, value: str) -> Preferences:
    """The settings with one of them changed, if it can be so."""
    if key == "level" and value and value.lower() not in (HUMAN, *agents):
        meant = did_you_mean(value, agents) or f" There are {', '.join([HUMAN, *agents])}."
        raise click.UsageError(f"there is no level '{value[:40]}'.{meant}")
    if key.startswith("board.") and value:
        if key.removeprefix("board.") not in RULE_BOOKS:
            raise click.UsageError(f"there is no game '{key[6:46]}'.{did_you_mean(key[6:], RULE_BOOKS)}")
        try:
            value = "{}x{}".format(*read_board(value))
        except BadBoard as error:
            raise click.UsageError(str(error)) from None
    try:
        return kept.set(key, value.lower() if key in ("theme", "screen") else value)
    except BadSettings as error:
        raise click.UsageError(f"{error}{did_you_mean(value, THEMES) if key == 'theme' else ''}") from None
