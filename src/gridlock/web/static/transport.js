// The way to the answers: over the network to a server or, on a static site, to the engine in a worker. Pages can't tell.

/** @import { Position } from "../answers" */
/** @import { Setup, Socket } from "../page" */

import { engineFolder, isSite, urlOf } from "./address.js";
import { Engine } from "./engine.js";
import { allGames, keepGame, watchGames } from "./engine-games.js";
import { showUpdate } from "./engine-line.js";

const FILES = /^\/api\/(atlas|games|lessons(\/\w+)?)$/; // answers that never change, which a static site has as files
/** @type {() => void} */
let settle;
/** Settled once the engine in the browser has loaded, or failed to. @type {Promise<void>} */
export const engineLoaded = new Promise((resolve) => {
  settle = resolve;
});
const engine = new Engine({
  start: () => new Worker(urlOf("/static/engine-worker.js"), { type: "module" }),
  base: new URL(engineFolder, location.href).href,
  games: { all: allGames, keep: keepGame },
  tell: (update) => {
    showUpdate(update);
    if (update.type === "ready" || update.type === "failed") settle();
  },
});

if (isSite) watchGames((games) => engine.update(games));

/** Send a request: a POST if there is a body, otherwise a GET.
 *
 * @param {string} path
 * @param {{ body?: object, token?: string, signal?: AbortSignal }} [wish]
 * @returns {Promise<Response>}
 */
export async function request(path, { body, token, signal } = {}) {
  if (isSite) return (await known(path, body, signal)) ?? engine.ask({ method: body ? "POST" : "GET", path, body, token, signal });
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  return fetch(urlOf(path), { method: body ? "POST" : "GET", headers, signal, body: body && JSON.stringify(body) });
}

/** Open a connection to a game: a WebSocket, or something like it.
 *
 * @param {string} query
 * @returns {Socket}
 */
export function openSocket(query) {
  if (isSite) return engine.socket();
  const address = new URL(urlOf("/ws"), location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return /** @type {Socket} */ (/** @type {unknown} */ (new WebSocket(address.href + query)));
}

/** Return an answer that a static site has as a file; undefined if only the engine knows it.
 *
 * @param {string} path
 * @param {Record<string, any> | undefined} body
 * @param {AbortSignal | undefined} signal
 */
async function known(path, body, signal) {
  if (!body && FILES.test(path)) {
    const response = await fetch(urlOf(`${path}.json`), { signal });
    return response.ok ? response : undefined;
  }
  const isEmpty = path === "/api/position" && body && Object.keys(body).join() === "setup";
  const board = isEmpty ? await emptyBoard(body.setup) : undefined;
  return board && Response.json(board);
}

/** @type {Promise<Position[]> | undefined} */
let boards;

/** Return the empty board of a built-in game, if the setup asks for nothing else.
 *
 * @param {Setup} setup
 */
async function emptyBoard({ definition, position, moves, ...asked }) {
  if (definition || position || moves?.length) return undefined;
  boards ??= fetch(urlOf("/api/boards.json")).then((response) => response.json()).catch(() => []);
  const all = await boards;
  const facts = /** @type {(keyof typeof asked)[]} */ (Object.keys(asked));
  return all.find((one) => facts.every((fact) => asked[fact] === undefined || asked[fact] === one.setup[fact]));
}
