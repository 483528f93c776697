// Sharing a puzzle or a result without spoilers: a line of squares and the link, as `gridlock puzzle` prints them.

/** @import { Puzzle } from "../answers" */

import { announce, h, setText } from "./dom.js";

/** @type {Record<string, string>} */
const NAMES = { hottest: "puzzle (find the hottest region)", trap: "puzzle (the hottest region is a trap)" };
/** @type {Record<string, string>} */
const SQUARES = { 1: "🟩", 2: "🟨", x: "🟥" };

/** Return text to share: a title, the result (if any) as coloured squares and in words, and the link.
 *
 * @param {{ title: string, marks: string, words: string, link: string }} about
 */
export function shareText({ title, marks, words, link }) {
  const squares = Array.from(marks, (mark) => SQUARES[mark] ?? "").join("");
  const result = [squares, words].filter(Boolean).join(" ");
  return [`GridLock ${title}`, result, link].filter(Boolean).join("\n");
}

/** Return the text for sharing a puzzle; for a daily puzzle, it is the same as in the terminal. `days` is the streak.
 *
 * @param {Puzzle} puzzle
 * @param {{ marks: string, days: number, link: string }} about
 */
export function puzzleText({ day, kind, difficulty, position }, { marks, days, link }) {
  const { title, rows, cols } = position.board;
  const done = marks.includes("x") ? "missed" : "solved";
  const streak = days > 1 ? `, ${days} days in a row` : "";
  const name = day ? `daily ${day}` : (NAMES[kind] ?? "puzzle");
  const about = `${name}: ${title} ${rows}x${cols}, difficulty ${difficulty} of 5`;
  return shareText({ title: about, marks, words: marks && `${done}${streak}`, link });
}

/** Create a button that shares text, or copies it if the system has no share dialog.
 *
 * @param {string} label
 * @param {() => string} text
 * @param {string} style
 */
export function shareButton(label, text, style = "") {
  const button = h("button", { type: "button", class: `button ${style}` }, label);
  button.addEventListener("click", async () => {
    const isCopied = await share(text());
    if (isCopied === null) return;
    const words = isCopied ? "Copied" : "Can't copy";
    setText(button, words);
    announce(`${words}.`);
    setTimeout(() => setText(button, label), 2000);
  });
  return button;
}

/** Share text; return whether it was copied, or null if the system's dialog was shown. @param {string} text */
async function share(text) {
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ text });
      return null;
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return null; // the user closed the dialog
    }
  }
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOldWay(text); // no clipboard: the page did not come over HTTPS
  }
}

/** @param {string} text */
function copyOldWay(text) {
  const before = document.activeElement;
  const field = h("textarea", { class: "unseen", "aria-hidden": "true", tabindex: -1, value: text });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}
