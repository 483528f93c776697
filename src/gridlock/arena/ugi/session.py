"""A conversation in UGI: lines come in, answers go out, and a search never delays a command that must not wait.

A thread carries out the commands in their order. `stop` and `quit` overtake them, and so does `isready` while a
search is running. To stop a search, its number is recorded, which the engine's clocks check (engine/clock.py).
"""

from collections.abc import Callable
from queue import Queue
from threading import Event, Thread

from gridlock.arena.ugi.commands import LONGEST_SENTENCE, Commands
from gridlock.arena.ugi.limits import INFINITE
from gridlock.core.errors import GridLockError
from gridlock.drawing.text import visible
from gridlock.engine.clock import Cancelled, cancellation

MOST_WAITING = 1000  # commands while a search is running
GRACE = 2.0  # seconds in which a stopped search ends; an agent that never checks the clock does not
OFTEN = 0.2  # seconds between two checks whether anyone reads the answers
LONG = ("go", "perft", "query value")  # the commands that may take long


class Session:
    """A conversation with one runner; `say` is called from two threads."""

    def __init__(self, say: Callable[[str], None]) -> None:
        while cancellation.includes(cancellation.question):  # an earlier conversation may have cancelled numbers ahead
            cancellation.begin()
        self._say = say
        self._commands = Commands(say, self._hold)
        self._waiting: Queue[tuple[int, str]] = Queue(MOST_WAITING)
        self._number = cancellation.question  # of the latest command
        self._long = self._done = self._number  # the latest that may take long, and the latest that is done
        self._endless: int | None = None  # the infinite search that is running
        self._ended = False  # whether no more commands come
        self._woken = Event()
        self._worker = Thread(target=self._work, daemon=True)
        self._worker.start()

    def receive(self, line: str) -> bool:
        """Take a line, and return whether to read on."""
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
        """Answer with a sentence that says what is wrong."""
        self._say(f"info string {visible(sentence, LONGEST_SENTENCE)}")

    def finish(self, is_unread: Callable[[], bool] = lambda: False) -> None:
        """Carry out the waiting commands as long as someone reads the answers; end any infinite search."""
        self._end()
        if (endless := self._endless) is not None and not cancellation.includes(endless):
            cancellation.cancel(endless)
            self._woken.set()
        while self._worker.is_alive() and not is_unread():
            self._worker.join(OFTEN)
        self.quit()

    def quit(self) -> None:
        """Stop the current search and any waiting ones; the other commands are still carried out."""
        self._stop()
        self._end()
        self._worker.join(GRACE)
        cancellation.begin(self._number + 1)  # new clocks run again

    def _end(self) -> None:
        self._ended = True
        if not self._waiting.full():  # otherwise the worker has something to do before it looks
            self._waiting.put((0, ""))

    @property
    def _searching(self) -> bool:
        return self._long > self._done

    def _stop(self) -> None:
        cancellation.cancel(self._number)
        self._woken.set()

    def _hold(self) -> None:
        """Wait until the search is stopped, in the thread that searches."""
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
        if self._endless and self._ended:  # nobody can stop it any more
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
