// Progress with puzzles and lessons, stored only in this browser.

import { read, write } from "./storage.js";

const PUZZLES = "gridlock.puzzles";
const LESSONS = "gridlock.lessons";

/** @typedef {{ days: Record<string, boolean>, streak: number, best: number }} Puzzles */

/** @returns {Puzzles} */
function puzzles() {
  const { days, streak, best } = read(PUZZLES, {});
  const number = (/** @type {unknown} */ value) => (Number.isInteger(value) ? Number(value) : 0);
  return { days: typeof days === "object" && days ? days : {}, streak: number(streak), best: number(best) };
}

/** Format a local date, such as 2026-11-15.
 *
 * @param {Date} date
 */
export function written(date) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Return whether a daily puzzle was solved with the first answer, or undefined if it has not been answered.
 *
 * @param {string} day
 */
export function solvedOn(day) {
  return puzzles().days[day];
}

/** Record an answer to a daily puzzle; only the first answer counts.
 *
 * @param {string} day
 * @param {boolean} right
 */
export function answeredOn(day, right) {
  const kept = puzzles();
  write(PUZZLES, { ...kept, days: { [day]: right, ...kept.days } });
}

/** Return the daily streak, which ends today, or yesterday if today's puzzle has not been answered.
 *
 * @param {string} today
 */
export function daysInARow(today) {
  const { days } = puzzles();
  const [year, month, day] = today.split("-").map(Number);
  let back = today in days ? 0 : 1;
  let count = 0;
  while (days[written(new Date(year, month - 1, day - back))]) {
    count += 1;
    back += 1;
  }
  return count;
}

/** Record an answer to any other puzzle.
 *
 * @param {boolean} right
 */
export function answered(right) {
  const kept = puzzles();
  const streak = right ? kept.streak + 1 : 0;
  write(PUZZLES, { ...kept, streak, best: Math.max(kept.best, streak) });
}

/** Return the current streak and the best streak. */
export function streaks() {
  const { streak, best } = puzzles();
  return { streak, best };
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
 * @param {number} number
 */
export function rememberLesson(game, number) {
  write(LESSONS, { ...read(LESSONS, {}), [game]: [...learned(game).add(number)].sort((one, other) => one - other) });
}
