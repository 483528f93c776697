"""The colours of the full screen: dark, light and high contrast, by their names in the settings."""

from textual.theme import Theme

from gridlock.userdata.settings import THEMES

_COLOURS = {
    # background, panel, foreground, and the variables below
    "dark": "#14181f #1d232d #e6e9ef #8b95a5 #56c8e8 #f2b14c #7ddc7a #ff7b72 #e3c454 #ffffff #c792ea",
    "light": "#fbfaf7 #eeece6 #20242b #666b75 #0b6a8c #a45200 #1c7023 #b3261e #7a5b00 #000000 #7b3fa0",
    "contrast": "#000000 #000000 #ffffff #d0d0d0 #00ffff #ffff00 #00ff00 #ff6060 #ffff00 #ffffff #ff80ff",
}
_VARIABLES = ("quiet", "first", "second", "good", "bad", "unknown", "pointer", "pairs")


def themes() -> list[Theme]:
    """Return all themes."""
    return [_theme(name) for name in THEMES]


def _theme(name: str) -> Theme:
    background, panel, foreground, *others = _COLOURS[name].split()
    colours = dict(zip(_VARIABLES, others, strict=True))
    return Theme(
        name=name,
        primary=colours["first"],
        secondary=colours["second"],
        accent=colours["second"],
        warning=colours["unknown"],
        error=colours["bad"],
        success=colours["good"],
        foreground=foreground,
        background=background,
        surface=panel,
        panel=panel,
        dark=name != "light",
        variables=colours
        | {
            "footer-key-foreground": colours["second"],
            "footer-background": panel,
            "footer-description-foreground": foreground,
            "block-cursor-background": colours["first"],
            "block-cursor-foreground": background,
            "block-cursor-text-style": "bold",
            "border": colours["quiet"],
        },
    )
