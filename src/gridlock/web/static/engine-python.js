// Starts Python in the engine's worker, and loads the package. After a start from scratch, the browser stores a
// snapshot of Python's memory; the next start restores the snapshot instead of importing everything.

/** What Python needs to start: the folder's URL, Pyodide's modules, the lock file, and a map from paths to files.
 *
 * @typedef {{ base: string, modules: Promise<any[]>, lock: object, files: Promise<Record<string, Uint8Array>> }} Parts
 */

const WARM_UP = "from gridlock.web.offline.engine import warm_up; warm_up()"; // which imports everything
const RESTORE = "import random; random.seed()"; // otherwise every page would draw the same numbers
const SNAPSHOTS = "engine-snapshots"; // the cache, shared by all sites on a host, each with its own address
const SOON = 3000; // milliseconds for a host to answer
const worker = /** @type {any} */ (globalThis);

/** Start Python.
 *
 * @param {string} base the URL of the folder with the engine's files
 * @param {(done: number, of: number) => void} tell is called with the bytes that have arrived, unless there is a snapshot
 * @returns {Promise<{ python: any, isRestored: boolean, keep: () => Promise<unknown> }>} Pyodide; keep() stores the snapshot
 */
export async function startPython(base, tell) {
  const modules = Promise.all(["pyodide.mjs", "pyodide.asm.mjs"].map((name) => import(new URL(name, base).href)));
  modules.catch(() => undefined); // start() fails with this error
  const { digest, lock, files: sizes } = await (await got(new URL("engine.json", base))).json();
  const key = new URL(`snapshot?${new URLSearchParams({ digest, browser: worker.navigator?.userAgent ?? "" })}`, base).href;
  const snapshot = await stored(key);
  const { fetch } = worker;
  if (!snapshot) worker.fetch = counted(fetch, sizes, tell);
  try {
    const files = got(new URL("packages.bin", base)).then(inflated).then(unpacked);
    files.catch(() => undefined);
    const parts = { base, modules, lock, files };
    const restored = snapshot && (await start(parts, snapshot).catch(() => undefined));
    const python = restored ?? (await start(parts));
    const made = restored ? undefined : snapshotOf(python);
    return { python, isRestored: Boolean(restored), keep: async () => made && store(base, key, made) };
  } finally {
    worker.fetch = fetch;
  }
}

/** Start Python from scratch, or from a snapshot.
 *
 * @param {Parts} parts
 * @param {Uint8Array} [snapshot]
 */
async function start({ base, modules, lock, files }, snapshot) {
  const [{ loadPyodide }, { default: create }] = await modules;
  const { instantiate, instantiateStreaming } = WebAssembly;
  const python = await new Promise((resolve, reject) => {
    Object.assign(WebAssembly, instantiators(reject));
    const indexURL = base.replace(/^file:\/\//, ""); // Node needs a path
    const createPyodideModule = (/** @type {any} */ settings) => created(create, settings, files, snapshot, reject);
    const snapshots = snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: Boolean(worker.caches) };
    loadPyodide({ indexURL, createPyodideModule, lockFileContents: lock, ...snapshots }).then(resolve, reject);
  }).finally(() => Object.assign(WebAssembly, { instantiate, instantiateStreaming }));
  python.runPython(snapshot ? RESTORE : WARM_UP);
  return python;
}

/** Create Pyodide's module with the packages in its file system.
 *
 * A snapshot contains the memory addresses of functions and data in compiled packages. Compiled packages are loaded
 * before the Python interpreter starts, because otherwise their memory addresses would differ from one run to the next.
 *
 * @param {(settings: any) => Promise<any>} create
 * @param {any} settings
 * @param {Promise<Record<string, Uint8Array>>} files
 * @param {Uint8Array | undefined} snapshot
 * @param {(error: unknown) => void} fail
 */
async function created(create, settings, files, snapshot, fail) {
  settings.preRun.push(async (/** @type {any} */ module) => {
    module.addRunDependency("packages");
    try {
      for (const [name, content] of Object.entries(await files)) {
        const path = `${module.API.sitePackages}/${name}`;
        module.FS.mkdirTree(module.PATH.dirname(path));
        module.FS.writeFile(path, content);
        if (name.endsWith(".so")) module.preloadedWasm[path] = await module.loadWebAssemblyModule(content, { loadAsync: true, nodelete: true }, path, {});
      }
      module.removeRunDependency("packages");
    } catch (error) {
      fail(error);
    }
  });
  const ready = await create(settings);
  if (snapshot) ready.growMemory(snapshot.length); // Pyodide does not enlarge its memory to fit the snapshot
  return ready;
}

