// Text for the start page's options.

/** @type {Record<string, [string, string]>} */
const STARTERS = {
  computer: ["You", "The computer"],
  screen: ["Player 1", "Player 2"],
  link: ["You", "Your friend"],
  levels: ["First level", "Second level"],
};

/** Return the labels for the choice of who starts.
 *
 * @param {string} opponent
 */
export function starters(opponent) {
  return STARTERS[opponent];
}

/** Return whether the first move can be made on this page, that is, whether the starting player is already known and
 * is a person at this device.
 *
 * @param {string} opponent
 * @param {string} starts
 */
export function playsFirst(opponent, starts) {
  if (opponent === "screen") return starts !== "random";
  return opponent !== "levels" && starts === "1";
}

/** Return instructions for starting the game.
 *
 * @param {string} opponent
 * @param {string} starts
 */
export function howToStart(opponent, starts) {
  if (opponent === "levels") return "Start the game to watch the computer play.";
  if (starts === "random") return "The first player is chosen at random. Start the game.";
  if (opponent === "link" && starts === "1") return "Pick a cell as your first move, then send your friend the link.";
  if (playsFirst(opponent, starts)) return "Pick a cell to start the game.";
  return `${STARTERS[opponent][1]} plays first. Start the game.`;
}

const LARGE = 64; // cells, beyond which the in-browser engine rarely finishes in time

/** Return a warning if the in-browser engine would be slow on this board, or else "".
 *
 * @param {string} opponent
 * @param {string} rows
 * @param {string} cols
 */
export function cost(opponent, rows, cols) {
  if (Number(rows) * Number(cols) <= LARGE || opponent === "screen") return "";
  return "On a board this large, the engine in your browser takes about 2 seconds per move and plays less well than a server would.";
}

/** Summarise the options in one line, so that no player overlooks a rule.
 *
 * @param {{ opponent: string, rows: string, cols: string, adjacency: string, starts: string, clock: { seconds: number, increment: number } | null, swap: boolean, name: string }} choices
 */
export function summary({ opponent, rows, cols, adjacency, starts, clock, swap, name }) {
  const second = STARTERS[opponent][1].replace(/^(The|Your|Second)/, (word) => word.toLowerCase());
  return [
    `${rows} × ${cols}`,
    adjacency === "king" ? "diagonals count" : "no diagonals",
    swap && "swap rule",
    clock && `${clock.seconds / 60} + ${clock.increment} clock`,
    starts === "random" ? "random start" : starts === "2" && `${second} starts`,
    name && `as ${name}`,
  ].filter(Boolean).join(" · ");
}
