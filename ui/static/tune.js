// A sweep while it fills in: the map, all trials, slices, two measures against each other; whatever is pointed at shows
// its parts beside it at once, and what the brushes leave over is left over everywhere.

import { unpack } from "./blocks.js";
import { element, find, rootOf, setText } from "./dom.js";
import { svgOf } from "./drawn.js";
import { figureButtons } from "./figure_buttons.js";
import { decode, loadStyle, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";
import { Poller } from "./poller.js";
import { switches } from "./switches.js";
import { TunePanel } from "./tune_panel.js";
import { Pictures } from "./tune_pictures.js";
import { TuneTabs } from "./tune_tabs.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Part } from "./tune_grid.js" */
/** @import { TuneAnswer, TuneData, TunePictures } from "./tune_types.js" */

const EVERY_MS = 200;
const LAYOUT = `
  <div class="tune">
    <p class="progress" role="status"></p>
    <div class="switches measures" role="group" aria-label="What is shown"></div>
    <div class="switches tabs" role="tablist" aria-label="Ways of looking"></div>
    <div class="both"><div><div class="ways"></div><div class="saves"></div></div><aside class="cell" aria-label="The cell that is pointed at" data-empty></aside></div>
    <ul class="sentences"></ul>
  </div>`;

export const { show, leave } = mounted((place, { data }, lifetime) => new Tune(rootOf(place), data, lifetime));

class Tune {
  /** @type {TuneAnswer | null} */
  told = null;
  base = "";
  measure = "";
  /** @type {number | null} */
  pinned = null;
  /** @type {string | null} */
  sweep = null;
  /** @type {"light" | "dark"} */
  theme = "light";
  #frame = 0;
  /** @type {Component<TuneData>["setTriggerValue"]} */
  tell = () => {};

  /**
   * @param {HTMLElement} root
   * @param {TuneData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    this.root = root;
    this.data = data;
    root.innerHTML = LAYOUT;
    loadStyle(root, "./tune.css", () => this.tabs.redraw());
    this.pictures = new Pictures({ fetch: (cells) => this.fetch(cells), decode, came: (cell) => this.came(cell) });
    this.panel = new TunePanel(find(root, ".cell"), this.pictures, (what, cell) => this.act(what, cell),
      (cell) => `${this.base}partwise/tune/${this.data.key}/pairs?theme=${this.theme}&cell=${cell}`);
    this.tabs = new TuneTabs(find(root, ".tabs"), find(root, ".ways"), {
      point: (cell) => this.point(cell), pin: (cell) => this.pin(cell), glide: (parts) => this.glide(parts),
    }, (measure) => this.importance(measure));
    find(root, ".saves").append(figureButtons(() => svgOf(find(root, ".ways")), () => `sweep-${(this.sweep ?? "").slice(0, 8)}`));
    const say = (/** @type {string} */ words) => setText(find(root, ".progress"), words);
    /** @type {Poller<TuneAnswer>} */
    this.poller = new Poller({ every: EVERY_MS, take: (answer) => this.take(answer), gone: say, refused: say }, lifetime);
    lifetime.resized(() => {
      find(root, ".tune").classList.toggle("narrow", root.clientWidth < 760);
      this.tabs.redraw();
      this.rest();
    }, root);
    lifetime.atEnd(() => this.pictures.clear());
  }

  /** @param {Component<TuneData>} component */
  update({ data, base, setTriggerValue }) {
    this.tell = setTriggerValue;
    this.base = base;
    this.data = data;
    const theme = themeOf(this.root), other = data.key !== this.sweep;
    if (other || theme !== this.theme) this.pictures.clear();
    this.theme = theme;
    if (other) Object.assign(this, { sweep: data.key, told: null, pinned: null });
    if (!data.measures.some(({ name }) => name === this.measure)) this.measure = data.measures[0]?.name ?? "";
    this.tabs.begin(data, other);
    this.measures();
    if (other) this.panel.show(null, data, EMPTY);
    if (this.told) this.redraw();
    this.root.dataset.ready = String(this.pictures.ready);
    if (data.key === null) {
      this.poller.stop();
      setText(find(this.root, ".progress"), data.invitation);
      return;
    }
    const address = `${base}partwise/tune/${data.key}?${data.running ? "begin=1&" : ""}seen=`;
    this.poller.follow(`${address} ${theme}`, (last) => address + (last ? (this.told?.version ?? "") : ""));
  }

  measures() {
    const choose = (/** @type {string} */ measure) => { this.measure = measure; this.redraw(); };
    find(this.root, ".measures").replaceChildren(...switches(this.data.measures.map(({ name, title }) => [name, title]), this.measure, choose));
  }

  /** @param {TuneAnswer} answer */
  take(answer) {
    if (!answer.same) {
      const before = this.told;
      this.told = answer;
      this.pictures.update(answer.pictured);
      this.redraw();
      if (answer.known === answer.whole && before && before.known < before.whole) this.tell("changed", answer.version);
    }
    const told = /** @type {TuneAnswer} */ (this.told);
    return told.known < told.whole && this.data.running;
  }

  redraw() {
    const { told, data } = this, measure = data.measures.find(({ name }) => name === this.measure);
    if (!told || !measure) return;
    setText(find(this.root, ".progress"), told.progress);
    Object.assign(this.root.dataset, { known: told.known, whole: told.whole, counted: told.counts.filter(Boolean).length });
    this.tabs.set(told, measure);
    find(this.root, ".sentences").replaceChildren(...(told.sentences[measure.name] ?? []).map((words) => element("li", "", words)));
    this.rest();
  }

  /** Shows what is shown when nothing is pointed at: the cell that was kept, or else the best. */
  rest() {
    if (!this.told || this.tabs.pointed !== null) return;
    const cell = this.pinned ?? this.told.best[this.measure] ?? null;
    this.panel.show(cell, this.data, this.told);
  }

  /** @param {number | null} cell */
  point(cell) {
    if (!this.told) return;
    if (cell === null) this.rest();
    else {
      this.panel.show(cell, this.data, this.told);
      this.pictures.want([cell, ...this.tabs.around(cell)]);
    }
  }

  /** @param {number} cell */
  pin(cell) {
    if (!this.told) return;
    this.pinned = cell === this.pinned ? null : cell;
    this.tabs.pin(this.pinned);
    this.panel.show(cell, this.data, this.told);
  }

  /**
   * The pictures of the cells around the hand, mixed; once a frame of the screen.
   * @param {Part[]} parts
   */
  glide(parts) {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      if (!this.told) return;
      const { cell } = parts[0];
      if (this.panel.cell === cell) this.panel.paint(parts, this.told);
      else {
        this.panel.show(cell, this.data, this.told);
        this.panel.paint(parts, this.told);
      }
      this.pictures.want([...parts.map((part) => part.cell), ...this.tabs.around(cell)]);
    });
  }

  /**
   * @param {number[]} cells
   * @returns {Promise<TunePictures | null>}
   */
  async fetch(cells) {
    const answer = await fetch(`${this.base}partwise/tune/${this.data.key}/cells?theme=${this.theme}&cells=${cells.join()}`);
    return answer.ok ? unpack(await answer.arrayBuffer()) : null;
  }

  /**
   * How much each parameter matters to a measure; nothing while that cannot be said.
   * @param {string} measure
   * @returns {Promise<[name: string, share: number][]>}
   */
  async importance(measure) {
    const answer = await fetch(`${this.base}partwise/tune/${this.data.key}/importance?measure=${encodeURIComponent(measure)}`);
    return answer.ok ? (await answer.json()).shares : [];
  }

  /** @param {number} cell */
  came(cell) {
    this.root.dataset.ready = String(this.pictures.ready);
    if (cell === this.panel.cell && this.told) this.panel.paint([{ cell, weight: 1 }], this.told);
  }

  /**
   * @param {string} what
   * @param {number} cell
   */
  act(what, cell) {
    const { told, data } = this;
    if (told) this.tell("act", { what, at: data.axes.map(({ name }) => told.params[name][cell]) });
  }
}

/** @type {TuneAnswer} */
const EMPTY = {
  version: "", known: 0, whole: 0, running: false, progress: "", params: {}, means: {}, spreads: {}, counts: [], pictured: [], splits: 0, problems: {},
  marks: [], ties: {}, best: {}, seconds: [], iterations: [], sentences: {},
};
