// The engine's verdict on a position: who wins, why, and with which moves.

/** @import { Board as BoardView, Findings, Position } from "../answers" */
/** @import { Cell } from "../page" */

import { cellName, drawValue } from "./board.js";
import { $, h, keepFocus, s, setText, show } from "./dom.js";
import { middleText, shape } from "./marks.js";
import { isCrowded } from "./pairs.js";

/** Describe the length of a won or lost game.
 *
 * @param {number} distance
 */
export function lengthWords(distance) {
  return `It takes ${distance} ${distance === 1 ? "move" : "moves"}.`;
}

/**
 * @param {Findings} analysis
 * @param {boolean} isCounting
 */
function facts(analysis, isCounting) {
  const { distance, positions, seconds } = analysis;
  if (isCounting) return "Counting the moves to the end…";
  const left = distance === null ? "" : `${lengthWords(distance)} `;
  const looked = positions ? `${positions.toLocaleString("en")} positions searched in ` : "Solved in ";
  return `${left}${looked}${seconds.toFixed(2)} s.`;
}

/**
 * @param {BoardView} board
 * @param {Cell[]} line
 * @param {(names: string[]) => unknown} play
 */
function bestPlay(board, line, play) {
  const names = line.map((cell) => cellName(board, cell));
  const chips = names.map((name, index) =>
    h("button", { type: "button", class: "chip", onclick: () => play(names.slice(0, index + 1)) }, name),
  );
  return chips.length ? [h("h3", {}, "Best play"), h("div", { class: "chips" }, ...chips)] : [];
}

/**
 * @param {string} label
 * @param {() => unknown} run
 */
function button(label, run) {
  return h("button", { type: "button", class: "button", onclick: run }, label);
}

/** Show an analysis, an error, or that the engine is thinking; `think` starts a longer analysis, `play` plays moves.
 *
 * @param {object} known
 * @param {Position} known.position
 * @param {Findings | null} known.analysis
 * @param {string | null} known.trouble
 * @param {boolean} known.isCounting
 * @param {(longer?: boolean) => unknown} known.think
 * @param {(names: string[]) => unknown} known.play
 */
export function showVerdict({ position, analysis, trouble, isCounting, think, play }) {
  const over = position.outcome;
  const isOpen = analysis?.moves.some((move) => move.verdict === "unknown");
  $("verdict").setAttribute("aria-busy", String(!analysis && !over && !trouble));
  setText($("verdict-words"), over ? "The game is over" : trouble ? "No answer" : (analysis?.words ?? "Thinking…"));
  setText($("explanation"), over?.words ?? trouble ?? analysis?.explanation ?? "");
  setText($("facts"), analysis ? facts(analysis, isCounting) : "");
  const again = trouble ? [button("Try again", () => think())] : [];
  keepFocus($("verdict-actions"), ...(isOpen ? [button("Think longer", () => think(true))] : again));
  keepFocus($("line"), ...bestPlay(position.board, analysis?.line ?? [], play));
  show($("show-pairs-label"), Boolean(analysis?.pairing.length || analysis?.mirror.length));
  setText($("show-pairs-words"), pairsWords(analysis, position.board.cols));
}

/**
 * @param {Findings | null} analysis
 * @param {number} cols
 */
function pairsWords(analysis, cols) {
  if (analysis?.mirror.length) return "Show the mirror image of the cell under the pointer";
  return isCrowded(analysis?.pairing ?? [], cols) ? "Show the pairs near the pointer" : "Show the pairs";
}

/** Show the swap button if swapping is legal, and the value of the swap if known.
 *
 * @param {Position} position
 * @param {Findings | null} analysis
 */
export function showSwap(position, analysis) {
  show($("swapping"), position.can_swap);
  const verdict = analysis?.swap ?? null;
  const parts = verdict ? [sample(drawValue({ verdict, distance: null })), h("span", {}, analysis?.swap_words)] : [];
  show($("swap-worth"), parts.length > 0);
  $("swap-worth").replaceChildren(...parts);
  $("swap").classList.toggle("primary", verdict !== "loss");
}

/** @param {SVGElement[]} parts */
function sample(parts) {
  return s("svg", { viewBox: "0 0 60 60", class: "sample", "aria-hidden": "true" }, ...parts);
}

/** Show the legend of the shapes on the board. */
export function showLegend() {
  /** @type {[SVGElement[], string][]} */
  const entries = [
    [[shape("disc", "win"), middleText("9", "win-number")], "wins; the number is how many moves it takes"],
    [[shape("diamond", "loss"), middleText("8", "loss-number")], "loses"],
    [[middleText("?", "unknown")], "unknown"],
  ];
  $("legend").append(...entries.map(([parts, words]) => h("li", {}, sample(parts), h("span", {}, words))));
}
