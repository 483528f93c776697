// A worker that checks a certificate, so that the page stays responsive and the check does not slow down in a
// background tab.

import { checkFile } from "./certificate.js";

const PAUSE = 250; // milliseconds between two messages about progress
const worker = /** @type {any} */ (globalThis);

worker.addEventListener("message", async (/** @type {MessageEvent<File>} */ { data: file }) => {
  let told = performance.now();
  const progress = (/** @type {number} */ records, /** @type {number} */ share) => {
    if (performance.now() - told < PAUSE) return;
    told = performance.now();
    worker.postMessage({ records, share });
  };
  try {
    worker.postMessage({ sentence: await checkFile(file, progress) });
  } catch {
    worker.postMessage({ sentence: "This file can't be read." });
  }
});
