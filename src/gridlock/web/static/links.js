// Links to games (each with the token that opens the game), to positions on the analysis board, and to the user's own
// games.

/** @import { Setup } from "../page" */

import { urlOf } from "./address.js";

const GAME = /^#([\w-]{22})\/([\w-]{32})(?:\/(\d{1,5}))?$/;
const POSITION = /^#([^/]+)\/(\d+x\d+)\/([a-z]+)\/([12])\/([01])\/([^/]*)(?:\/(.+))?$/s;
const UNREADABLE = "This position link can't be read. The link may have been cut off when copied.";
export const UNREADABLE_GAME = "This game link can't be read. The link may have been cut off when copied.";
const EMPTY = "This page needs a link with a game or a position.";

/** Return the game, token and ply in a game link, or null.
 *
 * @param {string} hash
 */
export function readGame(hash) {
  const found = GAME.exec(hash);
  return found && { game: found[1], token: found[2], ply: found[3] === undefined ? null : Number(found[3]) };
}

/** Return a link to a game or, if `ply` is given, to one of the game's positions.
 *
 * @param {string} game
 * @param {string} token
 * @param {number | null} ply
 */
export function gameLink(game, token, ply = null) {
  return urlOf(`/play#${game}/${token}${ply === null ? "" : `/${ply}`}`);
}

let reachable = ""; // the server's address for other machines, if it has sent one

/** Set the address at which other machines reach this server.
 *
 * @param {string} address
 */
export function learnAddress(address) {
  reachable = address;
}

/** Return a shareable link, with the server's address.
 *
 * @param {string} link
 */
export function full(link) {
  return (isOwn() && reachable ? reachable : location.origin) + link;
}

/** Return whether links to this server work only on this machine. */
export function isLocal() {
  return isOwn() && !reachable;
}

function isOwn() {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
}

/** Return the setup that an analysis link contains; if there is none, throw an error with a message for the user.
 *
 * @param {string} hash
 * @returns {Setup}
 */
export function readSetup(hash) {
  const found = POSITION.exec(decoded(hash));
  if (!found) throw new Error(hash.length > 1 ? UNREADABLE : EMPTY);
  const [, game, board, adjacency, starts, swap, moves, more] = found;
  const setup = { game, board, adjacency, starts: Number(starts), swap: swap === "1", moves: moves ? moves.split("_") : [] };
  try {
    const { definition, position } = more ? JSON.parse(more) : {};
    return { ...setup, definition, position };
  } catch {
    throw new Error(UNREADABLE);
  }
}

/** @param {string} hash */
function decoded(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    return ""; // an incomplete percent-encoding
  }
}

/** Return the link to a position on the analysis board. A custom game's link ends with its definition.
 *
 * @param {Setup} setup
 */
export function setupLink(setup) {
  return urlOf(`/analyse#${written(setup)}`);
}

/** Encode a setup for a link. @param {Setup} setup */
function written({ game, board, adjacency, starts, swap, moves, definition, position }) {
  const more = definition || position ? [encodeURIComponent(JSON.stringify({ definition, position }))] : [];
  return [game, board, adjacency, starts, swap ? 1 : 0, moves.join("_"), ...more].join("/");
}

/** Return a link to a page, with a position in the query so that the server can describe it.
 *
 * @param {string} page
 * @param {Setup} setup
 */
export function openLink(page, setup) {
  return urlOf(page + queryOf(setup));
}

/** Return the query for a position. @param {Setup} setup */
export function queryOf(setup) {
  return `?at=${written(setup)}`;
}

/** Read the setup from a query, or throw an error with a message for the user.
 *
 * @param {string} search
 */
export function readAt(search) {
  return readSetup(`#${/[?&]at=([^&]*)/.exec(search)?.[1] ?? ""}`);
}

/** Return a link to the start page with a game in its fragment, which is not sent to servers.
 *
 * @param {object} definition
 */
export function ownGameLink(definition) {
  return urlOf(`/#own=${encodeURIComponent(JSON.stringify(definition))}`);
}

/** Return the game definition in a start-page link, or null if there is none. If the definition is unreadable, throw an
 * error with a message for users.
 *
 * @param {{ hash: string }} location
 * @returns {Record<string, any> | null}
 */
export function readOwn({ hash }) {
  if (!hash.startsWith("#own=")) return null;
  const definition = readDefinition(`#${hash.slice("#own=".length)}`);
  if (!definition) throw new Error(UNREADABLE_GAME);
  return definition;
}

/** Return a link that opens a game on the design page.
 *
 * @param {object} definition
 */
export function designLink(definition) {
  return urlOf(`/design#${encodeURIComponent(JSON.stringify(definition))}`);
}

/** Return the definition in a design link, or null.
 *
 * @param {string} hash
 * @returns {Record<string, any> | null}
 */
export function readDefinition(hash) {
  try {
    const read = JSON.parse(decoded(hash.slice(1)));
    return typeof read === "object" && !Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}
