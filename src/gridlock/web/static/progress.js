// What this browser remembers of puzzles and lessons. Nothing leaves it.

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

/** A date of this place as it is written, such as 2026-11-15.
 *
 * @param {Date} date
 */
export function written(date) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Whether the puzzle of a day was solved at the first answer; undefined if it was not answered.
 *
 * @param {string} day
 */
export function solvedOn(day) {
  return puzzles().days[day];
}

/** Count the answer to the puzzle of a day; the first one counts.
 *
 * @param {string} day
 * @param {boolean} right
 */
export function answeredOn(day, right) {
  const kept = puzzles();
  write(PUZZLES, { ...kept, days: { [day]: right, ...kept.days } });
}

/** How many days up to a day, or to the day before while its puzzle is open, were solved one after another.
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

/** Count the answer to any other puzzle.
 *
 * @param {boolean} right
 */
export function answered(right) {
  const kept = puzzles();
  const streak = right ? kept.streak + 1 : 0;
  write(PUZZLES, { ...kept, streak, best: Math.max(kept.best, streak) });
}

/** The streak as it stands, and the best there was. */
export function streaks() {
  const { streak, best } = puzzles();
  return { streak, best };
}

/** The numbers of the lessons that were finished.
 *
 * @param {string} game
 * @returns {Set<number>}
 */
export function learned(game) {
  const numbers = read(LESSONS, {})?.[game];
  return new Set(Array.isArray(numbers) ? numbers : []);
}

/** Remember that a lesson was finished.
 *
 * @param {string} game
 * @param {number} number
 */
export function rememberLesson(game, number) {
  write(LESSONS, { ...read(LESSONS, {}), [game]: [...learned(game).add(number)].sort((one, other) => one - other) });
}
