// The parts that several methods found, side by side: point, sort, click, switch off, see what is left.
// Everything quick goes through addresses of our own; the page is told only what its address should say.

import { Column } from "./basis.js";
import { loadStyle, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";

export const { show, leave } = mounted((place) => new Page(place));

const LAYOUT = `
  <div class="bases">
    <div class="chooser">
      <span class="which"></span>
      <button type="button" data-by="-1" aria-label="Previous sample">‹</button>
      <input type="range" min="0" step="1" aria-label="Sample that is rebuilt from the parts">
      <button type="button" data-by="1" aria-label="Next sample">›</button>
    </div>
    <div class="columns"></div>
  </div>`;
const TOLD_AFTER = 500;

class Page {
  constructor(parent) {
    this.root = parent.querySelector(".root");
    this.root.innerHTML = LAYOUT;
    for (const name of ["./bases.css", "./sheet.css", "./words.css"]) loadStyle(this.root, name);
    this.find = (selector) => this.root.querySelector(selector);
    this.columns = new Map();
    this.slider = this.find(".chooser input");
    this.slider.oninput = () => this.choose(Number(this.slider.value));
    for (const button of this.root.querySelectorAll("[data-by]"))
      button.onclick = () => this.choose(this.sample + Number(button.dataset.by));
    this.resized = new ResizeObserver(() => this.columns.forEach((column) => column.redraw()));
    this.resized.observe(this.root);
  }

  update({ data, base, setStateValue, setTriggerValue }) {
    this.tellState = setStateValue;
    this.tellOnce = setTriggerValue;
    this.base = base;
    // What the hand has just done is newer than what the page remembers of it, as long as numbers mean the same.
    const other = data.ground !== this.data?.ground, fresh = other || data.basis !== this.data?.basis;
    if (fresh) this.pending?.();
    if (other) this.sample = data.look.sample;
    this.data = data;
    this.theme = themeOf(this.root);
    this.slider.max = data.samples - 1;
    this.slider.value = this.sample;
    this.find(".chooser").hidden = !data.samples;
    this.arrange(fresh);
  }

  arrange(fresh) {
    const place = this.find(".columns"), { methods, look } = this.data;
    const wanted = new Set(methods.map(({ id }) => id));
    for (const [id, column] of this.columns) {
      if (wanted.has(id)) continue;
      column.close();
      this.columns.delete(id);
    }
    methods.forEach((method, index) => {
      let column = this.columns.get(method.id);
      if (!column) this.columns.set(method.id, (column = new Column(this)));
      if (place.children[index] !== column.box) place.insertBefore(column.box, place.children[index] ?? null);
      column.update(method, fresh ? (look.off[method.id] ?? []) : null);
    });
  }

  choose(sample) {
    this.sample = Math.min(this.data.samples - 1, Math.max(0, sample));
    this.slider.value = this.sample;
    this.columns.forEach((column) => column.rebuild());
    this.remember();
  }

  name(text) {
    this.find(".which").textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }

  remember() {
    clearTimeout(this.telling);
    this.pending = () => {
      clearTimeout(this.telling);
      this.pending = null;
      const off = {}, { ground, basis } = this.data;
      for (const [id, column] of this.columns) if (column.off.size) off[id] = [...column.off];
      this.tellState("look", { ground, basis, sample: this.sample, off });
    };
    this.telling = setTimeout(() => this.pending?.(), TOLD_AFTER);
  }

  // The charts and the files to take away are the page's own: it must know when a run ends or is gone.
  tell(what) { this.tellOnce("changed", what); }

  close() {
    clearTimeout(this.telling);
    this.resized.disconnect();
    this.columns.forEach((column) => column.close());
  }
}
