// Samples as points: point at one for its name and its neighbours, click or draw around some to choose them.

import { unpack } from "./blocks.js";
import { begin, drawnBy } from "./canvas.js";
import { find, rootOf } from "./dom.js";
import { loadStyle, themeOf } from "./frame.js";
import { Film } from "./map_film.js";
import { edgesByPoint, laidOut, radiusOf } from "./map_layout.js";
import { Legend } from "./map_legend.js";
import { inside, paintEdges, paintPoints, ring } from "./map_paint.js";
import { mounted } from "./mounted.js";
import { nearestSpot, nextSpot, wayOf } from "./spots.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Colours, Edges } from "./map_paint.js" */
/** @import { Component } from "./mounted.js" */
/** @import { MapBlock } from "./server.js" */
/** @import { SpotOf } from "./spots.js" */
/** @typedef {{ size: [number, number], spotOf: SpotOf, radius: number, colours: Colours }} Measures */

const REACH = 22, LEAST_PATH = 8;

export const { show, leave } = mounted((place, { data }, lifetime) => new PointMap(rootOf(place), unpack(data), lifetime));

const LAYOUT = `
  <div class="map">
    <div class="plane">
      <canvas class="points" role="application" tabindex="0"></canvas>
      <canvas class="over" aria-hidden="true"></canvas>
      <div class="tip" role="status" hidden></div>
    </div>
    <div class="film" hidden></div>
    <div class="bar" hidden>
      <button class="draw" aria-pressed="false">Draw around several</button><button class="none">Choose none</button>
      <output aria-live="polite"></output>
    </div>
    <div class="legend" role="group" aria-label="Classes" hidden></div>
    <button class="all" aria-expanded="false" hidden></button>
  </div>`;

class PointMap {
  /** @type {Set<number>} */
  chosen = new Set();
  /** @type {number | null} */
  pointed = null;
  /** @type {number | null} the class whose points are lit, null for all */
  lit = null;
  /** @type {[number, number][] | null} what is being drawn around some */
  path = null;
  drawingAround = false; // whether a finger draws, and does not scroll
  at = 0; // the moment of the film
  /** @type {string | null | undefined} the occasion that `chosen` belongs to */
  epoch = undefined;
  /** @type {Measures | null} */
  measures = null;
  /** @type {number[][] | null} made when first asked for */
  touching = null;
  /** @type {Component<ArrayBuffer>["setStateValue"]} */
  setStateValue = () => {};

  /**
   * @param {HTMLElement} root
   * @param {MapBlock} block
   * @param {Lifetime} lifetime
   */
  constructor(root, block, lifetime) {
    this.root = root;
    this.block = block;
    root.innerHTML = LAYOUT;
    this.map = find(root, ".map");
    this.plane = find(root, ".plane");
    this.points = find(root, ".points", HTMLCanvasElement);
    this.over = find(root, ".over", HTMLCanvasElement);
    this.tip = find(root, ".tip");
    this.bar = find(root, ".bar");
    this.legend = new Legend(root, (code) => { this.lit = code; this.draw(); });
    this.film = new Film(find(root, ".film"), (at) => { this.at = at; this.draw(); }, lifetime);
    for (const canvas of [this.points, this.over]) drawnBy(canvas, () => this.draw());
    this.listen();
    loadStyle(root, "./map.css", () => this.draw());
    lifetime.resized(() => this.draw(), this.plane);
    lifetime.atEnd(() => this.film.leave());
  }

  listen() {
    const canvas = this.points;
    find(this.bar, ".draw").onclick = () => this.drawing(!this.drawingAround);
    find(this.bar, ".none").onclick = () => { this.chosen.clear(); this.tell(); };
    canvas.onpointerdown = (event) => this.down(event);
    canvas.onpointermove = (event) => this.move(event);
    canvas.onpointerup = (event) => this.up(event);
    canvas.onpointercancel = () => { this.path = null; this.drawOver(); };
    canvas.onpointerleave = canvas.onblur = () => { if (!this.path) this.point(null); };
    canvas.onkeydown = (event) => this.key(event);
  }

