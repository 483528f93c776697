// The "Today" strip on the start page: the daily puzzle, your games in progress, and public games.

/** @import { Puzzle } from "../answers" */
/** @import { Remembered } from "../page" */

import { isSite } from "./address.js";
import { api } from "./api.js";
import { $, h, setText, show } from "./dom.js";
import { gameLink } from "./links.js";
import { liveGames, refresh } from "./live-games.js";
import { showLobby } from "./lobby.js";
import { miniature, noMiniature } from "./miniature.js";
import { daysInARow, solvedOn, written } from "./progress.js";
import { rememberedGames } from "./storage.js";

const FEW = 3; // games in progress; the games page has them all

/** @param {Remembered} one */
function entry({ game, token, title, against, standing, mine, board }) {
  const words = h("span", { class: "who" }, h("b", {}, title), h("small", {}, against), h("small", { class: mine ? "turn" : "" }, standing));
  return h("li", {}, h("a", { class: "today-card", href: gameLink(game, token) }, board ? miniature(board) : noMiniature(), words));
}

function showGames() {
  const games = liveGames();
  show($("recent"), games.length > 0);
  $("recent").replaceChildren(...games.slice(0, FEW).map(entry));
  const count = rememberedGames().length;
  show($("all-games"), count > 0);
  setText($("all-games"), `All your games (${count})`);
}

/** Say whether the user has solved the daily puzzle.
 *
 * @param {string} day
 */
function progress(day) {
  const before = solvedOn(day);
  const streak = daysInARow(day);
  const days = streak === 1 ? "1 day" : `${streak} days`;
  if (before) return `Solved. Streak: ${days}`;
  if (before === false) return "Missed. Back tomorrow";
  return streak ? `Streak: ${days}` : "New every day";
}

async function showPuzzle() {
  const day = written(new Date());
  setText($("daily-standing"), progress(day));
  try {
    /** @type {Puzzle} */
    const { position } = await api(`/api/puzzle?day=${day}`);
    $("daily-board").replaceWith(miniature({ ...position.board, marks: [...position.board.marks] }));
    setText($("daily-title"), position.board.title);
  } catch {
    // The puzzles page will show the error.
  }
}

/** Show the start page's "Today" strip, then update the games in the strip from the server.
 *
 * @param {() => string} name the user's name, for joining a game
 */
export async function showToday(name) {
  showGames();
  window.addEventListener("pageshow", showGames); // also when Back restores the page from the cache
  if (!isSite) showLobby(name);
  await showPuzzle();
  await refresh(liveGames().slice(0, FEW));
  showGames();
}
