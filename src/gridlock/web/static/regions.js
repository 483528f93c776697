// The independent regions of a position: outlines, letters and heat on the board, and a list of their values.

/** @import { Board, Position, Regions } from "../answers" */
/** @import { Area, Cell } from "../page" */
/** @import { RegionOptions } from "./region-options.js" */

import { api, wordsOf } from "./api.js";
import { announce, h, s, show } from "./dom.js";
import { setupLink } from "./links.js";
import { marker, middleText } from "./marks.js";

const EDGES = { n: "M0 1.5h60", e: "M58.5 0v60", s: "M0 58.5h60", w: "M1.5 0v60" };
// The hotter a region, the denser its hatching, so that the temperature is visible without colour.
const LINES = ["", "M0 60L60 0", "M0 30L30 0M0 60L60 0M30 60L60 30", "M0 30L30 0M0 60L60 0M30 60L60 30M30 0L60 30M0 0L60 60M0 30L30 60"];
const HEATS = ["cold: nothing to gain by moving first", "temperature up to 1", "temperature 1 to 3", "hot: temperature above 3"];

/** Asks the server for the independent regions of a position, and caches the answers. */
export class RegionFinder {
  /** @type {Map<string, Regions | string>} */
  answers = new Map(); // by position link; a string says why there is no answer
  /** @type {Set<string>} */
  asked = new Set();

  /** @param {() => unknown} changed called when an answer has arrived */
  constructor(changed) {
    this.changed = changed;
  }

  /** Return a position's regions, or the reason why it has none; null until the answer has arrived.
   *
   * @param {Position} position
   */
  about(position) {
    if (position.outcome) return "The game is over, so there are no regions left.";
    const key = setupLink(position.setup);
    if (!this.asked.has(key)) {
      this.asked.add(key);
      this.ask(key, position);
    }
    return this.answers.get(key) ?? null;
  }

  /**
   * @param {string} key
   * @param {Position} position
   */
  async ask(key, position) {
    try {
      /** @type {Regions} */
      const found = await api("/api/regions", { body: { setup: position.setup } });
      this.answers.set(key, found);
      announce([...found.regions.map(({ words }) => words), ...found.closing].join(" "));
    } catch (error) {
      this.answers.set(key, wordsOf(error));
      this.asked.delete(key); // so that another look at the position asks again
    }
    this.changed();
  }
}

/** Return what to draw in each cell: its region's letter, heat and outline, or the owner of a free move.
 *
 * @param {Regions | string | null} found
 * @param {Pick<Board, "rows" | "cols" | "marks">} board
 * @returns {Map<Cell, Area>}
 */
export function areasOf(found, { rows, cols, marks }) {
  /** @type {Map<Cell, Area>} */
  const areas = new Map();
  if (!found || typeof found === "string") return areas;
  for (const { letter, heat, cells, best } of found.regions) {
    const inside = new Set(cells);
    for (const cell of cells) {
      const [row, col] = [Math.floor(cell / cols), cell % cols];
      /** @type {[keyof typeof EDGES, boolean][]} */
      const sides = [
        ["n", row > 0 && inside.has(cell - cols)],
        ["e", col < cols - 1 && inside.has(cell + 1)],
        ["s", row < rows - 1 && inside.has(cell + cols)],
        ["w", col > 0 && inside.has(cell - 1)],
      ];
      const edges = sides.filter(([, isShared]) => !isShared).map(([side]) => side);
      areas.set(cell, { letter, heat, edges: edges.join(""), isBest: cell === best, free: null });
    }
  }
  for (const [side, cells] of found.free.entries()) {
    for (const cell of cells) areas.set(cell, { letter: "", heat: null, edges: "", isBest: false, free: marks[side] });
  }
  return areas;
}

/** Draw a cell of a region, or a faint marker if the cell is a free move for one player.
 *
 * @param {Area} area
 * @param {string[]} marks
 * @returns {SVGElement[]}
 */
export function drawArea({ letter, heat, edges, isBest, free }, marks) {
  if (free !== null) return [s("g", { class: "ghost-step" }, ...marker(free, marks))];
  const outline = [.../** @type {Iterable<keyof typeof EDGES>} */ (edges)].map((side) => EDGES[side]).join("");
  return [
    s("path", { d: "M0 0h60v60h-60z", class: `area heat-${heat ?? "unknown"}` }),
    s("path", { d: LINES[heat ?? 0], class: "area-lines" }),
    s("path", { d: outline, class: "area-edge" }),
    ...(isBest ? [s("circle", { cx: 30, cy: 30, r: 21, class: "area-best" })] : []),
    middleText(heat === null ? `${letter}?` : letter, "area-letter"),
  ];
}

/** Return legend entries for the heat levels on the board.
 *
 * @param {Regions | string | null} found
 * @returns {[SVGElement[], string][]}
 */
export function areaLegend(found) {
  if (!found || typeof found === "string") return [];
  const heats = new Set(found.regions.map(({ heat }) => heat));
  const plain = { letter: "A", edges: "", isBest: false, free: null };
  /** @type {[SVGElement[], string][]} */
  const entries = HEATS.flatMap((words, heat) => (heats.has(heat) ? [/** @type {[SVGElement[], string]} */ ([drawArea({ ...plain, heat }, []), words])] : []));
  entries.reverse();
  if (heats.has(null)) entries.push([drawArea({ ...plain, heat: null }, []), "not worked out in time"]);
  if (found.regions.some(({ best }) => best !== null)) entries.push([drawArea({ ...plain, heat: 0, isBest: true }, []), "the region's best cell for the player to move"]);
  return entries;
}

/** List the regions; the entry for a region with a known value expands to show the value and both players' best moves.
 *
 * @param {HTMLElement} place
 * @param {boolean} isWanted
 * @param {Regions | string | null} found
 * @param {Position} position
 */
export function showRegions(place, isWanted, found, { setup, board: { marks } }) {
  show(place, isWanted);
  const key = isWanted ? JSON.stringify([found, setup]) : "";
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  if (!found || typeof found === "string") {
    place.replaceChildren(h("p", {}, found ?? "Valuing the regions…"));
    return;
  }
  const lines = found.regions.map(({ letter, words, name, thermograph, cells, heat }) => {
    if (heat === null) return h("p", {}, words);
    const picture = thermograph && h("img", { src: `data:image/svg+xml,${encodeURIComponent(thermograph)}`, alt: `Thermograph of region ${letter}`, width: 400, height: 300 });
    const value = `${name ? `Its value is ${name}. ` : ""}${marks[0]} is Left, and ${marks[1]} is Right.`;
    const inside = h("div", { class: "opened" });
    const details = h("details", {}, h("summary", {}, words), h("p", {}, value), picture || "", inside);
    details.addEventListener("toggle", () => takeApart(inside, { setup, cell: cells[0], marks, letter }), { once: true });
    return details;
  });
  place.replaceChildren(...lines, ...found.closing.map((words) => h("p", {}, words)));
}

/** Show a region's moves; the code is loaded only when needed. @param {HTMLElement} place @param {RegionOptions["about"]} about */
async function takeApart(place, about) {
  try {
    const { RegionOptions } = await import("./region-options.js");
    new RegionOptions(place, about);
  } catch {
    place.replaceChildren(h("p", {}, "You're offline, so the moves in this region can't be shown."));
  }
}
