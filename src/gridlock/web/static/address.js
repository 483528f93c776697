// Where the pages are: at the root of a server, or in any folder of a static site.

const { pathname } = new URL(".", location.href); // every page that loads modules is in the root

/** The folder with the files of the engine in the browser. On a static site, it takes the place of the server. */
const own = content("gridlock-engine");
export const isSite = own !== "";
export const engineFolder = own || content("gridlock-spare-engine");
/** Whether the engine in the browser stands in for the server while that can't be reached. */
export const hasSpare = !isSite && engineFolder !== "";

/** @param {string} name */
function content(name) {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
}

/** Return the URL of a page or a file, given as a path on the server: on a static site, a page is a file.
 *
 * @param {string} path
 */
export function urlOf(path) {
  return pathname + (isSite ? path.replace(/^\/[\w-]+(?=[?#]|$)/, "$&.html") : path).slice(1);
}

/** Return the path on the server that a URL of this site stands for, without its query; the opposite of `urlOf`.
 *
 * @param {string} url
 */
export function pathOf(url) {
  return `/${new URL(url).pathname.slice(pathname.length).replace(/\.html$/, "")}`;
}
