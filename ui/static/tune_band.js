// One parameter: the mean of a measure along it with its spread, what ties with the best shaded.

import { drawAxes, line, prepare, trace } from "./axes.js";
import { begin, drawnBy } from "./canvas.js";
import { PointedCanvas } from "./pointed_canvas.js";
import { scale } from "./scales.js";
import { diamond } from "./tune_heat.js";
import { robustEnds, valueText } from "./tune_values.js";

/** @import { Part } from "./tune_grid.js" */
/** @import { TuneAnswer, TuneAxis, TuneMeasure } from "./tune_types.js" */
/** @import { Hands } from "./tune_map.js" */

const MARGIN = { left: 58, right: 16, top: 16, bottom: 42 }, TALL = 320;

/** @extends {PointedCanvas<Hands>} */
export class TuneBand extends PointedCanvas {
  /** @type {{ axis: TuneAxis, told: TuneAnswer, measure: TuneMeasure, cells: number[] } | null} cells along the axis */
  scene = null;
  gliding = false;
  /** @type {(cell: number) => number} the place of a cell on the screen */
  x = () => 0;

  /**
   * @param {{ canvas: HTMLCanvasElement, overlay: HTMLCanvasElement }} layers
   * @param {Hands} hands
   */
  constructor(layers, hands) {
    super(layers, hands);
    const { canvas } = layers;
    drawnBy(canvas, () => this.draw());
    canvas.onpointerdown = (event) => { canvas.setPointerCapture(event.pointerId); this.gliding = true; this.move(event); };
    canvas.onpointermove = (event) => this.move(event);
    canvas.onpointerup = () => { this.gliding = false; if (this.pointed !== null) hands.pin(this.pointed); };
    canvas.onpointerleave = () => { if (!this.gliding) this.point(null); };
    canvas.onkeydown = (event) => this.walk(event);
  }

  /**
   * @param {TuneAxis} axis
   * @param {TuneAnswer} told
   * @param {TuneMeasure} measure
   */
  set(axis, told, measure) {
    const values = told.params[axis.name] ?? [], cells = [...values.keys()].sort((a, b) => values[a] - values[b]);
    this.scene = { axis, told, measure, cells };
    this.canvas.setAttribute("aria-label", `${measure.title} along ${axis.name}. Arrow keys go from value to value, Enter keeps one.`);
    this.draw();
  }

  draw() {
    for (const one of [this.canvas, this.overlay]) one.style.height = `${TALL}px`;
    const sheet = this.scene && prepare(this.canvas, MARGIN);
    if (!sheet || !this.scene) return;
    const { g, box, ink } = sheet, { axis, told, measure, cells } = this.scene, values = told.params[axis.name];
    const means = told.means[measure.name] ?? [], spreads = told.spreads[measure.name] ?? [];
    const known = cells.filter((cell) => means[cell] !== null && means[cell] !== undefined);
    const mean = (/** @type {number} */ cell) => Number(means[cell]), spread = (/** @type {number} */ cell) => Number(spreads[cell] ?? 0);
    const ends = robustEnds(known.flatMap((cell) => [mean(cell) - spread(cell), mean(cell) + spread(cell)]), measure.better);
    const log = axis.log && axis.values[0] > 0, x = scale(axis.values[0], axis.values[axis.values.length - 1], box.x, box.x + box.w, log);
    const y = scale(ends.low, ends.high > ends.low ? ends.high : ends.low + 1e-9, box.y + box.h, box.y);
    this.x = (cell) => x(values[cell]);
    drawAxes(g, box, ink, x, y, { xTitle: `${axis.label} →`, yTitle: `↑ ${measure.title}`, percent: measure.unit === "share" });
    const tied = new Set(told.ties[measure.name] ?? []), half = box.w / Math.max(2, 2 * (cells.length - 1));
    g.fillStyle = ink;
    g.globalAlpha = 0.07;
    for (const cell of cells) if (tied.has(cell)) {
      const [from, to] = [Math.max(box.x, this.x(cell) - half), Math.min(box.x + box.w, this.x(cell) + half)];
      g.fillRect(from, box.y, to - from, box.h);
    }
    g.fillStyle = g.strokeStyle = "#0f766e";
    g.globalAlpha = 0.2;
    g.beginPath();
    const clamp = (/** @type {number} */ at) => Math.min(box.y + box.h, Math.max(box.y, at));
    for (const cell of known) g.lineTo(this.x(cell), clamp(y(mean(cell) + spread(cell))));
    for (const cell of [...known].reverse()) g.lineTo(this.x(cell), clamp(y(mean(cell) - spread(cell))));
    g.fill();
    g.globalAlpha = 1;
    g.lineWidth = 2;
    trace(g, known.length, (row) => [this.x(known[row]), clamp(y(mean(known[row])))]);
    for (const cell of known) { g.beginPath(); g.arc(this.x(cell), clamp(y(mean(cell))), tied.has(cell) ? 4.5 : 2.5, 0, 7); g.fill(); }
    if (axis.paper !== null && axis.paper >= axis.values[0] && axis.paper <= axis.values[axis.values.length - 1]) diamond(g, x(axis.paper), box.y + box.h, ink);
    this.mark();
  }

  /** @param {PointerEvent} event */
  move({ offsetX }) {
    const { scene } = this;
    if (!scene?.cells.length) return;
    const places = scene.cells.map((cell) => this.x(cell)), next = places.findIndex((place) => place >= offsetX);
    const [left, right] = next === -1 ? [places.length - 1, places.length - 1] : [Math.max(0, next - 1), next];
    const share = right > left ? Math.min(1, Math.max(0, (offsetX - places[left]) / (places[right] - places[left]))) : 0;
    this.point(scene.cells[share > 0.5 ? right : left]);
    /** @type {Part[]} */
    const parts = [{ cell: scene.cells[left], weight: 1 - share }, { cell: scene.cells[right], weight: share }];
    if (this.gliding) this.hands.glide(parts.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight));
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    const step = new Map([["ArrowRight", 1], ["ArrowLeft", -1]]).get(event.key), cells = this.scene?.cells ?? [];
    if (step) {
      event.preventDefault();
      const at = this.pointed === null ? -1 : cells.indexOf(this.pointed);
      this.point(cells[Math.min(cells.length - 1, Math.max(0, at + step))] ?? null);
    } else if (event.key === "Enter" && this.pointed !== null) this.hands.pin(this.pointed);
  }

  mark() {
    const { canvas, overlay, pointed, scene } = this, g = begin(overlay, canvas.clientWidth, canvas.clientHeight);
    if (pointed === null || !scene) return;
    const x = this.x(pointed);
    Object.assign(g, { strokeStyle: "#e69f00", fillStyle: getComputedStyle(canvas).color, lineWidth: 2, textAlign: "center" });
    g.font = `12px ${getComputedStyle(canvas).fontFamily}`;
    line(g, x, MARGIN.top, x, canvas.clientHeight - MARGIN.bottom);
    g.fillText(valueText(scene.told.params[scene.axis.name][pointed], scene.axis), Math.min(canvas.clientWidth - 30, Math.max(30, x)), 11);
  }
}
