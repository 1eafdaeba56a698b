// What a chart says below it of the place that is looked at: the words stay where they are, the numbers change.

import { element, setText } from "./dom.js";

/**
 * @typedef {object} Entry
 * @property {string} title
 * @property {string} value
 * @property {string} [colour] of a dot before it
 * @property {boolean} [quiet]
 * @property {boolean} [unseen] whether it only keeps its place
 */
/** @typedef {{ title: string, box: HTMLElement, dot: HTMLElement | null, value: HTMLElement }} Shown */

export class ChartLegend {
  /** @type {Shown[]} */
  shown = [];
  room = { width: 0, height: 0 }; // that it has needed

  /** @param {HTMLElement} root */
  constructor(root) { this.root = root; }

  /** @param {Entry[]} entries */
  show(entries) {
    const { shown } = this;
    if (entries.length !== shown.length || entries.some(({ title }, at) => title !== shown[at].title)) {
      this.shown = entries.map(made);
      this.root.replaceChildren(...this.shown.map(({ box }) => box));
    }
    entries.forEach((entry, at) => fill(this.shown[at], entry));
    this.#keepHeight();
  }

  clear() {
    this.shown = [];
    this.root.replaceChildren();
  }

  /** Another run may need less. */
  forgetHeight() { this.room.width = 0; }

  /** Numbers are of different lengths: it keeps the height that the longest have needed at this width. */
  #keepHeight() {
    const { root, room } = this, width = root.clientWidth;
    if (room.width !== width) {
      Object.assign(room, { width, height: 0 });
      root.style.minHeight = "";
    }
    if (root.offsetHeight <= room.height) return;
    room.height = root.offsetHeight;
    root.style.minHeight = `${room.height}px`;
  }
}

/**
 * @param {Entry} entry
 * @returns {Shown}
 */
function made({ title, colour, quiet }) {
  const box = element("span", quiet ? "quiet" : ""), dot = colour ? element("i") : null, value = element("span");
  if (dot) box.append(dot);
  box.append(`${title} `, value);
  return { title, box, dot, value };
}

/**
 * @param {Shown} shown
 * @param {Entry} entry
 */
function fill({ box, dot, value }, entry) {
  setText(value, entry.value);
  if (dot) dot.style.background = entry.colour ?? "";
  Object.assign(box.style, entry.unseen ? { visibility: "hidden", order: "1" } : { visibility: "", order: "" });
}
