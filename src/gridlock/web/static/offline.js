// The pages can be had without a network, where the browser lets a worker keep them; the page says when there is none.

import { h } from "./dom.js";

const WORDS = "You're offline. You can read the rules and the games you've already seen. To play, you need a connection.";

function tell() {
  document.getElementById("offline")?.remove();
  if (!navigator.onLine) document.querySelector("main")?.before(h("p", { id: "offline", class: "no-network", role: "status" }, WORDS));
}

/** Keep the pages, and say when there is no network. */
export function keepPages() {
  navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined); // a browser may refuse; all else works
  for (const name of ["online", "offline"]) window.addEventListener(name, tell);
  tell();
}
