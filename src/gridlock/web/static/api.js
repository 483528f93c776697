// The HTTP API, provided by a server or the engine in the browser.

/** @import { Catalogue } from "../answers" */

import { isSite } from "./address.js";
import { learnAddress } from "./links.js";
import { request } from "./transport.js";

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
export async function api(path, wish) {
  let response;
  try {
    response = await request(path, wish);
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Failure("network", `Can't reach ${isSite ? "this site" : "the server"}. Check your connection.`);
  }
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const answer = isJson ? await response.json() : await response.text();
  const broken = `Something went wrong${isSite ? "" : " on the server"}.`;
  if (!response.ok) throw new Failure(answer.error ?? "broken", answer.words ?? broken);
  return answer;
}

/** @type {Promise<Catalogue> | undefined} */
let known;

/** Return the catalogue of available games; it is requested only once, and then cached. */
export function catalogue() {
  known ??= api("/api/games").then((/** @type {Catalogue} */ answer) => {
    learnAddress(answer.address);
    return answer;
  });
  return known;
}
