// The service worker that makes pages available offline. Pages come from the network first, so none is outdated while
// the browser is online; only a static site's engine, which is large, comes from the cache first.

const VERSION = "unknown"; // replaced when the pages are built, so each version has a worker and cache
/** @type {string[]} */
const PARTS = []; // replaced by the pages and the files they load, relative to this file
const KEPT = /^(static|pictures)\/|^api\/(games|lessons(\/\w+)?|atlas)$/; // responses that are the same for all users
const ENGINE = /^engine\//;
const ROOT = new URL(".", location.href).pathname;
const CACHES = `gridlock-${ROOT.slice(1)}`; // another folder of the same host may be another site
const CACHE = CACHES + VERSION;
const worker = /** @type {any} */ (globalThis);

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(PARTS.map((path) => new Request(path, { cache: "no-cache" }))); // never a mixture of two versions
  await worker.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(CACHES) && !name.slice(CACHES.length).includes("/") && name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** Return the path of a URL, relative to this file, as in PARTS. @param {string} url */
function pathOf(url) {
  return new URL(url).pathname.slice(ROOT.length).replace(/^index\.html$/, "") || "./";
}

/** Answer a request by fetching the response from the network; if the network fails, return the cached response or,
 * for an uncached page, the offline page. The engine's files are fetched only if they are not in the cache.
 *
 * @param {Request} request
 */
async function answer(request) {
  const path = pathOf(request.url);
  const isPage = request.mode === "navigate";
  const find = () => caches.match(isPage ? path : request);
  const early = ENGINE.test(path) ? await find() : undefined;
  if (early) return early;
  try {
    const response = await fetch(request);
    if (response.ok && (PARTS.includes(path) || KEPT.test(path))) {
      const cache = await caches.open(CACHE);
      await cache.put(isPage ? path : request, response.clone());
    }
    return response;
  } catch (error) {
    const kept = (await find()) ?? (isPage ? ((await caches.match("offline")) ?? (await caches.match("offline.html"))) : undefined);
    if (kept) return kept;
    throw error;
  }
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !pathname.startsWith(ROOT) || request.headers.has("Authorization")) return;
  const path = pathOf(request.url);
  if (request.mode === "navigate" || PARTS.includes(path) || KEPT.test(path)) event.respondWith(answer(request));
});
