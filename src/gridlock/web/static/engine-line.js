// The page's status line, shown while the browser loads the engine or if loading fails.

/** @import { EngineUpdate } from "../page" */

import { h } from "./dom.js";

const SOON = 600; // milliseconds before a page says that the engine is loading; from the cache, it loads sooner
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Show that the engine is loading, how much of it has loaded, or why loading failed.
 *
 * @param {EngineUpdate} update
 */
export function showUpdate(update) {
  const line = document.getElementById("engine");
  if (update.type === "progress") {
    line?.querySelector("progress")?.setAttribute("value", String(update.done / update.of));
    return;
  }
  clearTimeout(timer);
  line?.remove();
  if (update.type === "loading") timer = setTimeout(() => tell("Loading the engine…", h("progress", { "aria-label": "Loaded" })), SOON);
  if (update.type === "failed") tell(update.words);
}

/**
 * @param {string} words
 * @param {...Node} parts
 */
function tell(words, ...parts) {
  document.body.append(h("p", { id: "engine", class: "engine", role: "status" }, words, ...parts));
}
