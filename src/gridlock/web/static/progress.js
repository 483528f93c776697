// Progress with puzzles and lessons, stored only in this browser.

import { read, write } from "./storage.js";

const PUZZLES = "gridlock.puzzles";
const LESSONS = "gridlock.lessons";
const REMEMBERED = 300; // puzzles without a date whose results are stored

/** The local storage keys for a user's progress. */
export const PROGRESS_KEYS = [PUZZLES, LESSONS];

/** The result of a daily puzzle: solved on its day, solved later, or unsolved.
 *
 * @typedef {true | "later" | false} Result
 */
/** Counts of attempted and solved puzzles.
 *
 * @typedef {{ solved: number, tried: number }} Tally
 */
/** `marks`: each puzzle's first result, by date or address. `open`: the unanswered puzzle for each difficulty, game and
 * kind. `wrong`: the number of wrong moves at each step of an unfinished puzzle.
 *
 * @typedef {object} Puzzles
 * @property {Record<string, Result>} days
 * @property {Record<string, string>} marks
 * @property {number} streak
 * @property {number} best
 * @property {Tally} all
 * @property {Record<string, Tally>} games
 * @property {Record<string, string>} open
 * @property {Record<string, number[]>} wrong
 * @property {number} run
 */

/** @type {(value: unknown) => number} */
const number = (value) => (Number.isInteger(value) ? Number(value) : 0);
/** @type {(value: unknown) => Record<string, any>} */
const table = (value) => (typeof value === "object" && value && !Array.isArray(value) ? value : {});
/** @type {(value: unknown) => Tally} */
const tally = (value) => ({ solved: number(table(value).solved), tried: number(table(value).tried) });

/** Return the stored puzzle progress. Older versions stored no totals, so the daily results are counted instead.
 *
 * @returns {Puzzles}
 */
function puzzles() {
  const stored = table(read(PUZZLES, {}));
  const days = table(stored.days);
  const results = Object.values(days);
  const before = { solved: results.filter(Boolean).length, tried: results.length };
  return {
    days,
    marks: table(stored.marks),
    streak: number(stored.streak),
    best: number(stored.best),
    all: stored.all ? tally(stored.all) : before,
    games: Object.fromEntries(Object.entries(table(stored.games)).map(([game, one]) => [game, tally(one)])),
    open: table(stored.open),
    wrong: table(stored.wrong),
    run: number(stored.run),
  };
}

/** Format a local date, such as 2026-11-15.
 *
 * @param {Date} date
 */
