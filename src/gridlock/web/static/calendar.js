// The calendar of daily puzzles, which shows one month at a time and links each day to its puzzle.

/** @import { Result } from "./progress.js" */

import { urlOf } from "./address.js";
import { h, keepFocus } from "./dom.js";
import { solvedOn, written } from "./progress.js";

const FIRST = "2020-01-01"; // the first daily puzzle
const WEEK = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Return a month's dates in weeks from Monday to Sunday, padded with null at both ends.
 *
 * @param {number} year
 * @param {number} month from 0, as in Date; it may lie outside the year
 * @returns {(string | null)[][]}
 */
export function weeksOf(year, month) {
  const before = (new Date(year, month, 1).getDay() + 6) % 7;
  const count = new Date(year, month + 1, 0).getDate();
  const length = Math.ceil((before + count) / 7) * 7;
  const days = Array.from({ length }, (_, at) => {
    const day = at - before + 1;
    return day >= 1 && day <= count ? written(new Date(year, month, day)) : null;
  });
  return Array.from({ length: length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** Write a date in words, omitting the year if it is the current one. @param {string} day @param {string} today */
export function dateWords(day, today) {
  const [year, month, date] = day.split("-").map(Number);
  /** @type {Intl.DateTimeFormatOptions} */
  const parts = { day: "numeric", month: "long", ...(day.slice(0, 4) === today.slice(0, 4) ? {} : { year: "numeric" }) };
  return new Date(year, month - 1, date).toLocaleDateString("en-GB", parts);
}

/** @type {(result: Result | undefined) => [style: string, words: string]} */
function look(result) {
  if (result === true) return ["solved", ", solved"];
  if (result === "later") return ["later", ", solved later"];
  return result === false ? ["missed", ", missed"] : ["", ""];
}

export class Calendar {
  year = 0;
  month = 0;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
  }

  /** Show the month that contains the given day, and mark that day. @param {string} shown @param {string} today */
  show(shown, today) {
    [this.year, this.month] = shown.split("-").map(Number);
    this.month -= 1;
    this.draw(shown, today);
  }

  /** @param {string} shown @param {string} today */
  draw(shown, today) {
    const { year, month } = this;
    const name = new Date(year, month, 1).toLocaleDateString("en-GB", { month: "long", year: "numeric" });
    /** @type {(label: string, sign: string, by: number, able: boolean) => HTMLElement} */
    const turn = (label, sign, by, able) => {
      const step = () => {
        const next = new Date(year, month + by, 1);
        [this.year, this.month] = [next.getFullYear(), next.getMonth()];
        this.draw(shown, today);
      };
      const button = h("button", { type: "button", class: "button round quiet", "aria-disabled": able ? null : "true" });
      if (able) button.addEventListener("click", step);
      button.append(h("span", { "aria-hidden": "true" }, sign), h("span", { class: "unseen" }, label));
      return button;
    };
    const [first, last] = [written(new Date(year, month, 1)), written(new Date(year, month + 1, 0))];
    const head = h(
      "div",
      { class: "month" },
      h("h2", { id: "calendar-title", "aria-live": "polite" }, name),
      turn("Previous month", "‹", -1, first > FIRST),
      turn("Next month", "›", 1, last < today),
    );
    const names = h("tr", {}, ...WEEK.map((day) => h("th", { scope: "col", abbr: day }, day[0])));
    const rows = weeksOf(year, month).map((days) => h("tr", {}, ...days.map((day) => h("td", {}, day && cell(day, shown, today)))));
    const body = h("table", { "aria-labelledby": "calendar-title" }, h("thead", {}, names), h("tbody", {}, ...rows));
    keepFocus(this.place, head, body);
  }
}

/** @type {(day: string, shown: string, today: string) => HTMLElement} */
function cell(day, shown, today) {
  const number = String(Number(day.slice(8)));
  if (day > today || day < FIRST) return h("span", { class: "day" }, number);
  const [style, words] = look(solvedOn(day));
  const about = `${day === today ? ", today" : ""}${words}`;
  const current = day === shown ? "page" : null;
  const names = `day ${style}${day === today ? " today" : ""}`;
  const label = h("span", { class: "unseen" }, about);
  return h("a", { class: names, href: urlOf(`/puzzles?day=${day}`), "aria-current": current }, number, label);
}
