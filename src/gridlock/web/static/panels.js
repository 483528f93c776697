// Panels on a game page: links to copy, an open offer, and the confirmation before resigning.

/** @import { Offer } from "../answers" */
/** @import { Ability } from "../page" */

import { $, copyButton, h, keepFocus } from "./dom.js";
import { full } from "./links.js";
import { qrCode } from "./qr.js";

/** Create a field with a link, and a button that copies it.
 *
 * @param {string} label
 * @param {string} address
 */
export function linkRow(label, address) {
  const field = h("input", { type: "text", readonly: true, "aria-label": label, value: full(address) });
  field.addEventListener("focus", () => field.select());
  return h("div", { class: "copy" }, field, copyButton(field));
}

/** Show the invitation link and its QR code.
 *
 * @param {HTMLElement} place
 * @param {string} link
 */
export function showInvitation(place, link) {
  if (place.dataset.link === full(link)) return;
  place.dataset.link = full(link);
  const code = h("details", { class: "code-for" }, h("summary", {}, "QR code"), h("div", { class: "picture" }, qrCode(full(link), "QR code for the link")));
  place.replaceChildren(linkRow("Invitation link", link), code);
}

/** Show an open offer, with buttons for the players who may answer or withdraw it.
 *
 * @param {HTMLElement} place
 * @param {Offer} offer
 * @param {(what: Ability) => boolean} may
 * @param {(accept: boolean) => unknown} answer
 */
export function showOffer(place, offer, may, answer) {
  /** @type {(label: string, accept: boolean, style?: string) => HTMLElement} */
  const button = (label, accept, style = "") =>
    h("button", { type: "button", class: `button ${style}`, onclick: () => answer(accept) }, label);
  const buttons = [];
  if (may("answer")) buttons.push(button("Accept", true, "primary"), button("Decline", false));
  if (may("withdraw")) buttons.push(button("Withdraw", false));
  keepFocus(place, h("p", {}, offer.words), h("div", { class: "actions" }, ...buttons));
}

/** Ask for confirmation before resigning.
 *
 * @param {() => unknown} resign
 */
export function confirmResign(resign) {
  const dialog = $("confirm");
  const yes = h("button", { type: "button", class: "button danger" }, "Resign");
  const no = h("button", { type: "button", class: "button" }, "Keep playing");
  yes.addEventListener("click", () => {
    dialog.close();
    resign();
  });
  no.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(
    h("h2", { id: "confirm-title" }, "Resign this game?"),
    h("p", {}, "Your opponent wins."),
    h("div", { class: "actions" }, no, yes),
  );
  dialog.showModal();
}
