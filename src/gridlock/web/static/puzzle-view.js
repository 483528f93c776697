// Small graphics for puzzles: the difficulty, a square for each step, and statistics.

/** @import { Tally } from "./progress.js" */

import { h, s } from "./dom.js";

export const HARDEST = 5;
const GRADES = ["", "beginner", "easy", "medium", "hard", "expert"];
const TICK = "M5 12.500l4.500 4.500l9.500-10";
const CROSS = "M6.500 6.500l11 11m0-11l-11 11";

/** Return a difficulty in words. @param {number} difficulty */
export function gradeWords(difficulty) {
  return GRADES[difficulty] ?? "";
}

/** Draw a difficulty as filled and hollow dots, with its name. @param {number} difficulty */
export function grade(difficulty) {
  const dots = Array.from({ length: HARDEST }, (_, at) => h("i", { class: at < difficulty ? "full" : null }));
  return h("span", { class: "grade" }, h("span", { class: "dots", "aria-hidden": "true" }, ...dots), gradeWords(difficulty));
}

/** @type {Record<string, [style: string, words: string, sign: string]>} */
const STEPS = {
  1: ["first", "solved", TICK],
  2: ["later", "solved after a mistake", TICK],
  x: ["missed", "missed", CROSS],
  "!": ["missed", "wrong", CROSS], // for now
  "?": ["next", "to play", ""],
};

/** Create a square for each step of a puzzle.
 *
 * @param {string} marks as in PuzzleGame, perhaps with "!" for a wrong move and "?" for the next move
 */
export function drawSquares(marks) {
  return Array.from(marks, (mark) => {
    const [style, words, sign] = STEPS[mark] ?? STEPS.x;
    const picture = s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: sign }));
    return h("li", { class: style }, picture, h("span", { class: "unseen" }, words));
  });
}

/** Create a row of numbers with labels below them. @param {[number | string, string][]} entries */
export function figures(entries) {
  const parts = entries.map(([value, name]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value))));
  return h("dl", { class: "figures" }, ...parts);
}

/** Create the list of games, with the puzzles solved in each. @param {[title: string, tally: Tally][]} games */
export function drawGames(games) {
  const rows = games.map(([title, { solved, tried }]) => {
    const bar = s("rect", { width: (100 * solved) / Math.max(1, tried), height: 8 });
    const picture = s("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, bar);
    return h("li", {}, h("span", {}, title), picture, h("span", { class: "number" }, `${solved} of ${tried}`));
  });
  return h("ul", { class: "by-game" }, ...rows);
}
