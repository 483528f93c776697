// The location of the pages: the root of a server, or any folder of a static site.

const { pathname } = new URL(".", location.href); // every page that loads modules is in the root

/** The folder that contains the browser engine's files. On a static site, the engine replaces the server. */
const own = content("gridlock-engine");
export const isSite = own !== "";
export const engineFolder = own || content("gridlock-spare-engine");
/** Whether the browser engine stands in for a server that can't be reached. */
export const hasSpare = !isSite && engineFolder !== "";

/** @param {string} name */
function content(name) {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
}

/** Return the URL for a server path; on a static site, page URLs end in .html.
 *
 * @param {string} path
 */
export function urlOf(path) {
  return pathname + (isSite ? path.replace(/^\/[\w-]+(?=[?#]|$)/, "$&.html") : path).slice(1);
}

/** Return the server path for a URL of this site, without its query; the inverse of `urlOf`.
 *
 * @param {string} url
 */
export function pathOf(url) {
  return `/${new URL(url).pathname.slice(pathname.length).replace(/\.html$/, "")}`;
}
