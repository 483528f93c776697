// Transfers the user's progress in puzzles and lessons between browsers, by file or link.

import { read, write } from "./storage.js";

const KEYS = ["gridlock.puzzles", "gridlock.lessons"];
const PUZZLES = KEYS[0];
const MOST = 5000; // entries of a list or a table; a file may have been written by hand
const DEEPEST = 4;

/** @typedef {Record<string, unknown>} Table */

/**
 * @param {unknown} value
 * @returns {value is Table}
 */
function isTable(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Return the progress stored in this browser, by storage key.
 *
 * @returns {Table}
 */
export function exportedProgress() {
  return Object.fromEntries(KEYS.map((key) => [key, read(key, null)]).filter(([, value]) => isTable(value)));
}

/** Return the progress to include in a link: finished lessons and the results of daily puzzles.
 *
 * @returns {Table}
 */
export function shortProgress() {
  const all = exportedProgress();
  const puzzles = all[PUZZLES];
  return isTable(puzzles) ? { ...all, [PUZZLES]: { days: isTable(puzzles.days) ? puzzles.days : {} } } : all;
}

/** Add progress from another browser to this browser's progress, and return whether anything changed. No progress is
 * lost: finished lessons stay finished, solved daily puzzles stay solved, and the higher of two counts is kept.
 *
 * @param {unknown} data
 */
export function importProgress(data) {
  if (!isTable(data)) return false;
  const changes = KEYS.map((key) => {
    const [mine, theirs] = [read(key, {}), data[key]];
    if (!isTable(theirs)) return false;
    const both = merged(isTable(mine) ? mine : {}, theirs, 0);
    return JSON.stringify(both) !== JSON.stringify(mine) && write(key, both);
  });
  return changes.some(Boolean);
}

/** @type {(mine: unknown, theirs: unknown, depth: number) => unknown} */
function merged(mine, theirs, depth) {
  if (mine === undefined || mine === false) return depth > DEEPEST ? mine : plain(theirs, depth);
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    const all = [...new Set([...mine, ...theirs.filter((one) => typeof one === "number" || typeof one === "string")])].slice(0, MOST);
    return all.every((one) => typeof one === "number") ? all.sort((one, other) => one - other) : all;
  }
  if (isTable(mine) && isTable(theirs)) {
    const more = Object.entries(theirs).slice(0, MOST).map(([key, value]) => [key, merged(mine[key], value, depth + 1)]);
    return Object.fromEntries([...Object.entries(mine), ...more.filter(([, value]) => value !== undefined)]);
  }
  return typeof mine === "number" && typeof theirs === "number" && theirs > mine ? theirs : mine;
}

/** Return a value from another browser, without parts that are too long or nested too deeply.
 *
 * @type {(value: unknown, depth: number) => unknown}
 */
function plain(value, depth) {
  if (Array.isArray(value)) return merged([], value, depth);
  if (isTable(value)) return depth > DEEPEST ? undefined : merged({}, value, depth);
  return typeof value === "string" ? value.slice(0, 400) : value;
}
