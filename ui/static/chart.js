// The objective against iterations or seconds: its terms stacked, or as lines; stages of closed forms as bars.

import { drawAxes, line, prepare, trace } from "./axes.js";
import { drawnBy } from "./canvas.js";
import { ChartLegend } from "./chart_legend.js";
import { Curve, FEW_STAGES, NO_CURVE } from "./curve.js";
import { short } from "./numbers.js";
import { scale } from "./scales.js";
import { Zoom } from "./zoom.js";

/** @import { Box } from "./axes.js" */
/** @import { Pen } from "./canvas.js" */
/** @import { CurveOptions, Window } from "./curve.js" */
/** @import { Scale } from "./scales.js" */
/** @import { Term } from "./server.js" */
/** @typedef {{ x: Scale, y: Scale, signed: boolean, cut: string }} Frame what is seen, and where it lies */

export class Chart {
  curve = NO_CURVE;
  ghost = NO_CURVE; // the curve of the run before, to compare with
  ghostBefore = NO_CURVE;
  /** @type {Term[]} */
  terms = [];
  /** @type {CurveOptions} */
  options = { logX: false, logY: false, bySeconds: false };
  /** @type {number | null} the iteration that is looked at, null for the last one */
  mark = null;
  /** @type {number | null} where the pointer is */
  pointer = null;
  /** @type {Frame | null} */
  frame = null;
  colour = "";
  ink = "";
  dark = false;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} legend
   * @param {{ onZoom?: (zoomed: boolean) => void }} [told]
   */
  constructor(canvas, legend, { onZoom = () => {} } = {}) {
    this.canvas = canvas;
    this.legend = new ChartLegend(legend);
    drawnBy(canvas, () => this.draw());
    this.zoom = new Zoom(canvas, () => this.frame && this.frame.x, () => { onZoom(Boolean(this.zoom.range)); this.draw(); });
    canvas.addEventListener("pointermove", (event) => { this.pointer = event.offsetX; this.draw(); });
    canvas.addEventListener("pointerleave", () => { this.pointer = null; this.draw(); });
    this.draw();
  }

  /**
   * @param {boolean} [compared] whether the curve so far stays as a ghost beside the next one
   * @param {boolean} [passing] whether the curve so far was only seen while a slider moved
   */
  clear(compared = false, passing = false) {
    // What has hardly begun when a slider moves on is nothing to compare with.
    if (!compared) this.ghost = NO_CURVE;
    else if (this.curve.rows > FEW_STAGES && !passing) this.ghost = this.curve;
    this.curve = NO_CURVE;
    this.terms = [];
    this.pointer = null;
    this.zoom.range = null;
    this.legend.forgetHeight();
    this.draw();
  }

  /** Keeps the curve so far as a ghost, for as long as a slider is moved. */
  haunt() { this.ghostBefore = this.ghost; this.clear(true); }

  /** The ghost is again what it was before: nothing has come of the move. */
  unhaunt() { this.ghost = this.ghostBefore; }

  /**
   * @param {Term[]} terms
   * @param {Float32Array} points
   * @param {[number, number]} shape
   * @param {boolean} closed
   */
  set(terms, points, shape, closed) {
    this.terms = terms;
    this.curve = new Curve(points, shape, closed);
  }

  /** @param {keyof CurveOptions} name */
  toggle(name) {
    this.options[name] = !this.options[name];
    this.zoom.clear();
    return this.options[name];
  }

  /** Zooms to the second half of what is seen: where a run is heading. */
  zoomIn() {
    if (!this.frame || this.curve.rows < 3) return;
    const { x } = this.frame;
    this.zoom.to(x.back((x(x.low) + x(x.high)) / 2), x.high);
  }

  last() { return this.curve.rows ? this.curve.read(this.curve.rows - 1) : null; }

  /**
   * What the curve says of an iteration (or of the next one that is in it).
   * @param {number} iteration
   */
  reading(iteration) {
    const row = this.curve.rowOf(iteration);
    return row === null ? null : this.curve.read(row);
  }

  draw() {
    const sheet = prepare(this.canvas);
    if (!sheet) return;
    const { g, box, ink, dark } = sheet, { curve, options } = this;
    Object.assign(this, { ink, dark });
    const frame = (this.frame = framed(curve.window(options, this.zoom.range), box));
    const xTitle = curve.closed ? "stage" : options.bySeconds ? "seconds" : "iteration";
    const yTitle = frame.cut.includes("top") ? "objective (the first steps lie higher)" : "objective";
    if (curve.rows) drawAxes(g, box, ink, frame.x, frame.y, { xTitle, yTitle, cut: frame.cut, whole: !options.bySeconds });
    g.save();
    g.beginPath();
    g.rect(box.x, box.y - 2, box.w + 2, box.h + 3);
    g.clip();
    if (curve.rows && curve.bars) this.bars(g, frame);
    else if (curve.rows > 1) {
      this.drawGhost(g, frame);
      this.curves(g, frame);
    }
    this.zoom.draw(g, box, ink);
    g.restore();
    this.leave(g, box, frame);
    this.cursor(g, box, frame);
  }

  /** @param {number} term */
  colourOf(term) { return this.terms[term][this.dark ? "dark" : "light"]; }

  /** @param {number} row */
  xOf(row) { return this.curve.xOf(row, this.options.bySeconds); }

  /**
   * @param {Pen} g
   * @param {Frame} frame
   */
  drawGhost(g, { x, y }) {
    const { ghost } = this, start = x.log ? 1 : 0;
    if (ghost.rows < 2) return;
    g.save();
    g.strokeStyle = this.ink;
    g.globalAlpha = 0.55;
    g.lineWidth = 1.5;
    g.setLineDash([5, 4]);
    trace(g, ghost.rows - start, (row) => [x(ghost.xOf(row + start, this.options.bySeconds)), y(ghost.objective(row + start))]);
    g.restore();
  }

  /**
   * @param {Pen} g
   * @param {Frame} frame
   */
  curves(g, frame) {
    const { curve } = this, several = curve.terms > 1;
    if (several && !frame.y.log && !frame.signed) this.stack(g, frame);
    else if (several)
      this.terms.forEach((_, t) => this.stroke(g, frame, (row) => curve.term(row, t), this.colourOf(t), 1.5));
    this.stroke(g, frame, (row) => curve.objective(row), this.colour || this.ink, 2);
  }

  /**
   * @param {Pen} g
   * @param {Frame} frame
   * @param {(row: number) => number} valueOf
   * @param {string} colour
   * @param {number} width
   */
  stroke(g, { x, y }, valueOf, colour, width) {
    g.strokeStyle = colour;
    g.lineWidth = width;
    g.lineJoin = "round";
    const start = x.log ? 1 : 0;
    trace(g, this.curve.rows - start, (row) => [x(this.xOf(row + start)), y(valueOf(row + start))]);
  }

  /**
   * @param {Pen} g
   * @param {Frame} frame
   */
  stack(g, { x, y }) {
    const rows = this.curve.firstOff() ?? this.curve.rows, low = new Float64Array(rows);
    this.terms.forEach((_, t) => {
      g.fillStyle = this.colourOf(t);
      g.globalAlpha = 0.8;
      g.beginPath();
      for (let row = 0; row < rows; row++) g.lineTo(x(this.xOf(row)), y(low[row] + this.curve.term(row, t)));
      for (let row = rows - 1; row >= 0; row--) g.lineTo(x(this.xOf(row)), y(low[row]));
      g.fill();
      for (let row = 0; row < rows; row++) low[row] += this.curve.term(row, t);
    });
    g.globalAlpha = 1;
  }

  /**
   * @param {Pen} g
   * @param {Frame} frame
   */
  bars(g, { x, y }) {
    const width = Math.min(46, (x(1) - x(0)) * 0.6), zero = y(Math.max(y.low, 0));
    g.fillStyle = this.colour || this.ink;
    for (let row = 0; row < this.curve.rows; row++) {
      const top = y(this.curve.objective(row));
      g.fillRect(x(row) - width / 2, Math.min(top, zero), width, Math.max(1.5, Math.abs(zero - top)));
    }
  }

  /**
   * Where the objective stops being a number a sign says where it has gone.
   * @param {Pen} g
   * @param {Box} box
   * @param {Frame} frame
   */
  leave(g, box, { x }) {
    const row = this.curve.firstOff();
    if (row === null || (this.zoom.range && this.xOf(row) > this.zoom.range[1])) return;
    g.fillStyle = this.ink;
    g.font = `600 17px ${getComputedStyle(this.canvas).fontFamily}`;
    g.textAlign = "center";
    g.textBaseline = "top";
    g.fillText("∞", Math.min(Math.max(x(this.xOf(row)), box.x + 8), box.x + box.w - 8), box.y);
  }

  /**
   * @param {Pen} g
   * @param {Box} box
   * @param {Frame} frame
   */
  cursor(g, box, { x }) {
    const { curve, pointer } = this, looking = pointer !== null && curve.rows > 1;
    if (!curve.rows) return this.legend.clear();
    let row = curve.rows - 1;
    if (looking) row = curve.nearest(pointer, (at) => x(this.xOf(at)));
    else if (this.mark !== null) row = curve.rowOf(this.mark) ?? row;
    const chosen = looking || this.mark !== null;
    if (chosen) {
      g.strokeStyle = this.ink;
      g.globalAlpha = 0.6;
      g.lineWidth = 1;
      const at = Math.min(Math.max(x(this.xOf(row)), box.x), box.x + box.w);
      line(g, at, box.y, at, box.y + box.h);
      g.globalAlpha = 1;
    }
    return this.describe(row, chosen);
  }

  /**
   * @param {number} row
   * @param {boolean} chosen whether somebody looks at this row, and not just at the last one
   */
  describe(row, chosen) {
    const { curve, ghost } = this, terms = curve.terms > 1 ? this.terms : [];
    this.legend.show([
      // It keeps its place where it says nothing: the timeline below must not move under the hand that scrubs.
      { title: curve.closed ? "stage" : "iteration", value: String(curve.at(row, 0)), unseen: !chosen },
      { title: "objective", value: short(curve.objective(row)), colour: this.colour || this.ink },
      ...terms.map(({ title }, t) => ({ title, value: short(curve.term(row, t)), colour: this.colourOf(t) })),
      ...(ghost.rows > 1 ? [{ title: "dashed: the run before, objective", value: short(ghost.objective(ghost.rows - 1)), quiet: true }] : []),
    ]);
  }
}

/**
 * @param {Window} seen
 * @param {Box} box
 * @returns {Frame}
 */
function framed({ x, y, logX, logY, signed, cut }, box) {
  return { x: scale(...x, box.x, box.x + box.w, logX), y: scale(...y, box.y + box.h, box.y, logY), signed, cut };
}
