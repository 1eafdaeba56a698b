// The map: a heat map over two parameters (several beside each other over three) that fills in while one looks.

import { prepare } from "./axes.js";
import { begin, drawnBy } from "./canvas.js";
import { PointedCanvas } from "./pointed_canvas.js";
import { CellGrid } from "./tune_grid.js";
import { LEFT, paintPlane, rectangle } from "./tune_heat.js";
import { valueText, written } from "./tune_values.js";

/** @import { Box } from "./axes.js" */
/** @import { Part } from "./tune_grid.js" */
/** @import { TuneAnswer, TuneAxis, TuneMeasure } from "./tune_types.js" */
/**
 * What one does with a map.
 * @typedef {object} Hands
 * @property {(cell: number | null) => void} point
 * @property {(parts: Part[]) => void} glide
 * @property {(cell: number) => void} pin
 */

const TOP = 22, BOTTOM = 44, GAP = 26, TALLEST = 54, LEAST_WIDE = 150, LOW = 760;

/** @extends {PointedCanvas<Hands>} */
export class TuneMap extends PointedCanvas {
  /** @type {TuneAxis[]} */
  axes = [];
  /** @type {TuneAnswer | null} */
  told = null;
  /** @type {TuneMeasure | null} */
  measure = null;
  grid = new CellGrid([], {});
  /** @type {Box[]} one for each value of the third parameter */
  boxes = [];
  /** @type {Uint8Array | null} 1 for each cell that the brushes leave over */
  chosen = null;
  /** @type {number | null} */
  pinned = null;
  gliding = false;

  /**
   * @param {{ canvas: HTMLCanvasElement, overlay: HTMLCanvasElement }} layers
   * @param {Hands} hands
   */
  constructor(layers, hands) {
    super(layers, hands);
    const { canvas } = layers;
    drawnBy(canvas, () => this.draw());
    canvas.onpointerdown = (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.gliding = true;
      this.move(event);
    };
    canvas.onpointermove = (event) => this.move(event);
    canvas.onpointerup = (event) => this.release(event);
    canvas.onpointercancel = () => { this.gliding = false; };
    canvas.onpointerleave = () => { if (!this.gliding) this.point(null); };
    canvas.onkeydown = (event) => this.walk(event);
  }

  /**
   * @param {TuneAxis[]} axes
   * @param {TuneAnswer} told
   * @param {TuneMeasure} measure
   * @param {Uint8Array | null} chosen
   */
  set(axes, told, measure, chosen) {
    if (axes !== this.axes || told.params !== this.told?.params) this.grid = new CellGrid(axes, told.params);
    Object.assign(this, { axes, told, measure, chosen });
    this.draw();
  }

  /** @param {PointerEvent} event */
  release(event) {
    const wasGliding = this.gliding, at = this.under(event);
    this.gliding = false;
    if (wasGliding && at && at.cell >= 0) {
      this.hands.pin(at.cell);
      this.point(at.cell);
    }
  }

  /** @param {PointerEvent} event */
  move(event) {
    const at = this.under(event);
    if (!at) return this.gliding ? undefined : this.point(null);
    if (!this.gliding) return this.point(at.cell < 0 ? null : at.cell);
    if (at.cell >= 0) this.pointed = at.cell;
    this.mark([event.offsetX, event.offsetY]);
    const parts = this.grid.around(at.x, at.y, at.rest);
    if (parts.length) this.hands.glide(parts);
    return undefined;
  }

  /**
   * What is under the pointer: the cell, its plane, and where in the plane.
   * @param {MouseEvent} event
   */
  under({ offsetX, offsetY }) {
    const [columns, rows = 1] = this.grid.sizes;
    for (const [plane, box] of this.boxes.entries()) {
      const reach = this.gliding ? GAP / 2 : 0;
      if (offsetX < box.x - reach || offsetX > box.x + box.w + reach || offsetY < box.y - reach || offsetY > box.y + box.h + reach) continue;
      const x = ((offsetX - box.x) / box.w) * columns - 0.5, y = ((box.y + box.h - offsetY) / box.h) * rows - 0.5;
      const clamp = (/** @type {number} */ at, /** @type {number} */ size) => Math.min(size - 1, Math.max(0, Math.round(at)));
      const rest = this.axes.length > 2 ? [plane] : [];
      return { x, y, rest, cell: this.grid.at([clamp(x, columns), clamp(y, rows), ...rest]) };
    }
    return null;
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    const step = new Map([["ArrowRight", [0, 1]], ["ArrowLeft", [0, -1]], ["ArrowUp", [1, 1]], ["ArrowDown", [1, -1]],
      ["PageUp", [2, 1]], ["PageDown", [2, -1]]]).get(event.key);
    const from = this.pointed ?? this.pinned ?? this.told?.best[this.measure?.name ?? ""] ?? 0;
    if (step) {
      event.preventDefault();
      if (step[0] < this.axes.length) this.point(this.grid.beside(from, step[0], step[1]));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.hands.pin(from);
    } else if (event.key === "Home") {
      event.preventDefault();
      this.point(this.told?.best[this.measure?.name ?? ""] ?? from);
    }
  }

