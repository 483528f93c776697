// Sharing a game: links, a record, and an animated picture to save or send.

/** @import { Setup } from "../page" */

import { wordsOf } from "./api.js";
import { $, h, setText } from "./dom.js";
import { isHere } from "./engine-games.js";
import { full, gameLink, openLink, ownGameLink, setupLink } from "./links.js";
import { linkRow } from "./panels.js";
import { pictureBlob, pictureLink, pictureOf, picturePath } from "./pictures.js";

/** Create a link that saves a game as an animated picture.
 *
 * @param {Setup} setup
 * @param {string} style
 */
export function saveLink(setup, style = "") {
  return pictureLink(picturePath("gif", setup), fileName(setup), style);
}

/** @param {Setup} setup */
function fileName({ game, moves }) {
  return `gridlock-${game}-${moves.length}-moves.gif`;
}

/** Show the dialog for sharing a finished game.
 *
 * @param {Setup} setup
 * @param {string} game
 * @param {string} token
 */
export function shareGame(setup, game, token) {
  const dialog = $("sharing");
  const problem = h("p", { class: "problem", role: "alert" });
  const progress = h("p", { class: "hint drawing" }, "Drawing the game…");
  const picture = pictureOf(picturePath("gif", setup), { alt: "The game, move by move", class: "moving" });
  picture.addEventListener("load", () => setText(progress, ""));
  picture.addEventListener("error", () => setText(progress, "The picture isn't available right now. Try again in a moment."));
  const close = h("button", { type: "button", class: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  const actions = h("div", { class: "actions" }, saveLink(setup, "primary"), ...sender(setup, problem), close);
  dialog.replaceChildren(h("h2", { id: "sharing-title" }, "Share this game"), picture, progress, actions, problem, h("h3", {}, "Link to the game"), linkRow("Link to the game", isHere(game) ? openLink("/review", setup) : gameLink(game, token)));
  dialog.showModal();
}

/** Create a button that shares the picture, if the device can share files.
 *
 * @param {Setup} setup
 * @param {HTMLElement} problem
 */
function sender(setup, problem) {
  const sample = new File([], fileName(setup), { type: "image/gif" });
  if (!navigator.canShare?.({ files: [sample] })) return [];
  const send = async () => {
    try {
      const blob = await pictureBlob(picturePath("gif", setup));
      await navigator.share({ files: [new File([blob], fileName(setup), { type: "image/gif" })] });
    } catch (error) {
      if (!(error instanceof Error && error.name === "AbortError")) setText(problem, wordsOf(error)); // closing the sheet is no error
    }
  };
  return [h("button", { type: "button", class: "button", onclick: send }, "Send…")];
}

/** Show a link for watching the game and a link to the position on the board.
 *
 * @param {HTMLElement} place
 * @param {object} about
 * @param {string} about.game
 * @param {string} about.token
 * @param {number} about.ply
 * @param {Setup} about.setup
 * @param {boolean} about.mayAnalyse
 * @param {() => unknown} about.download
 */
export function showShare(place, { game, token, ply, setup, mayAnalyse, download }) {
  const analysis = setupLink(setup);
  const key = `${full("")} ${game} ${ply} ${mayAnalyse} ${analysis}`;
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(
    ...(isHere(game) ? [] : [h("h3", {}, "Let others watch"), linkRow("Link to watch", gameLink(game, token))]),
    h("h3", {}, "Share this position"),
    linkRow("Link to this position", isHere(game) ? openLink("/analyse", setup) : gameLink(game, token, ply)),
    h(
      "div",
      { class: "actions" },
      mayAnalyse ? h("a", { class: "button", href: analysis }, "Analyse this position") : null,
      h("button", { type: "button", class: "button", onclick: download }, "Download record"),
      setup.moves.length ? saveLink(setup) : null,
      setup.definition ? h("a", { class: "button", href: ownGameLink(setup.definition) }, "New game with these rules") : null,
    ),
  );
}
