// Somebody who looks at another page learns that it is their turn: by the title always, by a notification if they asked.

import { isOn, turn } from "./storage.js";

/** Whether this browser can show notifications at this address; most do so only where nobody else can listen in. */
export function canNotify() {
  return "Notification" in globalThis && isSecureContext;
}

/** Whether notifications were asked for, and are allowed. */
export function notifies() {
  return canNotify() && isOn("notify") && Notification.permission === "granted";
}

/** Turn notifications on, if the browser's own question is answered with yes, or off; says what came of it.
 *
 * @param {boolean} on
 */
export async function setNotify(on) {
  const granted = on && (await Notification.requestPermission()) === "granted";
  turn("notify", granted);
  return granted;
}

/** Say that it is somebody's turn, unless they see it anyway.
 *
 * @param {string} title
 * @param {string} words
 */
export function notify(title, words) {
  if (!document.hidden || !notifies()) return;
  try {
    const shown = new Notification(title, { body: words, tag: "gridlock-turn", icon: "/static/icon.svg" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Browsers of some phones have the name but show none: the title has to do.
  }
}

/** The title of a page, marked while somebody who looks elsewhere is waited for.
 *
 * @param {string} title
 * @param {boolean} isYourTurn
 */
export function titled(title, isYourTurn) {
  return `${isYourTurn ? `${document.hidden ? "● " : ""}Your turn · ` : ""}${title} · GridLock`;
}