  get header() { return this.block.header; }
  get count() { return this.block.codes.length; }
  get choosing() { return this.header.choice !== null; }

  /** @returns {Edges} */
  get edges() {
    const { pairs, weights, crossing } = this.block;
    return { count: weights.length, pairs, weights, crossing };
  }

  /** The classes of all points, at a moment of the film if there is one. */
  get codes() {
    const { film_codes: film, codes } = this.block;
    return film ? film.subarray(this.at * this.count, (this.at + 1) * this.count) : codes;
  }

  get strengths() {
    return this.block.film_strengths?.subarray(this.at * this.count, (this.at + 1) * this.count) ?? null;
  }

  /** @param {Component<ArrayBuffer | Uint8Array<ArrayBuffer>>} component */
  update({ data, setStateValue }) {
    this.setStateValue = setStateValue;
    this.block = /** @type {MapBlock} */ (unpack(data));
    this.touching = null;
    this.at = 0;
    const { header } = this;
    this.points.setAttribute("aria-label", `${header.label} Arrow keys go from point to point${this.choosing ? ", the space bar chooses" : ""}.`);
    this.plane.style.height = `min(${header.height}px, 105vw)`;
    this.bar.hidden = !this.choosing;
    if (this.epoch !== header.choice) { this.epoch = header.choice; this.chosen.clear(); }
    for (const row of this.chosen) if (row >= this.count) this.chosen.delete(row);
    if (this.pointed !== null && this.pointed >= this.count) this.pointed = null;
    this.film.set(header.film?.captions ?? [], header.film?.group ?? "");
    this.lit = null;
    this.draw();
    this.countChosen();
    this.legend.show(this.header, this.block.film_codes ?? this.block.codes, this.palette);
  }

  /** @param {number} i */
  edgesAt(i) {
    this.touching ??= edgesByPoint(this.count, this.edges);
    return this.touching[i];
  }

  get palette() { return this.header.palette[themeOf(this.root)]; }

  /** @returns {Measures} */
  measure() {
    const width = this.plane.clientWidth, height = this.plane.clientHeight, dark = themeOf(this.root) === "dark";
    const style = getComputedStyle(this.root), colour = (/** @type {string} */ name) => style.getPropertyValue(`--st-${name}`);
    return {
      size: [width, height], spotOf: laidOut(this.block.places, width, height), radius: radiusOf(this.count, width, height),
      colours: {
        text: colour("text-color"), paper: colour("background-color"), accent: colour("primary-color"),
        alarm: dark ? "#f08a45" : "#b34e00", unknown: dark ? "#7b8583" : "#9aa3a1",
      },
    };
  }

  draw() {
    if (!this.plane.clientWidth) return;
    const { size, spotOf, radius, colours } = (this.measures = this.measure()), { marks, hints } = this.block;
    const g = begin(this.points, ...size), { count, lit, palette, edges } = this;
    paintEdges(g, edges, spotOf, colours);
    paintPoints(g, { count, marks, hints, anyMarks: marks.some(Boolean), lit, palette, colours, radius, place: spotOf }, this.codes, this.strengths);
    this.drawOver();
    this.legend.offerAll();
    Object.assign(this.root.dataset, { points: count, edges: edges.count }); // for tests
  }

  drawOver() {
    if (!this.measures) return;
    const { size, spotOf, radius, colours } = this.measures, { accent, text } = colours, g = begin(this.over, ...size);
    if (this.pointed !== null) {
      const at = this.edgesAt(this.pointed), { pairs } = this.block;
      paintEdges(g, this.edges, spotOf, colours, at);
      for (const e of at) ring(g, ...spotOf(pairs[2 * e] === this.pointed ? pairs[2 * e + 1] : pairs[2 * e]), radius + 2.5, text, 1.5);
      ring(g, ...spotOf(this.pointed), radius + 4, text, 2.5);
    }
    for (const row of this.chosen) ring(g, ...spotOf(row), radius + 3, accent, 3);
    if (!this.path) return;
    g.beginPath();
    for (const [x, y] of this.path) g.lineTo(x, y);
    Object.assign(g, { strokeStyle: accent, lineWidth: 1.5, fillStyle: accent, globalAlpha: 0.15 });
    g.fill();
    g.globalAlpha = 1;
    g.stroke();
  }

