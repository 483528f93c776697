// Pictures of positions and games, drawn by the server or by the engine in the browser.

/** @import { Attributes, Setup } from "../page" */

import { isSite, urlOf } from "./address.js";
import { h } from "./dom.js";
import { queryOf } from "./links.js";
import { request } from "./transport.js";

/** Return the server path of a position's picture, or of a game's animated GIF.
 *
 * @param {"svg" | "gif"} form
 * @param {Setup} setup
 */
export function picturePath(form, setup) {
  return `/picture.${form}${queryOf(setup)}`;
}

/** Create an image element for a picture. An "error" event means that the picture is unavailable.
 *
 * @param {string} path
 * @param {Attributes} attributes
 */
export function pictureOf(path, attributes) {
  const image = h("img", attributes);
  if (!isSite) image.src = urlOf(path);
  else pictureBlob(path).then((blob) => showBlob(image, blob), () => image.dispatchEvent(new Event("error")));
  return image;
}

/** @type {(image: HTMLImageElement, blob: Blob) => void} */
function showBlob(image, blob) {
  const drawn = URL.createObjectURL(blob);
  image.addEventListener("load", () => URL.revokeObjectURL(drawn), { once: true });
  image.src = drawn;
}

/** Return a picture, or throw an error if there is none.
 *
 * @param {string} path
 */
export async function pictureBlob(path) {
  const response = await request(path);
  if (!response.ok) throw new Error("The picture isn't available right now. Try again in a moment.");
  return response.blob();
}

/** Create a link that saves a picture.
 *
 * @param {string} path
 * @param {string} fileName
 * @param {string} style
 */
export function pictureLink(path, fileName, style) {
  const link = h("a", { class: `button ${style}`, href: isSite ? "#" : urlOf(path), download: fileName }, "Save as GIF");
  if (isSite) {
    link.addEventListener("click", (event) => {
      if (link.href.startsWith("blob:")) return;
      event.preventDefault();
      pictureBlob(path).then((blob) => {
        link.href = URL.createObjectURL(blob); // stays for as long as the page does
        link.click();
      }, () => undefined);
    });
  }
  return link;
}