  /** Where the planes lie, and how high the whole is. */
  layout() {
    const wide = this.canvas.clientWidth, [columns, rows = 1, planes = 1] = this.grid.sizes;
    const across = Math.max(1, Math.min(planes, Math.floor((wide - LEFT) / LEAST_WIDE)));
    const width = (wide - LEFT - 8 - GAP * (across - 1)) / across, whole = rows * Math.min(TALLEST, Math.max(13, (0.72 * width) / columns));
    // On a projector's screen all of it is seen below the choices.
    const height = Math.max(60, innerHeight < LOW ? Math.min(whole, 0.44 * innerHeight) : whole);
    const downs = Math.ceil(planes / across), pitch = height + (planes > 1 ? GAP + 22 : 0);
    this.boxes = Array.from({ length: planes }, (_, plane) => ({
      x: LEFT + (plane % across) * (width + GAP), y: TOP + Math.floor(plane / across) * pitch, w: width, h: height,
    }));
    return TOP + (downs - 1) * pitch + height + BOTTOM;
  }

  draw() {
    const { told, measure } = this;
    if (!told || !measure || !this.canvas.clientWidth) return;
    const height = Math.round(this.layout());
    for (const one of [this.canvas, this.overlay]) one.style.height = `${height}px`;
    const sheet = prepare(this.canvas);
    if (!sheet) return;
    const { axes, grid, boxes, chosen } = this;
    for (const plane of boxes.keys()) paintPlane(sheet.g, { axes, told, measure, grid, boxes, chosen, ink: sheet.ink, dark: sheet.dark }, plane);
    this.describe();
    this.mark();
  }

  /**
   * The frame of the cell that is pointed at, or a small ring under a gliding hand.
   * @param {[number, number] | null} hand
   */
  mark(hand = null) {
    const { overlay } = this, g = begin(overlay, overlay.clientWidth, overlay.clientHeight);
    const ink = getComputedStyle(this.canvas).color;
    g.strokeStyle = ink;
    for (const [cell, wide] of /** @type {[number | null, number][]} */ ([[this.pinned, 2], [this.pointed, 3]])) {
      const place = cell === null ? undefined : this.grid.places[cell], box = place && this.boxes[place[2] ?? 0];
      if (!place || !box) continue;
      g.lineWidth = wide;
      const [x, y, w, h] = rectangle(this.grid, box, place[0], place[1] ?? 0);
      g.setLineDash(wide === 2 ? [4, 3] : []);
      g.strokeRect(x, y, w, h);
    }
    g.setLineDash([]);
    if (!hand) return;
    g.lineWidth = 2;
    g.beginPath();
    g.arc(...hand, 7, 0, 7);
    g.stroke();
  }

  /** The map in words, for those who do not see it. */
  describe() {
    const { told, measure } = this, best = told?.best[measure?.name ?? ""] ?? null;
    if (!told || !measure) return;
    const where = best === null ? "" : this.axes.map((axis) => `${axis.name} ${valueText(told.params[axis.name][best], axis)}`).join(", ");
    const known = best === null ? "nothing known yet" : `best ${written(told.means[measure.name][best], measure.unit)} at ${where}`;
    const ties = told.ties[measure.name]?.length ?? 0;
    this.canvas.setAttribute("aria-label", `Map of ${measure.title} over ${this.axes.map(({ name }) => name).join(" and ")}: ${known}` +
      `${ties ? `; ${ties} cells are no worse beyond chance` : ""}. Arrow keys go from cell to cell, Home to the best, Enter keeps one.`);
  }
}
