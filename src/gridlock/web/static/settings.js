// The settings dialog: theme, cell numbers, move confirmation, sounds and turn notifications.

import { h } from "./dom.js";
import { canNotify, notifies, setNotify } from "./notifications.js";
import { sound } from "./sound.js";
import { isOn, rememberConfirm, rememberedConfirm, rememberedTheme, rememberNumbers, rememberTheme, showsNumbers, turn } from "./storage.js";

const THEMES = { "": "Same as device", light: "Light", dark: "Dark", contrast: "High contrast" };
const CONFIRM = { "": "On small cells", always: "Always", never: "Never" };

/** @param {string} theme */
function wear(theme) {
  rememberTheme(theme);
  const asked = theme || (matchMedia("(prefers-contrast: more)").matches ? "contrast" : "");
  if (asked) document.documentElement.dataset.theme = asked;
  else delete document.documentElement.dataset.theme;
}

/** Create a group of radio buttons.
 *
 * @param {string} name
 * @param {string} legend
 * @param {Record<string, string>} options
 * @param {string} current
 * @param {(value: string) => unknown} change
 */
function segments(name, legend, options, current, change) {
  const labels = Object.entries(options).map(([value, words]) => {
    const input = h("input", { type: "radio", name, value, checked: value === current });
    input.addEventListener("change", () => change(value));
    return h("label", { class: "segment" }, input, h("span", {}, words));
  });
  return h("fieldset", { class: "segments" }, h("legend", {}, legend), h("div", {}, ...labels));
}

/** @param {boolean} on */
function number(on) {
  rememberNumbers(on);
  if (on) delete document.documentElement.dataset.numbers;
  else document.documentElement.dataset.numbers = "off";
}

/** @type {(words: string, explained: string, checked: boolean, change: (box: HTMLInputElement) => unknown, able?: boolean) => HTMLElement} */
function box(words, explained, checked, change, able = true) {
  const input = h("input", { type: "checkbox", checked, disabled: !able });
  const more = h("small", {}, explained);
  input.addEventListener("change", () => change(input));
  return h("label", { class: "check" }, input, h("span", {}, words, more));
}

/** @param {HTMLInputElement} input */
async function changeNotify(input) {
  const wanted = input.checked;
  input.checked = await setNotify(wanted);
  const refused = wanted && !input.checked;
  const words = input.parentElement?.querySelector("small");
  if (words && refused) words.textContent = "Your browser is blocking notifications. Allow them in its settings for this site.";
}

function content() {
  return [
    h("h2", { id: "settings-title" }, "Settings"),
    segments("theme", "Colours", THEMES, rememberedTheme(), wear),
    segments("confirm", "Tap twice to play", CONFIRM, rememberedConfirm(), rememberConfirm),
    h("p", { class: "hint" }, "In a game, the first tap chooses a cell and the second plays it."),
    box("Row and column numbers", "The numbers are shown beside the board.", showsNumbers(), (input) => {
      number(input.checked);
    }),
    box("Sounds", "Short tones for moves and for the end of a game.", isOn("sound"), (input) => {
      turn("sound", input.checked);
      sound("mine");
    }),
    box(
      "Notify me when it's my turn",
      canNotify() ? "Notifications appear only when this page is hidden." : "Browsers allow notifications only over HTTPS, or on the computer that runs the server.",
      notifies(),
      changeNotify,
      canNotify(),
    ),
  ];
}

/** Make the button in the header open the settings. */
export function setUpSettings() {
  const button = document.getElementById("settings-button");
  if (!button) return;
  const dialog = h("dialog", { class: "settings", "aria-labelledby": "settings-title" });
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  button.addEventListener("click", () => {
    const close = h("button", { type: "button", class: "button close", onclick: () => dialog.close() }, "Close");
    dialog.replaceChildren(close, ...content());
    dialog.showModal();
  });
}
