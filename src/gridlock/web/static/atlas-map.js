// The illustrated atlas: maps of all boards, symbols for the evidence, and descriptions of who wins.

/** @import { AtlasBoard } from "../answers" */

import { s } from "./dom.js";

export const EVIDENCE = { theorem: "theorem", mirror: "mirror strategy", search: "search", open: "" };

const SIGNS = {
  theorem: "M8.5 8.5h7v7h-7z",
  mirror: "M4 7l6.5 5-6.5 5zM20 7l-6.5 5 6.5 5z",
  search: "M11 6a5 5 0 1 0 .1 0zM15 15l4 4",
  open: "M9 10a3 3 0 1 1 3 3v2M12 18.4v.1",
};

const MOST_EXCEPTIONS = 3;

/** Patterns, simplest first: for each, a function that returns whether the first player wins, and a description. */
const PATTERNS = /** @type {[(rows: number, cols: number) => boolean, string][]} */ ([
  [() => true, "The first player wins on every board"],
  [() => false, "The second player wins on every board"],
  [(rows, cols) => (rows * cols) % 2 === 1, "The first player wins if the number of cells is odd, the second if it is even"],
  [(rows, cols) => rows % 2 === 1 || cols % 2 === 1, "The first player wins unless both dimensions are even"],
]);

/** Describe who wins: state the pattern with the fewest exceptions, or count each player's wins.
 *
 * @param {AtlasBoard[]} boards
 */
export function patternWords(boards) {
  const solved = boards.filter((one) => one.winner !== null);
  const tried = PATTERNS.map(([isFirst, sentence]) => ({
    sentence,
    exceptions: solved.filter(({ rows, cols, winner }) => isFirst(rows, cols) !== (winner === 1)),
  }));
  const best = tried.reduce((found, one) => (one.exceptions.length < found.exceptions.length ? one : found));
  const count = (/** @type {number} */ winner) => solved.filter((one) => one.winner === winner).length;
  if (best.exceptions.length > MOST_EXCEPTIONS) return `The first player wins on ${count(1)} boards, the second on ${count(2)}.`;
  const names = best.exceptions.map(({ rows, cols }) => `${rows}x${cols}`);
  const listed = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
  const so = solved.length < boards.length ? `${best.sentence}, as far as we know` : best.sentence;
  return names.length ? `${so}, except on ${listed}.` : `${so}.`;
}

/** Describe the evidence for the results.
 *
 * @param {AtlasBoard[]} boards
 */
export function evidenceWords(boards) {
  const count = (/** @type {keyof typeof EVIDENCE} */ kind) => boards.filter((one) => one.evidence === kind).length;
  const kinds = kindsIn(boards);
  if (kinds.length === 1 && kinds[0] !== "open") return `All ${boards.length} boards are solved by a ${EVIDENCE[kinds[0]]}.`;
  const known = kinds.filter((kind) => kind !== "open").map((kind) => `${count(kind)} by ${EVIDENCE[kind]}`);
  const left = count("open");
  return `Of ${boards.length} boards, ${known.join(", ")}; ${left ? `${left} ${left === 1 ? "is" : "are"} unsolved` : "all are solved"}.`;
}

/** Describe how long a search took.
 *
 * @param {number} seconds
 */
export function durationWords(seconds) {
  if (seconds < 100) return `${seconds} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Return the kinds of evidence behind these boards' results.
 *
 * @param {AtlasBoard[]} boards
 */
export function kindsIn(boards) {
  return /** @type {const} */ (["theorem", "mirror", "search", "open"]).filter((kind) => boards.some((one) => one.evidence === kind));
}

/** Return the CSS class for a winner.
 *
 * @param {number | null} winner
 */
export function styleOf(winner) {
  return winner === 1 ? "first" : winner === 2 ? "second" : "open";
}

/** Create the icon for a kind of evidence.
 *
 * @param {AtlasBoard["evidence"]} evidence
 */
export function sign(evidence) {
  return s("svg", { viewBox: "0 0 24 24", class: `sign ${evidence}`, "aria-hidden": "true" }, s("path", { d: SIGNS[evidence] }));
}

/** Create a small map of all boards: large squares are first-player wins, small squares second-player wins.
 *
 * @param {AtlasBoard[]} boards
 * @param {number} side
 */
export function miniMap(boards, side) {
  const path = (/** @type {number | null} */ wanted) => {
    const inset = wanted === 1 ? 0.5 : wanted === 2 ? 2.5 : 3.5;
    const long = 10 - 2 * inset;
    const square = (/** @type {number} */ row, /** @type {number} */ col) => `M${(col - 1) * 10 + inset} ${(row - 1) * 10 + inset}h${long}v${long}h-${long}z`;
    return boards
      .filter(({ winner }) => winner === wanted)
      .flatMap(({ rows, cols }) => (rows === cols ? [square(rows, cols)] : [square(rows, cols), square(cols, rows)]))
      .join("");
  };
  const parts = [1, 2, null].map((winner) => s("path", { d: path(winner), class: styleOf(winner) }));
  return s("svg", { viewBox: `0 0 ${side * 10} ${side * 10}`, class: "mini-map", "aria-hidden": "true" }, ...parts);
}
