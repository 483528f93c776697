// The user's own games, saved in this browser: those designed here and those from friends' links.

/** @import { Position } from "../answers" */
/** @import { OwnGame } from "../page" */

import { api, catalogue } from "./api.js";
import { picturePath } from "./pictures.js";
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

/** Save a user's own game. A game of the same name is replaced; if there are too many games, the oldest is dropped.
 *
 * @param {OwnGame} game
 */
export function rememberOwnGame(game) {
  if (JSON.stringify(game.definition).length > LONGEST) return false;
  return write(OWN, [game, ...ownGames().filter((one) => one.name !== game.name)].slice(0, MOST));
}

/** Delete a saved game definition; games in progress are not affected.
 *
 * @param {string} name
 */
export function forgetOwnGame(name) {
  write(OWN, ownGames().filter((one) => one.name !== name));
}

/** Return a game's list entry, or throw an error with a message for the user.
 *
 * The definition may come from a link that anyone could have written, so the server checks the definition and describes
 * its rules in one sentence.
 *
 * @param {Record<string, any>} definition
 * @param {AbortSignal} [signal]
 * @returns {Promise<OwnGame>}
 */
export async function describeOwnGame(definition, signal) {
  const offered = (await catalogue()).games.map((game) => game.name);
  const described = withOwnName(definition, offered);
  const setup = { game: described.name, definition: described };
  return ownGameOf(described, await api("/api/position", { body: { setup }, signal }));
}

/** Build a list entry from a game's definition and its empty board.
 *
 * @param {Record<string, any> & { name: string }} definition
 * @param {Position} position
 * @returns {OwnGame}
 */
export function ownGameOf(definition, { board, setup }) {
  const example = /** @type {number[][]} */ (setup.definition?.example ?? []);
  const moves = example.map((cell) => cell.join(","));
  return {
    name: definition.name,
    title: board.title,
    board: `${board.rows}x${board.cols}`,
    adjacency: board.adjacency,
    definition,
    summary: board.own_rule ?? String(definition.summary ?? ""),
    picture: picturePath("svg", { ...setup, definition, moves }),
  };
}

/** Return a definition, renamed if another game has its name, so that a friend's game never replaces yours.
 *
 * @param {Record<string, any>} definition
 * @param {string[]} offered the names of the server's games
 */
function withOwnName(definition, offered) {
  const games = ownGames();
  const isTaken = (/** @type {string} */ wanted) =>
    offered.includes(wanted) || games.some((one) => one.name === wanted && !isSame(one.definition, definition));
  const given = String(definition.name ?? "own_game");
  let name = given;
  for (let number = 2; isTaken(name); number += 1) name = `${given.slice(0, 28)}_${number}`;
  return { ...definition, name };
}

/** Return whether two definitions have the same title and rules, ignoring boards and wording.
 *
 * @type {(one: Record<string, any>, other: Record<string, any>) => boolean}
 */
function isSame(one, other) {
  const facts = (/** @type {Record<string, any>} */ { title, passes, shape }) =>
    [title, passes === true, shape?.follows, ...["closes_own", "closes_other", "pawn"].map((key) => shape?.[key] === true)].join("\n");
  return facts(one) === facts(other);
}
