"""What every page has: a way back, a list of the keys that work on it, and work that ends when the page is left."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.await_remove import AwaitRemove
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Event, InputEvent
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static
from textual.worker import Worker

from gridlock.tui.state import AppState

KEYS = {
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}
SHOWN_KEYS = 14  # columns for keys, before what they do

Result = TypeVar("Result")


class Page(Screen[None]):
    """A screen of the program."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("?", "keys", "keys", key_display="?"),
        Binding("escape", "back", "back", key_display="Esc"),
    ]
    NOTES: ClassVar[tuple[str, ...]] = ()  # what the list of keys says besides

    def __init__(self, state: AppState) -> None:
        super().__init__()
        self.state = state
        self.left = False

    def run_worker(  # type: ignore[override]
        self, work: Callable[[], Coroutine[Any, Any, Result]], *args: Any, **kwargs: Any
    ) -> Worker[Result | None]:
        """Run work that may wait for the engine. Leaving the page cancels the work, and with it the question."""
        return super().run_worker(partial(self._until_left, work), *args, **kwargs)

    @property
    def heeds_keys(self) -> bool:
        """Whether keys are meant for this page: not those that come while it opens or closes."""
        return self.is_mounted and self.is_current and not self.left

    async def on_event(self, event: Event) -> None:
        """Handle an event, such as the first one of a page that opens while the program is closed."""
        if self.heeds_keys or not isinstance(event, InputEvent):
            await self._until_left(partial(super().on_event, event))

    async def _until_left(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result | None:
        """Do some work; what it cannot show because the page is gone, or was never complete, is of no interest."""
        try:
            return await work()
        except Exception:
            if self.is_attached and not self.left:
                raise
            return None

    def remove(self) -> AwaitRemove:
        """Leave the page: its work ends before the first of its widgets does."""
        self._end_work()
        return super().remove()

    def _end_work(self) -> None:
        self.left = True
        self.workers.cancel_node(self)

    def action_back(self) -> None:
        """Leave this page."""
        self._end_work()
        self.app.pop_screen()

    def leave_for(self, page: Screen[None]) -> None:
        """Leave this page for another one."""
        self._end_work()
        self.app.switch_screen(page)

    def action_keys(self) -> None:
        """Show the keys that work here."""
        shown: dict[str, list[str]] = {}
        for key, active in self.active_bindings.items():
            words = active.binding.description
            if words and active.enabled and _ours(active):
                display = active.binding.key_display or KEYS.get(key, key)
                if display not in " ".join(shown.setdefault(words, [])).split():
                    shown[words].append(display)
        lines = [f"{' '.join(keys):<{SHOWN_KEYS}} {words}" for words, keys in shown.items()]
        self.app.push_screen(Note("Keys that work here", [*lines, "", *self.NOTES]))


def _ours(active: ActiveBinding) -> bool:
    """Return whether a binding is the program's own, not one that Textual gives every list and screen."""
    own = [part for part in type(active.node).__mro__ if part.__module__.startswith("gridlock.")]
    return any(active.binding in Binding.make_bindings(part.__dict__.get("BINDINGS", ())) for part in own)


class Dialogue(ModalScreen[Result]):
    """A small screen over a page."""

    answered = False

    def close(self, result: Result | None = None) -> None:
        """Close it once, however fast keys come: Textual would close the page below with the next key."""
        if not self.answered:
            self.answered = True
            self.dismiss(result)


class Note(Dialogue[None]):
    """Some lines over the screen."""

    DEFAULT_CSS = """
    Note { align: center middle; }
    Note > VerticalScroll {
        width: 64; max-width: 95%; height: auto; max-height: 90%; border: round $quiet; background: $panel;
        padding: 0 1;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,?,q", "close", "close")]

    def __init__(self, title: str, lines: list[str]) -> None:
        super().__init__()
        self.title_words, self.lines = title, lines

    def compose(self) -> ComposeResult:
        """The lines in a frame."""
        with VerticalScroll() as frame:
            frame.border_title = self.title_words
            frame.border_subtitle = "Esc"
            yield Static("\n".join(self.lines).rstrip(), markup=False)

    def action_close(self) -> None:
        """Close it."""
        self.close()

    def on_click(self) -> None:
        """Close it."""
        self.close()


class Question(Dialogue[bool]):
    """Yes or no."""

    DEFAULT_CSS = """
    Question { align: center middle; }
    Question > Static { width: auto; max-width: 90%; border: round $quiet; background: $panel; padding: 0 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "yes"),
        Binding("n,escape", "answer(False)", "no"),
    ]

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        """The question, with answers to click."""
        yield Static(f"{self.words}\n\n[@click=screen.answer(True)]y yes[/]   [@click=screen.answer(False)]n no[/]")

    def action_answer(self, yes: bool) -> None:
        """Answer it."""
        self.close(yes)


class Entry(Dialogue[str]):
    """A line to type; nothing, if somebody thinks better of it."""

    DEFAULT_CSS = """
    Entry { align: center middle; }
    Entry > Input { width: 60; max-width: 90%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "back")]

    def __init__(self, words: str, text: str) -> None:
        super().__init__()
        self.words, self.text = words, text

    def compose(self) -> ComposeResult:
        """One line."""
        entry = Input(self.text)
        entry.border_title = self.words
        yield entry

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take it."""
        self.close(event.value.strip())

    def action_leave(self) -> None:
        """Take nothing."""
        self.close("")
