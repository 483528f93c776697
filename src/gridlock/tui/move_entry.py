"""A move that somebody types on the full screen, key by key."""

BEGIN = set("0123456789(:")  # what begins one; other keys have meanings of their own until then
WORDS = ":"  # begins one that itself begins with a letter, such as a direction
LONGEST = 40


class Typed:
    """What is typed so far: from its first key to Enter every letter is part of it."""

    def __init__(self) -> None:
        self.text: str | None = None  # None where nothing is being typed

    def press(self, key: str, character: str | None) -> bool:
        """Take in a key; say whether it was part of a typed move, or did away with one."""
        if key == "space":
            character = " "
        if self.text is None:
            begins = character is not None and character in BEGIN
            if begins:
                self.text = (character or "").removeprefix(WORDS)
            return begins
        if key == "escape":
            self.text = None
        elif key == "backspace":
            self.text = self.text[:-1] if self.text else None
        elif character is not None and character.isprintable():
            self.text = (self.text + character)[:LONGEST]
        else:
            return False
        return True

    def take(self) -> str | None:
        """What was typed, which is done with now."""
        text, self.text = self.text, None
        return text
