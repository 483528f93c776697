// The values of moves on a board. Winning moves are discs (bolder if they win sooner), losing moves are pale
// diamonds (larger if they lose later), and moves of unknown value are dots.

/** @import { MoveValue } from "../answers" */
/** @import { Cell, LineStep } from "../page" */

import { s } from "./dom.js";
import { marker, middleText, shape } from "./marks.js";

const STRONGEST = 4;
const QUIET = 2; // the strongest losing move beside a winning one
const SIZES = { disc: [0, 0.72, 0.84, 0.94, 1], diamond: [0, 0.66, 0.78, 0.9, 1] }; // by strength

/** Return how strongly to draw each value, from 1 to 4.
 *
 * @param {Map<Cell, Pick<MoveValue, "verdict" | "distance">>} values
 * @returns {Map<Cell, number>}
 */
export function strengths(values) {
  const all = [...values.values()];
  const isWon = all.some(({ verdict }) => verdict === "win");
  const ranked = (/** @type {string} */ wanted, /** @type {number} */ sign) => {
    const counted = all.flatMap(({ verdict, distance }) => (verdict === wanted && distance !== null ? [distance] : []));
    return [...new Set(counted)].sort((one, other) => sign * (one - other));
  };
  const best = { win: ranked("win", 1), loss: ranked("loss", -1) };
  const strength = (/** @type {Pick<MoveValue, "verdict" | "distance">} */ { verdict, distance }) => {
    if (verdict === "unknown") return 1;
    const most = verdict === "win" || !isWon ? STRONGEST : QUIET;
    const order = best[verdict];
    if (distance === null || (order.length === 1 && verdict === "loss")) return Math.min(most, verdict === "win" ? 3 : QUIET);
    const steps = Math.max(1.5, order.length - 1); // the second of two is drawn like the middle of three
    return Math.max(1, most - Math.round((order.indexOf(distance) * (STRONGEST - 1)) / steps));
  };
  return new Map([...values].map(([cell, value]) => [cell, strength(value)]));
}

/** Draw a move's value.
 *
 * @param {Pick<MoveValue, "verdict" | "distance">} value
 * @param {number} strength
 * @returns {SVGElement[]}
 */
export function drawValue({ verdict, distance }, strength = STRONGEST) {
  if (verdict === "unknown") return [shape("dot", "unknown")];
  const number = distance === null ? "" : String(distance);
  const long = number.length > 2 ? " long" : "";
  const form = verdict === "win" ? "disc" : "diamond";
  const size = SIZES[form][strength];
  const drawn = s("g", { transform: `translate(${30 - 30 * size} ${30 - 30 * size}) scale(${size})` }, shape(form, `${verdict} strength-${strength}`));
  return [
    ...(verdict === "win" && strength === STRONGEST ? [s("circle", { cx: 30, cy: 30, r: 25, class: "fastest" })] : []),
    drawn,
    middleText(number, `${verdict}-number strength-${strength}${long}`),
  ];
}

/** Describe a move's value. @param {MoveValue} value */
export function valueWords({ verdict, distance }) {
  if (verdict === "unknown") return "unknown";
  const outcome = verdict === "win" ? "wins" : "loses";
  return distance === null ? outcome : `${outcome} in ${distance}`;
}

/** Draw a move of a line of play as a faint, numbered marker.
 *
 * @param {LineStep} step
 * @param {string[]} marks
 */
export function drawStep({ mark, number }, marks) {
  return [s("g", { class: "ghost-step" }, ...marker(mark, marks)), middleText(String(number), `step-number${number > 99 ? " long" : ""}`)];
}
