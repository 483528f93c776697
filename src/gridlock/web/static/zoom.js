// A large board is shrunk to fit the page; if its cells become too small to tap easily, the user can enlarge and scroll
// the board.

import { h, s, setText, show } from "./dom.js";

const COMFORTABLE = 32; // pixels; smaller cells can be enlarged, and a tap on one asks before it plays
const EDGE = 48; // pixels at the edge where a cell counts as out of sight: the numbers are there, or the board fades
const ICONS = {
  in: "M10.500 10.500m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 15l5.500 5.500M10.500 8v5M8 10.500h5",
  out: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
};

/** Return whether the primary input is touch rather than a mouse. */
export function usesFinger() {
  return matchMedia("(pointer: coarse)").matches;
}

export class Zoom {
  size = 0; // of a cell in the whole board, in pixels
  isClose = false;
  /** @type {boolean | null} */
  wanted = null; // what the user chose, if anything

  /** Control a board's size; `enlarged` is called when the board has been enlarged.
   *
   * @param {HTMLElement} place
   * @param {HTMLElement} scroller
   * @param {HTMLElement} frame
   * @param {() => unknown} enlarged
   */
  constructor(place, scroller, frame, enlarged) {
    this.scroller = scroller;
    this.frame = frame;
    this.enlarged = enlarged;
    this.probe = h("i", { class: "probe" }); // as wide as a cell of the whole board
    this.icon = s("path");
    this.label = h("span", { class: "unseen" });
    const picture = s("svg", { viewBox: "0 0 24 24", class: "icon line", "aria-hidden": "true" }, this.icon);
    this.button = h("button", { type: "button", class: "button round zoom", hidden: true, onclick: () => this.toggle() }, picture, this.label);
    frame.append(this.probe);
    place.after(this.button);
    new ResizeObserver(() => this.measure()).observe(this.probe);
    new ResizeObserver(() => this.showEdges()).observe(scroller);
    scroller.addEventListener("scroll", () => this.showEdges(), { passive: true });
  }

  /** Whether a cell is too small to tap reliably. */
  get isSmall() {
    return !this.isClose && this.size < COMFORTABLE;
  }

  /** Forget the chosen zoom, because the board's size has changed. */
  reset() {
    this.wanted = null;
    this.measure();
  }

  toggle() {
    this.wanted = !this.isClose;
    this.measure();
  }

  measure() {
    this.size = this.probe.offsetWidth;
    if (!this.size) return; // not visible yet
    const isLarge = this.size < COMFORTABLE;
    const before = this.isClose;
    this.isClose = isLarge && (this.wanted ?? this.size < (usesFinger() ? 24 : 12));
    this.frame.dataset.zoom = this.isClose ? "in" : "out";
    this.icon.setAttribute("d", this.isClose ? ICONS.out : ICONS.in);
    setText(this.label, this.isClose ? "Show the whole board" : "Zoom in");
    show(this.button, isLarge);
    if (this.isClose && !before) this.enlarged();
    this.showEdges();
  }

  /** Mark the edges beyond which the board continues. */
  showEdges() {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = this.scroller;
    const edges = { left: scrollLeft, top: scrollTop, right: scrollWidth - clientWidth - scrollLeft, bottom: scrollHeight - clientHeight - scrollTop };
    this.scroller.dataset.edges = Object.entries(edges).filter(([, rest]) => rest > 1).map(([edge]) => edge).join(" ");
  }

  /** Scroll an enlarged board so that a cell is visible.
   *
   * @param {Element | undefined} cell
   */
  reveal(cell) {
    if (!cell || !this.isClose) return;
    const { left, top, width, height } = this.scroller.getBoundingClientRect();
    const at = cell.getBoundingClientRect();
    const [x, y] = [at.left - left, at.top - top];
    if (x > EDGE && y > EDGE && x + at.width < width - EDGE && y + at.height < height - EDGE) return;
    this.scroller.scrollBy({ left: x + at.width / 2 - width / 2, top: y + at.height / 2 - height / 2 });
  }
}
