// Trials as points over two columns: freely drawn trials on a map, a slice along a parameter, two measures against
// each other with the front that nothing beats.

import { drawAxes, prepare, trace } from "./axes.js";
import { begin, drawnBy } from "./canvas.js";
import { element } from "./dom.js";
import { PointedCanvas, layers } from "./pointed_canvas.js";
import { scale } from "./scales.js";
import { robustEnds, shade, written } from "./tune_values.js";

/** @import { Scale } from "./scales.js" */
/** @import { TrialColumn } from "./tune_types.js" */
/** @typedef {{ point: (trial: number | null) => void, pin: (trial: number) => void, glideAt?: (x: number, y: number) => void }} FreeHands */
/**
 * What the points are.
 * @typedef {object} Cloud
 * @property {TrialColumn} x
 * @property {TrialColumn} y
 * @property {Float64Array} good from 0 to 1, below 0 where there is no value
 * @property {Uint32Array} order the best last
 * @property {Uint8Array} chosen
 * @property {number[]} [front]
 * @property {number | null} [paper] the value of the paper along x
 */

const NEAR = 14, ROOM = 0.04;

/** @extends {PointedCanvas<FreeHands>} */
export class TuneScatter extends PointedCanvas {
  /** @type {Cloud | null} */
  cloud = null;
  /** @type {Float32Array} places on the screen, pair by pair */
  places = new Float32Array();

  /**
   * @param {HTMLElement} root
   * @param {FreeHands} hands
   */
  constructor(root, hands) {
    super(layers(root, "points"), hands);
    const { canvas } = this;
    drawnBy(canvas, () => this.draw());
    canvas.onpointermove = (event) => {
      if (event.buttons && hands.glideAt) hands.glideAt(event.offsetX, event.offsetY);
      else this.point(this.nearest(event.offsetX, event.offsetY));
    };
    canvas.onpointerleave = () => this.point(null);
    canvas.onclick = (event) => {
      const trial = this.nearest(event.offsetX, event.offsetY);
      if (trial !== null) hands.pin(trial);
    };
    canvas.onkeydown = (event) => this.walk(event);
  }

  /** @param {Cloud} cloud */
  set(cloud) {
    this.cloud = cloud;
    this.canvas.setAttribute("aria-label", `${cloud.y.title} against ${cloud.x.title}, ${cloud.chosen.length} trials. Arrow keys go from trial to trial.`);
    this.draw();
  }

  draw() {
    const sheet = this.cloud && prepare(this.canvas, { left: 58, right: 14, top: 14, bottom: 40 });
    if (!sheet || !this.cloud) return;
    const { g, box, ink, dark } = sheet, { x, y, good, order, chosen, front, paper } = this.cloud;
    const across = axisOf(x, box.x, box.x + box.w), up = axisOf(y, box.y + box.h, box.y);
    drawAxes(g, box, ink, across.scale, up.scale, { xTitle: `${x.title} →`, yTitle: `↑ ${y.title}`, percent: y.unit === "share", percentX: x.unit === "share", cut: up.cut });
    this.places = new Float32Array(2 * x.values.length).fill(NaN);
    const size = order.length > 800 ? 3 : 6;
    if (paper !== null && paper !== undefined) {
      Object.assign(g, { strokeStyle: "#e69f00", lineWidth: 2 });
      trace(g, 2, (row) => [across.scale(paper), box.y + row * box.h]);
    }
    for (const trial of order) {
      const px = across.place(x.values[trial]), py = up.place(y.values[trial]);
      if (Number.isNaN(px) || Number.isNaN(py)) continue;
      this.places.set([px, py], 2 * trial);
      g.fillStyle = good[trial] < 0 ? ink : shade(0.25 + 0.75 * good[trial], dark ? "dark" : "light");
      g.globalAlpha = chosen[trial] ? 0.85 : 0.08;
      g.fillRect(px - size / 2, py - size / 2, size, size);
    }
    g.globalAlpha = 1;
    if (front?.length) this.line(g, ink, front);
    this.mark();
  }

