// A note on the board, for example to say why a cell is closed. Clicks pass through to the cells.

import { h, s, setText, show } from "./dom.js";

const SHORTEST = 6000; // milliseconds that a note stays
const PER_LETTER = 80; // milliseconds to read a letter slowly

/** A note's text and, for a question, a button to answer it. A question is shown until it is answered or closed.
 *
 * @typedef {{ words: string, label?: string, act?: () => unknown, closed?: () => unknown }} Note
 */

export class Toast {
  /** @type {Note | null} */
  note = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;

  /** @param {HTMLElement} place the board's element, which the note lies on */
  constructor(place) {
    this.words = h("p", { id: document.getElementById("note") ? null : "note" });
    this.button = h("button", { type: "button", class: "act", onclick: () => this.note?.act?.() });
    const cross = s("svg", { viewBox: "0 0 24 24", class: "icon line", "aria-hidden": "true" }, s("path", { d: "M7 7l10 10m0-10l-10 10" }));
    const close = h("button", { type: "button", class: "close-note", "aria-label": "Close the note", onclick: () => this.close() }, cross);
    this.box = h("div", { class: "toast", hidden: true }, this.words, this.button, close);
    place.append(this.box);
  }

  /** Show a note; if it only repeats the previous note, do nothing.
   *
   * @param {Note | null} note
   * @param {boolean} atTop whether it lies at the top of the board instead of the bottom
   */
  show(note, atTop) {
    const words = note?.words ?? "";
    if (note === this.note && words === this.words.textContent) return;
    this.note = note;
    clearTimeout(this.timer);
    setText(this.words, words);
    setText(this.button, note?.label ?? "");
    show(this.button, Boolean(note?.label));
    this.box.classList.toggle("at-top", atTop);
    show(this.box, words !== "");
    if (words && !note?.label) this.timer = setTimeout(() => this.close(), Math.max(SHORTEST, words.length * PER_LETTER));
  }

  close() {
    clearTimeout(this.timer);
    show(this.box, false);
    this.note?.closed?.();
  }
}
