// On a static site, answers that never change come from files, and all others from an engine in a worker.
// If a page came from a server, GridLock's engine in the browser answers its requests whenever the server cannot be
// reached.

/** @import { Position } from "../answers" */
/** @import { Setup } from "../page" */

import { engineFolder, isSite, urlOf } from "./address.js";
import { Engine } from "./engine.js";
import { allGames, keepGame, watchGames } from "./engine-games.js";
import { showUpdate } from "./engine-line.js";

const FILES = /^\/api\/(atlas|games|lessons(\/\w+)?)$/; // answers that never change, which a static site has as files
/** @type {() => void} */
let settle;
/** A promise that settles once the engine has loaded or failed. @type {Promise<void>} */
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

watchGames((games) => engine.update(games));

/** Answer a request: a POST if there is a body, otherwise a GET.
 *
 * @param {string} path
 * @param {{ body?: object, token?: string, signal?: AbortSignal }} wish
 * @returns {Promise<Response>}
 */
export async function answer(path, { body, token, signal }) {
  return (await known(path, body, signal)) ?? engine.ask({ method: body ? "POST" : "GET", path, body, token, signal });
}

/** Open a WebSocket-like connection to a game. */
export function openSocket() {
  return engine.socket();
}

/** Return an answer from a static site's files, or undefined if it must be computed.
 *
 * @param {string} path
 * @param {Record<string, any> | undefined} body
 * @param {AbortSignal | undefined} signal
 */
async function known(path, body, signal) {
  if (!isSite) return undefined;
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

/** If the setup is a built-in game's empty board, return that board.
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
