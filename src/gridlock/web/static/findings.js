// The engine's findings about the position on the analysis board: verdicts first, then distances.

/** @import { Analysis, Findings, Position } from "../answers" */
/** @import { Setup } from "../page" */

import { api, isAborted, wordsOf } from "./api.js";
import { announce } from "./dom.js";
import { setupLink } from "./links.js";
import { lengthWords } from "./verdict.js";

const LONG = 10; // seconds for "Think longer"
const MOMENT = 120; // milliseconds that a position must be shown before the engine is asked
const LINGER = 300; // milliseconds that its verdicts must be shown before distances are requested

/** @typedef {{ setup: Setup, seconds?: number, distances?: boolean }} Question */

export class EngineFindings {
  /** @type {Findings | null} */
  analysis = null;
  /** @type {string | null} */
  trouble = null; // why there is no analysis
  isCounting = false; // whether distances are being computed
  /** @type {AbortController | null} */
  asking = null; // aborts the current request
  /** @type {Map<string, Findings>} */
  answers = new Map(); // by position link, so that stepping through a game asks only once

  /** @param {() => unknown} changed called when there is something new to draw */
  constructor(changed) {
    this.changed = changed;
  }

  /** Ask the engine about a position: verdicts first, then any missing distances.
   *
   * @param {Position} position
   * @param {boolean} longer
   */
  async analyse(position, longer = false) {
    this.asking?.abort();
    const mine = new AbortController();
    this.asking = mine;
    const key = setupLink(position.setup);
    this.analysis = (!longer && this.answers.get(key)) || null;
    this.trouble = null;
    this.isCounting = false;
    this.changed();
    if (position.outcome) return;
    const body = { setup: position.setup, ...(longer ? { seconds: LONG } : {}) };
    if (!this.analysis && !(await this.judge(key, body, mine.signal))) return;
    if (this.analysis?.countable) await this.count(key, body, this.analysis, mine.signal);
  }

  /** Request and show verdicts; return whether they arrived.
   *
   * @param {string} key
   * @param {Question} body
   * @param {AbortSignal} signal
   */
  async judge(key, body, signal) {
    if (!(await stays(MOMENT, signal))) return false;
    try {
      this.analysis = await ask(body, signal);
      this.answers.set(key, this.analysis);
      announce(`${this.analysis.words} ${this.analysis.explanation}`);
    } catch (error) {
      if (isAborted(error)) return false;
      this.trouble = wordsOf(error);
      announce(this.trouble);
    }
    this.changed();
    return this.analysis !== null;
  }

  /** Request the distances; if the request fails, the verdicts remain valid.
   *
   * @param {string} key
   * @param {Question} body
   * @param {Findings} judged
   * @param {AbortSignal} signal
   */
  async count(key, body, judged, signal) {
    if (!(await stays(LINGER, signal))) return;
    this.isCounting = true;
    this.changed();
    try {
      const counted = await ask({ ...body, distances: true }, signal);
      const isLess = counted.moves.some((move, index) => move.verdict === "unknown" && judged.moves[index].verdict !== "unknown");
      this.analysis = { ...(isLess ? judged : counted), countable: false }; // asking again would find no more
      this.answers.set(key, this.analysis);
      if (this.analysis.distance !== null) announce(lengthWords(this.analysis));
    } catch (error) {
      if (isAborted(error)) return;
    }
    this.isCounting = false;
    this.changed();
  }
}

/**
 * @param {Question} body
 * @param {AbortSignal} signal
 * @returns {Promise<Findings>}
 */
async function ask(body, signal) {
  /** @type {Analysis} */
  const answer = await api("/api/analyse", { body, signal });
  return answer.analysis;
}

/** Wait, then return whether the position is still shown.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 */
async function stays(milliseconds, signal) {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return !signal.aborted;
}
