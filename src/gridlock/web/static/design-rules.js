// The rules that the design page offers: the movement rules, the choices that each of them allows, and a picture of
// each choice.

/** @typedef {{ moves: string, closes_own: boolean, closes_other: boolean, passes: boolean }} Rules */

/** The definition's `shape` for each movement rule. `pawn` needs `follows`. */
export const WAYS = /** @type {Record<string, { follows?: string, pawn?: boolean }>} */ ({
  anywhere: {},
  next: { follows: "near" },
  away: { follows: "away" },
  step: { follows: "near", pawn: true },
  leap: { follows: "away", pawn: true },
});

/** Return a hint if the movement rule excludes a choice, otherwise "".
 *
 * @param {"closes_own" | "closes_other" | "passes"} choice
 * @param {string} moves
 */
export function misfit(choice, moves) {
  if (choice === "closes_own" && moves === "step") return "A step always ends next to your own trail.";
  if (choice === "passes" && moves !== "anywhere") return "To allow passing, choose 'anywhere' above.";
  return "";
}

/** Return what to change about a board, or "" if the board can be used.
 *
 * @param {string} rows
 * @param {string} cols
 * @param {string} moves
 * @param {number} most the longest side that the server allows
 */
export function boardProblem(rows, cols, moves, most) {
  const sides = [rows, cols].map((side) => (/^\d+$/.test(side) ? Number(side) : 0));
  if (sides.some((side) => side < 1 || side > most)) return `A board has 1 to ${most} rows and 1 to ${most} columns.`;
  if (WAYS[moves].pawn && sides.every((side) => side === 1)) return "Two pawns need two cells. Make the board larger.";
  return "";
}

/** Return the fields of a game definition that describe the rules. @param {Rules} rules */
export function described({ moves, closes_own, closes_other, passes }) {
  return {
    ...(passes ? { passes } : {}),
    shape: { ...(closes_own ? { closes_own } : {}), ...(closes_other ? { closes_other } : {}), ...WAYS[moves] },
  };
}

/** Return a game definition's rules; switch off any rule that cannot be combined with the movement rule.
 *
 * @param {Record<string, any>} definition
 * @returns {Rules}
 */
export function rulesOf({ passes, shape = {} }) {
  const isWay = (/** @type {string} */ way) => WAYS[way].follows === shape?.follows && Boolean(WAYS[way].pawn) === (shape?.pawn === true);
  const moves = Object.keys(WAYS).find(isWay) ?? "anywhere";
  return {
    moves,
    closes_own: shape?.closes_own === true && !misfit("closes_own", moves),
    closes_other: shape?.closes_other === true,
    passes: passes === true && !misfit("passes", moves),
  };
}

/** Convert a definition to a TOML file. In the terminal, a game is named after its file.
 *
 * @param {{ name: string, shape: object, [more: string]: unknown }} definition
 */
export function tomlOf({ shape, name, ...rest }) {
  const line = (/** @type {[string, unknown]} */ [key, value]) => `${key} = ${JSON.stringify(value)}`;
  const lines = (/** @type {object} */ table) => Object.entries(table).map(line).join("\n");
  return `# ${name}.toml\n${lines(rest)}\n\n[shape]\n${lines(shape)}\n`;
}

/** Diagrams of each rule on a 3x3 board: "." is a cell open to the player to move, "-" is a closed cell, and "#" is
 * a cell blocked for good.
 *
 * @type {Record<string, Record<string, string>>}
 */
export const PICTURES = {
  king: {
    anywhere: "O........",
    next: "O.-..----",
    away: "O-.--....",
    step: "A.-#.----",
    leap: "A-.--...#",
    closes_own: "X-.--....",
    closes_other: "O-.--....",
  },
  orthogonal: {
    anywhere: "O........",
    next: "O.-.-----",
    away: "O-.-.....",
    step: "A.-#-----",
    leap: "A-.-....#",
    closes_own: "X-.-.....",
    closes_other: "O-.-.....",
  },
};
