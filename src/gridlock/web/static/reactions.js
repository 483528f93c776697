// Short reactions between players, shown for a few seconds. The stored mute setting also covers takeback requests.

/** @import { Said, State } from "../answers" */

import { announce, h, setText, show } from "./dom.js";
import { isMuted, mute } from "./storage.js";

const SHOWN = 4000; // milliseconds
/** @type {[Said["what"], string][]} */
const REACTIONS = [
  ["hello", "Hello!"],
  ["luck", "Good luck!"],
  ["nice", "Nice move!"],
  ["wow", "Wow!"],
  ["oops", "Oops."],
  ["thanks", "Thank you!"],
];

export class Reactions {
  /** @type {number | undefined} */
  timer;

  /**
   * @param {HTMLElement} place
   * @param {(what: Said["what"]) => unknown} send
   * @param {() => unknown} muted called when the user mutes or unmutes the opponent
   */
  constructor(place, send, muted) {
    this.place = place;
    this.bubble = h("p", { class: "bubble", id: "said" });
    const words = REACTIONS.map(([what, label]) => h("button", { type: "button", class: "button small", onclick: () => send(what) }, label));
    this.muting = h("input", { type: "checkbox", id: "mute", checked: isMuted() });
    this.muting.addEventListener("change", () => {
      mute(this.muting.checked);
      if (this.muting.checked) setText(this.bubble, "");
      muted();
    });
    place.replaceChildren(
      h("summary", {}, "Reactions"),
      h("div", { class: "actions" }, ...words),
      h("label", { class: "check" }, this.muting, h("span", {}, "Mute reactions and takeback requests")),
    );
    place.before(this.bubble);
  }

  /** Show the reactions only if two people are playing each other.
   *
   * @param {State} state
   */
  show(state) {
    const isShared = state.opponent === "link" && state.players.every((player) => player.joined);
    show(this.place, isShared && state.you.seats.length === 1);
    show(this.bubble, isShared);
  }

  /** Show a reaction, unless reactions are muted.
   *
   * @param {Said} said
   */
  hear(said) {
    if (isMuted()) return;
    clearTimeout(this.timer);
    setText(this.bubble, said.words);
    announce(said.words);
    this.timer = setTimeout(() => setText(this.bubble, ""), SHOWN);
  }
}
