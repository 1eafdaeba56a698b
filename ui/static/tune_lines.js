// All trials as lines across axes side by side; a stroke along an axis leaves over only the trials within it.
// However many there are, a picture takes no longer than a few milliseconds: what is not drawn by then follows.

import { line } from "./axes.js";
import { begin } from "./canvas.js";
import { PointedCanvas, layers } from "./pointed_canvas.js";
import { BELOW, drawingOrder, placesOn } from "./tune_brush.js";
import { shade, valueText, written } from "./tune_values.js";

/** @import { Pen } from "./canvas.js" */
/** @import { Brushes } from "./tune_brush.js" */
/** @import { TrialColumn } from "./tune_types.js" */
/** @typedef {ReturnType<typeof placesOn>} Placed */
/** @typedef {{ brush: (brushes: Brushes) => void, point: (trial: number | null) => void, pin: (trial: number) => void }} BrushingHands */

const TOP = 40, BOTTOM = 30, SIDE = 54, BUDGET_MS = 12, PIECE = 120, LEAST_BRUSH = 0.02;

/** @extends {PointedCanvas<BrushingHands>} */
export class TuneLines extends PointedCanvas {
  /** @type {TrialColumn[]} */
  columns = [];
  /** @type {Record<string, Placed>} */
  placed = {};
  /** @type {Brushes} */
  brushes = {};
  byRank = false;
  /** @type {Uint8Array} */
  chosen = new Uint8Array();
  /** @type {Float64Array} how good each trial is */
  good = new Float64Array();
  /** @type {Uint32Array} */
  order = new Uint32Array();
  /** @type {{ name: string, from: number } | null} */
  stroke = null;
  #next = 0;
  #left = 0;

  /**
   * @param {HTMLElement} root
   * @param {BrushingHands} hands
   */
  constructor(root, hands) {
    super(layers(root, "lines"), hands);
    this.root = root;
    const { canvas } = this;
    canvas.onpointerdown = (event) => this.press(event);
    canvas.onpointermove = (event) => this.move(event);
    canvas.onpointerup = (event) => this.lift(event);
    canvas.onpointerleave = () => { if (!this.stroke) this.point(null); };
    canvas.onkeydown = (event) => this.walk(event);
  }

  /**
   * @param {TrialColumn[]} columns the last one decides about colours
   * @param {boolean} byRank
   */
  set(columns, byRank) {
    this.columns = columns;
    this.byRank = byRank;
    this.placed = Object.fromEntries(columns.map((column) => [column.name, placesOn(column, byRank)]));
    const last = columns[columns.length - 1];
    Object.assign(this, drawingOrder(last.values, last.better ?? "high"));
  }

