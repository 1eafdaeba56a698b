// The objective against iterations or seconds: its terms stacked, or as lines; stages of closed forms as bars.

import { drawAxes, line, prepare, scale, trace } from "./axes.js";
import { short } from "./numbers.js";
import { Zoom } from "./zoom.js";

// A term has the same colour whatever method it is of.
const COLOURS = {
  light: ["#9db7b4", "#d58a4c", "#b5651d", "#5b8fb9", "#a77fb0", "#8a8f3c"],
  dark: ["#47605d", "#d98a3f", "#f5b56a", "#5a9fd0", "#c39ad0", "#b5bb5a"],
};
const PLACES = {
  reconstruction: 0, divergence: 0, loss: 0, total: 0, "left out": 0, correlation_left: 0, separability: 1, sparsity: 1, between: 1,
  classification: 1, penalty: 2, error: 2, smoothness: 3, within: 3, cut: 3, class_spread: 4, disagreement: 4, evenness: 4,
  fit: 5, complexity: 5, ridge: 5, row_sparsity: 5,
};
export const FEW_STAGES = 12;

export class Chart {
  constructor(canvas, legend, { onZoom = () => {} } = {}) {
    this.canvas = canvas;
    this.legend = legend;
    this.options = { logX: false, logY: false, bySeconds: false };
    this.mark = null;
    this.zoom = new Zoom(canvas, () => this.x, () => { onZoom(Boolean(this.zoom.range)); this.draw(); });
    this.clear();
    canvas.addEventListener("pointermove", (event) => { this.pointer = event.offsetX; this.draw(); });
    canvas.addEventListener("pointerleave", () => { this.pointer = null; this.draw(); });
  }

  clear() {
    this.terms = [];
    this.rows = 0;
    this.pointer = null;
    this.closed = false;
    this.zoom.range = null;
    this.draw();
  }

  set(terms, points, [rows, columns], closed) {
    Object.assign(this, { terms, points, rows, columns, closed });
  }

  toggle(name) {
    this.options[name] = !this.options[name];
    this.zoom.clear();
    return this.options[name];
  }

  // Zooms to the second half of what is seen: where a run is heading.
  zoomIn() {
    if (this.x && this.rows > 2) this.zoom.to(this.x.back((this.x(this.x.low) + this.x(this.x.high)) / 2), this.x.high);
  }

  at(row, column) { return this.points[row * this.columns + column]; }

  xOf(row) { return this.options.bySeconds && !this.closed ? this.at(row, 2) : this.at(row, 0); }

  last() { return this.rows ? this.read(this.rows - 1) : null; }

  read(row) { return { iteration: this.at(row, 0), objective: this.at(row, 1), seconds: this.at(row, 2) }; }

  // What the curve says of an iteration (or of the next one that is kept of it).
  reading(iteration) {
    const row = this.rowOf(iteration);
    return row === null ? null : this.read(row);
  }

  rowOf(iteration) {
    for (let row = 0; row < this.rows; row++) if (this.at(row, 0) >= iteration) return row;
    return this.rows ? this.rows - 1 : null;
  }

  draw() {
    const sheet = prepare(this.canvas);
    if (!sheet) return;
    const { g, box, ink, dark } = sheet;
    this.ink = ink;
    this.colours = this.terms.map((name) => COLOURS[dark ? "dark" : "light"][place(name)]);
    const cut = this.scales(box);
    const xTitle = this.closed ? "stage" : this.options.bySeconds ? "seconds" : "iteration";
    const yTitle = cut.includes("top") ? "objective (the first steps lie higher)" : "objective";
    if (this.rows) drawAxes(g, box, ink, this.x, this.y, { xTitle, yTitle, cut, whole: !this.options.bySeconds });
    g.save();
    g.beginPath();
    g.rect(box.x, box.y - 2, box.w + 2, box.h + 3);
    g.clip();
    if (this.closed && this.rows && this.rows <= FEW_STAGES) this.bars(g);
    else if (this.rows > 1) this.curves(g);
    this.zoom.draw(g, box, ink);
    g.restore();
    this.cursor(g, box);
  }

  curves(g) {
    const several = this.terms.length > 1;
    if (several && !this.logY && !this.negative) this.stack(g);
    else if (several) this.terms.forEach((_, t) => this.curve(g, 3 + t, this.colours[t], 1.5));
    this.curve(g, 1, this.colour || this.ink, 2);
  }

  curve(g, column, colour, width) {
    g.strokeStyle = colour;
    g.lineWidth = width;
    g.lineJoin = "round";
    const start = this.x.log ? 1 : 0;
    trace(g, this.rows - start, (row) => [this.x(this.xOf(row + start)), this.y(this.at(row + start, column))]);
  }

  stack(g) {
    const low = new Float64Array(this.rows);
    this.terms.forEach((_, t) => {
      g.fillStyle = this.colours[t];
      g.globalAlpha = 0.8;
      g.beginPath();
      for (let row = 0; row < this.rows; row++) g.lineTo(this.x(this.xOf(row)), this.y(low[row] + this.at(row, 3 + t)));
      for (let row = this.rows - 1; row >= 0; row--) g.lineTo(this.x(this.xOf(row)), this.y(low[row]));
      g.fill();
      for (let row = 0; row < this.rows; row++) low[row] += this.at(row, 3 + t);
    });
    g.globalAlpha = 1;
  }

