"""Share a result: copy it to the clipboard, and show it so that it can also be copied by hand."""

from gridlock.tui.page import Note, Page

COPIED = "Copied to the clipboard, if your terminal allows it. Otherwise, copy these lines by hand:"


def share(page: Page, lines: list[str]) -> None:
    """Copy a result to the clipboard (using OSC 52, which not every terminal allows), and show it."""
    page.app.copy_to_clipboard("\n".join(lines))
    page.app.push_screen(Note("Share your result", [COPIED, "", *lines]))
