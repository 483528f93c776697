// The engine's verdict on a position: who wins, why, and with which moves.

/** @import { Board as BoardView, Findings, Position, Regions } from "../answers" */
/** @import { Cell } from "../page" */

import { cellName } from "./board.js";
import { $, h, keepFocus, s, setText, show } from "./dom.js";
import { isCrowded } from "./pairs.js";
import { areaLegend } from "./regions.js";
import { drawStep, drawValue } from "./values.js";

/** Describe the length of a won or lost game.
 *
 * @param {Findings} analysis
 */
export function lengthWords({ distance, verdict }) {
  if (distance === null) return "";
  return `${verdict === "win" ? "Wins" : "Loses"} in ${distance} ${distance === 1 ? "move" : "moves"}.`;
}

/**
 * @param {Findings} analysis
 * @param {boolean} isCounting
 */
function facts(analysis, isCounting) {
  const { positions } = analysis;
  if (isCounting) return "Counting the moves to the end…";
  const searched = positions ? `${positions.toLocaleString("en")} ${positions === 1 ? "position" : "positions"} searched.` : "";
  return [lengthWords(analysis), searched].filter(Boolean).join(" ");
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
  return chips.length ? [h("h3", {}, "Best line"), h("div", { class: "chips" }, ...chips)] : [];
}

/**
 * @param {string} label
 * @param {() => unknown} run
 */
function button(label, run) {
  return h("button", { type: "button", class: "button", onclick: run }, label);
}

/** Show an analysis or an error, or say that the engine is busy; `think` starts a longer analysis, and `play` plays moves.
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
  const isBusy = !analysis && !over && !trouble;
  $("verdict").setAttribute("aria-busy", String(isBusy));
  if (!isBusy) $("verdict").classList.remove("first");
  setText($("verdict-words"), over ? "The game is over" : trouble ? "No answer" : (analysis?.words ?? "Thinking…"));
  setText($("explanation"), over?.words ?? trouble ?? analysis?.explanation ?? "");
  setText($("facts"), analysis ? facts(analysis, isCounting) : "");
  const again = trouble ? [button("Try again", () => think())] : [];
  keepFocus($("verdict-actions"), ...(isOpen ? [button("Think longer", () => think(true))] : again));
  keepFocus($("line"), ...bestPlay(position.board, analysis?.line ?? [], play));
  setText($("show-pairs-words"), pairsWords(analysis, position.board.cols));
}

/**
 * @param {Findings | null} analysis
 * @param {number} cols
 */
function pairsWords(analysis, cols) {
  if (analysis?.mirror.length) return "Show the mirror image of the cell under the pointer";
  return isCrowded(analysis?.pairing ?? [], cols) ? "Show the pairs of cells near the pointer" : "Show the pairs of cells";
}

/** Show the swap button if a swap is legal, and the swap's value if it is known.
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

/** Show a legend that explains only the shapes now on the board.
 *
 * @param {string} overlay
 * @param {Findings | null} analysis
 * @param {Regions | string | null} regions
 */
export function showLegend(overlay, analysis, regions) {
  const has = (/** @type {string} */ verdict) => overlay === "values" && analysis?.moves.some((move) => move.verdict === verdict);
  /** @type {[SVGElement[], string][]} */
  const entries = [];
  if (has("win")) entries.push([drawValue({ verdict: "win", distance: 9 }), "wins, strongest where it is quickest"]);
  if (has("loss")) entries.push([drawValue({ verdict: "loss", distance: 8 }), "loses; a larger one holds out longer"]);
  if (has("unknown")) entries.push([drawValue({ verdict: "unknown", distance: null }), "unknown"]);
  if (overlay === "line") entries.push([drawStep({ mark: "X", number: 1 }, ["X", "O"]), "the best line in order; choose a move to go there"]);
  entries.push(...areaLegend(regions));
  const key = entries.map(([, words]) => words).join();
  if ($("legend").dataset.key === key) return;
  $("legend").dataset.key = key;
  $("legend").replaceChildren(...entries.map(([parts, words]) => h("li", {}, sample(parts), h("span", {}, words))));
}
