// The lessons page: each lesson is a position to play, and the server checks the moves.

/** @import { Analysis, Courses, Lesson, Lessons, Taught } from "../answers" */
/** @import { Cell } from "../page" */

import { urlOf } from "./address.js";
import { api, wordsOf } from "./api.js";
import { cellName } from "./board.js";
import { $, announce, h, keepFocus, setText, show } from "./dom.js";
import { setUpHelp } from "./help.js";
import { playComputer } from "./launch.js";
import { PositionBoard } from "./position.js";
import { learned, rememberLesson } from "./progress.js";

let all = /** @type {Courses} */ (/** @type {unknown} */ (null)); // until it arrives
let course = /** @type {Lessons} */ (/** @type {unknown} */ (null)); // until it arrives
let lesson = /** @type {Lesson} */ (/** @type {unknown} */ (null));
let isOver = false;
let isAsking = false;
const positionBoard = new PositionBoard(attempt);

/** @param {number} number */
function begin(number) {
  lesson = course.lessons[number - 1];
  isOver = isAsking = false;
  positionBoard.show(lesson.position);
  history.replaceState(null, "", urlOf(`/lessons?game=${encodeURIComponent(course.game)}&lesson=${number}`));
  setText($("problem"), "");
  setText($("lesson-title"), `${number}. ${lesson.title}`);
  setText($("text"), lesson.text);
  setText($("task"), lesson.task);
  say(`You play ${lesson.position.mark}.`, "mine");
  buttons();
  list();
}

/** @type {(words: string, style?: string) => void} */
function say(words, style = "") {
  setText($("words"), words);
  $("status").className = `status ${style}`;
  announce(words);
}

/** @param {Cell} cell */
async function attempt(cell) {
  if (isOver || isAsking) return;
  const mine = lesson;
  const { setup, board } = positionBoard.position;
  const since = [...setup.moves.slice(mine.position.setup.moves.length), cellName(board, cell)];
  isAsking = true;
  try {
    /** @type {Taught} */
    const told = await api("/api/lessons", { body: { game: course.game, lesson: mine.number, moves: since } });
    if (lesson !== mine) return;
    isOver = told.done;
    if (told.done) rememberLesson(course.game, mine.number);
    if (told.right) positionBoard.show(told.position, { isOpen: !told.done });
    say(told.words, told.done ? "over" : "mine");
    buttons();
    if (told.done) {
      list();
      offer();
    }
  } catch (error) {
    if (lesson === mine) positionBoard.tell(wordsOf(error));
  } finally {
    if (lesson === mine) isAsking = false;
  }
}

/** Show the solution to the current position, without marking the lesson as done. */
async function reveal() {
  if (isAsking) return;
  const [mine, at] = [lesson, positionBoard.position];
  let { answers, solution } = mine;
  if (at.setup.moves.length > mine.position.setup.moves.length) {
    isAsking = true;
    try {
      /** @type {Analysis} */
      const { analysis } = await api("/api/analyse", { body: { setup: at.setup } });
      answers = analysis.winning;
      solution = `From here, ${answers.map((cell) => cellName(at.board, cell)).join(" or ")} wins.`;
    } catch (error) {
      if (lesson === mine) positionBoard.tell(wordsOf(error));
      return;
    } finally {
      if (lesson === mine) isAsking = false;
    }
    if (lesson !== mine) return;
  }
  isOver = true;
  positionBoard.show(at, { isOpen: false, better: answers });
  say(solution);
  buttons();
}

function buttons() {
  /** @type {(label: string, run: () => unknown, style?: string) => HTMLElement} */
  const button = (label, run, style = "") => h("button", { type: "button", class: `button ${style}`, onclick: run }, label);
  const done = learned(course.game);
  const left = course.lessons.find((one) => !done.has(one.number) && one !== lesson);
  const follows = course.lessons[lesson.number] ?? left;
  const next = follows ? [button("Next lesson", () => begin(follows.number), isOver ? "primary" : "")] : [];
  keepFocus($("actions"), isOver ? button("Try again", () => begin(lesson.number)) : button("Show me", reveal), ...next);
  finish(isOver && course.lessons.every((one) => done.has(one.number)));
}

/** Show or hide the end-of-course panel, which offers a game to play and the next unfinished course.
 *
 * @param {boolean} isFinished
 */
function finish(isFinished) {
  show($("finish"), isFinished);
  if (!isFinished) return;
  const here = all.courses.findIndex((one) => one.game === course.game);
  const others = [...all.courses.slice(here + 1), ...all.courses.slice(0, here)];
  const next = others.find((one) => learned(one.game).size < one.lessons.length);
  const words = `You have finished ${next ? course.title : "all the lessons"}. ${next ? `Play it, or continue with ${next.title}.` : "Now play."}`;
  if ($("finish-words").textContent !== words) announce(words);
  setText($("finish-words"), words);
  keepFocus(
    $("finish-actions"),
    h("button", { type: "button", class: "button primary", onclick: play }, `Play ${course.title}`),
    ...(next ? [h("a", { class: "button", href: urlOf(`/lessons?game=${encodeURIComponent(next.game)}`) }, `Learn ${next.title}`)] : []),
  );
}

async function play() {
  try {
    await playComputer({ game: course.game, starts: 1, swap: false, moves: [] });
  } catch (error) {
    say(wordsOf(error));
  }
}

function list() {
  const done = learned(course.game);
  const entries = course.lessons.map(({ number, title }) => {
    const isDone = done.has(number);
    const current = number === lesson.number ? "step" : null;
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "finding", "aria-current": current, onclick: () => begin(number) },
        h("span", { class: "tick", "aria-hidden": "true" }, isDone ? "✓" : String(number)),
        h("span", {}, title, isDone ? h("span", { class: "unseen" }, ", done") : null),
      ),
    );
  });
  keepFocus($("course"), ...entries);
}

function offer() {
  const entries = all.courses.map(({ game, title, summary, lessons }) => {
    const done = learned(game).size;
    const href = urlOf(`/lessons?game=${encodeURIComponent(game)}`);
    const current = game === course.game ? "page" : null;
    const about = done ? `${done} of ${lessons.length} done` : `${lessons.length} lessons`;
    return h("li", {}, h("a", { href, "aria-current": current }, title, h("small", {}, `${about}. ${summary}`)));
  });
  $("courses").replaceChildren(...entries);
}

async function open() {
  setUpHelp(() => positionBoard.position);
  const wish = new URLSearchParams(location.search);
  try {
    all = await api("/api/lessons");
    const game = wish.get("game") ?? all.courses[0].game;
    course = await api(`/api/lessons/${encodeURIComponent(game)}`);
    setText($("title"), `${course.title} in ${course.lessons.length} lessons`);
    setText($("summary"), all.courses.find((one) => one.game === game)?.summary ?? "");
    const done = learned(game);
    const left = course.lessons.find((one) => !done.has(one.number))?.number ?? 1;
    const wanted = wish.get("lesson") || String(left);
    const isThere = Boolean(course.lessons[Number(wanted) - 1]);
    begin(isThere ? Number(wanted) : left);
    offer();
    if (!isThere) setText($("problem"), `${course.title} has no lesson '${wanted}', so this is lesson ${left}.`);
  } catch (error) {
    say(wordsOf(error));
    setText($("lesson-title"), "No lesson");
  } finally {
    for (const id of ["lesson", "stage", "side"]) $(id).classList.remove("coming");
  }
}

open();
