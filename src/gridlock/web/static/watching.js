// Buttons for spectators of a game between two computer players: pause, speed and stop.

/** @import { StateQueue } from "./queue.js" */

import { urlOf } from "./address.js";
import { announce, h } from "./dom.js";

/** @type {[string, number][]} */
const SPEEDS = [["normal", 1], ["fast", 3], ["slow", 0.5]];

/** Create the buttons; `drawn` is a callback that redraws the buttons.
 *
 * @param {StateQueue} queue
 * @param {() => unknown} drawn
 */
export function watchingButtons(queue, drawn) {
  const at = SPEEDS.findIndex(([, speed]) => speed === queue.speed);
  const pause = () => {
    queue.pause(!queue.isPaused);
    announce(queue.isPaused ? "Paused." : "Continued.");
    drawn();
  };
  const faster = () => {
    const [name, speed] = SPEEDS[(at + 1) % SPEEDS.length];
    queue.speed = speed;
    queue.next();
    announce(`Speed: ${name}.`);
    drawn();
  };
  // These buttons need ids, because their labels change when they are pressed.
  return [
    h("button", { type: "button", class: "button", id: "pause", onclick: pause }, queue.isPaused ? "Continue" : "Pause"),
    h("button", { type: "button", class: "button", id: "speed", onclick: faster }, `Speed: ${SPEEDS[at][0]}`),
    h("a", { class: "button last-action", href: urlOf("/") }, "Stop"),
  ];
}
