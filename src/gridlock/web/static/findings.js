// What the engine finds out about the position on the analysis board: first verdicts, then how long it takes.

/** @import { Analysis, Findings, Position } from "../answers" */
/** @import { Setup } from "../page" */

import { api, isAborted, wordsOf } from "./api.js";
import { announce } from "./dom.js";
import { setupLink } from "./links.js";
import { lengthWords } from "./verdict.js";

const LONG = 10; // seconds for somebody who asks for more
const MOMENT = 120; // milliseconds that a position must stay before the engine is asked
const LINGER = 300; // and that its verdicts must stay before somebody seems to care how long it lasts

/** @typedef {{ setup: Setup, seconds?: number, distances?: boolean }} Question */

export class EngineFindings {
  /** @type {Findings | null} */
  analysis = null;
  /** @type {string | null} */
  trouble = null; // why there is no analysis
  isCounting = false; // whether distances are on their way
  /** @type {AbortController | null} */
  asking = null; // aborts the question that is on its way
  /** @type {Map<string, Findings>} */
  answers = new Map(); // by the link of their position, so that stepping through a game asks only once

  /** @param {() => unknown} changed is called when there is something else to be seen */
  constructor(changed) {
    this.changed = changed;
  }

  /** Ask the engine about a position: first for verdicts, then, where some are missing, for distances.
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

  /** Show who wins; tells whether it came to that.
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

  /** Add how long it takes, to verdicts that stand whether it comes to that or not.
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
      this.analysis = { ...(isLess ? judged : counted), countable: false }; // more cannot be had in that time
      this.answers.set(key, this.analysis);
      if (this.analysis.distance !== null) announce(lengthWords(this.analysis.distance));
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

/** Wait, and say whether the position is still the same.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 */
async function stays(milliseconds, signal) {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return !signal.aborted;
}