  /** @param {Uint8Array} chosen */
  show(chosen) {
    this.chosen = chosen;
    cancelAnimationFrame(this.#next);
    this.#next = requestAnimationFrame(() => this.draw());
  }

  /** @param {number} index */
  x(index) {
    const wide = this.canvas.clientWidth - 2 * SIDE;
    return SIDE + (this.columns.length > 1 ? (wide * index) / (this.columns.length - 1) : wide / 2);
  }

  /** @param {number} share */
  y(share) { return TOP + (1 - share) * (this.canvas.clientHeight - TOP - BOTTOM - 16); }

  draw() {
    const { canvas } = this, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    const g = begin(canvas, width, height), style = getComputedStyle(canvas);
    g.font = `12px ${style.fontFamily}`;
    this.ink = style.color;
    this.theme = /** @type {"light" | "dark"} */ (luminance(style.color) > 128 ? "dark" : "light");
    this.#left = 0;
    this.root.dataset.whole = "false";
    this.go(g);
    this.mark();
  }

  /**
   * Draws on for as long as a picture may take; those not chosen first, faintly, and the best last of all.
   * @param {Pen} g
   */
  go(g) {
    const begun = performance.now(), { order, chosen } = this, count = order.length;
    g.lineWidth = 1;
    while (this.#left < 2 * count && performance.now() - begun < BUDGET_MS)
      for (let piece = 0; piece < PIECE && this.#left < 2 * count; piece++, this.#left++) {
        const trial = order[this.#left % count], faint = this.#left < count;
        if (faint === Boolean(chosen[trial])) continue;
        g.strokeStyle = faint ? (this.ink ?? "") : shade(0.25 + 0.75 * Math.max(0, this.good[trial]), this.theme ?? "light");
        g.globalAlpha = faint ? Math.min(0.1, 30 / count) : Math.max(0.25, Math.min(0.9, 300 / count));
        this.trace(g, trial);
      }
    g.globalAlpha = 1;
    this.axes(g);
    const whole = this.#left >= 2 * count;
    this.root.dataset.whole = String(whole);
    this.root.dataset.frames = String(Number(this.root.dataset.frames ?? 0) + 1);
    if (!whole) this.#next = requestAnimationFrame(() => this.go(g));
  }

  /**
   * @param {Pen} g
   * @param {number} trial
   */
  trace(g, trial) {
    g.beginPath();
    this.columns.forEach(({ name }, index) => g.lineTo(this.x(index), this.y(this.placed[name].shares[trial])));
    g.stroke();
  }

  /** @param {Pen} g */
  axes(g) {
    const ink = this.ink ?? "";
    this.columns.forEach((column, index) => {
      const x = this.x(index), { ends } = this.placed[column.name];
      Object.assign(g, { strokeStyle: ink, fillStyle: ink, lineWidth: 1, globalAlpha: 0.55 });
      line(g, x, this.y(0), x, this.y(1));
      const brush = this.brushes[column.name];
      if (brush) {
        g.globalAlpha = 0.85;
        g.lineWidth = 5;
        line(g, x, this.y(Math.max(BELOW, brush[0])), x, this.y(Math.min(1, brush[1])));
      }
      Object.assign(g, { globalAlpha: 1, textAlign: "center", textBaseline: "bottom" });
      g.fillText(fitting(g, column.title, Math.max(60, this.x(1) - this.x(0) - 6)), x, TOP - 20);
      const [low, high] = this.endTexts(column, ends);
      g.globalAlpha = 0.75;
      g.fillText(high, x, TOP - 4);
      g.textBaseline = "top";
      g.fillText(low, x, this.y(BELOW) + 6);
    });
    g.globalAlpha = 1;
  }

  /**
   * What stands at the ends of an axis; beyond some ends there is more.
   * @param {TrialColumn} column
   * @param {Placed["ends"]} ends
   * @returns {[string, string]}
   */
  endTexts(column, { low, high, cutLow, cutHigh }) {
    if (this.byRank && column.better) return [`rank ${high}`, "rank 1"];
    const text = (/** @type {number} */ value) => (column.texts ? valueText(value, column) : written(value, column.unit));
    return [`${cutLow ? "≤ " : ""}${text(low)}`, `${cutHigh ? "≥ " : ""}${text(high)}`];
  }

  /** The trial that is pointed at, above all others. */
  mark() {
    const { overlay, canvas } = this, g = begin(overlay, canvas.clientWidth, canvas.clientHeight);
    if (this.pointed === null || !this.order.length) return;
    Object.assign(g, { strokeStyle: "#e69f00", fillStyle: "#e69f00", lineWidth: 3 });
    this.trace(g, this.pointed);
  }

  /**
   * The axis nearest to the pointer and the share of it the pointer is at.
   * @param {MouseEvent} event
   */
  under({ offsetX, offsetY }) {
    const gap = this.columns.length > 1 ? this.x(1) - this.x(0) : 1;
    const index = Math.min(this.columns.length - 1, Math.max(0, Math.round((offsetX - SIDE) / gap)));
    const share = 1 - (offsetY - TOP) / (this.y(0) - this.y(1));
    return { index, name: this.columns[index]?.name ?? "", share: Math.min(1.02, Math.max(BELOW - 0.02, share)), off: Math.abs(offsetX - this.x(index)) };
  }

  /** @param {PointerEvent} event */
  press(event) {
    const at = this.under(event);
    if (event.button !== 0 || at.off > 22) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.stroke = { name: at.name, from: at.share };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const at = this.under(event);
    if (!this.stroke) return this.point(this.nearest(event));
    this.brush(this.stroke.name, [Math.min(this.stroke.from, at.share), Math.max(this.stroke.from, at.share)]);
    return undefined;
  }

  /** @param {PointerEvent} event */
  lift(event) {
    const { stroke } = this, at = this.under(event);
    this.stroke = null;
    if (stroke && Math.abs(at.share - stroke.from) < LEAST_BRUSH) this.brush(stroke.name, null); // a mere click takes it away
    else if (!stroke && this.pointed !== null) this.hands.pin(this.pointed);
  }

  /**
   * @param {string} name
   * @param {[number, number] | null} range
   */
  brush(name, range) {
    const { [name]: _, ...others } = this.brushes;
    this.brushes = range ? { ...others, [name]: range } : others;
    this.hands.brush(this.brushes);
  }

  /**
   * The chosen trial whose line runs nearest to a point, null if none is near.
   * @param {MouseEvent} event
   */
  nearest({ offsetX, offsetY }) {
    const gap = this.x(1) - this.x(0), left = Math.min(this.columns.length - 2, Math.max(0, Math.floor((offsetX - SIDE) / gap)));
    const part = (offsetX - this.x(left)) / gap, [a, b] = [this.placed[this.columns[left]?.name], this.placed[this.columns[left + 1]?.name]];
    if (!a || !b) return null;
    let best = null, distance = 9;
    for (let trial = 0; trial < this.chosen.length; trial++) {
      if (!this.chosen[trial]) continue;
      const off = Math.abs(this.y(a.shares[trial] * (1 - part) + b.shares[trial] * part) - offsetY);
      if (off <= distance) { distance = off; best = trial; } // of equal ones the later, which need not be the better
    }
    return best;
  }

  /**
   * By keyboard from trial to trial, the best first; Escape takes all brushes away.
   * @param {KeyboardEvent} event
   */
  walk(event) {
    const step = new Map([["ArrowUp", 1], ["ArrowRight", 1], ["ArrowDown", -1], ["ArrowLeft", -1]]).get(event.key);
    if (event.key === "Escape") {
      this.brushes = {};
      this.hands.brush({});
    } else if (step) {
      event.preventDefault();
      const left = [...this.order].filter((trial) => this.chosen[trial]), at = this.pointed === null ? left.length - step : left.indexOf(this.pointed);
      this.point(left[Math.min(left.length - 1, Math.max(0, at + step))] ?? null);
    } else if (event.key === "Enter" && this.pointed !== null) this.hands.pin(this.pointed);
  }
}

/**
 * A text, cut where it would be wider than this.
 * @param {Pen} g
 * @param {string} text
 * @param {number} width
 */
function fitting(g, text, width) {
  if (g.measureText(text).width <= width) return text;
  let kept = text.length;
  while (kept > 1 && g.measureText(`${text.slice(0, kept)}…`).width > width) kept -= 1;
  return `${text.slice(0, kept).trimEnd()}…`;
}

/** @param {string} colour as `getComputedStyle` writes it */
function luminance(colour) {
  const [r, g, b] = (colour.match(/[\d.]+/g) ?? ["0", "0", "0"]).map(Number);
  return (r + g + b) / 3;
}
