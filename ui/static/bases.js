// The parts that several methods found, side by side: point, sort, click, switch off, see what is left.
// Everything quick goes through addresses of our own; the page is told only what its address should say.

import { Column } from "./basis.js";
import { find, findAll, rootOf } from "./dom.js";
import { loadStyle, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";
import { WISHES, another, onWish } from "./wishes.js";

/** @import { BasesData, BasesPage } from "./bases_types.js" */
/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Theme } from "./server.js" */

const LAYOUT = `
  <div class="bases">
    <div class="chooser">
      <span class="which"></span>
      <button type="button" aria-label="Previous sample">‹</button>
      <input type="range" min="0" step="1" aria-label="Sample that is rebuilt from the parts">
      <button type="button" aria-label="Next sample">›</button>
    </div>
    <div class="columns"></div>
  </div>`;
const TOLD_AFTER = 500;

export const { show, leave } = mounted((place, { data }, lifetime) => new BasesView(rootOf(place), data, lifetime));

/** @implements {BasesPage} */
class BasesView {
  /** @type {Map<string, Column>} by method */
  columns = new Map();
  sample = 0;
  base = "";
  /** @type {Theme} */
  theme = "light";
  /** @type {(() => void) | null} tells the page what it does not know yet */
  pending = null;
  telling = 0;
  /** @type {Component<BasesData>["setStateValue"]} */
  tellState = () => {};
  /** @type {Component<BasesData>["setTriggerValue"]} */
  tellOnce = () => {};
  fresh = true;

  /**
   * @param {HTMLElement} root
   * @param {BasesData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    this.root = root;
    this.data = data;
    root.innerHTML = LAYOUT;
    for (const name of ["./bases.css", "./sheet.css", "./words.css"]) loadStyle(root, name);
    this.slider = find(root, ".chooser input", HTMLInputElement);
    this.slider.oninput = () => this.choose(Number(this.slider.value));
    const [back, on] = findAll(root, ".chooser button");
    back.onclick = () => this.choose(this.sample - 1);
    on.onclick = () => this.choose(this.sample + 1);
    onWish(lifetime, WISHES.another, () => this.choose(another(this.sample, this.data.samples)));
    onWish(lifetime, WISHES.walk, (by) => this.choose(this.sample + by));
    lifetime.resized(() => this.columns.forEach((column) => column.redraw()), root);
    lifetime.atEnd(() => {
      clearTimeout(this.telling);
      this.columns.forEach((column) => column.close());
    });
  }

  /** @param {Component<BasesData>} component */
  update({ data, base, setStateValue, setTriggerValue }) {
    this.tellState = setStateValue;
    this.tellOnce = setTriggerValue;
    this.base = base;
    // What the hand has just done is newer than what the page remembers of it, as long as numbers mean the same.
    const other = this.fresh || data.ground !== this.data.ground, anew = other || data.basis !== this.data.basis;
    this.fresh = false;
    if (anew) this.pending?.();
    if (other) this.sample = data.look.sample;
    this.data = data;
    this.theme = themeOf(this.root);
    this.slider.max = String(data.samples - 1);
    this.slider.value = String(this.sample);
    find(this.root, ".chooser").hidden = !data.samples;
    this.arrange(anew);
  }

  /** @param {boolean} anew whether the page says which parts are off, and not the hand */
  arrange(anew) {
    const place = find(this.root, ".columns"), { methods, look } = this.data, wanted = new Set(methods.map(({ id }) => id));
    for (const [id, column] of this.columns) {
      if (wanted.has(id)) continue;
      column.close();
      this.columns.delete(id);
    }
    methods.forEach((method, index) => {
      const column = this.columns.get(method.id) ?? new Column(this);
      this.columns.set(method.id, column);
      if (place.children[index] !== column.box) place.insertBefore(column.box, place.children[index] ?? null);
      column.update(method, anew ? (look.off[method.id] ?? []) : null);
    });
  }

  /** @param {number} sample */
  choose(sample) {
    this.sample = Math.min(this.data.samples - 1, Math.max(0, sample));
    this.slider.value = String(this.sample);
    this.columns.forEach((column) => column.rebuild());
    this.remember();
  }

  /** @param {string} text what the sample is called */
  name(text) {
    find(this.root, ".which").textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }

  remember() {
    clearTimeout(this.telling);
    this.pending = () => {
      clearTimeout(this.telling);
      this.pending = null;
      const { ground, basis } = this.data;
      const off = Object.fromEntries([...this.columns].filter(([, column]) => column.off.size).map(([id, column]) => [id, [...column.off]]));
      this.tellState("look", { ground, basis, sample: this.sample, off });
    };
    this.telling = window.setTimeout(() => this.pending?.(), TOLD_AFTER);
  }

  /**
   * The charts and the files to take away are the page's own: it must know when a run ends or is gone.
   * @param {string} what
   */
  tell(what) { this.tellOnce("changed", what); }
}