export function written(date) {
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Parse a date; return null if it is invalid.
 *
 * @param {string} text
 */
export function dateOf(text) {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  const date = found && new Date(Number(found[1]), Number(found[2]) - 1, Number(found[3]));
  return date && written(date) === text ? date : null;
}

/** Return a daily puzzle's result, or undefined.
 *
 * @param {string} day
 */
export function solvedOn(day) {
  return puzzles().days[day];
}

/** Return a puzzle's first result as a string of marks, or "" if there is none.
 *
 * A step's mark is 1 if the move was found at once, 2 if it was found later, and x if the step was missed. Older
 * versions stored only whether daily puzzles were solved.
 *
 * @param {{ day: string | null, name: string }} puzzle
 */
export function firstResult({ day, name }) {
  const { days, marks } = puzzles();
  const before = day && day in days ? (days[day] ? "1" : "x") : "";
  return String(marks[day ?? name] ?? before);
}

/** Count a puzzle's first result, and ignore later results.
 *
 * @param {{ day: string | null, name: string, game: string, today: string }} puzzle
 * @param {string} marks one for each step, with an x for a missed step
 */
export function countResult({ day, name, game, today }, marks) {
  const kept = puzzles();
  const right = !marks.includes("x");
  if (firstResult({ day, name })) return;
  const add = ({ solved, tried } = { solved: 0, tried: 0 }) => ({ solved: solved + Number(right), tried: tried + 1 });
  const { [name]: _, ...wrong } = kept.wrong;
  const counted = { ...kept, wrong, all: add(kept.all), games: { ...kept.games, [game]: add(kept.games[game]) } };
  if (day) {
    const days = { ...kept.days, [day]: right && day !== today ? "later" : right };
    write(PUZZLES, { ...counted, days, marks: { ...kept.marks, [day]: marks } });
    return;
  }
  const streak = right ? kept.streak + 1 : 0;
  const open = Object.fromEntries(Object.entries(kept.open).filter(([, one]) => one !== name));
  const [dated, others] = [true, false].map((isDated) => Object.entries(kept.marks).filter(([one]) => one in kept.days === isDated));
  const results = Object.fromEntries([[name, marks], ...others.slice(0, REMEMBERED - 1), ...dated]);
  write(PUZZLES, { ...counted, streak, best: Math.max(kept.best, streak), marks: results, open });
}

/** Record that a missed daily puzzle was solved later.
 *
 * @param {string} day
 */
export function solvedInTheEnd(day) {
  const kept = puzzles();
  if (kept.days[day] === false) write(PUZZLES, { ...kept, days: { ...kept.days, [day]: "later" } });
}

/** Return the number of wrong moves at each step of a puzzle.
 *
 * @param {string} name
 * @returns {number[]}
 */
export function wrongMoves(name) {
  const wrong = puzzles().wrong[name];
  return Array.isArray(wrong) ? wrong.map(number) : [];
}

/** Remember the wrong moves in a puzzle, so that they survive a reload.
 *
 * @param {string} name
 * @param {number[]} wrong
 */
export function rememberWrong(name, wrong) {
  const kept = puzzles();
  const before = Object.entries(kept.wrong).filter(([one]) => one !== name).slice(0, REMEMBERED);
  write(PUZZLES, { ...kept, wrong: Object.fromEntries([[name, wrong], ...before]) });
}

/** Return the unanswered puzzle for a given difficulty, game and kind, or "" if there is none.
 *
 * @param {string} choice
 */
export function openPuzzle(choice) {
  return String(puzzles().open[choice] ?? "");
}

/** Save the unanswered puzzle for a given difficulty, game and kind, so that users can return to it. If `name` is
 * empty, forget the saved puzzle instead.
 *
 * @param {string} choice
 * @param {string} name
 */
export function rememberOpen(choice, name) {
  const kept = puzzles();
  const open = { ...kept.open };
  if (name) open[choice] = name;
  else delete open[choice];
  write(PUZZLES, { ...kept, open });
}

/** Return the length of the daily streak up to today, or up to yesterday if today's puzzle has not been answered.
 *
 * @param {string} today
 */
export function daysInARow(today) {
  const { days } = puzzles();
  return runUpTo(days, dayBefore(today, today in days ? 0 : 1));
}

/** @type {(day: string, back: number) => string} */
function dayBefore(day, back) {
  const [year, month, date] = day.split("-").map(Number);
  return written(new Date(year, month - 1, date - back));
}

/** Return how many daily puzzles in a row were solved, up to a given day. @type {(days: Record<string, Result>, last: string) => number} */
function runUpTo(days, last) {
  let count = 0;
  while (days[dayBefore(last, count)] === true) count += 1;
  return count;
}

/** Return the statistics to show. Only the first result for each puzzle counts.
 *
 * @param {string} today
 */
export function statistics(today) {
  const { days, all, games, streak, best, run } = puzzles();
  const solved = Object.keys(days).filter((day) => days[day] === true);
  const ends = solved.filter((day) => days[dayBefore(day, -1)] !== true);
  const bestDays = Math.max(0, ...ends.map((day) => runUpTo(days, day)));
  return { ...all, games, days: daysInARow(today), bestDays, streak, best, run };
}

/** Record a timed run's score, and return the best score so far.
 *
 * @param {number} solved
 */
export function countRun(solved) {
  const kept = puzzles();
  const run = Math.max(kept.run, solved);
  write(PUZZLES, { ...kept, run });
  return run;
}

/** Return the numbers of the finished lessons.
 *
 * @param {string} game
 * @returns {Set<number>}
 */
export function learned(game) {
  const numbers = read(LESSONS, {})?.[game];
  return new Set(Array.isArray(numbers) ? numbers : []);
}

/** Record a finished lesson.
 *
 * @param {string} game
 * @param {number} lesson
 */
export function rememberLesson(game, lesson) {
  write(LESSONS, { ...read(LESSONS, {}), [game]: [...learned(game).add(lesson)].sort((one, other) => one - other) });
}