  /**
   * @param {CanvasRenderingContext2D} g
   * @param {string} ink
   * @param {number[]} front
   */
  line(g, ink, front) {
    Object.assign(g, { strokeStyle: ink, lineWidth: 1.5 });
    trace(g, front.length, (row) => [this.places[2 * front[row]], this.places[2 * front[row] + 1]]);
    for (const trial of front) {
      g.beginPath();
      g.arc(this.places[2 * trial], this.places[2 * trial + 1], 5, 0, 7);
      g.stroke();
    }
  }

  /**
   * The chosen trial nearest to a point, null if none is near.
   * @param {number} x
   * @param {number} y
   */
  nearest(x, y, reach = NEAR) {
    let best = null, least = reach ** 2;
    for (let trial = 0; trial < this.places.length / 2; trial++) {
      const away = (this.places[2 * trial] - x) ** 2 + (this.places[2 * trial + 1] - y) ** 2;
      if (away <= least && this.cloud?.chosen[trial]) { least = away; best = trial; }
    }
    return best;
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    const step = new Map([["ArrowRight", 1], ["ArrowUp", 1], ["ArrowLeft", -1], ["ArrowDown", -1]]).get(event.key);
    if (event.key === "Enter" && this.pointed !== null) this.hands.pin(this.pointed);
    if (!step || !this.cloud) return;
    event.preventDefault();
    const { front, chosen, x } = this.cloud;
    const row = front?.length ? front : [...chosen.keys()].filter((trial) => chosen[trial]).sort((a, b) => x.values[a] - x.values[b]);
    const at = this.pointed === null ? (step > 0 ? -1 : row.length) : row.indexOf(this.pointed);
    this.point(row[Math.min(row.length - 1, Math.max(0, at + step))] ?? null);
  }

  mark() {
    const { overlay, canvas, pointed, places } = this, g = begin(overlay, canvas.clientWidth, canvas.clientHeight);
    if (pointed === null || Number.isNaN(places[2 * pointed])) return;
    Object.assign(g, { strokeStyle: "#e69f00", lineWidth: 3 });
    g.beginPath();
    g.arc(places[2 * pointed], places[2 * pointed + 1], 7, 0, 7);
    g.stroke();
  }
}

/**
 * The scale of a column between two places, with a little room, and where each value lies.
 * @param {TrialColumn} column
 * @param {number} from
 * @param {number} to
 * @returns {{ scale: Scale, place: (value: number) => number, cut: string }}
 */
function axisOf(column, from, to) {
  const ends = robustEnds(column.values, column.better), log = column.log && ends.low > 0, span = ends.high - ends.low || Math.abs(ends.high) || 1;
  const low = log ? ends.low * (ends.low / (ends.high || 1)) ** ROOM : ends.low - ROOM * span, high = log ? ends.high * (ends.high / ends.low) ** ROOM : ends.high + ROOM * span;
  const along = scale(low, high > low ? high : low * 1.1 + 1e-9, from, to, log);
  const place = (/** @type {number} */ value) => (Number.isFinite(value) ? along(Math.min(high, Math.max(low, value))) : NaN);
  return { scale: along, place, cut: `${ends.cutHigh ? "top" : ""}${ends.cutLow ? "bottom" : ""}` };
}

/**
 * Bars of how much each parameter matters.
 * @param {HTMLElement} root
 * @param {[name: string, share: number][]} shares
 * @param {(name: string) => string} title
 */
export function importanceBars(root, shares, title) {
  root.replaceChildren(...[...shares].sort((a, b) => b[1] - a[1]).map(([name, share]) => {
    const row = element("div", "matters"), bar = element("i");
    bar.style.width = `${100 * share}%`;
    const track = element("span", "track");
    track.append(bar);
    row.append(element("span", "", title(name)), track, element("span", "share", written(share, "share")));
    return row;
  }));
}
