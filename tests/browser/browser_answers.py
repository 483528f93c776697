"""A helper that lets tests observe, change or delay the answers of a server or of a static site's engine."""

import json
from collections.abc import Callable
from typing import Any

from browser_visitor import PATIENCE, Visitor
from playwright.sync_api import Error, Route

# A script that passes the engine's answers to the test before the page receives them.
INTERCEPT = """
const { Worker: Real } = globalThis;
const releases = new Map();
globalThis.release = (number, changes) => releases.get(number)(changes);
globalThis.Worker = class extends Real {
  asked = new Map();
  postMessage(message) {
    if (message.type === "ask") this.asked.set(message.id, message);
    super.postMessage(message);
  }
  set onmessage(receive) {
    this.addEventListener("message", async ({ data }) => {
      const { path, body } = this.asked.get(data.type === "answer" ? data.id : 0) ?? {};
      if (path?.split("?")[0] !== PATH) return receive({ data });
      const { held, ...changes } = await intercept(JSON.stringify(body ?? {}), data.body);
      Object.assign(data, held ? await new Promise((resolve) => releases.set(held, resolve)) : changes);
      receive({ data });
    });
  }
};"""
UNREACHABLE = {"status": 503, "body": json.dumps({"error": "engine", "words": "The engine cannot be reached."})}


class Answers:
    """The answers to all requests for one path; create this object before the page is opened."""

    def __init__(self, visitor: Visitor, path: str) -> None:
        self.page = visitor.page
        self.seen: list[dict[str, Any]] = []  # every answer that was neither replaced nor held back
        self._held: list[Route | int] = []
        self._count = 0
        self._replacement: tuple[int, dict[str, Any]] | None = None
        self._change: Callable[[dict[str, Any]], object] = lambda _body: None
        self._holds: Callable[[dict[str, Any]], object] = lambda _question: False
        if visitor.site.online:
            self.page.route(lambda url: url.split("?")[0].endswith(path), self._route)
        else:
            self.page.expose_function("intercept", self._intercept)
            self.page.add_init_script(INTERCEPT.replace("PATH", json.dumps(path)))

    def replace(self, status: int, body: dict[str, Any]) -> None:
        """From now on, give this answer to every request."""
        self._replacement = status, body

    def restore(self) -> None:
        """Stop replacing answers."""
        self._replacement = None

    def change(self, change: Callable[[dict[str, Any]], object]) -> None:
        """From now on, modify the body of every response in place."""
        self._change = change

    def hold(self, holds: Callable[[dict[str, Any]], object]) -> None:
        """From now on, hold back answers to requests whose bodies meet a condition."""
        self._holds = holds

    @property
    def held(self) -> int:
        """Return the number of answers that are held back."""
        return len(self._held)

    def wait_for_held(self) -> "Held":
        """Wait until at least one answer is being held back, and return the most recent one."""
        for _ in range(PATIENCE // 50):
            if self._held:
                return Held(self, self._held.pop())
            self.page.wait_for_timeout(50)
        raise AssertionError("no answer was held back")

    def _route(self, route: Route) -> None:
        if self._replacement:
            status, body = self._replacement
            route.fulfill(status=status, json=body)
        elif self._holds(json.loads(route.request.post_data or "{}")):
            self._held.append(route)
        else:
            try:
                response = route.fetch()
                body = response.json()
                self._observe(body)
                route.fulfill(response=response, json=body)
            except Error:  # the page was closed while it was waiting for the answer
                return

    def _intercept(self, question: str, answer: str) -> dict[str, Any]:
        if self._replacement:
            status, body = self._replacement
            return {"status": status, "body": json.dumps(body)}
        if self._holds(json.loads(question)):
            self._count += 1
            self._held.append(self._count)
            return {"held": self._count}
        body = json.loads(answer)
        self._observe(body)
        return {"body": json.dumps(body)}

    def _observe(self, body: dict[str, Any]) -> None:
        self._change(body)
        self.seen.append(body)


class Held:
    """An answer that a test delays, by holding back either the request to the server or the engine's reply."""

    def __init__(self, answers: Answers, what: Route | int) -> None:
        self.page, self.what = answers.page, what

    def release(self) -> None:
        """Stop holding back the answer, so that the page receives it."""
        if isinstance(self.what, int):
            self.page.evaluate("(number) => release(number, {})", self.what)
        else:
            self.what.continue_()

    def fail(self) -> None:
        """Make the request fail."""
        if isinstance(self.what, int):
            self.page.evaluate("([number, changes]) => release(number, changes)", [self.what, UNREACHABLE])
        else:
            self.what.abort()
