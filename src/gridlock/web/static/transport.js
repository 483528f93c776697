// Send questions to a server or, on a static site, to the engine in a worker. Pages need not know whether a server or
// the engine answers a question.

/** @import { Socket } from "../page" */

import { hasSpare, isSite, urlOf } from "./address.js";

/** @typedef {{ body?: Record<string, any>, token?: string, signal?: AbortSignal }} Wish */

const site = isSite ? await import("./site-answers.js") : null; // a server's pages don't load it
const spare = hasSpare ? await import("./spare.js") : null; // decides whether the server or the engine answers

/** A promise that settles once a static site's engine has loaded or failed.
 *
 * On pages that a server has sent, `engineLoaded` is settled from the start, because there is no site engine to load.
 */
export const engineLoaded = site?.engineLoaded ?? Promise.resolve();

/** Send a request: a POST if there is a body, otherwise a GET.
 *
 * @param {string} path
 * @param {Wish} [wish]
 * @returns {Promise<Response>}
 */
export async function request(path, wish = {}) {
  return site ? site.answer(path, wish) : spare ? spare.answer(path, wish, send) : send(path, wish);
}

/** @type {(path: string, wish: Wish) => Promise<Response>} */
function send(path, { body, token, signal }) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  return fetch(urlOf(path), { method: body ? "POST" : "GET", headers, signal, body: body && JSON.stringify(body) });
}

/** Open a connection to a game: a WebSocket, or an object with the same interface.
 *
 * @param {string} game
 * @param {string} query
 * @returns {Socket}
 */
export function openSocket(game, query) {
  const engine = site ?? spare?.holderOf(game);
  if (engine) return engine.openSocket();
  const address = new URL(urlOf("/ws"), location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return /** @type {Socket} */ (/** @type {unknown} */ (new WebSocket(address.href + query)));
}
