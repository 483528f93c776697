"""How the full screen looks: dark, light and with high contrast, by the names that settings have for them."""

from textual.theme import Theme

from gridlock.userdata.settings import THEMES

_COLOURS = {
    # ground, panel, words, quiet words, first, second, good, bad, unknown, cursor, pairs
    "dark": "#14181f #1d232d #e6e9ef #8b95a5 #56c8e8 #f2b14c #7ddc7a #ff7b72 #e3c454 #ffffff #c792ea",
    "light": "#fbfaf7 #eeece6 #20242b #666b75 #0b6a8c #a45200 #1c7023 #b3261e #7a5b00 #000000 #7b3fa0",
    "contrast": "#000000 #000000 #ffffff #d0d0d0 #00ffff #ffff00 #00ff00 #ff6060 #ffff00 #ffffff #ff80ff",
}


def themes() -> list[Theme]:
    """All of them."""
    return [_theme(name) for name in THEMES]


def _theme(name: str) -> Theme:
    ground, panel, words, quiet, first, second, good, bad, unknown, cursor, pairs = _COLOURS[name].split()
    return Theme(
        name=name,
        primary=first,
        secondary=second,
        accent=second,
        warning=unknown,
        error=bad,
        success=good,
        foreground=words,
        background=ground,
        surface=panel,
        panel=panel,
        dark=name != "light",
        variables={
            "quiet": quiet,
            "first": first,
            "second": second,
            "good": good,
            "bad": bad,
            "unknown": unknown,
            "pointer": cursor,
            "pairs": pairs,
            "footer-key-foreground": second,
            "footer-background": panel,
            "footer-description-foreground": words,
            "block-cursor-background": first,
            "block-cursor-foreground": ground,
            "block-cursor-text-style": "bold",
            "border": quiet,
        },
    )
