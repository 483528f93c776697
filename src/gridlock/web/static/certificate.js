// Checks a certificate line by line, following the rules in docs/certificates.md. A worker loads this module on demand.

import { Board, decimal, need, Refused } from "./certificate-cells.js";
import { Placing } from "./certificate-placing.js";
import { Walking } from "./certificate-walking.js";

const TITLE = "gridlock certificate 1";
const MARKERS = ["own", "other", "near", "away", "pawn"];
const LONGEST = 65536; // characters in a line, with its end

/** @typedef {(records: number, share: number) => void} Progress receives the number of records and the share of the file so far */

class Damaged extends Error {}

class Checker {
  records = 0;
  line = 0;
  result = "";
  about = "";
  /** @type {Placing | Walking | null} */
  rules = null;
  /** @type {Set<string>} */
  marker = new Set();
  mine = 0n;
  theirs = 0n;
  heads = [0n, 0n];
  /** @type {((words: string[]) => void)[]} */
  #head = [(w) => this.#title(w), (w) => this.#board(w), (w) => this.#marker(w), (w) => this.#position(w), (w) => this.#slots(w)];
  #cells = new Board(1, 1, true);

  /** Check one line, without its line break. Throw an error if the line is not valid. @param {string} text */
  take(text) {
    this.line++;
    need(text.length < LONGEST && !text.includes("\0"), "the line is too long");
    if (text.startsWith("#")) return;
    const words = text.split(" ");
    need(words.every(Boolean), "words are separated by single spaces");
    need(!this.result, "there is a line after the result");
    const step = this.#head.shift();
    if (step) step(words);
    else if (words[0] === "loses" || words[0] === "wins") this.#end(words);
    else {
      need(words.length >= 5, "a record is too short");
      this.rules?.record(words);
      this.records++;
    }
  }

  /** Check that the certificate has a result. */
  end() {
    this.line++;
    need(this.result, "the certificate ends before its result");
  }

  /** @param {string[]} words */
  #title(words) {
    const [title, version] = [words.slice(0, 2).join(" "), words[2] ?? ""];
    const isOther = title === "gridlock certificate" && words.length === 3 && version !== "1";
    need(!isOther, `this is version '${version.slice(0, 20)}' of the format, but this page reads version 1`);
    need(words.join(" ") === TITLE, `a certificate begins with '${TITLE}'`);
  }

  /** @param {string[]} words */
  #board(words) {
    need(words.length === 4 && words[0] === "board" && ["king", "orthogonal"].includes(words[3]), "a board is expected");
    this.#cells = new Board(decimal(words[1], 100), decimal(words[2], 100), words[3] === "king");
    this.about = `${words[1]}x${words[2]} (${words[3]})`;
  }

  /** @param {string[]} words */
  #marker(words) {
    const said = words.slice(1);
    const has = (/** @type {string} */ word) => said.includes(word);
    need(words[0] === "marker" && said.join(" ") === (MARKERS.filter(has).join(" ") || "none"), "a marker is expected");
    const follows = has("near") || has("away");
    need(!(has("near") && has("away")) && !(follows && (has("own") || has("other"))) && !(has("pawn") && !has("near")), "there are no rules for such a marker");
    this.marker = new Set(said);
  }

  /** @param {string[]} words */
  #position(words) {
    need(words.length === 5 && words[0] === "position", "a position is expected");
    [this.mine, this.theirs] = [this.#cells.set(words[1]), this.#cells.set(words[2])];
    this.heads = [this.#cells.head(words[3]), this.#cells.head(words[4])];
    need(!(this.mine & this.theirs), "a cell has two markers");
  }

  /** @param {string[]} words */
  #slots(words) {
    need(words.length === 2 && words[0] === "slots", "a number of slots is expected");
    const Rules = this.marker.has("near") || this.marker.has("away") ? Walking : Placing;
    this.rules = new Rules(this.#cells, this.marker, decimal(words[1], 1 << 26));
  }

  /** @param {string[]} words */
  #end(words) {
    const isWin = words[0] === "wins";
    need(words.length === (isWin ? 3 : 2), "the result needs a reason");
    this.rules?.result(this.mine, this.theirs, this.heads, isWin ? words[1] : undefined, words[words.length - 1]);
    this.result = words[0];
  }
}

/** Check a whole certificate, compressed or not; return the result. @type {(file: Blob, progress?: Progress) => Promise<string>} */
export async function checkFile(file, progress = () => undefined) {
  const checker = new Checker();
  let [seen, decoded, rest] = [0, new TextDecoder("latin1"), ""];
  const counted = new TransformStream({
    transform(/** @type {Uint8Array} */ chunk, control) {
      seen += chunk.length;
      control.enqueue(chunk);
    },
  });
  const isPacked = String(new Uint8Array(await file.slice(0, 2).arrayBuffer())) === "31,139";
  /** @type {ReadableStream<Uint8Array>} */
  let stream = file.stream().pipeThrough(counted);
  if (isPacked) stream = stream.pipeThrough(/** @type {any} */ (new DecompressionStream("gzip")));
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((why) => {
        throw isPacked && !(why instanceof DOMException) ? new Damaged() : why;
      });
      const lines = (rest + (value ? decoded.decode(value, { stream: true }) : "")).split("\n");
      rest = lines.pop() ?? "";
      for (const [i, line] of lines.entries()) {
        checker.take(line);
        if (i % 256 === 255) progress(checker.records, seen / file.size);
      }
      if (rest.length >= LONGEST || (done && rest)) {
        checker.line += 1; // an incomplete line, which the checker has not seen
        throw new Refused("the line is cut off or too long");
      }
      if (done) break;
    }
    checker.end();
  } catch (why) {
    await reader.cancel().catch(() => undefined);
    if (why instanceof Damaged) return "Not valid. The file is damaged: it is not a complete gzip file.";
    if (!(why instanceof Refused)) throw why;
    return `Not valid. Line ${Math.max(1, checker.line)}: ${why.message}.`;
  }
  const records = `${checker.records.toLocaleString("en")} record${checker.records === 1 ? "" : "s"}`;
  return `Every step is valid: the player to move ${checker.result} on ${checker.about}. ${records} checked.`;
}
