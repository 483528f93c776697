// The way to the answers: over the network to a server or, on a static site, to the engine in a worker. Pages can't tell.

/** @import { Socket } from "../page" */

import { isSite, urlOf } from "./address.js";

const site = isSite ? await import("./site-answers.js") : null; // a server's pages don't load it

/** Settled once the engine in the browser has loaded, or failed to; at once if there is none. */
export const engineLoaded = site?.engineLoaded ?? Promise.resolve();

/** Send a request: a POST if there is a body, otherwise a GET.
 *
 * @param {string} path
 * @param {{ body?: object, token?: string, signal?: AbortSignal }} [wish]
 * @returns {Promise<Response>}
 */
export async function request(path, { body, token, signal } = {}) {
  if (site) return site.answer(path, { body, token, signal });
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
  if (site) return site.openSocket();
  const address = new URL(urlOf("/ws"), location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return /** @type {Socket} */ (/** @type {unknown} */ (new WebSocket(address.href + query)));
}
