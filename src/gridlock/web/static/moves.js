// The move list, and the buttons for stepping through it.

/** @import { Entry } from "../answers" */
/** @import { Go } from "../page" */

import { h, s } from "./dom.js";
import { glyph } from "./marks.js";

const ICONS = {
  first: "M17 5L8 12l9 7zM6 5v14",
  back: "M15 5l-9 7 9 7z",
  on: "M9 5l9 7-9 7z",
  last: "M7 5l9 7-9 7zM18 5v14",
};

/**
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {number | null} target the ply it leads to, or null if the board already shows it
 * @param {Go} go
 */
function stepButton(name, label, target, go) {
  const button = h(
    "button",
    { type: "button", class: "button round", "aria-label": label, title: label, disabled: target === null },
    s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] })),
  );
  if (target !== null) button.addEventListener("click", () => go(target));
  return button;
}

/** Show buttons that call `go` with the first, previous, next or last ply.
 *
 * @param {HTMLElement} place
 * @param {number} ply
 * @param {number} most
 * @param {Go} go
 */
export function showSteps(place, ply, most, go) {
  const focused = [...place.children].findIndex((one) => one === document.activeElement);
  place.replaceChildren(
    stepButton("first", "Go to the start", ply > 0 ? 0 : null, go),
    stepButton("back", "Previous move", ply > 0 ? ply - 1 : null, go),
    h("span", { class: "count" }, `${ply} / ${most}`),
    stepButton("on", "Next move", ply < most ? ply + 1 : null, go),
    stepButton("last", "Go to the end", ply < most ? most : null, go),
  );
  if (focused >= 0) {
    const same = /** @type {HTMLButtonElement} */ (place.children[focused]);
    const other = /** @type {HTMLButtonElement | null} */ (place.querySelector("button:not(:disabled)"));
    (same.disabled ? other : same)?.focus();
  }
}

/** Show the moves as buttons; `shown` is the ply on the board, and `mistakes` are plies to highlight.
 *
 * @param {HTMLElement} place
 * @param {Entry[]} moves
 * @param {string[]} marks
 * @param {number} shown
 * @param {Set<number>} mistakes
 * @param {Go} go
 */
export function showMoves(place, moves, marks, shown, mistakes, go) {
  const key = JSON.stringify([moves, shown, [...mistakes]]);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  const focused = [...place.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
  const entries = moves.map((move) => {
    const isMistake = move.kind !== "pass" && mistakes.has(move.ply);
    const text = move.kind === "move" ? move.text : move.kind;
    // The accessible name starts with the visible text, because users of voice control say what they see.
    const label = `${move.ply} ${text}${isMistake ? " !" : ""}: ${move.words}${isMistake ? ": a mistake" : ""}`;
    const parts = [
      h("span", { class: "number" }, move.kind === "pass" ? "" : String(move.ply)),
      " ",
      glyph(move.mark, marks),
      h("span", {}, text),
      isMistake ? h("b", { class: "mistake" }, "!") : null,
    ];
    if (move.kind === "pass") return h("li", { class: "pass", title: move.words }, ...parts);
    const current = move.ply === shown;
    const button = h("button", { type: "button", "aria-label": label, "aria-current": current ? "step" : null }, ...parts);
    button.addEventListener("click", () => go(move.ply));
    return h("li", {}, button);
  });
  place.replaceChildren(...(entries.length ? entries : [h("li", { class: "none" }, "No moves yet.")]));
  requestAnimationFrame(() => follow(place)); // when the browser computes the layout anyway
  if (focused >= 0) place.querySelectorAll("button")[Math.min(focused, entries.length - 1)]?.focus();
}

/** Scroll the list to the current move.
 *
 * @param {HTMLElement} place
 */
function follow(place) {
  const current = /** @type {HTMLElement | null} */ (place.querySelector("[aria-current]"));
  if (current) place.scrollTop = current.offsetTop - (place.clientHeight - current.offsetHeight) / 2;
}
