// Offline support: registers the service worker that caches the pages, and shows a message while offline.

import { hasSpare, isSite, urlOf } from "./address.js";
import { h } from "./dom.js";
import { engineLoaded } from "./transport.js";

const WORDS = "You're offline. You can read the rules and the games you've already seen. To play, you need a connection.";
const LONG = 15_000; // milliseconds after which a static site is cached, even if no page needs its engine

function tell() {
  document.getElementById("offline")?.remove();
  if (!navigator.onLine) document.querySelector("main")?.before(h("p", { id: "offline", class: "no-network", role: "status" }, WORDS));
}

/** Cache the pages. While the browser is offline, show a message, unless a local engine replaces the server. */
export async function keepPages() {
  if (isSite) await Promise.race([engineLoaded, new Promise((resolve) => setTimeout(resolve, LONG))]); // so that no file is loaded twice
  navigator.serviceWorker?.register(urlOf("/service-worker.js")).catch(() => undefined); // optional, so a browser may reject it
  if (isSite || hasSpare) return;
  for (const name of ["online", "offline"]) window.addEventListener(name, tell);
  tell();
}
