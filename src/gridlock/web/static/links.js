// What stands behind the # of a link: a game and the token that opens it, or a position of the analysis board.

/** @import { Setup } from "../page" */

const GAME = /^#([\w-]{22})\/([\w-]{32})(?:\/(\d{1,5}))?$/;
const POSITION = /^#([^/]+)\/(\d+x\d+)\/([a-z]+)\/([12])\/([01])\/([^/]*)(?:\/(.+))?$/s;
const UNREADABLE = "This position link can't be read. It may have been cut off when it was copied.";
const EMPTY = "There is no position in this link.";

/** The game, token and ply of a link to a game, or null.
 *
 * @param {string} hash
 */
export function readGame(hash) {
  const found = GAME.exec(hash);
  return found && { game: found[1], token: found[2], ply: found[3] === undefined ? null : Number(found[3]) };
}

/** The address of a game, as the holder of a token sees it; with a ply, of a position of it.
 *
 * @param {string} game
 * @param {string} token
 * @param {number | null} ply
 */
export function gameLink(game, token, ply = null) {
  return `/play#${game}/${token}${ply === null ? "" : `/${ply}`}`;
}

let reachable = ""; // by which address other machines get here, where the server has said so

/** Learn by which address other machines reach this server.
 *
 * @param {string} address
 */
export function learnAddress(address) {
  reachable = address;
}

/** The same with the server's address in front, to be sent to somebody.
 *
 * @param {string} link
 */
export function full(link) {
  return (isOwn() && reachable ? reachable : location.origin) + link;
}

/** Whether links from here lead nowhere on any other machine. */
export function isLocal() {
  return isOwn() && !reachable;
}

function isOwn() {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
}

/** The setup of a link to the analysis board; an error, with words, if something else stands there.
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
    return ""; // half a character
  }
}

/** The address of a position on the analysis board; what the server may not know of its game comes last.
 *
 * @param {Setup} setup
 */
export function setupLink(setup) {
  return `/analyse#${written(setup)}`;
}

/** A setup as addresses have it. @param {Setup} setup */
function written({ game, board, adjacency, starts, swap, moves, definition, position }) {
  const more = definition || position ? [encodeURIComponent(JSON.stringify({ definition, position }))] : [];
  return [game, board, adjacency, starts, swap ? 1 : 0, moves.join("_"), ...more].join("/");
}

/** An address that the server sees, too, so that it can say what is there: a page, and a position as its query.
 *
 * @param {string} page
 * @param {Setup} setup
 */
export function openLink(page, setup) {
  return `${page}?at=${written(setup)}`;
}

/** The setup in the query of an address; an error, with words, if something else stands there.
 *
 * @param {string} search
 */
export function readAt(search) {
  return readSetup(`#${/[?&]at=([^&]*)/.exec(search)?.[1] ?? ""}`);
}

/** The address of a game that is being designed.
 *
 * @param {object} definition
 */
export function designLink(definition) {
  return `/design#${encodeURIComponent(JSON.stringify(definition))}`;
}

/** The definition of a link to a design; null if there is none, or something else.
 *
 * @param {string} hash
 * @returns {Record<string, any> | null}
 */
export function readDefinition(hash) {
  try {
    const read = JSON.parse(decoded(hash.slice(1)));
    return typeof read === "object" ? read : null;
  } catch {
    return null;
  }
}
