// The ways of looking at a sweep, one at a time, with one set of brushes for all of them.

import { element, find, findAll, setText } from "./dom.js";
import { themeOf } from "./frame.js";
import { layers } from "./pointed_canvas.js";
import { switches } from "./switches.js";
import { TuneBand } from "./tune_band.js";
import { best, drawingOrder, front, within } from "./tune_brush.js";
import { columnsOf } from "./tune_columns.js";
import { nearestParts } from "./tune_grid.js";
import { sign, signsOf } from "./tune_key.js";
import { TuneLines } from "./tune_lines.js";
import { TuneMap } from "./tune_map.js";
import { TuneScatter, importanceBars } from "./tune_scatter.js";
import { fillTable } from "./tune_table.js";
import { robustEnds, shade, written } from "./tune_values.js";

/** @import { Hands } from "./tune_map.js" */
/** @import { TrialColumn, TuneAnswer, TuneData, TuneMeasure } from "./tune_types.js" */
/** @typedef {"map" | "trials" | "slices" | "front"} Way */

/** @type {Record<Way, string>} */
const TITLES = { map: "Map", trials: "All trials", slices: "By parameter", front: "Two measures" };
const LAYOUT = `
  <section data-way="map"><div class="held mapped"></div>
    <div class="held free"></div><div class="key"></div></section>
  <section data-way="trials" hidden><div class="tools"></div><div class="held lines"></div>
    <p class="quiet count" role="status"></p><div class="scroll"><table></table></div></section>
  <section data-way="slices" hidden><h4>How much each matters</h4><div class="importance"></div><div class="slices"></div></section>
  <section data-way="front" hidden><div class="tools"></div><div class="held front"></div>
    <p class="quiet">Ringed: no other trial is better in both.</p></section>`;
const SHARES = [1, 0.5, 0.25, 0.1, 0.05, 0.01], KEY_STEPS = 24, MORE = 20;

export class TuneTabs {
  /** @type {Way} */
  way = "map";
  /** @type {TuneData | null} */
  data = null;
  /** @type {TuneAnswer | null} */
  told = null;
  /** @type {TuneMeasure | null} */
  measure = null;
  /** @type {TrialColumn[]} */
  columns = [];
  /** @type {number | null} */
  pointed = null;
  byRank = false;
  top = 1;
  against = "";
  asked = "";
  /** @type {TuneScatter[]} */
  slices = [];

  /**
   * @param {HTMLElement} tabs
   * @param {HTMLElement} ways
   * @param {Hands} hands
   * @param {(measure: string) => Promise<[name: string, share: number][]>} importance
   */
  constructor(tabs, ways, hands, importance) {
    this.importance = importance;
    this.tablist = tabs;
    this.root = ways;
    ways.innerHTML = LAYOUT;
    const noted = { ...hands, point: (/** @type {number | null} */ cell) => { this.pointed = cell; hands.point(cell); } };
    this.hands = noted;
    this.map = new TuneMap(layers(find(ways, ".mapped"), "map"), noted);
    this.map.canvas.setAttribute("aria-label", "The map of this sweep");
    /** @type {TuneBand | null} made where there is one parameter */
    this.band = null;
    this.free = new TuneScatter(find(ways, ".free"), { ...noted, glideAt: (x, y) => this.glideFreely(x, y) });
    this.lines = new TuneLines(find(ways, ".lines"), { ...noted, brush: () => this.brushed() });
    this.fronts = new TuneScatter(find(ways, "div.front"), noted);
    this.tools();
  }

  /**
   * @param {TuneData} data
   * @param {boolean} other whether it is another sweep
   */
  begin(data, other) {
    this.data = data;
    if (other) {
      this.told = null;
      this.lines.brushes = {};
      this.pin(null);
      for (const canvas of findAll(this.root, "canvas", HTMLCanvasElement)) canvas.width = 0;
    }
    const ways = /** @type {Way[]} */ (Object.keys(TITLES)).filter((way) => way !== "front" || data.measures.length > 1);
    if (!ways.includes(this.way)) this.way = "map";
    const title = (/** @type {Way} */ way) => (way === "map" && data.axes.length === 1 ? "Curve" : TITLES[way]);
    const choose = (/** @type {Way} */ way) => { this.way = way; this.redraw(); };
    this.tablist.replaceChildren(...switches(ways.map((way) => [way, title(way)]), this.way, choose, { tabs: true }));
  }

