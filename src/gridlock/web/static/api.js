// The server's HTTP API.

/** @import { Catalogue } from "../answers" */

import { learnAddress } from "./links.js";

/** A failed request, with a message for the user. */
export class Failure extends Error {
  /**
   * @param {string} code
   * @param {string} words
   */
  constructor(code, words) {
    super(words);
    this.code = code;
  }
}

/** Return an error's message for the user.
 *
 * @param {unknown} error
 */
export function wordsOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Return whether the request was cancelled.
 *
 * @param {unknown} error
 */
export function isAborted(error) {
  return error instanceof Error && error.name === "AbortError";
}

/** Send a request to the server: a POST if there is a body, otherwise a GET.
 *
 * @param {string} path
 * @param {{ body?: object, token?: string, signal?: AbortSignal }} [wish]
 * @returns {Promise<any>} the answer, as the protocol defines it for the path
 */
export async function api(path, { body, token, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method: body ? "POST" : "GET", headers, signal, body: body && JSON.stringify(body) });
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Failure("network", "Can't reach the server. Check your connection.");
  }
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const answer = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new Failure(answer.error ?? "broken", answer.words ?? "Something went wrong on the server.");
  return answer;
}

/** @type {Promise<Catalogue> | undefined} */
let known;

/** Return the available games, which are requested only once. */
export function catalogue() {
  known ??= api("/api/games").then((/** @type {Catalogue} */ answer) => {
    learnAddress(answer.address);
    return answer;
  });
  return known;
}
