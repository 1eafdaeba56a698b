// Samples as points: point at one for its name and its neighbours, click or draw around some to choose them.

import { unpack } from "./blocks.js";
import { begin } from "./canvas.js";
import { loadStyle, themeOf } from "./frame.js";
import { Film } from "./map_film.js";
import { inside, look, paintEdges, paintPoints, ring } from "./map_paint.js";
import { mounted } from "./mounted.js";

const MARGIN = 18, REACH = 22;

export const { show, leave } = mounted((place) => new PointMap(place));

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
  constructor(parent) {
    this.root = parent.querySelector(".root");
    this.root.innerHTML = LAYOUT;
    loadStyle(this.root, "./map.css", () => this.draw());
    for (const name of ["map", "plane", "points", "over", "tip", "bar", "legend", "all"]) this[name] = this.root.querySelector(`.${name}`);
    Object.assign(this, { chosen: new Set(), pointed: null, lit: null, path: null, count: 0, epoch: undefined });
    this.film = new Film(this.root.querySelector(".film"), (at) => this.moment(at));
    this.drawButton = this.bar.querySelector(".draw");
    this.drawButton.onclick = () => this.drawing(this.drawButton.getAttribute("aria-pressed") !== "true");
    this.bar.querySelector(".none").onclick = () => { this.chosen.clear(); this.tell(); };
    const canvas = this.points;
    canvas.onpointerdown = (event) => this.down(event);
    canvas.onpointermove = (event) => this.move(event);
    canvas.onpointerup = (event) => this.up(event);
    canvas.onpointercancel = () => { this.path = null; this.drawOver(); };
    canvas.onpointerleave = canvas.onblur = () => { if (!this.path) this.point(null); };
    canvas.onkeydown = (event) => this.key(event);
    this.all.onclick = () => { this.legend.classList.toggle("open"); this.offerAll(); };
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.plane);
  }

  close() { this.watcher.disconnect(); this.film.leave(); }

  update({ data, setStateValue }) {
    this.setStateValue = setStateValue;
    this.read(data);
    this.points.setAttribute("aria-label", `${this.header.label} Arrow keys go from point to point${this.choosing ? ", the space bar chooses" : ""}.`);
    this.plane.style.height = `min(${this.header.height}px, 105vw)`;
    this.bar.hidden = !this.choosing;
    if (this.epoch !== this.header.choice) { this.epoch = this.header.choice; this.chosen.clear(); }
    for (const row of this.chosen) if (row >= this.count) this.chosen.delete(row);
    if (this.pointed >= this.count) this.pointed = null;
    this.film.set(this.header.film?.captions ?? [], this.header.film?.group ?? "");
    this.lit = null;
    this.draw();
    this.explain();
  }

  read(data) {
    const { header, places, codes, pairs, weights, marks, hints, crossing, film_codes, film_strengths } = unpack(data);
    Object.assign(this, { header, count: codes.length, where: places, codes, marks, hints });
    this.edges = { count: weights.length, pairs, weights, crossing };
    Object.assign(this, { filmCodes: film_codes, filmStrengths: film_strengths });
    this.anyMarks = this.marks.some(Boolean);
    this.choosing = this.header.choice !== null;
    this.touching = null;
  }

  // The edges at each point, made when first asked for.
  edgesAt(i) {
    if (!this.touching) {
      this.touching = Array.from({ length: this.count }, () => []);
      for (let e = 0; e < this.edges.count; e++) {
        this.touching[this.edges.pairs[2 * e]].push(e);
        this.touching[this.edges.pairs[2 * e + 1]].push(e);
      }
    }
    return this.touching[i];
  }

  get palette() { return this.header.palette[themeOf(this.root)]; }

  measure() {
    const width = this.plane.clientWidth, height = this.plane.clientHeight;
    let wide = 0, high = 0;
    for (let i = 0; i < this.count; i++) {
      wide = Math.max(wide, Math.abs(this.where[2 * i]));
      high = Math.max(high, Math.abs(this.where[2 * i + 1]));
    }
    // The same unit on both axes: what looks near is near.
    const unit = Math.min((width / 2 - MARGIN) / (wide || 1), (height / 2 - MARGIN) / (high || 1));
    this.size = [width, height];
    this.place = (i) => [width / 2 + unit * this.where[2 * i], height / 2 - unit * this.where[2 * i + 1]];
    this.radius = Math.max(1.8, Math.min(5.5, 110 / Math.sqrt(this.count + 1)) * Math.min(1, Math.min(width, height) / 420));
    const style = getComputedStyle(this.root);
    const dark = themeOf(this.root) === "dark";
    this.colours = {
      text: style.getPropertyValue("--st-text-color"), paper: style.getPropertyValue("--st-background-color"),
      accent: style.getPropertyValue("--st-primary-color"),
      alarm: dark ? "#f08a45" : "#b34e00", unknown: dark ? "#7b8583" : "#9aa3a1",
    };
  }

  draw() {
    if (!this.header || !this.plane.clientWidth) return;
    this.measure();
    const g = begin(this.points, ...this.size);
    paintEdges(g, this.edges, this.place, this.colours);
    paintPoints(g, this, this.shown ?? this.codes, this.strengths);
    this.drawOver();
    this.offerAll();
    this.root.dataset.points = this.count;
    this.root.dataset.edges = this.edges.count;
  }

  drawOver() {
    if (!this.place) return;
    const g = begin(this.over, ...this.size), { accent, text } = this.colours;
    if (this.pointed !== null) {
      const at = this.edgesAt(this.pointed);
      paintEdges(g, this.edges, this.place, this.colours, at);
      for (const e of at) {
        const other = this.edges.pairs[2 * e] === this.pointed ? this.edges.pairs[2 * e + 1] : this.edges.pairs[2 * e];
        ring(g, ...this.place(other), this.radius + 2.5, text, 1.5);
      }
      ring(g, ...this.place(this.pointed), this.radius + 4, text, 2.5);
    }
    for (const row of this.chosen) ring(g, ...this.place(row), this.radius + 3, accent, 3);
    if (this.path) {
      g.beginPath();
      this.path.forEach(([x, y]) => g.lineTo(x, y));
      Object.assign(g, { strokeStyle: accent, lineWidth: 1.5, fillStyle: accent, globalAlpha: 0.15 });
      g.fill();
      g.globalAlpha = 1;
      g.stroke();
    }
  }

  moment(at) {
    const from = at * this.count;
    this.shown = this.header.film ? this.filmCodes.subarray(from, from + this.count) : null;
    this.strengths = this.header.film ? this.filmStrengths.subarray(from, from + this.count) : null;
    this.draw();
  }

  under(event) {
    if (!this.place) return null;
    const box = this.points.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    let best = REACH * REACH, found = null;
    for (let i = 0; i < this.count; i++) {
      const [u, v] = this.place(i), far = (u - x) ** 2 + (v - y) ** 2;
      if (far < best) [best, found] = [far, i];
    }
    return found;
  }

  down(event) {
    if (!this.choosing || event.button || (event.pointerType === "touch" && !this.map.classList.contains("drawing"))) return;
    this.path = [this.spot(event)];
    this.points.setPointerCapture(event.pointerId);
  }

  move(event) {
    if (!this.path) { this.point(this.under(event)); return; }
    this.path.push(this.spot(event));
    this.drawOver();
  }

  up(event) {
    const path = this.path, far = path ? Math.max(...path.map(([x, y]) => Math.hypot(x - path[0][0], y - path[0][1]))) : 0;
    this.path = null;
    if (!this.choosing) { this.point(this.under(event)); return; }
    const more = event.shiftKey || event.ctrlKey || event.metaKey || event.pointerType === "touch";
    if (far > 8) {
      if (!more) this.chosen.clear();
      for (let i = 0; i < this.count; i++) if (inside(path, ...this.place(i))) this.chosen.add(i);
      this.drawing(false);
    } else this.toggle(this.under(event), more);
    this.tell();
  }

  spot(event) {
    const box = this.points.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  toggle(row, more) {
    const had = row !== null && this.chosen.has(row);
    if (!more) this.chosen.clear();
    if (row !== null) { if (had) this.chosen.delete(row); else this.chosen.add(row); }
    this.point(row);
  }

  key(event) {
    const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (by) this.point(this.towards(...by));
    else if (this.choosing && event.key === " " && this.pointed !== null) { this.toggle(this.pointed, true); this.tell(); }
    else if (this.choosing && event.key === "Enter") { this.toggle(this.pointed, event.shiftKey); this.tell(); }
    else if (this.choosing && event.key === "Escape") { this.chosen.clear(); this.tell(); }
    else return;
    event.preventDefault();
  }

  // The nearest point in a direction; what lies aside counts as farther.
  towards(dx, dy) {
    if (this.pointed === null) return this.count ? 0 : null;
    const [x, y] = this.place(this.pointed);
    let best = Infinity, found = this.pointed;
    for (let i = 0; i < this.count; i++) {
      const [u, v] = this.place(i), ahead = (u - x) * dx + (v - y) * dy, aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (ahead > 0.5 && ahead + 2 * aside < best) [best, found] = [ahead + 2 * aside, i];
    }
    return found;
  }

  point(row) {
    if (row === this.pointed && this.tip.hidden === (row === null)) return;
    this.pointed = row;
    this.drawOver();
    const text = row === null ? "" : this.words(row);
    this.tip.hidden = !text;
    this.tip.textContent = text;
    if (!text) return;
    const [x, y] = this.place(row), wide = this.tip.offsetWidth, high = this.tip.offsetHeight;
    this.tip.style.left = `${Math.max(2, Math.min(x - wide / 2, this.size[0] - wide - 2))}px`;
    this.tip.style.top = `${y + high + 14 > this.size[1] ? y - high - 10 : y + 10}px`;
  }

  words(row) {
    const said = this.header.tips[row] ?? "", code = (this.shown ?? this.codes)[row];
    const near = this.edges.count ? `${this.edgesAt(row).length} neighbours` : "";
    const called = this.header.film ? (code < 0 ? "no label yet" : `taken for ${this.header.names[code] ?? code}`) : "";
    return [said || this.header.names[code] || `Sample ${row}`, called, near].filter(Boolean).join(" · ");
  }

  drawing(on) {
    this.drawButton.setAttribute("aria-pressed", String(on));
    this.map.classList.toggle("drawing", on);
  }

  tell() {
    this.drawOver();
    this.count_chosen();
    this.setStateValue("picked", { choice: this.header.choice, rows: [...this.chosen] });
  }

  count_chosen() {
    this.root.dataset.chosen = this.chosen.size;
    this.bar.querySelector("output").textContent = this.chosen.size ? `${this.chosen.size} chosen` : "";
  }

  explain() {
    this.count_chosen();
    const present = [...new Set(this.header.film ? this.filmCodes : this.codes)].filter((code) => code >= 0).sort((a, b) => a - b);
    const { names } = this.header;
    this.legend.hidden = !this.header.legend || !present.length || !names.length;
    this.legend.replaceChildren(...present.map((code) => {
      const entry = document.createElement("button"), { colour, shape } = look(code, this.palette);
      entry.innerHTML = `<svg viewBox="-7 -7 14 14" aria-hidden="true"><path fill="${colour}" d="${SIGNS[shape]}"/></svg>`;
      entry.append(names[code] ?? String(code));
      const light = (on) => { this.lit = on ? code : null; this.draw(); };
      entry.onpointerenter = entry.onfocus = () => light(true);
      entry.onpointerleave = entry.onblur = () => light(false);
      return entry;
    }));
    this.offerAll();
  }

  // A long legend shows its first rows, and says that there are more.
  offerAll() {
    const open = this.legend.classList.contains("open"), { scrollHeight, clientHeight } = this.legend;
    this.all.hidden = this.legend.hidden || (!open && scrollHeight <= clientHeight);
    this.all.textContent = open ? "Show fewer" : `Show all ${this.legend.children.length}`;
    this.all.setAttribute("aria-expanded", String(open));
  }
}

const SIGNS = {
  circle: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",
  square: "M-4.5 -4.5h9v9h-9z",
  triangle: "M0 -5.5L5.2 4.2H-5.2z",
  diamond: "M0 -6L5.2 0L0 6L-5.2 0z",
};