  /**
   * @param {MouseEvent} event
   * @returns {[number, number]}
   */
  spot(event) {
    const box = this.points.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {MouseEvent} event */
  under(event) {
    return this.measures && nearestSpot(this.count, this.measures.spotOf, this.spot(event), REACH);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (!this.choosing || event.button || (event.pointerType === "touch" && !this.drawingAround)) return;
    this.path = [this.spot(event)];
    this.points.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.path) return this.point(this.under(event));
    this.path.push(this.spot(event));
    this.drawOver();
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { path, measures } = this, far = path ? Math.max(...path.map(([x, y]) => Math.hypot(x - path[0][0], y - path[0][1]))) : 0;
    this.path = null;
    if (!this.choosing) return this.point(this.under(event));
    const more = event.shiftKey || event.ctrlKey || event.metaKey || event.pointerType === "touch";
    if (path && measures && far > LEAST_PATH) {
      if (!more) this.chosen.clear();
      for (let i = 0; i < this.count; i++) if (inside(path, ...measures.spotOf(i))) this.chosen.add(i);
      this.drawing(false);
    } else this.toggle(this.under(event), more);
    this.tell();
  }

  /**
   * @param {number | null} row
   * @param {boolean} more whether those chosen before stay so
   */
  toggle(row, more) {
    const had = row !== null && this.chosen.has(row);
    if (!more) this.chosen.clear();
    if (row !== null) { if (had) this.chosen.delete(row); else this.chosen.add(row); }
    this.point(row);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const way = wayOf(event.key);
    if (way) this.point(this.towards(way));
    else if (this.choosing && event.key === " " && this.pointed !== null) { this.toggle(this.pointed, true); this.tell(); }
    else if (this.choosing && event.key === "Enter") { this.toggle(this.pointed, event.shiftKey); this.tell(); }
    else if (this.choosing && event.key === "Escape") { this.chosen.clear(); this.tell(); }
    else return;
    event.preventDefault();
  }

  /** @param {[number, number]} way */
  towards(way) {
    if (this.pointed === null || !this.measures) return this.count ? 0 : null;
    const { spotOf } = this.measures;
    return nextSpot(this.count, spotOf, spotOf(this.pointed), way) ?? this.pointed;
  }

  /** @param {number | null} row */
  point(row) {
    if (row === this.pointed && this.tip.hidden === (row === null)) return;
    this.pointed = row;
    this.drawOver();
    const text = row === null ? "" : this.words(row);
    this.tip.hidden = !text;
    this.tip.textContent = text;
    if (!text || row === null || !this.measures) return;
    const { spotOf, size } = this.measures, [x, y] = spotOf(row), wide = this.tip.offsetWidth, high = this.tip.offsetHeight;
    this.tip.style.left = `${Math.max(2, Math.min(x - wide / 2, size[0] - wide - 2))}px`;
    this.tip.style.top = `${y + high + 14 > size[1] ? y - high - 10 : y + 10}px`;
  }

  /** @param {number} row */
  words(row) {
    const { tips, names, film } = this.header, code = this.codes[row], name = names[code];
    const near = this.edges.count ? `${this.edgesAt(row).length} neighbours` : "";
    const label = film ? (code < 0 ? "no label yet" : `taken for ${name ?? code}`) : "";
    return [tips[row] || name || `Sample ${row}`, label, near].filter(Boolean).join(" · ");
  }

  /** @param {boolean} on */
  drawing(on) {
    this.drawingAround = on;
    find(this.bar, ".draw").setAttribute("aria-pressed", String(on));
    this.map.classList.toggle("drawing", on);
  }

  tell() {
    this.drawOver();
    this.countChosen();
    this.setStateValue("picked", { choice: this.header.choice, rows: [...this.chosen] });
  }

  countChosen() {
    this.root.dataset.chosen = String(this.chosen.size); // for tests
    find(this.bar, "output").textContent = this.chosen.size ? `${this.chosen.size} chosen` : "";
  }
}
