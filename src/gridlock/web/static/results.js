// The user's results against the computer, from the games in this browser.

/** @import { Remembered } from "../page" */

const ORDER = ["random", "easy", "medium", "hard", "perfect"];

/** Count the wins and losses against the computer, by game and level.
 *
 * @param {Remembered[]} games
 */
export function results(games) {
  /** @type {Map<string, Map<string, { won: number, lost: number }>>} */
  const rows = new Map();
  /** @type {Set<string>} */
  const levels = new Set();
  for (const { title, against, standing, over } of games) {
    const level = /^against Computer, (.+)$/.exec(against)?.[1];
    const won = standing === "you won";
    if (!level || !over || (!won && standing !== "you lost")) continue;
    levels.add(level);
    const counts = rows.get(title) ?? new Map();
    const { won: before, lost } = counts.get(level) ?? { won: 0, lost: 0 };
    rows.set(title, counts.set(level, won ? { won: before + 1, lost } : { won: before, lost: lost + 1 }));
  }
  const rank = (/** @type {string} */ level) => (ORDER.indexOf(level) + ORDER.length + 1) % (ORDER.length + 1);
  return {
    levels: [...levels].sort((one, other) => rank(one) - rank(other)),
    rows: [...rows].sort(([one], [other]) => one.localeCompare(other)).map(([title, counts]) => ({ title, counts })),
  };
}
