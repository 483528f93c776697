// Explores a region move by move: shows both sides' best moves as small boards, and lets users go back.

/** @import { OpenRegion, RegionMove } from "../answers" */
/** @import { Cell, Player, Setup } from "../page" */

import { api, wordsOf } from "./api.js";
import { announce, h, s } from "./dom.js";
import { marker, shape } from "./marks.js";

/** @typedef {{ side: Player, cell: Cell, text: string }} Step */

export class RegionOptions {
  /** @type {Step[]} */
  path = [];
  round = 0; // so that late answers are dropped

  /** Show a region in an element of the page.
   *
   * @param {HTMLElement} place
   * @param {{ setup: Setup, cell: Cell, marks: string[], letter: string }} about
   */
  constructor(place, about) {
    this.place = place;
    this.about = about;
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", `Region ${about.letter}, move by move`);
    this.ask();
  }

  /** Request and show what remains of the region after the moves so far; `from` is the step that was just undone.
   *
   * @param {Step} [from]
   */
  async ask(from) {
    const { setup, cell } = this.about;
    const mine = ++this.round;
    try {
      /** @type {OpenRegion} */
      const found = await api("/api/region", { body: { setup, cell, path: this.path.map((one) => [one.side, one.cell]) } });
      if (mine === this.round) this.show(found, from);
    } catch (error) {
      if (mine === this.round) this.place.replaceChildren(h("p", {}, wordsOf(error)));
    }
  }

  /** @param {OpenRegion} found @param {Step} [from] */
  show(found, from) {
    const { marks, letter } = this.about;
    const isFocused = this.place.contains(document.activeElement);
    const parts = [];
    if (this.path.length) {
      const moves = `After ${this.path.map(({ side, text }) => `${marks[side - 1]} ${text}`).join(", ")}: ${found.words}.`;
      parts.push(h("button", { type: "button", class: "button quiet", onclick: () => this.back() }, "← Back"), h("p", {}, moves), smallBoard(found.drawn, marks));
      if (found.thermograph) parts.push(h("img", { src: `data:image/svg+xml,${encodeURIComponent(found.thermograph)}`, alt: `Thermograph of region ${letter} after these moves`, width: 400, height: 300 }));
      announce(moves);
    }
    const hasOptions = found.left.length + found.right.length > 0;
    if (!hasOptions && !found.note) parts.push(h("p", {}, "There are no moves left here."));
    for (const [index, options] of hasOptions ? [found.left, found.right].entries() : []) {
      const title = `${index ? "Right" : "Left"} (${marks[index]})`;
      parts.push(h("h3", {}, options.length ? `${title} can leave` : `${title} has no move here.`));
      if (options.length) parts.push(h("div", { class: "region-options" }, ...options.map((one) => this.option(index + 1, one))));
    }
    if (found.note) parts.push(h("p", {}, found.note));
    this.place.replaceChildren(...parts);
    if (!isFocused) return;
    const buttons = [...this.place.querySelectorAll("button")];
    const again = buttons.find((one) => from && one.dataset.move === `${from.side} ${from.cell}`);
    (again ?? buttons[0] ?? this.place).focus({ preventScroll: true });
  }

  /** @param {Player} side @param {RegionMove} option */
  option(side, { cell, text, drawn, words }) {
    const { marks } = this.about;
    const choose = () => {
      this.path.push({ side, cell, text });
      this.ask();
    };
    const label = `${marks[side - 1]} ${text} leaves ${words}`;
    return h("button", { type: "button", "data-move": `${side} ${cell}`, "aria-label": label, onclick: choose }, smallBoard(drawn, marks), h("b", {}, `${marks[side - 1]} ${text}`), h("span", {}, words));
  }

  back() {
    this.ask(this.path.pop());
  }
}

/** Draw part of a board, given in the format of the API's `OpenRegion.drawn`.
 *
 * @param {string[]} rows
 * @param {string[]} marks
 */
export function smallBoard(rows, marks) {
  const cols = rows[0]?.length ?? 0;
  const cells = rows.flatMap((row, at) =>
    [...row].map((content, col) => {
      const own = "L1".includes(content) ? marks[0] : marks[1];
      const inside = content === "#" ? [shape("hatch", "hatch plain")] : content === "." ? [] : marker(own, marks);
      const isOpen = "12".includes(content); // a faint marker: only this side can play here
      return s("g", { transform: `translate(${col * 60} ${at * 60})` }, s("path", { d: "M0 0h60v60h-60z", class: "lines" }), s("g", { class: isOpen ? "ghost-step" : null }, ...inside));
    }),
  );
  return s("svg", { viewBox: `-3 -3 ${cols * 60 + 6} ${rows.length * 60 + 6}`, class: "miniature", width: cols * 28, "aria-hidden": "true" }, ...cells);
}