  tools() {
    const rank = element("button", "", "By rank"), top = element("select");
    rank.setAttribute("aria-pressed", "false");
    rank.onclick = () => {
      this.byRank = !this.byRank;
      rank.setAttribute("aria-pressed", String(this.byRank));
      this.redraw();
    };
    top.setAttribute("aria-label", "How many are left over");
    top.append(...SHARES.map((share) => new Option(share === 1 ? "all" : `the best ${100 * share} %`, String(share))));
    top.onchange = () => { this.top = Number(top.value); this.brushed(); };
    const clear = element("button", "", "Take brushes away");
    clear.onclick = () => { this.lines.brushes = {}; this.top = 1; top.value = "1"; this.brushed(); };
    find(this.root, "[data-way=trials] .tools").append(rank, top, clear, element("span", "quiet", "Drag along an axis to leave over what lies there."));
  }

  /**
   * @param {TuneAnswer} told
   * @param {TuneMeasure} measure
   */
  set(told, measure) {
    this.told = told;
    this.measure = measure;
    this.columns = columnsOf(/** @type {TuneData} */ (this.data), told, measure);
    this.redraw();
  }

  /** The column of what is shown. */
  get decides() { return this.columns[this.columns.length - 1]; }

  redraw() {
    const { told, data, measure, way } = this;
    for (const section of findAll(this.root, "section")) section.hidden = section.dataset.way !== way;
    if (!told || !data || !measure) return;
    this.lines.set(this.columns, this.byRank);
    this.choose();
    if (way === "map") this.drawMap(data, told, measure);
    else if (way === "trials") this.drawTrials();
    else if (way === "slices") this.drawSlices(data, told, measure);
    else this.drawFront(data, measure);
  }

  choose() {
    const { lines, told } = this, count = told?.counts.length ?? 0;
    this.chosen = best(within(lines.placed, lines.brushes, count), this.decides, this.top);
  }

  brushed() {
    this.choose();
    if (this.way === "trials") this.drawTrials();
  }

  /** Whether something is left out by brushes. */
  get narrowed() { return this.top < 1 || Object.keys(this.lines.brushes).length > 0; }

  /**
   * @param {TuneData} data
   * @param {TuneAnswer} told
   * @param {TuneMeasure} measure
   */
  drawMap(data, told, measure) {
    const single = data.axes.length === 1, free = !single && (!data.gridded || data.axes.length > 3);
    const [held, points] = findAll(this.root, "[data-way=map] .held");
    held.hidden = free;
    points.hidden = !free;
    if (single) {
      this.band ??= new TuneBand(this.map, this.hands);
      this.band.set(data.axes[0], told, measure);
    } else if (free) this.free.set(this.cloud(this.columns[0], this.columns[1]));
    else {
      if (this.band) this.map = new TuneMap(this.map, this.hands);
      this.band = null;
      this.map.set(data.axes, told, measure, this.narrowed ? (this.chosen ?? null) : null);
    }
    this.key(told, measure, single);
  }

  /**
   * What the colours and the signs stand for.
   * @param {TuneAnswer} told
   * @param {TuneMeasure} measure
   * @param {boolean} single
   */
  key(told, measure, single) {
    const key = find(this.root, ".key"), { low, high, cutLow, cutHigh } = robustEnds(told.means[measure.name] ?? [], measure.better);
    const entries = [];
    if (!single) {
      const scale = element("span", "scale"), bar = element("i"), theme = themeOf(this.root);
      const [worst, finest] = measure.better === "high" ? [low, high] : [high, low], cut = measure.better === "high" ? cutLow && "≤ " : cutHigh && "≥ ";
      bar.style.background = `linear-gradient(to right, ${Array.from({ length: KEY_STEPS }, (_, step) => shade(step / (KEY_STEPS - 1), theme)).join(", ")})`;
      scale.append(`${cut || ""}${written(worst, measure.unit)}`, bar, written(finest, measure.unit));
      entries.push(scale, sign("★", "best"), sign("▢", "outlined: will do as well"));
    }
    if (this.data?.axes.every(({ paper }) => paper !== null)) entries.push(sign("◆", this.data.marked, "paper"));
    entries.push(...signsOf(told.marks));
    if (Object.keys(told.problems).length) entries.push(sign("×", "no value; point at it to see why"));
    key.replaceChildren(...entries);
  }

