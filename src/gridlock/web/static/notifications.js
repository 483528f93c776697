// Show in the page title that it is the user's turn; if notifications are on, a hidden page also sends a notification.

import { urlOf } from "./address.js";
import { isOn, turn } from "./storage.js";

/** Return whether notifications can be shown here; most browsers need a secure connection. */
export function canNotify() {
  return "Notification" in globalThis && isSecureContext;
}

/** Return whether notifications are turned on and permitted. */
export function notifies() {
  return canNotify() && isOn("notify") && Notification.permission === "granted";
}

/** Turn notifications on (with the user's permission) or off. Return whether notifications are on.
 *
 * @param {boolean} on
 */
export async function setNotify(on) {
  const granted = on && (await Notification.requestPermission()) === "granted";
  turn("notify", granted);
  return granted;
}

/** Show a notification, unless the page is visible.
 *
 * @param {string} title
 * @param {string} words
 */
export function notify(title, words) {
  if (!document.hidden || !notifies()) return;
  try {
    const shown = new Notification(title, { body: words, tag: "gridlock-turn", icon: urlOf("/static/icon.svg") });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // In some mobile browsers, `new Notification` throws, so only the title changes.
  }
}

/** Return the page title, preceded by a dot if it is your turn and the page is hidden.
 *
 * @param {string} title
 * @param {boolean} isYourTurn
 */
export function titled(title, isYourTurn) {
  return `${isYourTurn ? `${document.hidden ? "● " : ""}Your turn · ` : ""}${title} · GridLock`;
}
