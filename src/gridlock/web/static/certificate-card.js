// The atlas page's certificate checker: users choose a file or drop one on the page.

import { urlOf } from "./address.js";
import { $, setText } from "./dom.js";

/** @type {Worker | null} */
let worker = null;

/** Show a message about the file, and a Stop button while the check is running. @type {(words: string, isRunning: boolean) => void} */
function show(words, isRunning) {
  setText($("checked"), words);
  setText($("check-progress"), "");
  $("stop-check").hidden = !isRunning;
}

/** Stop the check, and show a message. @param {string} words */
function finish(words) {
  worker?.terminate();
  worker = null;
  show(words, false);
}

/** Start a worker that loads the checker and checks a file. @param {File | undefined} file */
function check(file) {
  if (!file) return;
  finish("");
  show(`Checking ${file.name}…`, true);
  worker = new Worker(urlOf("/static/certificate-worker.js"), { type: "module" });
  worker.addEventListener("error", () => finish("The checker couldn't be loaded. Check your connection."));
  worker.addEventListener("message", ({ data: { sentence, records, share } }) => {
    if (sentence) finish(sentence);
    else setText($("check-progress"), `${Math.floor(100 * share)}%, ${records.toLocaleString("en")} records`);
  });
  worker.postMessage(file);
}

/** Let users choose a certificate file, or drop one on the page. */
export function setUpCheck() {
  const input = /** @type {HTMLInputElement} */ ($("certificate"));
  input.addEventListener("change", () => {
    check(input.files?.[0]);
    input.value = ""; // the same file can be chosen again
  });
  $("stop-check").addEventListener("click", () => finish("Stopped."));
  $("check").addEventListener("dragover", (event) => event.preventDefault());
  $("check").addEventListener("drop", (event) => {
    event.preventDefault();
    check(event.dataTransfer?.files[0]);
  });
}
