"""The base classes of pages and dialogue boxes, and the state that all pages share."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from math import ceil
from typing import Any, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.await_remove import AwaitRemove
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Event, InputEvent, Resize
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static
from textual.worker import Worker

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.play.match_text import refusal
from gridlock.play.thinking.process import Thinker
from gridlock.tui.bars import Keys, Words
from gridlock.tui.board import Board
from gridlock.tui.picture import Picture
from gridlock.userdata.settings import Preferences, store

KEYS = {"escape": "Esc", "enter": "Enter", "space": "Space", "up": "↑", "down": "↓", "left": "←", "right": "→"}
KEYS |= {"pageup": "PgUp", "pagedown": "PgDn", "home": "Home", "end": "End"}
LOW, TINY = 17, 11  # with fewer lines than these, parts of the page are hidden
WIDEST = 78  # columns in the widest note
WIDE = 80  # with this many columns or more, keys are listed in two columns

Result = TypeVar("Result")


@dataclass
class AppState:
    """The state that all pages share: preferences, worker processes, and what to report when the program exits."""

    preferences: Preferences = field(default_factory=Preferences)
    opponent: Thinker = field(default_factory=Thinker)
    adviser: Thinker = field(default_factory=Thinker)
    farewell: str = ""  # a message to print after the screen has closed
    unsaved: bool = False  # whether a game could not be saved
    failed: bool = False  # whether an agent failed

    def remember(self, key: str, value: str) -> None:
        """Change a setting, and save it if the file can be written."""
        self.preferences = self.preferences.set(key, value)
        with suppress(OSError):  # if saving fails, the setting lasts until the screen is closed
            store({key: value})

    async def stop(self) -> None:
        """Stop the opponent's process and the adviser's process."""
        await self.opponent.stop()
        await self.adviser.stop()


class Page(Screen[None]):
    """A screen with a heading, a body and a footer that lists keys."""

    DEFAULT_CSS = """
    Page {
        & #title { height: 1; padding: 0 1; text-style: bold; }
        & #words { height: auto; padding: 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("?", "keys", "keys", key_display="?"),
        Binding("escape", "back", "back", key_display="Esc"),
        Binding("q", "back", "back", show=False),
    ]
    NOTES: ClassVar[tuple[str, ...]] = ()  # lines above the list of keys

    def __init__(self, state: AppState, heading: str = "") -> None:
        super().__init__()
        self.state, self.heading = state, heading
        self.left = False

    def compose(self) -> ComposeResult:
        if self.heading:
            yield Static(self.heading, id="title", markup=False)
        yield from self.body()
        yield Keys()

    def body(self) -> ComposeResult:
        raise NotImplementedError

    def set_text(self, place: str, text: str) -> None:
        """Show text in the widget with this id."""
        self.query_one(f"#{place}", Static).update(text)

    def run_worker(  # type: ignore[override]
        self, work: Callable[[], Coroutine[Any, Any, Result]], *args: Any, **kwargs: Any
    ) -> Worker[Result | None]:
        """Run a task that may wait for the engine; leaving the page cancels the task and its request to the engine."""
        return super().run_worker(partial(self._until_left, work), *args, **kwargs)

    @property
    def accepts_keys(self) -> bool:
        """Whether the page handles keys; it ignores them while it is opening or closing."""
        return self.is_mounted and self.is_current and not self.left

    async def on_event(self, event: Event) -> None:
        """Handle an event, even if the page closes meanwhile; ignore input while the page is opening or closing."""
        if self.accepts_keys or not isinstance(event, InputEvent):
            await self._until_left(partial(super().on_event, event))

    async def _until_left(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result | None:
        """Run a coroutine function; ignore any failure if the page has been closed or was never fully opened."""
        try:
            return await work()
        except Exception:
            if self.is_attached and not self.left:
                raise
            return None

    def remove(self) -> AwaitRemove:
        """Cancel the page's workers and then remove the page, so that no worker runs after the widgets are gone."""
        self._end_work()
        return super().remove()

    def _end_work(self) -> None:
        self.left = True
        self.workers.cancel_node(self)

    def action_back(self) -> None:
        self._end_work()
        self.app.pop_screen()

    def leave_for(self, page: Screen[None]) -> None:
        """Replace this page with another page."""
        self._end_work()
        self.app.switch_screen(page)

    def key_list(self) -> dict[str, list[ActiveBinding]]:
        """Return the actions currently available on this page, as key bindings grouped by description."""
        found: dict[str, list[ActiveBinding]] = {}
        for active in self.active_bindings.values():
            if active.binding.description and active.enabled and _ours(active):
                found.setdefault(active.binding.description, []).append(active)
        return found

    def action_keys(self) -> None:
        listed = [(shown_keys(active), words) for words, active in self.key_list().items()]
        half = ceil(len(listed) / 2) if self.app.size.width >= WIDE else len(listed)
        columns = [_aligned(listed[:half]), _aligned(listed[half:])]
        lines = [f"{one}  {other}".rstrip() for one, other in zip_longest(*columns, fillvalue="")]
        self.app.push_screen(Note("Keys on this page", [*self.NOTES, *([""] if self.NOTES else []), *lines]))


def _aligned(listed: list[tuple[str, str]]) -> list[str]:
    """Return the keys and their descriptions as lines of equal length."""
    keys = max((len(names) for names, _ in listed), default=0)
    wide = max((len(words) for _, words in listed), default=0)
    return [f"{names:<{keys}}  {words:<{wide}}" for names, words in listed]


def shown_keys(active: list[ActiveBinding]) -> str:
    """Return the names of the keys in the given bindings, each name once."""
    names = [one.binding.key_display or KEYS.get(one.binding.key, one.binding.key) for one in active]
    return " ".join(dict.fromkeys(" ".join(names).split()))


def _ours(active: ActiveBinding) -> bool:
    """Return whether a binding is our own, as opposed to one that Textual adds to every list and screen."""
    own = [part for part in type(active.node).__mro__ if part.__module__.startswith("gridlock.")]
    return any(active.binding in Binding.make_bindings(part.__dict__.get("BINDINGS", ())) for part in own)


class BoardPage(Page):
    """A page with a board and text about the position; the text never resizes or moves the board."""

    DEFAULT_CSS = """
    BoardPage {
        & #words { height: 4; }
        &.-low #title { display: none; }
        &.-low #words { height: 3; }
        &.-tiny #words { height: 2; }
        &.-tiny Keys { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("d", "details", "the whole text", show=False)]

    def body(self) -> ComposeResult:
        with Vertical():
            yield Board()
            yield Words()

    def on_resize(self, event: Resize) -> None:
        """Hide the parts that do not fit on the screen."""
        self.set_class(event.size.height < LOW, "-low")
        self.set_class(event.size.height < TINY, "-tiny")

    def frame_regions(self, drawn: list[str], lines: list[str]) -> None:
        """Show the analysis of the regions in a pop-up.

        The pop-up contains the verdict, the board (if it fits), and then the other lines.
        """
        fits = max(map(len, drawn[:-1]), default=0) <= min(self.size.width, WIDEST) - 4  # less the frame and padding
        verdict, *rest = lines
        board = [*drawn, ""] if drawn and fits else []
        self.app.push_screen(Note("Regions", [verdict, "", *board, *rest]))

    def action_details(self) -> None:
        """Show the whole text, because part of it may have been cut off."""
        self.app.push_screen(Note(self.heading, self.details))

    @property
    def details(self) -> list[str]:
        """The lines of the whole text."""
        return [str(self.query_one(Words).content)]

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one(Board)

    def present(self, words: str, picture: Picture | None = None) -> None:
        """Show text and, if a picture is given, draw it on the board."""
        if picture is not None:
            self.board.show(picture)
        self.set_text("words", words)
        self.refresh_bindings()

    def allows(self, game: Game, cell: Cell) -> bool:
        """Return whether a cell can be taken; if it cannot, show the reason."""
        refused = refusal(game, cell)
        if refused is not None:
            self.present(refused.words, Picture.of(game, refused.causes))
        return refused is None


class Dialogue(ModalScreen[Result]):
    """A dialogue box that appears on top of a page."""

    DEFAULT_CSS = "Dialogue { align: center middle; }"
    answered = False

    def action_close(self, result: Result | None = None) -> None:
        """Close the dialogue box, but only once: further key presses must not close the page behind it."""
        if not self.answered:
            self.answered = True
            self.dismiss(result)


class Note(Dialogue[None]):
    """A dialogue box that shows lines of text in a frame."""

    DEFAULT_CSS = f"""
    Note > VerticalScroll {{
        width: {WIDEST}; max-width: 100%; height: auto; max-height: 100%; border: round $quiet; background: $panel;
        padding: 0 1;
    }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,?,q", "close", "close"),
        Binding("up,k", "scroll(-1)", "up", show=False),
        Binding("down,j", "scroll(1)", "down", show=False),
    ]

    def __init__(self, heading: str, lines: list[str]) -> None:
        super().__init__()
        self.heading, self.lines = heading, lines

    def compose(self) -> ComposeResult:
        with VerticalScroll() as frame:
            frame.border_title = Content(self.heading)  # a game's title is not markup
            frame.border_subtitle = "Esc"
            yield Static("\n".join(self.lines).rstrip(), markup=False)

    def action_scroll(self, lines: int) -> None:
        for frame in self.query(VerticalScroll):  # there is none yet if a key is pressed while the note is opening
            frame.scroll_relative(y=lines, animate=False)

    def on_click(self) -> None:
        self.action_close()


class Question(Dialogue[bool]):
    """A yes-or-no question."""

    DEFAULT_CSS = """
    Question > Static { width: auto; max-width: 90%; border: round $quiet; background: $panel; padding: 0 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "close(True)", "yes"),
        Binding("n,escape,q", "close(False)", "no"),
    ]

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        yield Static(f"{self.words}\n\n[@click=screen.close(True)]y yes[/]   [@click=screen.close(False)]n no[/]")


class Prompt(Dialogue[str]):
    """A prompt for a line of text; the result is an empty string if the user goes back."""

    DEFAULT_CSS = "Prompt > Input { width: 60; max-width: 90%; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close('')", "back")]

    def __init__(self, words: str, text: str) -> None:
        super().__init__()
        self.words, self.text = words, text

    def compose(self) -> ComposeResult:
        entry = Input(self.text)
        entry.border_title = self.words
        yield entry

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_close(event.value.strip())