  bars(g) {
    const width = Math.min(46, (this.x(1) - this.x(0)) * 0.6), zero = this.y(Math.max(this.y.low, 0));
    g.fillStyle = this.colour || this.ink;
    for (let row = 0; row < this.rows; row++) {
      const top = this.y(this.at(row, 1));
      g.fillRect(this.x(row) - width / 2, Math.min(top, zero), width, Math.max(1.5, Math.abs(zero - top)));
    }
  }

  // Fits the scales to what is to be seen, and says at which ends the y-axis is cut.
  scales(box) {
    const { rows, options } = this, bars = this.closed && rows <= FEW_STAGES; // each stage a bar
    const xMax = Math.max(rows > 1 ? this.xOf(rows - 1) : 1, 1e-6);
    const logX = options.logX && !this.closed && rows > 2;
    const [from, to] = this.zoom.range || [logX ? this.xOf(1) || 1e-4 : 0, xMax];
    this.x = bars ? scale(-0.6, Math.max(rows - 1, 0) + 0.6, box.x, box.x + box.w)
      : scale(from, Math.max(to, from + 1e-9), box.x, box.x + box.w, logX);
    const { low, high, first } = this.extent(from, to, bars);
    this.negative = low < 0;
    this.logY = options.logY && low > 0 && !bars;
    const cut = [];
    let yMin = this.logY ? Math.max(this.leastTerm(low) * 0.8, high * 1e-6) : Math.min(0, low), yMax = high;
    if (!this.logY && first < high && !this.zoom.range) { yMax = first; cut.push("top"); }
    if (!this.logY && this.zoom.range && low > 0) {
      yMin = low - 0.08 * (high - low);
      cut.push("bottom");
    }
    if (!(yMax > yMin)) yMax = yMin + 1;
    this.y = scale(yMin, yMax, box.y + box.h, box.y, this.logY);
    return cut.join(" ");
  }

  extent(from, to, everything) {
    let low = Infinity, high = -Infinity;
    for (let row = 0; row < this.rows; row++) {
      if (!everything && (this.xOf(row) < from || this.xOf(row) > to)) continue;
      const values = [this.at(row, 1)];
      // Terms of either sign do not stack: each is a line and must be seen whole.
      for (let t = 0; t < this.terms.length; t++) if (this.at(row, 3 + t) < 0) values.push(this.at(row, 3 + t));
      for (const value of values)
        if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
    }
    if (low > high) return { low: 0, high: 1, first: 1 };
    // The first few steps tower over all that follows: a linear axis shows where the run has come to.
    const early = this.rows > 12 && !this.closed ? this.at(Math.min(this.rows - 1, Math.max(2, Math.floor(this.rows * 0.03))), 1) : high;
    return { low, high: high + (low < 0 || everything ? 0.05 * (high - low) : 0), first: Math.max(early, low) * 1.15 };
  }

  leastTerm(low) {
    let least = low;
    for (let t = 0; t < this.terms.length; t++) {
      const value = this.at(this.rows - 1, 3 + t);
      if (value > 0 && value > low * 1e-4) least = Math.min(least, value);
    }
    return least;
  }

  cursor(g, box) {
    const looking = this.pointer !== null && this.rows > 1 && this.x;
    let row = this.rows - 1;
    if (looking) {
      let best = Infinity;
      for (let r = 0; r < this.rows; r++) {
        const distance = Math.abs(this.x(this.xOf(r)) - this.pointer);
        if (distance < best) { best = distance; row = r; }
      }
    } else if (this.mark !== null && this.rows) row = this.rowOf(this.mark);
    const chosen = looking || this.mark !== null;
    if (chosen && this.rows) {
      g.strokeStyle = this.ink;
      g.globalAlpha = 0.6;
      g.lineWidth = 1;
      const x = Math.min(Math.max(this.x(this.xOf(row)), box.x), box.x + box.w);
      line(g, x, box.y, x, box.y + box.h);
      g.globalAlpha = 1;
    }
    this.describe(row, chosen);
  }

  describe(row, chosen) {
    if (row < 0 || !this.rows) { this.legend.replaceChildren(); return; }
    const entries = [];
    if (chosen) entries.push(["", `${this.closed ? "stage" : "iteration"} ${this.at(row, 0)}`]);
    entries.push([this.colour || this.ink, `objective ${short(this.at(row, 1))}`]);
    if (this.terms.length > 1)
      this.terms.forEach((name, t) => entries.push([this.colours[t], `${name.replace("_", " ")} ${short(this.at(row, 3 + t))}`]));
    this.legend.replaceChildren(...entries.map(([colour, text]) => {
      const entry = document.createElement("span");
      if (colour) { const dot = document.createElement("i"); dot.style.background = colour; entry.append(dot); }
      entry.append(text);
      return entry;
    }));
  }
}

function place(name) {
  if (name in PLACES) return PLACES[name];
  return [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 6;
}
