// The engine in the browser: a module worker that loads Python and answers what a server would, through the same
// functions (web/offline).

/** @typedef {{ type: string, [name: string]: any }} Message */

const FILES = ["gridlock.zip", "msgspec.whl"]; // what Python needs besides its own files
const LONGEST = 2 ** 31 - 1; // milliseconds: a timer with more rings at once
const worker = /** @type {any} */ (globalThis);
/** @type {any} */
let engine; // the Python objects, once they are loaded
/** @type {any} */
let games;
/** @type {Message[]} */
const waiting = []; // messages in the order in which they came
let due = false; // whether the engine has something to do by itself, such as a move
/** @type {ReturnType<typeof setTimeout> | undefined} */
let alarm; // when the engine wants to do so
let planned = false; // whether the next message is about to be handled

/** @param {Message} message */
function post(message) {
  worker.postMessage(message);
}

/** Load Python and the package. The bytes are counted as they come, whoever fetches them.
 *
 * @param {string} base
 */
async function load(base) {
  const began = performance.now();
  const listed = await (await fetch(new URL("engine.json", base))).json();
  /** @type {[string, number][]} */
  const sizes = Object.entries(listed.files);
  const of = sizes.reduce((sum, [name, size]) => sum + (name.endsWith(".mjs") ? 0 : size), 0); // modules aren't fetched
  const plain = worker.fetch;
  let done = 0;
  worker.fetch = async (/** @type {any[]} */ ...asked) => {
    const response = await plain(...asked);
    if (!response.ok || !response.body) return response;
    const counted = new TransformStream({
      transform(chunk, stream) {
        done += chunk.length;
        post({ type: "progress", done: Math.min(done, of), of });
        stream.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counted), { status: response.status, headers: response.headers });
  };
  try {
    const python = import(new URL("pyodide.mjs", base).href);
    const fetched = FILES.map(async (name) => new Uint8Array(await (await worker.fetch(new URL(name, base))).arrayBuffer()));
    const [{ loadPyodide }, ...archives] = await Promise.all([python, ...fetched]);
    const pyodide = await loadPyodide({ indexURL: base.replace(/^file:\/\//, "") }); // Node needs a path
    const folder = pyodide.runPython("import sysconfig; sysconfig.get_path('purelib')");
    for (const archive of archives) pyodide.unpackArchive(archive, "zip", { extractDir: folder });
    const { Engine, Games } = pyodide.pyimport("gridlock.web.offline.engine");
    games = Games(page);
    engine = Engine(games);
  } finally {
    worker.fetch = plain;
  }
  post({ type: "ready", seconds: (performance.now() - began) / 1000 });
  plan();
}

/** What the engine's games ask of the page (Page in web/offline/saves.py). */
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

/** Handle the next message soon: those that have come meanwhile are read first, so that a cancelled question is dropped. */
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
    load(data.base).catch(() => post({ type: "failed", words: "The engine could not be loaded. Check your connection, then reload the page." }));
  } else if (data.type === "cancel") {
    const at = waiting.findIndex((one) => one.type === "ask" && one.id === data.id);
    if (at >= 0) waiting.splice(at, 1);
  } else {
    waiting.push(data);
    plan();
  }
});

export {}; // it must be started as a module
