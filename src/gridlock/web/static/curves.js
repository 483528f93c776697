// Curves that join pairs of cells. Where possible, a curve does not run along another curve, and avoids the middle of
// every cell except the two that it joins.

/** @import { Cell } from "../page" */

const SIZE = 60; // a cell's width, as in marks.js
const STEP = 5; // distance between the points that are checked along a curve
const CLEAR = 13; // minimum distance from the middle of other cells
const APART = 9; // minimum distance from other curves
const ROUNDS = 3; // rounds in which every curve may be replaced, given the others
const EVEN = [0, 0.34, 0.46, 0.62, 0.85, 1.15, 1.5, 2]; // bends to try, both ends bending equally far to the same side
const UNEVEN = [0.5, 0.9, 1.4, 2.2, 3.2].flatMap((bend) => [bend, -bend]); // bends to try, each end bending independently
/** Candidate shapes for a curve, simplest first: how far each end bends, and a cost for strong and uneven bends. */
const WAYS = [...EVEN.flatMap((bend) => [[bend, bend], [-bend, -bend]]), ...UNEVEN.flatMap((one) => UNEVEN.map((other) => [one, other]))]
  .map(([first, second]) => ({ first, second, cost: (Math.abs(first) + Math.abs(second)) * 2 + Math.abs(first - second) }))
  .sort((one, other) => one.cost - other.cost);

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ pair: Cell[], d: string, points: Point[], cost: number }} Curve */

/** Return the middle of a cell.
 *
 * @param {Cell} cell
 * @param {number} cols
 * @returns {Point}
 */
export function middle(cell, cols) {
  return { x: ((cell % cols) + 0.5) * SIZE, y: (Math.floor(cell / cols) + 0.5) * SIZE };
}

/** Return whether two cells share a side; such a pair is drawn as a capsule, not as a curve.
 *
 * @param {Cell[]} pair
 * @param {number} cols
 */
export function areBeside([one, other], cols) {
  const [a, b] = [middle(one, cols), middle(other, cols)];
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y) === SIZE;
}

/** Return the curve of a given shape that joins a pair of cells.
 *
 * @param {Cell[]} pair
 * @param {number} cols
 * @param {typeof WAYS[number]} way
 * @returns {Curve}
 */
function curved(pair, cols, { first, second, cost }) {
  const [from, to] = pair.map((cell) => middle(cell, cols));
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const unit = (SIZE * 1.34) / Math.hypot(dx, dy); // a bend of 1 deviates by about one cell
  const one = { x: from.x + dx / 4 - dy * first * unit, y: from.y + dy / 4 + dx * first * unit };
  const other = { x: to.x - dx / 4 - dy * second * unit, y: to.y - dy / 4 + dx * second * unit };
  const d = `M${from.x} ${from.y}C${round(one)} ${round(other)} ${to.x} ${to.y}`;
  return { pair, d, points: sampled(from, one, other, to), cost };
}

/** @param {Point} point */
function round({ x, y }) {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}

/** @type {(a: Point, b: Point, c: Point, d: Point) => Point[]} */
function sampled(a, b, c, d) {
  const long = Math.hypot(b.x - a.x, b.y - a.y) + Math.hypot(c.x - b.x, c.y - b.y) + Math.hypot(d.x - c.x, d.y - c.y);
  const count = Math.max(8, Math.ceil(long / STEP));
  return Array.from({ length: count + 1 }, (_, index) => {
    const t = index / count;
    const u = 1 - t;
    const [p, q, r, s] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    return { x: p * a.x + q * b.x + r * c.x + s * d.x, y: p * a.y + q * b.y + r * c.y + s * d.y };
  });
}

/** A spatial index of curves, so that only nearby curves are checked. */
class CurveIndex {
  /** @param {number} width */
  constructor(width) {
    this.width = Math.ceil(width / APART) + 3;
    /** @type {Map<number, Set<Curve>>} */
    this.squares = new Map();
  }

  /** @param {Point} point */
  square({ x, y }) {
    return (Math.floor(y / APART) + 1) * this.width + Math.floor(x / APART) + 1;
  }

  /** @param {Curve} curve */
  add(curve) {
    for (const point of curve.points) {
      const at = this.square(point);
      this.squares.set(at, (this.squares.get(at) ?? new Set()).add(curve));
    }
  }

  /** @param {Curve} curve */
  remove(curve) {
    for (const point of curve.points) this.squares.get(this.square(point))?.delete(curve);
  }

  /** Return whether another curve passes near a point.
   *
   * @param {Point} point
   */
  isTaken(point) {
    const at = this.square(point);
    for (const row of [-this.width, 0, this.width]) {
      for (const col of [-1, 0, 1]) if (this.squares.get(at + row + col)?.size) return true;
    }
    return false;
  }
}

/** Return a curve's cost: a curve costs more if it runs near the edge, over other cells or along other curves. Stop
 * early if the curve is already worse than the best one.
 *
 * @param {Curve} way
 * @param {number} best
 * @param {CurveIndex} curveIndex
 * @param {number} rows
 * @param {number} cols
 */
function costOf(way, best, curveIndex, rows, cols) {
  let cost = way.cost;
  let run = 0;
  for (const point of way.points) {
    const [row, col] = [Math.floor(point.y / SIZE), Math.floor(point.x / SIZE)];
    if (Math.min(point.x, point.y, cols * SIZE - point.x, rows * SIZE - point.y) < 3) cost += 60;
    const cell = row * cols + col;
    if (!way.pair.includes(cell)) {
      const { x, y } = middle(cell, cols);
      const near = CLEAR - Math.hypot(point.x - x, point.y - y);
      if (near > 0) cost += 100 + near * 20;
    }
    run = curveIndex.isTaken(point) ? run + 1 : 0;
    cost += run * 3; // crossing another curve costs little, running along it a lot
    if (cost >= best) break;
  }
  return cost;
}

/** Return a curve for each pair of cells on a board.
 *
 * @param {Cell[][]} pairs
 * @param {number} rows
 * @param {number} cols
 * @returns {Curve[]}
 */
export function curvesFor(pairs, rows, cols) {
  const curveIndex = new CurveIndex(cols * SIZE);
  // Place short curves first, because they have the fewest alternatives.
  const far = pairs.map((pair) => ({ pair, length: curved(pair, cols, WAYS[0]).points.length }));
  const order = far.sort((one, other) => one.length - other.length).map(({ pair }) => pair);
  /** @type {Curve[]} */
  const chosen = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const [index, pair] of order.entries()) {
      if (chosen[index]) curveIndex.remove(chosen[index]);
      let best = Number.POSITIVE_INFINITY;
      for (const way of WAYS) {
        if (way.cost >= best) break;
        const curve = curved(pair, cols, way);
        const cost = costOf(curve, best, curveIndex, rows, cols);
        if (cost < best) [best, chosen[index]] = [cost, curve];
      }
      curveIndex.add(chosen[index]);
    }
  }
  return chosen;
}
