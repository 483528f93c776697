// The service worker that makes pages available offline. It asks the server first, so no page is outdated while online.

const VERSION = "unknown"; // replaced by the server, so each version has its own worker and cache
/** @type {string[]} */
const PARTS = []; // replaced by the server with the pages and the files they load
const CACHE = `gridlock-${VERSION}`;
const KEPT = /^\/(static|pictures)\/|^\/api\/(games|lessons(\/\w+)?|atlas)$/; // responses that are the same for all users
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

/** Ask the server; if it cannot be reached, return the cached response, or the offline page if a page is not cached.
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
