// The engine, in a worker instead of on a server. The engine plays games, and answers questions in the order in which
// they arrive. Messages are queued until the engine has loaded.

/** @import { EngineUpdate, FromEngine, ToEngine } from "../page" */

const MOMENT = 2000; // milliseconds that a cancelled question may take to stop

/** An unanswered question: its message, and a function that receives the answer.
 *
 * @typedef {{ message: ToEngine & { id: number }, settle: (response: Response) => void }} Asked
 */

/** @typedef {{ method: "GET" | "POST", path: string, body?: object, token?: string, signal?: AbortSignal | null }} Question */

export class Engine {
  /** @type {Worker | null} */
  worker = null;
  isReady = false;
  lastId = 0;
  /** @type {Map<number, Asked>} */
  asked = new Map();
  /** @type {Map<number, EngineSocket>} */
  sockets = new Map();
  /** @type {Set<ToEngine>} */
  waiting = new Set(); // messages for a worker that is not ready
  running = 0; // the question that the worker is working on
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  impatience;

  /**
   * @param {object} options
   * @param {() => Worker} options.start starts a worker
   * @param {string} options.base the URL of the folder with the engine's files
   * @param {{ all: () => Record<string, string>, keep: (key: string, value: string | null) => void }} options.games storage for games
   * @param {(update: EngineUpdate) => void} [options.tell] is called while the engine loads, and when it is ready or has failed
   * @param {number} [options.moment]
   */
  constructor({ start, base, games, tell = () => undefined, moment = MOMENT }) {
    this.begin = start;
    this.base = base;
    this.games = games;
    this.tell = tell;
    this.moment = moment;
  }

  /** Send a request, and return the response that a server would give.
   * Throw an error only if the request is cancelled.
   *
   * @param {Question} question
   * @returns {Promise<Response>}
   */
  ask({ signal, ...question }) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(aborted());
      const id = this.nextId();
      const cancel = () => {
        this.cancel(id);
        reject(aborted());
      };
      const settle = (/** @type {Response} */ response) => {
        signal?.removeEventListener("abort", cancel);
        resolve(response);
      };
      const message = /** @type {const} */ ({ type: "ask", id, ...question });
      signal?.addEventListener("abort", cancel, { once: true });
      this.asked.set(id, { message, settle });
      this.post(message);
    });
  }

  /** Open a WebSocket-like connection; the page must send hello first. */
  socket() {
    return new EngineSocket(this, this.nextId());
  }

  nextId() {
    this.lastId += 1;
    return this.lastId;
  }

  /** Send a message as soon as the worker is ready.
   *
   * @param {ToEngine} message
   */
  post(message) {
    if (!this.worker) this.load();
    if (!this.isReady) {
      this.waiting.add(message);
      return;
    }
    this.worker?.postMessage(message);
  }

  /** Start a worker, and give it the saved games. */
  load() {
    this.tell({ type: "loading" });
    const worker = this.begin();
    this.worker = worker;
    worker.onmessage = ({ data }) => worker === this.worker && this.receive(data);
    worker.onerror = () => worker === this.worker && this.fail("The engine could not be loaded. Check your connection, then reload the page.");
    worker.postMessage({ type: "start", base: this.base });
    worker.postMessage({ type: "kept", entries: this.games.all() });
  }

  /** Give the worker the games that have changed in another window; a new worker gets all games when it starts.
   *
   * @param {Record<string, string>} entries
   */
  update(entries) {
    this.worker?.postMessage({ type: "kept", entries });
  }

  /** @param {FromEngine} message */
  receive(message) {
    if (message.type === "answer") this.answer(message);
    else if (message.type === "begun") this.run(message.id);
    else if (message.type === "keep") this.games.keep(message.key, message.value);
    else if (message.type === "message") this.sockets.get(message.id)?.onmessage?.({ data: JSON.stringify(message.message) });
    else if (message.type === "closed") this.sockets.get(message.id)?.shut(message.code, message.reason);
    else if (message.type === "failed") this.fail(message.words);
    else if (message.type === "ready") this.ready(message);
    else this.tell(message);
  }

  /** @param {Extract<FromEngine, { type: "ready" }>} message */
  ready(message) {
    this.isReady = true;
    this.tell(message);
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const one of waiting) this.post(one);
  }

  /** @param {Extract<FromEngine, { type: "answer" }>} message */
  answer({ id, status, kind, body }) {
    const asked = this.asked.get(id);
    this.asked.delete(id);
    if (id === this.running) this.run(0);
    const none = status === 204 || status === 304;
    asked?.settle(new Response(none ? null : /** @type {BodyInit} */ (body), { status, headers: { "Content-Type": kind } }));
  }

  /** @param {number} id */
  cancel(id) {
    const asked = this.asked.get(id);
    if (!asked) return;
    this.asked.delete(id);
    if (this.waiting.delete(asked.message)) return; // the worker does not know it
    this.worker?.postMessage({ type: "cancel", id });
    if (id === this.running) this.run(id);
  }

  /** Record which question the worker is working on. If the question was cancelled, give the worker a moment to stop.
   *
   * @param {number} id
   */
  run(id) {
    this.running = id;
    clearTimeout(this.impatience);
    if (id && !this.asked.has(id)) this.impatience = setTimeout(() => this.restart(), this.moment);
  }

  /** Stop the worker, send its unanswered questions to a new one, and make the pages reopen their games. */
  restart() {
    this.stop();
    for (const { message } of this.asked.values()) this.waiting.add(message);
    this.load();
    for (const socket of [...this.sockets.values()]) socket.shut(1012, "");
  }

  /** Answer all questions with an error. The next question starts a new worker.
   *
   * @param {string} words
   */
  fail(words) {
    this.stop();
    this.tell({ type: "failed", words });
    const asked = [...this.asked.values()];
    this.asked.clear();
    for (const { settle } of asked) settle(Response.json({ error: "engine", words }, { status: 503 }));
    for (const socket of [...this.sockets.values()]) socket.shut(1012, "");
  }

  stop() {
    this.run(0);
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
    this.waiting.clear();
  }
}

/** A connection to a game that runs in the engine; it provides the part of the WebSocket interface that pages use. */
class EngineSocket {
  /** @type {(() => unknown) | null} */
  onopen = null;
  /** @type {((event: { data: string }) => unknown) | null} */
  onmessage = null;
  /** @type {((event: { code: number, reason: string }) => unknown) | null} */
  onclose = null;
  readyState = 0;

  /**
   * @param {Engine} engine
   * @param {number} id
   */
  constructor(engine, id) {
    this.engine = engine;
    this.id = id;
    engine.sockets.set(id, this);
    queueMicrotask(() => this.onopen?.());
  }

  /** @param {string} text */
  send(text) {
    const message = JSON.parse(text);
    if (!this.engine.sockets.has(this.id)) return;
    const isFirst = this.readyState === 0;
    this.readyState = 1;
    this.engine.post(isFirst ? { type: "open", id: this.id, hello: message } : { type: "send", id: this.id, message });
  }

  close() {
    if (!this.engine.sockets.delete(this.id) || !this.readyState) return;
    this.engine.post({ type: "shut", id: this.id });
    this.readyState = 3;
  }

  /**
   * @param {number} code
   * @param {string} reason
   */
  shut(code, reason) {
    this.engine.sockets.delete(this.id);
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }
}

function aborted() {
  return new DOMException("The request was cancelled.", "AbortError");
}
