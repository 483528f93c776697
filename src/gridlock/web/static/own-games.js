// The user's own games, saved in this browser: designed here, or opened from a friend's link and played.

/** @import { Position } from "../answers" */
/** @import { OwnGame } from "../page" */

import { api } from "./api.js";
import { read, write } from "./storage.js";

const OWN = "gridlock.own";
export const MOST = 24; // games
const LONGEST = 8_000; // characters of a definition: a few hundred, unless it comes with pages of words

/** Return the user's own games, newest first.
 *
 * @returns {OwnGame[]}
 */
export function ownGames() {
  const games = read(OWN, []);
  return Array.isArray(games) ? games.filter((one) => typeof one?.name === "string" && typeof one.definition === "object") : [];
}

/** Save a game as the newest one. It takes the place of a game with the same name, or of the oldest if there are too many.
 *
 * @param {OwnGame} game
 */
export function rememberOwnGame(game) {
  if (JSON.stringify(game.definition).length > LONGEST) return false;
  return write(OWN, [game, ...ownGames().filter((one) => one.name !== game.name)].slice(0, MOST));
}

/** Forget a game. Games that have been started with it continue.
 *
 * @param {string} name
 */
export function forgetOwnGame(name) {
  write(OWN, ownGames().filter((one) => one.name !== name));
}

/** Return a game with everything that a list shows, or throw an error with a message for the user.
 *
 * The server judges the definition, and describes the rules in its own words: a link's author may write anything.
 *
 * @param {Record<string, any>} definition
 * @param {AbortSignal} [signal]
 * @returns {Promise<OwnGame>}
 */
export async function describeOwnGame(definition, signal) {
  const described = withOwnName(definition);
  const setup = { game: String(described.name), definition: described };
  /** @type {Position} */
  const { board } = await api("/api/position", { body: { setup }, signal });
  return {
    name: setup.game,
    title: board.title,
    board: `${board.rows}x${board.cols}`,
    adjacency: board.adjacency,
    definition: described,
    summary: board.own_rule ?? String(definition.summary ?? ""),
  };
}

/** Return a definition whose name is not that of another game in the list, so that a friend's game replaces none.
 *
 * @param {Record<string, any>} definition
 */
function withOwnName(definition) {
  const games = ownGames();
  const isTaken = (/** @type {string} */ wanted) => games.some((one) => one.name === wanted && !isSame(one.definition, definition));
  const given = String(definition.name ?? "own_game");
  let name = given;
  for (let number = 2; isTaken(name); number += 1) name = `${given.slice(0, 28)}_${number}`;
  return { ...definition, name };
}

/** Return whether two definitions are the same but for their names. @type {(one: object, other: object) => boolean} */
function isSame(one, other) {
  return JSON.stringify({ ...one, name: "" }) === JSON.stringify({ ...other, name: "" });
}
