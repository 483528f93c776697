// The embeddable board, on which visitors to other websites can try moves. The embedded page sends no access token to
// the server, and stores nothing in the browser.

/** @import { Position } from "../answers" */
/** @import { Cell, Setup } from "../page" */

import { api, wordsOf } from "./api.js";
import { cellName } from "./board.js";
import { $, announce, h, keepFocus, setText } from "./dom.js";
import { openLink, readAt } from "./links.js";
import { PositionBoard } from "./position.js";

let first = 0; // the number of moves in the link, which "Back" does not undo
const positionBoard = new PositionBoard(play);

/** @param {Setup} setup */
async function show(setup) {
  try {
    /** @type {Position} */
    const position = await api("/api/position", { body: { setup } });
    positionBoard.show(position);
    const kind = position.board.own_rule === null ? "" : " (custom game)";
    setText($("title"), `${position.board.title}${kind}, ${position.board.rows} rows by ${position.board.cols} columns`);
    setText($("words"), position.words);
    $("status").className = `status${position.outcome ? " over" : ""}`;
    announce(position.words);
    buttons(position);
  } catch (error) {
    if (positionBoard.position) positionBoard.tell(wordsOf(error));
    else setText($("words"), wordsOf(error));
  }
}

/** @param {Cell} cell */
function play(cell) {
  const { setup, board } = positionBoard.position;
  return show({ ...setup, moves: [...setup.moves, cellName(board, cell)] });
}

/** @param {Position} position */
function buttons({ setup }) {
  const isFirst = setup.moves.length <= first;
  const back = () => show({ ...setup, moves: setup.moves.slice(0, -1) });
  const again = () => show({ ...setup, moves: setup.moves.slice(0, first) });
  keepFocus(
    $("actions"),
    h("button", { type: "button", class: "button", disabled: isFirst, onclick: back }, "Back"),
    h("button", { type: "button", class: "button", disabled: isFirst, onclick: again }, "Start over"),
    h("a", { class: "button", href: openLink("/analyse", setup), target: "_blank", rel: "noopener" }, "Analyse"),
  );
}

function open() {
  try {
    const setup = readAt(location.search);
    first = setup.moves.length;
    show(setup);
  } catch (error) {
    setText($("words"), wordsOf(error));
  }
}

open();
