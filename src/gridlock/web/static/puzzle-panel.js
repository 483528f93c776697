// The panel beside a puzzle's board: the result, the actions and the statistics.

/** @import { Book, Puzzle } from "../answers" */
/** @import { Tally } from "./progress.js" */
/** @import { Wish } from "./puzzle-address.js" */
/** @import { PuzzleGame } from "./puzzle-game.js" */

import { urlOf } from "./address.js";
import { $, h, keepFocus, setText, show } from "./dom.js";
import { full, setupLink } from "./links.js";
import { daysInARow, statistics } from "./progress.js";
import { choiceOf, nameOf } from "./puzzle-address.js";
import { MISTAKES } from "./puzzle-game.js";
import { puzzleText, shareButton } from "./puzzle-share.js";
import { drawGames, drawSquares, figures } from "./puzzle-view.js";

/** @type {(label: string, run: () => unknown, style?: string) => HTMLElement} */
export function button(label, run, style = "") {
  return h("button", { type: "button", class: `button ${style}`, onclick: run }, label);
}

/** @type {(label: string, href: string, style?: string) => HTMLElement} */
export function link(label, href, style = "") {
  return h("a", { class: `button ${style}`, href }, label);
}

/** Return the address of the next puzzle. @param {Wish} wish @param {Puzzle | null} puzzle */
export function nextAddress(wish, puzzle) {
  return urlOf(`/puzzles?${choiceOf(wish.difficulty || String(puzzle?.difficulty ?? 1), wish.game, wish.asks)}`);
}

/** Show the result (a headline, a row of symbols and a labelled number), or hide it if there is no headline.
 *
 * @param {string} marks
 * @param {string} headline
 * @param {[number, string]} figure
 */
export function showResult(marks, headline = "", figure = [0, ""]) {
  show($("result"), headline !== "");
  const line = h("ol", { class: "squares", "aria-label": "Result" }, ...drawSquares(marks));
  $("result").replaceChildren(h("h2", {}, headline), line, h("p", { class: "figure" }, h("b", {}, String(figure[0])), ` ${figure[1]}`));
}

/** Show the current puzzle's result, even if it is from an earlier visit.
 *
 * @param {PuzzleGame} game
 * @param {string} today
 */
export function showOutcome({ puzzle, stage, marks, steps, slips, result }, today) {
  if (!puzzle) return;
  const words = standing(puzzle, today);
  const { days, streak } = statistics(today);
  /** @type {[number, string]} */
  const figure = puzzle.day ? [days, days === 1 ? "day in a row" : "days in a row"] : [streak, "in a row"];
  const isBefore = result !== "" && stage === "asking" && !steps && !slips;
  const isSolved = stage === "solved";
  if (isSolved) showResult(marks, slips ? "Solved" : "Solved without a mistake", figure);
  else showResult(result, !isBefore ? "" : result.includes("x") ? "You missed this one" : "You solved this one", figure);
  const mistakes = !result && slips ? `Mistakes: ${slips} of ${MISTAKES}. ` : "";
  setText($("standing"), isSolved || isBefore ? "" : `${mistakes}${words}`);
}

/** @type {(puzzle: Puzzle, today: string) => string} */
function standing({ day }, today) {
  if (day) return `Daily streak: ${count(daysInARow(today), "day")}`;
  const { streak, best } = statistics(today);
  return `In a row: ${streak}${best > streak ? ` (best: ${best})` : ""}`;
}

/** @type {(number: number, noun: string) => string} */
function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Show the actions for the current puzzle.
 *
 * @param {PuzzleGame} game
 * @param {Wish} wish
 * @param {string} today
 */
export function showActions(game, wish, today) {
  const { puzzle, stage, isOver } = game;
  if (!puzzle) return;
  const share = (/** @type {string} */ style) => shareButton("Share", () => shared(game, today), style);
  const parts = [];
  const retry = () => {
    game.retry();
    game.board.board.takeFocus();
  };
  if (stage === "wrong") parts.push(button("Try again", retry, "primary"));
  if (isOver) parts.push(share(puzzle.day && stage === "solved" ? "primary" : ""));
  if (isOver) parts.push(link("Next puzzle", nextAddress(wish, puzzle), puzzle.day && stage === "solved" ? "" : "primary"));
  if (isOver) parts.push(link("Analyse", setupLink(puzzle.position.setup)), button("Play again", () => game.begin(puzzle, game.result)));
  else parts.push(button("Show the answer", () => game.giveUp()));
  if (!isOver && stage !== "wrong") parts.push(share(""));
  if (puzzle.day && puzzle.day !== today) parts.push(link("Today's puzzle", urlOf("/puzzles")));
  keepFocus($("actions"), ...parts);
}

/** Return the text to share: the puzzle, and its first result, if any. @param {PuzzleGame} game @param {string} today */
function shared({ puzzle, result }, today) {
  if (!puzzle) return "";
  const days = puzzle.day === today ? daysInARow(today) : 0;
  return puzzleText(puzzle, { marks: result, days, link: full(urlOf(nameOf(puzzle))) });
}

/** Show the statistics. @param {string} today @param {Pick<Book, "name" | "title">[]} books */
export function showStatistics(today, books) {
  const { solved, tried, days, bestDays, run, games } = statistics(today);
  const titles = new Map(books.map(({ name, title }) => [name, title]));
  /** @type {[string, Tally][]} */
  const entries = Object.entries(games).map(([name, tally]) => [titles.get(name) ?? name, tally]);
  const numbers = figures([[solved, "solved"], [days, "streak"], [bestDays, "best streak"], [run, "best run"]]);
  $("statistics").replaceChildren(...(tried || run ? [numbers] : []), ...(entries.length ? [drawGames(entries)] : []));
}