/** Return replacements for two WebAssembly functions, `instantiate` and `instantiateStreaming`.
 *
 * The replacement for `instantiateStreaming` accepts responses of any content type. Both replacement functions report
 * errors to `fail`, because an error would otherwise make Pyodide hang.
 *
 * @param {(error: unknown) => void} fail
 */
function instantiators(fail) {
  const { instantiate, instantiateStreaming } = WebAssembly;
  /** @type {(made: Promise<any>) => Promise<any>} */
  const watched = (made) => {
    made.catch(fail);
    return made;
  };
  /** @type {(source: Response | PromiseLike<Response>, imports?: WebAssembly.Imports) => Promise<any>} */
  const typed = async (source, imports) => {
    const response = await source;
    const isTyped = response.headers.get("Content-Type")?.startsWith("application/wasm");
    return isTyped ? instantiateStreaming(response, imports) : instantiate(await response.arrayBuffer(), imports);
  };
  return {
    instantiate: (/** @type {any} */ source, /** @type {any} */ imports) => watched(instantiate(source, imports)),
    instantiateStreaming: (/** @type {any} */ source, /** @type {any} */ imports) => watched(typed(source, imports)),
  };
}

// -- files -----------------------------------------------------------------------------------------------------------------

/** @param {URL} url */
async function got(url) {
  const response = await worker.fetch(url);
  if (!response.ok) throw new Error(`${url} has the status ${response.status}`);
  return response;
}

/** Return a version of `fetch` that reports progress.
 *
 * Browsers cannot cache code that is compiled from the responses of this version of `fetch`.
 *
 * @param {typeof fetch} plain
 * @param {Record<string, number>} sizes
 * @param {(done: number, of: number) => void} tell
 * @returns {typeof fetch}
 */
function counted(plain, sizes, tell) {
  const of = Object.entries(sizes).reduce((sum, [name, size]) => sum + (name.endsWith(".mjs") ? 0 : size), 0); // modules aren't fetched
  let done = 0;
  return async (...asked) => {
    const response = await plain(...asked);
    if (!response.ok || !response.body) return response;
    const count = new TransformStream({
      transform(chunk, stream) {
        done += chunk.length;
        tell(Math.min(done, of), of);
        stream.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(count), { status: response.status, headers: response.headers });
  };
}

/** @param {Response} packed */
async function inflated(packed) {
  const stream = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (packed.body).pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Map the names in a tar archive to file contents.
 *
 * @param {Uint8Array} archive
 */
function unpacked(archive) {
  const text = (/** @type {number} */ from, /** @type {number} */ length) => new TextDecoder().decode(archive.subarray(from, from + length)).replace(/\0.*$/s, "");
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  for (let at = 0; archive[at]; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    files[text(at, 100)] = archive.subarray(at + 512, at + 512 + size);
    at += 512 + 512 * Math.ceil(size / 512);
  }
  return files;
}

// -- the snapshot ------------------------------------------------------------------------------------------------------------

/** Return the stored snapshot; the gzip checksum shows whether it is intact.
 *
 * @param {string} key
 */
async function stored(key) {
  try {
    const found = await (await caches.open(SNAPSHOTS)).match(key);
    return found && (await inflated(found));
  } catch {
    return undefined; // storage is unavailable, or the snapshot is damaged
  }
}

/** @param {any} python */
function snapshotOf(python) {
  try {
    return worker.caches && python.makeMemorySnapshot();
  } catch {
    return undefined; // this browser's Python has state that a snapshot can't contain
  }
}

/** Store a snapshot in place of older ones.
 *
 * @param {string} base
 * @param {string} key
 * @param {Uint8Array<ArrayBuffer>} snapshot
 */
async function store(base, key, snapshot) {
  try {
    const packed = await new Response(new Blob([snapshot]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
    await forget(base);
    await (await caches.open(SNAPSHOTS)).put(key, new Response(packed));
  } catch {
    // Storage is unavailable or full. The next start will be slow, too.
  }
}

/** Remove this site's snapshots; with `isAll`, also remove the engine's files from all caches, if they can be downloaded again.
 *
 * @param {string} base
 * @param {boolean} [isAll]
 */
export async function forget(base, isAll = false) {
  try {
    const head = { method: "HEAD", signal: AbortSignal.timeout(SOON) }; // which no cache answers
    const isThere = isAll && (await worker.fetch(new URL("engine.json", base), head)).ok;
    for (const name of isThere ? await caches.keys() : [SNAPSHOTS]) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) if (request.url.startsWith(base)) await cache.delete(request);
    }
  } catch {
    // The network or storage is unavailable.
  }
}
