// The report on a finished game: who was winning after every move, and the mistakes.

/** @import { Board as BoardView, Review, Step } from "../answers" */
/** @import { Cell, Go, Player, Setup } from "../page" */

import { h, keepFocus, s } from "./dom.js";
import { openLink } from "./links.js";
import { glyph } from "./marks.js";

const STEP = 18;
const BAND = 30;
const HEAT = 40; // the height of the temperature curve

/** Return the players in order from the top of the chart to the bottom; the player who has `marks[0]` when the game
 * ends comes first.
 *
 * @type {(found: Review, marks: string[]) => [Player, Player]}
 */
function ranked(found, marks) {
  return found.players[0].mark === marks[0] ? [1, 2] : [2, 1];
}

/** Chart who was winning at the start and after each move.
 *
 * A bar is above the line if `marks[0]` was winning, below the line if `marks[1]` was, and across the line if it is
 * unknown who was winning.
 *
 * @param {Review} found
 * @param {string[]} marks
 * @param {number} shown
 * @param {Go} go
 */
function chart(found, marks, shown, go) {
  const [upper, lower] = ranked(found, marks);
  const winners = [found.start, ...found.steps.map((step) => step.after)];
  const plies = [0, ...found.steps.map((step) => step.ply)];
  const width = STEP * winners.length + 8;
  const columns = winners.map((winner, index) => {
    const x = 4 + index * STEP;
    const side = winner === upper ? "one" : winner === lower ? "two" : "open";
    const y = { one: 14, two: 14 + BAND, open: 14 + BAND / 2 }[side];
    const column = s(
      "g",
      { class: `column ${side}${plies[index] === shown ? " shown" : ""}`, onclick: () => go(plies[index]) },
      s("rect", { x, y: 0, width: STEP, height: 2 * BAND + 28, class: "back" }),
      s("rect", { x: x + 3, y, width: STEP - 6, height: BAND, rx: 3, class: "bar" }),
    );
    if (index > 0 && found.steps[index - 1].mistake) {
      column.append(s("text", { x: x + STEP / 2, y: 10, class: "mistake", "text-anchor": "middle" }, "!"));
    }
    return column;
  });
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${2 * BAND + 28}`, class: "swing", role: "img", "aria-label": `Chart of who was winning. ${found.summary}` },
    ...columns,
    s("path", { d: `M0 ${14 + BAND}H${width}`, class: "middle" }),
  );
}

/** Draw a curve of the known temperatures, in a strip to be placed under the chart of who was winning.
 *
 * Each point is under the chart's column for the same position.
 *
 * @param {(number | null)[]} heats
 */
export function heatCurve(heats) {
  const most = Math.max(0, ...heats.map((heat) => heat ?? 0));
  if (!most) return [];
  const points = heats.flatMap((heat, ply) => (heat === null ? [] : [[4 + (ply + 0.5) * STEP, HEAT - 4 - (heat / most) * (HEAT - 16)]]));
  const width = STEP * heats.length + 8;
  const words = `Temperature after every move: at most ${most}.`;
  return [
    s(
      "svg",
      { viewBox: `0 0 ${width} ${HEAT}`, class: "heats", role: "img", "aria-label": words },
      s("path", { d: `M0 ${HEAT - 4}H${width}`, class: "middle" }),
      s("polyline", { points: points.map((point) => point.join()).join(" "), class: "heat-line" }),
      ...points.map(([cx, cy]) => s("circle", { cx, cy, r: 2.5, class: "heat-point" })),
    ),
  ];
}

/**
 * @param {Step} step
 * @param {BoardView} board
 * @param {Go} go
 */
function mistake(step, board, go) {
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "finding", onclick: () => go(step.ply - 1) },
      glyph(step.mark, board.marks),
      h(
        "span",
        {},
        h("b", {}, `${step.cell === null && step.kind !== "swap" ? "" : `Move ${step.ply}, `}${step.who} ${step.text}: `),
        `${step.words}. ${step.holds}`,
      ),
    ),
  );
}

/** Say how many of a player's moves in winning positions kept the win.
 *
 * @param {Review} found
 * @param {Player} player
 */
export function keptWords({ players, steps }, player) {
  const { name } = players[player - 1];
  const chances = steps.filter((step) => step.player === player && step.before === player && step.after !== null && step.cell !== null);
  const kept = chances.filter((step) => step.after === player).length;
  if (!chances.length) return `${name} was never in a winning position on their turn.`;
  if (kept < chances.length) return `${name} kept the win in ${kept} of ${chances.length} winning positions (${Math.min(99, Math.round((100 * kept) / chances.length))}%).`;
  return chances.length === 1 ? `${name} had one chance to keep the win, and took it.` : `Flawless: ${name} kept the win in all ${kept} winning positions.`;
}

/** Return a puzzle for each avoidable mistake by the given players: the position before the mistake.
 *
 * @param {Review} found
 * @param {Setup} setup the whole game
 * @param {readonly Player[]} players
 */
export function practice({ steps }, setup, players) {
  const mistakes = steps.filter((step) => step.mistake && step.better.length > 0 && players.includes(step.player));
  return mistakes.map(({ ply, who }) => ({ ply, who, link: `${openLink("/puzzles", { ...setup, moves: setup.moves.slice(0, ply - 1) })}&from=game` }));
}

/** Create the links to puzzles made from a game's mistakes.
 *
 * @param {ReturnType<typeof practice>} puzzles
 * @param {boolean} isYours whether all the mistakes are the user's
 */
function showPractice(puzzles, isYours) {
  if (!puzzles.length) return [];
  const count = puzzles.length === 1 ? "1 puzzle" : `${puzzles.length} puzzles`;
  const first = h("a", { class: "button primary", href: puzzles[0].link }, `Practise ${isYours ? "your" : "the"} mistakes: ${count}`);
  const rest = puzzles.slice(1).map(({ ply, who, link }) => h("a", { class: "chip", href: link, "aria-label": `Practise move ${ply}, ${who}` }, `Move ${ply}`));
  return [h("div", { class: "practice" }, first, rest.length ? h("div", { class: "chips" }, h("small", {}, "Then:"), ...rest) : "")];
}

/** Show a review; `go` is called with the ply that the user chooses.
 *
 * @param {HTMLElement} place
 * @param {Review} found
 * @param {BoardView} board
 * @param {number} shown
 * @param {Go} go
 * @param {Setup} setup the whole game
 * @param {readonly Player[]} seats the user's, if known
 */
export function showReview(place, found, board, shown, go, setup, seats = []) {
  const mistakes = found.steps.filter((step) => step.mistake);
  const [up, down] = ranked(found, board.marks).map((player) => found.players[player - 1]);
  keepFocus(
    place,
    h("p", {}, found.summary),
    h("ul", { class: "kept" }, ...[1, 2].map((player) => h("li", {}, glyph(found.players[player - 1].mark, board.marks), h("span", {}, keptWords(found, player))))),
    ...showPractice(practice(found, setup, seats.length === 1 ? seats : [1, 2]), seats.length === 1),
    h(
      "div",
      { class: "chart" },
      h("div", { class: "sides", "aria-hidden": "true" }, h("span", {}, board.marks[0]), h("span", {}, board.marks[1])),
      h("div", { class: "scroller" }, chart(found, board.marks, shown, go), ...heatCurve(found.heats)),
    ),
    h("p", { class: "hint" }, `Above the middle, ${up.name} (${up.mark}) was winning; below it, ${down.name} (${down.mark}) was. “!” marks a mistake.${found.heats.length ? " The curve is the temperature: how much the next move was worth." : ""}`),
    mistakes.length ? h("ul", { class: "mistakes" }, ...mistakes.map((step) => mistake(step, board, go))) : "",
  );
}

/** Return the numbers of the moves that were mistakes.
 *
 * @param {Review | null} found
 * @returns {Set<number>}
 */
export function mistakesOf(found) {
  return new Set(found ? found.steps.filter((step) => step.mistake).map((step) => step.ply) : []);
}

/** Return the cells that would have kept the win if played after `ply` moves.
 *
 * @param {Review | null} found
 * @param {number} ply
 * @returns {Cell[]}
 */
export function betterAt(found, ply) {
  return found?.steps.find((step) => step.mistake && step.ply === ply + 1)?.better ?? [];
}
