"""The page that lists all saved games, where the user can open, review, save, delete and search games."""

import asyncio
import time
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.markup import escape
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from gridlock.core.errors import GridLockError
from gridlock.core.match import Match
from gridlock.play.match import LiveMatch, resume
from gridlock.play.saved_games import details, line, named_entry, status, summary
from gridlock.tui.board import Board
from gridlock.tui.page import AppState, Note, Page, Prompt, Question
from gridlock.tui.picture import Picture
from gridlock.tui.play import match_page
from gridlock.tui.review import ReviewPage
from gridlock.userdata.autosave import write_record
from gridlock.userdata.saves import Entry, delete, entries

BATCH = 20  # games to read before the screen is redrawn
NARROW = 70  # with fewer columns than this, there is no room for the details
NOTHING = "There are no games yet."


class Row(NamedTuple):
    """A game's line in the list; the game itself is read again when needed, because it may have changed."""

    name: str
    line: str
    words: str  # the text that a search looks through

    def matches(self, search: str) -> bool:
        """Return whether the game's text contains every word of the search query."""
        return all(word in self.words for word in search.lower().split())


def row_of(entry: Entry) -> Row:
    """Return a game's row in the list: the game's name, the line to show, and the text to search."""
    when = time.strftime("%Y-%m-%d", time.localtime(entry.changed))
    shown = line(entry)
    return Row(entry.name, shown, f"{shown} {summary(entry)} {status(entry)} {when} {entry.name}".lower())


