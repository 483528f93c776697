// Offline support: registers the service worker that caches the pages, and shows when the browser is offline.

import { h } from "./dom.js";

const WORDS = "You're offline. You can read the rules and the games you've already seen. To play, you need a connection.";

function tell() {
  document.getElementById("offline")?.remove();
  if (!navigator.onLine) document.querySelector("main")?.before(h("p", { id: "offline", class: "no-network", role: "status" }, WORDS));
}

/** Cache the pages, and show when the browser is offline. */
export function keepPages() {
  navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined); // optional, so a browser may reject it
  for (const name of ["online", "offline"]) window.addEventListener(name, tell);
  tell();
}
