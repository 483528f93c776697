// Keeps the pages readable without a network. It always asks the server first, so no page is older than the server.

const VERSION = "unknown"; // the server writes its own here: another version is another worker with another cache
/** @type {string[]} */
const PARTS = []; // and here the pages and what they load
const CACHE = `gridlock-${VERSION}`;
const KEPT = /^\/(static|pictures)\/|^\/api\/(games|lessons(\/\w+)?|atlas)$/; // what is the same for everybody
const worker = /** @type {any} */ (globalThis);

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(PARTS.map((path) => new Request(path, { cache: "no-cache" })));
  await worker.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("gridlock-") && name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** Ask the server; without it, what was kept, and for a page nobody has seen, the words that say so.
 *
 * @param {Request} request
 */
async function answer(request) {
  const { pathname } = new URL(request.url);
  const isPage = request.mode === "navigate";
  try {
    const response = await fetch(request);
    if (response.ok && (PARTS.includes(pathname) || KEPT.test(pathname))) {
      const cache = await caches.open(CACHE);
      await cache.put(isPage ? pathname : request, response.clone());
    }
    return response;
  } catch (error) {
    const kept = (await caches.match(isPage ? pathname : request)) ?? (isPage ? await caches.match("/offline") : undefined);
    if (kept) return kept;
    throw error;
  }
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || request.headers.has("Authorization")) return;
  if (request.mode === "navigate" || PARTS.includes(pathname) || KEPT.test(pathname)) event.respondWith(answer(request));
});
