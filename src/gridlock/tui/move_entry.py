"""A move typed on the full screen, key by key."""

BEGIN = set("0123456789(:")  # characters that begin a typed move; other keys have their own meanings
WORDS = ":"  # comes before a move that starts with a letter, such as a direction
LONGEST = 40


class MoveEntry:
    """The text typed so far; from the first key to Enter, every letter belongs to it."""

    def __init__(self) -> None:
        self.text: str | None = None  # None if nothing is being typed

    def press(self, key: str, character: str | None) -> bool:
        """Handle a key, and return whether it began, changed or cancelled a typed move."""
        if key == "space":
            character = " "
        if self.text is None:
            if character not in BEGIN:
                return False
            self.text = str(character).removeprefix(WORDS)
        elif key == "escape" or (key == "backspace" and not self.text):
            self.text = None
        elif key == "backspace":
            self.text = self.text[:-1]
        elif character is not None and character.isprintable():
            self.text = (self.text + character)[:LONGEST]
        else:
            return False
        return True

    def take(self) -> str | None:
        """Return the text, and forget it."""
        text, self.text = self.text, None
        return text
