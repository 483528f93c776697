// While the server cannot be reached, the browser's engine answers requests, and new games run in the browser.

/** @import { Wish } from "./transport.js" */

import { urlOf } from "./address.js";
import { h } from "./dom.js";
import { allGames, isHere } from "./engine-games.js";

const CACHED = /^\/api\/(atlas|games|lessons(\/\w+)?)$/; // GET requests whose answers the service worker caches
const PEOPLE = /^\/api\/(lobby$|games\/)/; // requests about other people, so for the server only
const DOWN = [502, 504]; // a proxy's answers for the server
const AGAIN = 4000; // milliseconds between attempts to reach the server, and the limit for each
const WORDS = "You can still play the computer, solve puzzles and analyse positions: the engine runs in this browser until the server is back.";

// Load the engine now if this browser stores games that need it, and otherwise on demand.
let engine = Object.keys(allGames()).length ? await import("./site-answers.js") : null;
let isAway = false; // whether the engine answers in the server's place

/** Send a request to the server, or to the engine if the server can't be reached.
 *
 * @param {string} path
 * @param {Wish} wish
 * @param {(path: string, wish: Wish) => Promise<Response>} send asks the server
 */
export async function answer(path, wish, send) {
  const game = /^\/api\/games\/([\w-]+)/.exec(path)?.[1];
  if (game && isHere(game)) return answerHere(path, wish);
  if (PEOPLE.test(path) || wish.body?.opponent === "link") return send(path, wish);
  if (!isAway || (!wish.body && CACHED.test(path))) {
    try {
      const response = await send(path, wish);
      if (!DOWN.includes(response.status)) return response;
    } catch (error) {
      if (wish.signal?.aborted) throw error;
    }
  }
  leave();
  return answerHere(path, wish);
}

/** @type {(path: string, wish: Wish) => Promise<Response>} */
async function answerHere(path, wish) {
  engine ??= await import("./site-answers.js");
  return engine.answer(path, wish);
}

/** Return the engine if it plays this game, otherwise null.
 *
 * @param {string} game
 */
export function holderOf(game) {
  return isHere(game) ? engine : null;
}

/** Record that the server can't be reached, and retry until it can. */
function leave() {
  if (isAway) return;
  isAway = true;
  const attempt = async () => {
    const health = await fetch(urlOf("/health"), { signal: AbortSignal.timeout(AGAIN) }).catch(() => null);
    if (!health?.ok) return;
    isAway = false;
    clearInterval(timer);
    window.removeEventListener("online", attempt);
    tell();
  };
  const timer = setInterval(attempt, AGAIN);
  window.addEventListener("online", attempt);
  tell();
}

function tell() {
  const isOffline = !navigator.onLine;
  document.getElementById("offline")?.remove();
  if (!isOffline && !isAway) return;
  const words = `${isOffline ? "You're offline." : "The server can't be reached."} ${WORDS}`;
  document.querySelector("main")?.before(h("p", { id: "offline", class: "no-network", role: "status" }, words));
}

for (const name of ["online", "offline"]) window.addEventListener(name, tell);
tell();