  drawTrials() {
    if (!this.chosen || !this.data || !this.told) return;
    this.lines.show(this.chosen);
    setText(find(this.root, ".count"), `${this.chosen.reduce((sum, is) => sum + is, 0)} of ${this.chosen.length} trials are left over.`);
    fillTable(find(this.root, "[data-way=trials] table"), this.columns, this.chosen, this.told.problems, this.hands);
  }

  /**
   * @param {TuneData} data
   * @param {TuneAnswer} told
   * @param {TuneMeasure} measure
   */
  drawSlices(data, told, measure) {
    const holder = find(this.root, ".slices");
    while (this.slices.length > data.axes.length) this.slices.pop();
    while (holder.children.length > data.axes.length) holder.lastChild?.remove();
    while (this.slices.length < data.axes.length) {
      const held = element("div", "held slice");
      holder.append(held);
      this.slices.push(new TuneScatter(held, this.hands));
    }
    this.slices.forEach((slice, at) => slice.set({ ...this.cloud(this.columns[at], this.decides), paper: data.axes[at].paper }));
    this.drawImportance(data, measure, `${data.key} ${measure.name} ${told.running ? Math.floor(told.known / MORE) : told.version}`);
  }

  /**
   * @param {TuneData} data
   * @param {TuneMeasure} measure
   * @param {string} occasion it is asked for again only where this is another
   */
  async drawImportance(data, measure, occasion) {
    if (occasion === this.asked) return;
    this.asked = occasion;
    const shares = await this.importance(measure.name).catch(() => []), section = find(this.root, ".importance");
    if (occasion !== this.asked) return;
    const title = (/** @type {string} */ name) => data.axes.find((axis) => axis.name === name)?.label ?? name;
    if (shares.length) importanceBars(section, shares, title);
    else section.replaceChildren(element("p", "quiet", "This can be said as soon as eight cells or more have a value."));
  }

  /**
   * @param {TuneData} data
   * @param {TuneMeasure} measure
   */
  drawFront(data, measure) {
    const others = data.measures.filter(({ name }) => name !== measure.name), tools = find(this.root, "[data-way=front] .tools");
    if (!others.some(({ name }) => name === this.against)) this.against = others[0]?.name ?? "";
    const menu = element("select");
    menu.setAttribute("aria-label", `${measure.title} against`);
    menu.append(...others.map(({ name, title }) => new Option(title, name, false, name === this.against)));
    menu.onchange = () => { this.against = menu.value; this.redraw(); };
    tools.replaceChildren(element("span", "quiet", `${measure.title} against`), menu);
    const other = this.columns.find(({ name }) => name === this.against);
    if (other) this.fronts.set({ ...this.cloud(other, this.decides), front: front(other, this.decides, this.chosen) });
  }

  /**
   * @param {TrialColumn} x
   * @param {TrialColumn} y
   */
  cloud(x, y) {
    const { decides } = this;
    return { x, y, ...drawingOrder(decides.values, decides.better ?? "high"), chosen: this.chosen ?? new Uint8Array() };
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  glideFreely(x, y) {
    const { places } = this.free, points = Array.from({ length: places.length / 2 }, (_, trial) => [places[2 * trial] || -1e9, places[2 * trial + 1] || -1e9]);
    this.hands.glide(nearestParts(points, x, y, 3));
  }

  /** @param {number | null} cell */
  pin(cell) {
    this.map.pinned = cell;
    if (this.way === "map" && this.told && !this.band) this.map.mark();
  }

  /**
   * The cells beside one, to be fetched in advance.
   * @param {number} cell
   */
  around(cell) {
    if (!this.data?.gridded) return [];
    return this.data.axes.flatMap((_, axis) => [-1, 1].map((by) => this.map.grid.beside(cell, axis, by)));
  }
}
