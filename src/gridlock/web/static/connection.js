// A game's WebSocket, or its connection to the engine in the browser. A lost connection is reopened, and unanswered
// messages are resent, which is safe because the protocol ignores repeats.

/** @import { AnswerTo, FromServer, Listeners, Question, Socket } from "../page" */

import { isSite } from "./address.js";
import { isHere } from "./engine-games.js";
import { readBack, rememberBack } from "./storage.js";
import { openSocket } from "./transport.js";

const FIRST_WAIT = 400; // milliseconds before the first attempt to reconnect; later attempts wait longer
const LONGEST_WAIT = 8000;
const QUIET = 12000; // milliseconds of silence after which the connection is tested
const PATIENCE = 6000; // milliseconds that a test or a new connection may take
// Close codes after which reconnecting is useless, with messages for the user.
const FINAL = new Map([
  [4401, isSite ? "This game isn't saved in this browser. Games on this site open only in the browser they were played in." : "This link doesn't open a game. The link may have been cut off when copied."],
  [4403, "This server's operator has closed this game, or blocked your address."],
  [4422, "This server no longer has the rules of this game."],
  [4500, "This game's record in the server's database is damaged. The record was not changed."],
]);

export class Connection {
  /** @type {Socket | null} */
  socket = null;
  /** @type {number | undefined} */
  timer;
  /** @type {number | undefined} */
  watch;
  open = false;

  /** Open a connection to a game; `listeners` receive messages and connection changes.
   *
   * @param {string} game
   * @param {string} token
   * @param {Listeners} listeners
   */
  constructor(game, token, listeners) {
    this.hello = { type: "hello", game, token };
    this.isHere = isHere(game); // in the engine of this browser, so no network can fail
    this.back = readBack(game); // lets a player in again, whatever else the same address sends
    this.listeners = listeners;
    /** @type {Map<number, { sent: object, resolve: (answer: any) => void }>} */
    this.unanswered = new Map();
    this.lastId = 0;
    this.wait = FIRST_WAIT;
    this.ended = false;
    this.returning = () => this.comeBack();
    this.leaving = () => this.drop();
    this.seen = () => document.visibilityState === "visible" && this.comeBack();
    if (!this.isHere) {
      window.addEventListener("online", this.returning);
      window.addEventListener("pageshow", this.returning);
      window.addEventListener("offline", this.leaving);
      document.addEventListener("visibilitychange", this.seen);
    }
    this.connect();
  }

  /** Send a message and return the server's direct answer, even if the network is down at first.
   *
   * @template {Question} Asked
   * @param {Asked} message
   * @returns {Promise<AnswerTo<Asked>>}
   */
  request(message) {
    this.lastId += 1;
    const sent = { ...message, id: this.lastId };
    return new Promise((resolve) => {
      this.unanswered.set(sent.id, { sent, resolve });
      if (this.open) this.socket?.send(JSON.stringify(sent));
    });
  }

  /** Send a message that needs no answer; without a connection, the message is dropped.
   *
   * @param {object} message
   */
  tell(message) {
    if (this.open) this.socket?.send(JSON.stringify(message));
  }

  /** Close the connection for good. */
  end() {
    this.ended = true;
    window.removeEventListener("online", this.returning);
    window.removeEventListener("pageshow", this.returning);
    window.removeEventListener("offline", this.leaving);
    document.removeEventListener("visibilitychange", this.seen);
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.socket?.close();
  }

  connect() {
    clearTimeout(this.timer);
    this.open = false;
    const socket = openSocket(this.hello.game, this.back ? `?back=${this.back}` : "");
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.hello));
    socket.onmessage = (event) => socket === this.socket && this.receive(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.lost(event.code, event.reason);
    if (this.isHere) queueMicrotask(() => this.open || this.listeners.connected(false)); // until the engine has loaded
    this.expect(PATIENCE);
  }

  /** Drop the connection unless the server sends a message in time.
   *
   * @param {number} milliseconds
   */
  expect(milliseconds) {
    clearTimeout(this.watch);
    if (!this.isHere) this.watch = setTimeout(() => this.drop(), milliseconds);
  }

  /** @param {FromServer} message */
  receive(message) {
    clearTimeout(this.watch);
    if (!this.isHere) this.watch = setTimeout(() => this.test(), QUIET);
    if (message.type === "welcome") {
      this.open = true;
      this.wait = FIRST_WAIT;
      this.back = message.back ?? "";
      rememberBack(this.hello.game, this.back);
      this.listeners.welcome(message);
      this.listeners.connected(true);
      for (const { sent } of this.unanswered.values()) this.socket?.send(JSON.stringify(sent));
    } else if (message.type === "state") {
      this.listeners.state(message);
      return;
    } else if (message.type === "presence" || message.type === "reaction" || message.type === "notice") {
      this.listeners[message.type](/** @type {any} */ (message));
      return;
    }
    if (message.re === undefined) return;
    this.unanswered.get(message.re)?.resolve(message);
    this.unanswered.delete(message.re);
  }

  /** Ping the server. */
  test() {
    if (!this.open) return;
    this.socket?.send(JSON.stringify({ type: "ping" }));
    this.expect(PATIENCE);
  }

  /** Test the connection if it is open; reopen it if it is closed. */
  comeBack() {
    if (this.ended) return;
    if (this.open) this.test();
    else if (this.socket?.readyState !== WebSocket.CONNECTING) this.connect();
  }

  /** Drop a connection that may be dead even though no close event has arrived. */
  drop() {
    if (this.ended) return;
    const dead = this.socket;
    this.socket = null;
    dead?.close();
    this.lost(0);
  }

  /**
   * @param {number} code
   * @param {string} reason
   */
  lost(code, reason = "") {
    clearTimeout(this.watch);
    this.open = false;
    if (this.ended) return;
    const words = (code === 4403 && reason) || FINAL.get(code); // the operator's own message, if any
    if (words) {
      this.end();
      this.listeners.closed(words);
      return;
    }
    this.socket = null;
    this.listeners.connected(false);
    this.timer = setTimeout(() => this.connect(), this.wait * (0.7 + 0.6 * Math.random()));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }
}
