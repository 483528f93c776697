// The list of the user's own games, each with buttons to play, edit or forget it.

/** @import { OwnGame } from "../page" */

import { $, announce, h, show } from "./dom.js";
import { designLink, ownGameLink } from "./links.js";
import { forgetOwnGame, ownGames, rememberOwnGame } from "./own-games.js";
import { pictureOf } from "./pictures.js";

/** Show the user's own games. */
export function showOwnGames() {
  const games = ownGames();
  show($("own"), games.length > 0);
  $("own-list").replaceChildren(...games.map(entry));
}

/** @param {OwnGame} game */
function entry(game) {
  const label = (/** @type {string} */ what) => `${what}: ${game.title}`;
  return h(
    "li",
    { class: "card" },
    pictureOf(game.picture, { alt: "", width: 64, height: 64 }),
    h("span", { class: "about" }, h("b", {}, game.title), h("small", {}, game.summary)),
    h(
      "span",
      { class: "actions" },
      h("a", { class: "button", href: ownGameLink(game.definition), "aria-label": label("Play") }, "Play"),
      h("a", { class: "button", href: designLink(game.definition), "aria-label": label("Edit") }, "Edit"),
      h("button", { type: "button", class: "button quiet", "aria-label": label("Forget"), onclick: () => forget(game) }, "Forget"),
    ),
  );
}

/** Forget a game, with the option to undo. @param {OwnGame} game */
function forget(game) {
  forgetOwnGame(game.name);
  showOwnGames();
  const restore = () => {
    rememberOwnGame(game);
    showOwnGames();
  };
  const undo = h("button", { type: "button", class: "button", onclick: restore }, "Undo");
  show($("own"), true);
  $("own-list").prepend(h("li", { class: "card" }, h("span", { class: "about" }, `${game.title} is forgotten.`), h("span", { class: "actions" }, undo)));
  undo.focus();
  announce(`${game.title} is forgotten.`);
}
