// The review page, for a stored game or for the moves in a link.

/** @import { Position, Review } from "../answers" */
/** @import { Setup } from "../page" */

import { isSite, urlOf } from "./address.js";
import { api, wordsOf } from "./api.js";
import { $, announce, h, keepFocus, setText } from "./dom.js";
import { setUpHelp, shortcut } from "./help.js";
import { gameLink, openLink, readAt, readGame, setupLink } from "./links.js";
import { showMoves, showSteps } from "./moves.js";
import { linkRow } from "./panels.js";
import { PositionBoard } from "./position.js";
import { betterAt, mistakesOf, showReview } from "./report.js";
import { saveLink } from "./sharing.js";

const link = readGame(location.hash);
let whole = /** @type {Position} */ (/** @type {unknown} */ (null)); // the game with all its moves, once it has arrived
/** @type {Review | null} */
let found = null;
/** @type {Map<number, Position>} */
const positions = new Map(); // visited positions by ply
const positionBoard = new PositionBoard(() => undefined);

/** Return the game to review: the record of a stored game, or the moves in the link. */
async function source() {
  if (link) return { record: /** @type {string} */ (await api(`/api/games/${link.game}/record`, { token: link.token })) };
  return { setup: readAt(location.search) };
}

/** @param {number} ply */
async function go(ply) {
  try {
    if (!positions.has(ply)) {
      /** @type {Setup} */
      const setup = { ...whole.setup, moves: whole.setup.moves.slice(0, ply) };
      positions.set(ply, await api("/api/position", { body: { setup } }));
    }
    draw(/** @type {Position} */ (positions.get(ply)));
  } catch (error) {
    positionBoard.tell(wordsOf(error));
  }
}

/** @param {number} ply */
async function goFromAfar(ply) {
  await go(Math.min(ply, whole.ply));
  $("board").scrollIntoView({ block: "nearest" });
}

/** @param {Position} position */
function draw(position) {
  const isStuck = position.outcome?.termination === "stuck";
  const winner = isStuck ? (position.moves.findLast((move) => move.kind === "move")?.mark ?? null) : null;
  positionBoard.show(position, { isOpen: false, better: betterAt(found, position.ply), isStuck, winner });
  const step = found?.steps.find((one) => one.ply === position.ply);
  const words = step ? `${step.who} ${step.text}: ${step.words}.` : position.words;
  setText($("words"), words);
  announce(words);
  showSteps($("steps"), position.ply, whole.ply, go);
  showMoves($("moves"), whole.moves, whole.board.marks, position.ply, mistakesOf(found), goFromAfar);
  if (found) showReview($("review-body"), found, whole.board, position.ply, goFromAfar, whole.setup);
  keepFocus(
    $("actions"),
    h("a", { class: "button", href: setupLink(position.setup) }, "Analyse this position"),
    link ? h("a", { class: "button", href: gameLink(link.game, link.token) }, "Back to the game") : "",
  );
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const key = whole ? shortcut(event) : "";
  if (key === "[" && positionBoard.position.ply > 0) go(positionBoard.position.ply - 1);
  else if (key === "]" && positionBoard.position.ply < whole.ply) go(positionBoard.position.ply + 1);
}

async function open() {
  setUpHelp(() => whole);
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", () => location.reload());
  try {
    const asked = await source();
    whole = await api("/api/position", { body: asked });
    positions.set(whole.ply, whole);
    setText($("title"), `Review: ${whole.board.title}${whole.board.own_rule === null ? "" : " (custom game)"}`);
    draw(whole);
    reveal();
    $("share").append(
      linkRow("Link to this review", link && !isSite ? urlOf(`/review${location.hash}`) : openLink("/review", whole.setup)),
      h("div", { class: "actions" }, whole.ply ? saveLink(whole.setup) : null),
    );
    found = /** @type {Review} */ (await api("/api/review", { body: asked }));
    const [one, other] = found.players;
    setText($("subtitle"), `${one.name} (${one.mark}) against ${other.name} (${other.mark})`);
    announce(`Review. ${found.summary}`);
    draw(positionBoard.position);
  } catch (error) {
    setText($(whole ? "progress" : "words"), wordsOf(error));
    if (!whole) offerOthers();
    announce(wordsOf(error));
  } finally {
    reveal();
  }
}

function offerOthers() {
  setText($("progress"), "No game to review yet. Finish a game, then choose Review.");
  $("actions").append(h("a", { class: "button", href: urlOf("/games") }, "Your games"), h("a", { class: "button", href: urlOf("/") }, "Start a new game"));
}

function reveal() {
  for (const id of ["stage", "side"]) $(id).classList.remove("coming");
}

open();
