// The engine in the browser: a module worker that loads Python and answers requests as a server would, through
// the same functions (web/offline).

/** @typedef {{ type: string, [name: string]: any }} Message */

import { forget, startPython } from "./engine-python.js";

const SOON = 1000; // milliseconds before the snapshot is stored, because answers have priority
const LONGEST = 2 ** 31 - 1; // milliseconds; a longer timer fires at once
const worker = /** @type {any} */ (globalThis);
/** @type {any} */
let engine; // the Python objects, once they are loaded
let folder = ""; // the URL of the engine's files
/** @type {any} */
let games;
/** @type {Message[]} */
const waiting = []; // messages in order of arrival
let due = false; // whether the engine has something to do by itself, such as a move
/** @type {ReturnType<typeof setTimeout> | undefined} */
let alarm; // the timer that sets `due`
let planned = false; // whether the next message is about to be handled

/** @param {Message} message */
function post(message) {
  worker.postMessage(message);
}

/** Load Python and the package.
 *
 * @param {string} base
 */
async function load(base) {
  const began = performance.now();
  folder = base;
  const { python, isRestored, keep } = await startPython(base, (done, of) => post({ type: "progress", done, of }));
  const { Engine, Games } = python.pyimport("gridlock.web.offline.engine");
  games = Games(page);
  engine = Engine(games);
  post({ type: "ready", seconds: (performance.now() - began) / 1000, isRestored });
  plan();
  setTimeout(keep, SOON);
}

/** The JavaScript functions that the engine's Python code calls (see Page in web/offline/saves.py). */
const page = {
  /**
   * @param {number} id
   * @param {string} text
   */
  message(id, text) {
    post({ type: "message", id, message: JSON.parse(text) });
  },
  /**
   * @param {number} id
   * @param {number} code
   * @param {string} reason
   */
  closed(id, code, reason) {
    post({ type: "closed", id, code, reason });
  },
  /**
   * @param {string} key
   * @param {string} value
   */
  keep(key, value) {
    post({ type: "keep", key, value });
  },
  /** @param {number} seconds */
  wake(seconds) {
    clearTimeout(alarm);
    alarm = setTimeout(() => {
      due = true;
      plan();
    }, Math.min(Math.ceil(seconds * 1000), LONGEST));
  },
};

/** Defer the next message, so that its cancellation can arrive first. */
function plan() {
  if (planned || !engine || (!waiting.length && !due)) return;
  planned = true;
  setTimeout(() => {
    planned = false;
    try {
      const message = waiting.shift();
      if (message) {
        handle(message);
      } else {
        due = false;
        games.run_due();
      }
    } catch (error) {
      forget(folder); // a start without the snapshot may help
      throw error;
    } finally {
      plan();
    }
  }, 0);
}

/** @param {Message} message */
function handle(message) {
  if (message.type === "ask") ask(message);
  else if (message.type === "kept") games.restore(JSON.stringify(message.entries));
  else if (message.type === "open") games.open(message.id, JSON.stringify(message.hello));
  else if (message.type === "send") games.send(message.id, JSON.stringify(message.message));
  else if (message.type === "shut") games.shut(message.id);
}

/** @param {Message} question */
function ask({ id, method, path, body, token }) {
  post({ type: "begun", id });
  const answer = engine.ask(method, path, body ? JSON.stringify(body) : "", token ?? "");
  const { status, kind, body: held } = answer;
  const bytes = held.toJs();
  held.destroy();
  answer.destroy();
  const isText = kind.startsWith("text/") || kind === "application/json";
  post({ type: "answer", id, status, kind, body: isText ? new TextDecoder().decode(bytes) : bytes });
}

worker.addEventListener("message", (/** @type {MessageEvent<Message>} */ { data }) => {
  if (data.type === "start") {
    load(data.base).catch(async () => {
      await forget(data.base, true);
      post({ type: "failed", words: "The engine could not be loaded. Check your connection, then reload the page." });
    });
  } else if (data.type === "cancel") {
    const at = waiting.findIndex((one) => one.type === "ask" && one.id === data.id);
    if (at >= 0) waiting.splice(at, 1);
  } else {
    waiting.push(data);
    plan();
  }
});
