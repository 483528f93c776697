"""A UGI session with the engine, inside the test process."""

from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, Queue

from gridlock.arena.ugi.session import Session
from gridlock.engine import engine

MARKED = "info string There is no command 'marker'."  # the answer to a command that waits for its turn
PATIENCE = 120  # seconds to wait before an answer counts as missing


class Talk:
    """Lines sent to a session, and its answers."""

    def __init__(self) -> None:
        self._answers: Queue[str] = Queue()
        self._session = Session(self._answers.put)

    def send(self, *lines: str) -> None:
        """Send lines, none of which may be `quit`."""
        for line in lines:
            assert self._session.receive(line), line

    def read(self) -> str:
        """Return the next answer."""
        return self._answers.get(timeout=PATIENCE)

    def until(self, *beginnings: str) -> list[str]:
        """Return the answers up to the first one that begins with one of the given strings."""
        lines = [self.read()]
        while not lines[-1].startswith(beginnings):
            lines.append(self.read())
        return lines

    def ask(self, *lines: str) -> list[str]:
        """Send some lines, and return all answers to them."""
        self.send(*lines, "marker")
        return self.until(MARKED)[:-1]

    def quit(self) -> list[str]:
        """Quit the session, and return the unread answers."""
        assert not self._session.receive("quit")
        self._session.quit()
        return self._rest()

    def end(self) -> list[str]:
        """Close the input, and return the unread answers."""
        self._session.finish()
        return self._rest()

    def _rest(self) -> list[str]:
        assert not self._session._worker.is_alive()
        lines = []
        try:
            while True:
                lines.append(self._answers.get_nowait())
        except Empty:
            return lines


@contextmanager
def talk() -> Iterator[Talk]:
    """Open a new session; when the session has ended, restore the size of the engine's tables."""
    memory = engine.TABLES
    conversation = Talk()
    try:
        yield conversation
    finally:
        conversation.quit()
        if memory != engine.TABLES:
            engine.TABLES = memory
            engine.engine_for.cache_clear()


def ask(*lines: str) -> list[str]:
    """Send some lines to a new session, and return its answers."""
    with talk() as conversation:
        return conversation.ask(*lines)
