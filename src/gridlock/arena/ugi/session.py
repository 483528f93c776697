"""A conversation in UGI, in which a search never delays commands that must be answered at once.

A thread carries out the commands in the order in which they arrive. `stop` and `quit` take effect at once, and so does
`isready` while a search is running. Every command has a number. To stop a search, the session marks the search's number
as cancelled, and the engine's clocks check for that mark (see engine/clock.py).
"""

from collections.abc import Callable
from queue import Queue
from threading import Event, Thread

from gridlock.arena.ugi.commands import LONGEST_SENTENCE, Commands
from gridlock.arena.ugi.limits import INFINITE
from gridlock.core.errors import GridLockError
from gridlock.drawing.text import visible
from gridlock.engine.clock import Cancelled, cancellation

MOST_WAITING = 1000  # commands that may wait while a search is running
GRACE = 2.0  # seconds to wait for a stopped search to end; an agent that never checks the clock does not end
OFTEN = 0.2  # seconds between two checks of whether anyone is reading the answers
LONG = ("go", "perft", "query value")  # the commands that may take a long time


class Session:
    """A UGI session with one runner; `say` must be safe to call from two threads."""

    def __init__(self, say: Callable[[str], None]) -> None:
        while cancellation.includes(cancellation.question):  # an earlier conversation may have cancelled numbers ahead
            cancellation.begin()
        self._say = say
        self._commands = Commands(say, self._hold)
        self._waiting: Queue[tuple[int, str]] = Queue(MOST_WAITING)
        self._number = cancellation.question  # the number of the latest command
        self._long = self._done = self._number  # the latest command that may take long, and the latest finished command
        self._endless: int | None = None  # the number of the infinite search that is running
        self._ended = False  # whether no more commands will come
        self._woken = Event()
        self._worker = Thread(target=self._work, daemon=True)
        self._worker.start()

    def receive(self, line: str) -> bool:
        """Handle a line from the runner; return whether to continue reading."""
        words = line.split(maxsplit=2)
        match words:
            case []:
                pass
            case ["quit", *_]:
                return False
            case ["stop", *_]:
                self._stop()
            case ["isready", *_] if self._searching:
                self._say("readyok")
            case _ if self._searching and self._waiting.full():
                self.complain("Too many commands are waiting for the search to end, so this one is ignored.")
            case _:
                self._number += 1
                if words[0] in LONG or " ".join(words[:2]) in LONG:
                    self._long = self._number
                self._waiting.put((self._number, line))
        return True

    def complain(self, sentence: str) -> None:
        """Send the runner a sentence that explains what is wrong."""
        self._say(f"info string {visible(sentence, LONGEST_SENTENCE)}")

    def finish(self, is_unread: Callable[[], bool] = lambda: False) -> None:
        """Stop any infinite search, then carry out the remaining commands as long as the runner reads the answers."""
        self._end()
        if (endless := self._endless) is not None and not cancellation.includes(endless):
            cancellation.cancel(endless)
            self._woken.set()
        while self._worker.is_alive() and not is_unread():
            self._worker.join(OFTEN)
        self.quit()

    def quit(self) -> None:
        """Stop the current search and all waiting searches; other waiting commands are still carried out."""
        self._stop()
        self._end()
        self._worker.join(GRACE)
        cancellation.begin(self._number + 1)  # new clocks run again

    def _end(self) -> None:
        self._ended = True
        if not self._waiting.full():  # otherwise the worker wakes up anyway, and then checks _ended
            self._waiting.put((0, ""))

    @property
    def _searching(self) -> bool:
        return self._long > self._done

    def _stop(self) -> None:
        cancellation.cancel(self._number)
        self._woken.set()

    def _hold(self) -> None:
        """Make the search thread wait until the search is stopped."""
        while not cancellation.includes(cancellation.question):
            self._woken.wait()
            self._woken.clear()

    def _work(self) -> None:
        while True:
            number, line = self._waiting.get()
            if line:
                self._carry_out(number, line)
            if self._ended and self._waiting.empty():
                return

    def _carry_out(self, number: int, line: str) -> None:
        words = line.split()
        self._endless = number if words[0] == "go" and INFINITE in words else None
        cancellation.begin(number)
        if self._endless and self._ended:  # no command can stop this search any more
            cancellation.cancel(number)
        try:
            for answer in self._commands.answer(line):
                self._say(answer)
        except Cancelled:
            self.complain("Stopped.")
        except GridLockError as error:
            self.complain(str(error))
        except Exception as error:  # an agent may be third-party code, and memory may run out
            self.complain(f"The engine failed ({type(error).__name__}: {error}).")
        self._done = number