class SavedGamesPage(Page):
    """A list of all games, newest first; games without moves come last."""

    DEFAULT_CSS = """
    SavedGamesPage {
        & Input, & Input:focus { border: none; height: 1; padding: 0 1; display: none; }
        &.-searching Input { display: block; }
        & OptionList {
            width: 1fr; height: 1fr; border: none; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis;
        }
        & #aside { width: 45%; max-width: 60; padding: 0 1; border-left: solid $quiet; }
        & #about { height: auto; }
        & #words { height: auto; max-height: 3; padding: 0 1; }
        &.-narrow #aside { display: none; }
    }
    """
    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "review", "review"),
        Binding("f", "file", "save"),
        Binding("d,delete", "delete", "delete", key_display="d"),
        Binding("/", "search", "search", key_display="/"),
    ]
    NOTES = (
        "Enter continues an unfinished game, or opens a finished game so that you can view it or play again.",
        "You can search by name, board, players, level, date or state, for example: 5x5 hard unfinished",
    )

    def __init__(self, state: AppState) -> None:
        super().__init__(state, "Your games")
        self.rows: dict[str, Row] = {}
        self.complete = False  # whether all games have been read
        self.stale = True  # whether the games may have changed, because another page was opened

    def body(self) -> ComposeResult:
        yield Input(placeholder="search", select_on_focus=False)
        with Horizontal():
            yield OptionList(markup=False)
            with Vertical(id="aside"):
                yield Board(active=False)
                yield Static(id="about", markup=False)
        yield Static(id="words", markup=False)

    @property
    def menu(self) -> OptionList:
        """The list of games."""
        return self.query_one(OptionList)

    @property
    def search(self) -> str:
        """The text in the search field."""
        return self.query_one(Input).value

    def on_resize(self, event: events.Resize) -> None:
        """Hide the details if the screen is too narrow."""
        self.set_class(event.size.width < NARROW, "-narrow")

    def on_screen_resume(self) -> None:
        """Read the games again if they may have changed."""
        if self.stale:
            self.stale = False
            self.run_worker(self._read, exclusive=True)

    # -- the list ------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        """Read all games in small batches, so that the page still responds to keys; then restore the highlight."""
        at = self.menu.highlighted or 0
        self.rows, self.complete = {}, False
        self.menu.clear_options()
        later = []  # games without a move
        for number, entry in enumerate(entries(), 1):
            row = row_of(entry)
            if entry.saved is not None and not entry.saved.match.begun:
                later.append(row)
            else:
                self._add(row)
            if number % BATCH == 0:
                await asyncio.sleep(0)
        for row in later:
            self._add(row)
        self.complete = True
        if self.menu.highlighted is None:  # the user has not moved the highlight meanwhile
            self._highlight(at)
        self._count()
        if not self.query_one(Input).has_focus:
            self.menu.focus()

    def _add(self, row: Row) -> None:
        self.rows[row.name] = row
        if row.matches(self.search):
            self.menu.add_option(Option(row.line, id=row.name))

    def _list(self) -> None:
        """Show the games that match the search."""
        self.menu.clear_options()
        self.menu.add_options([Option(row.line, id=row.name) for row in self._found()])
        self._highlight(0)
        self._count()

    def _found(self) -> Iterator[Row]:
        return (row for row in self.rows.values() if row.matches(self.search))

    def _highlight(self, at: int) -> None:
        if self.menu.option_count:
            self.menu.highlighted = min(at, self.menu.option_count - 1)
        else:
            self._describe(None)

    def _count(self) -> None:
        """Show how many games there are and, during a search, how many of them match."""
        count, shown = len(self.rows), self.menu.option_count
        self.set_text("title", f"Your games: {f'{shown} of ' if self.search else ''}{count}")
        nothing = NOTHING if not count else "" if shown else "No game matches. Press Esc to end the search."
        self.say(nothing if self.complete else "")
        self.refresh_bindings()

    def say(self, words: str) -> None:
        """Show text below the list."""
        self.set_text("words", words)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._describe(named_entry(str(event.option_id)))
        if self.complete:
            self.say("")

    def _describe(self, entry: Entry | None) -> None:
        """Show a game's position and details."""
        board = self.query_one(Board)
        match = entry.saved.match if entry and entry.saved else None
        board.display = match is not None
        if match is not None:
            board.show(Picture.of(match.games[-1] if match.games else match.current()))
        self.set_text("about", "" if entry is None else details(entry))

    # -- searching -----------------------------------------------------------------------------------------------

    def action_search(self) -> None:
        self.add_class("-searching")
        self.query_one(Input).focus()

    def on_input_changed(self, _event: Input.Changed) -> None:
        self._list()

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        self.menu.focus()

    def on_key(self, event: events.Key) -> None:
        """Move the focus from the search box to the list of games when the user presses Down."""
        if event.key == "down" and self.query_one(Input).has_focus:
            event.stop()
            self.menu.focus()

    def action_back(self) -> None:
        """End the search, or leave the page."""
        if not self.has_class("-searching"):
            super().action_back()
            return
        self.remove_class("-searching")
        self.query_one(Input).value = ""
        self.menu.focus()

    # -- what can be done with a game ------------------------------------------------------------------------------

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool | None:
        # Textual also calls this method while the page is opening or closing, when the page has no list.
        return action not in ("review", "file", "delete") or any(menu.option_count for menu in self.query(OptionList))

    def _chosen(self) -> Entry | None:
        """Return the highlighted game, read again from its file."""
        at = self.menu.highlighted
        if at is None:
            return None
        entry = named_entry(str(self.menu.get_option_at_index(at).id))
        if entry is None:
            self.say("This game has since been deleted.")
        return entry

    def _match(self) -> Match | None:
        """Return the highlighted game's match; if the match cannot be opened, show the reason."""
        entry = self._chosen()
        if entry is not None and entry.saved is None:
            self.say(f"This game cannot be opened: {entry.damage}.")
        return entry.saved.match if entry and entry.saved else None

    def on_option_list_option_selected(self, _event: OptionList.OptionSelected) -> None:
        entry = self._chosen()
        if entry is None or not self.accepts_keys or self._match() is None:
            return
        try:
            live = LiveMatch(*resume(entry))
        except GridLockError as error:
            self.app.push_screen(Note("This game cannot be opened now", [str(error)]))
            return
        self.stale = True
        self.app.push_screen(match_page(self.state, live))

    def action_review(self) -> None:
        match = self._match()
        if match is None:
            return
        begun = [number for number, game in enumerate(match.games) if game.moves]
        if not begun:
            self.say("Nothing to review: no moves were made.")
            return
        number = begun[-1]
        page = ReviewPage(self.state, match.games[number], match.think, match.kinds, match.hints[number])
        self.app.push_screen(page)

    def action_file(self) -> None:
        match = self._match()
        if match is None or not match.games:
            return

        def named(file: str | None) -> None:
            if file:
                self.say(write_record(file, match.games))

        self.app.push_screen(Prompt("Save to which file?", "game.txt"), named)

    def action_delete(self) -> None:
        """Delete a game, after asking for confirmation."""
        entry = self._chosen()
        if entry is None:
            return

        def answered(yes: bool | None) -> None:
            if not yes:
                return
            try:
                delete(entry)
            except (GridLockError, OSError) as error:
                self.app.push_screen(Note("This game cannot be deleted", [str(error)]))
                return
            at = self.menu.highlighted or 0
            self.rows.pop(entry.name, None)
            self.menu.remove_option(entry.name)
            self._highlight(at)
            self._count()
            if self.rows:
                self.say(f"Deleted: {line(entry)}")

        self.app.push_screen(Question(f"Delete this game for good?\n{escape(line(entry))}"), answered)
