"""A searchable list of all actions on a page."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.dom import DOMNode
from textual.fuzzy import Matcher
from textual.widgets import Input, OptionList

from gridlock.tui.page import Dialogue


class Action(NamedTuple):
    """An action: its keys, its description, and the code that runs it."""

    keys: str
    words: str
    name: str
    node: DOMNode


class Palette(Dialogue[Action]):
    """A list of a page's actions; typing filters the list, and Enter runs the highlighted action."""

    DEFAULT_CSS = """
    Palette {
        & > Vertical { width: 64; max-width: 95%; height: auto; max-height: 90%; border: round $quiet;
            background: $panel; padding: 0 1; }
        & Input, & Input:focus { border: none; height: 1; padding: 0; background: $panel; }
        & OptionList, & OptionList:focus { height: auto; max-height: 100%; margin-top: 1; background: $panel; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+p", "close", "back"),
        Binding("up", "go(-1)", "up", show=False),
        Binding("down", "go(1)", "down", show=False),
    ]

    def __init__(self, actions: Sequence[Action]) -> None:
        super().__init__()
        self.actions = self.found = list(actions)

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = "What do you want to do?"
            frame.border_subtitle = "Enter  Esc"
            yield Input(placeholder="type to search")
            found = OptionList(markup=False)
            found.can_focus = False
            yield found

    def on_mount(self) -> None:
        self._search("")

    def on_input_changed(self, event: Input.Changed) -> None:
        self._search(event.value.strip())

    def _search(self, text: str) -> None:
        """List the actions that match the search text, best match first, or all actions if the text is empty."""
        self.found = self.actions
        if text:
            matcher = Matcher(text)
            scores = {action: matcher.match(f"{action.words} {action.keys}") for action in self.actions}
            self.found = sorted(filter(scores.get, self.actions), key=lambda action: -scores[action])
        shown = self.query_one(OptionList)
        shown.clear_options()
        wide = max(len(action.keys) for action in self.actions)
        shown.add_options([f"{action.keys:<{wide}}  {action.words}" for action in self.found])
        if self.found:
            shown.highlighted = 0

    def action_go(self, by: int) -> None:
        shown = self.query_one(OptionList)
        if self.found:
            shown.highlighted = ((shown.highlighted or 0) + by) % len(self.found)

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        at = self.query_one(OptionList).highlighted
        if at is not None and self.found:
            self.action_close(self.found[at])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_close(self.found[event.option_index])
