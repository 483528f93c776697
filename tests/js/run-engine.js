// Runs the site's engine worker under Node.
//
//     node run-engine.js WORKER BASE < steps.json > messages.json
//
// A step posts a message, waits for a message, or starts a second worker, which receives the data that the first worker
// asked the page to save. If the environment variable SNAPSHOT is set, it names the file in which a worker stores a
// snapshot for the next worker.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

if (isMainThread) await run(process.argv[2], process.argv[3]);
else await imitate(workerData);

/** Give a thread the interface that a worker has in a browser.
 *
 * @param {string} script
 */
async function imitate(script) {
  globalThis.postMessage = (message) => {
    if (message.type === "ready" && process.env.FROZEN) freeze();
    parentPort?.postMessage(message);
  };
  globalThis.addEventListener = (_type, listener) => parentPort?.on("message", (data) => listener({ data }));
  if (process.env.SNAPSHOT) globalThis.caches = { open: async () => cacheIn(process.env.SNAPSHOT) };
  globalThis.fetch = async (url) => new Response(await readFile(fileURLToPath(url)));
  await import(script);
}

/** Return a cache that holds one entry and stores it in a file.
 *
 * @param {string} path
 */
function cacheIn(path) {
  return {
    match: async () => (existsSync(path) ? new Response(readFileSync(path)) : undefined),
    keys: async () => [],
    put: async (_key, response) => {
      writeFileSync(path, new Uint8Array(await response.arrayBuffer()));
      parentPort?.postMessage({ type: "stored" });
    },
  };
}

/** Stop the clock, so that answers are the same however long they take. */
function freeze() {
  const [date, now] = [Date.now(), performance.now()];
  Date.now = () => date;
  performance.now = () => now;
}

/**
 * @param {string} script
 * @param {string} base
 */
async function run(script, base) {
  const steps = JSON.parse(readFileSync(0, "utf8"));
  const received = [];
  const kept = {};
  /** @type {(() => void) | undefined} */
  let hear;
  let worker = start();

  function start() {
    const begun = new Worker(new URL(import.meta.url), { workerData: script });
    begun.on("message", (message) => {
      if (message.type === "keep") kept[message.key] = message.value;
      if (message.body instanceof Uint8Array) message.body = [...message.body];
      received.push(message);
      hear?.();
    });
    begun.postMessage({ type: "start", base });
    begun.postMessage({ type: "kept", entries: kept });
    return begun;
  }

  for (const { post, until, restart } of steps) {
    if (post) worker.postMessage(post);
    const first = until?.since ?? received.length;
    const fits = (message) => Object.entries(until.is).every(([name, value]) => message[name] === value);
    while (until && received.slice(first).filter(fits).length < (until.count ?? 1)) await new Promise((resolve) => (hear = resolve));
    if (restart) {
      await worker.terminate();
      worker = start();
    }
  }
  await worker.terminate();
  process.stdout.write(JSON.stringify(received));
}
