// Accuracy against the amount of a corruption, a line a method with its spread over splits and draws, the present
// amount marked.

import { line, prepare } from "./axes.js";
import { drawnBy } from "./canvas.js";
import { element } from "./dom.js";

/** @import { Box } from "./axes.js" */
/** @import { Pen } from "./canvas.js" */
/** @typedef {[amount: number, mean: number, spread: number, times: number]} Point */
/** @typedef {{ title: string, colour: string, largest?: number, points: Point[] }} AccuracyLine nothing is largest while nothing is known */
/**
 * What is added more and more of.
 * @typedef {object} Unit
 * @property {number[]} steps between the amounts that the axis may name
 * @property {string} table
 * @property {(amount: number) => string} show
 */

const MARGIN = { left: 46, right: 14, top: 12, bottom: 40 };
// Beside its colour each line has its own dashes, so that nobody needs to tell colours apart.
const SVG = "http://www.w3.org/2000/svg", KEY_LENGTH = 50;
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [12, 5]];

/** @type {{ patch: Unit, noise: Unit }} */
const UNITS = {
  patch: { steps: [1, 2, 4, 8, 16, 32], table: "patch", show: (amount) => `${amount}×${amount}` },
  noise: { steps: [5, 10, 20], table: "noise", show: (amount) => `${amount} %` },
};

export class Accuracy {
  /** @type {AccuracyLine[]} */
  lines = [];
  size = 0;
  /** @type {number | null} */
  pointer = null;
  largest = 1;
  unit = UNITS.patch;
  axis = "";
  /** @type {Box} */
  box = { x: 0, y: 0, w: 1, h: 1 };
  ink = "";

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} legend
   * @param {HTMLElement} table
   */
  constructor(canvas, legend, table) {
    this.canvas = canvas;
    this.legend = legend;
    this.table = table;
    drawnBy(canvas, () => this.draw());
    canvas.onpointermove = (event) => { this.pointer = event.offsetX; this.draw(); };
    canvas.onpointerleave = () => { this.pointer = null; this.draw(); };
  }

  /**
   * @param {AccuracyLine[]} lines
   * @param {{ noise: boolean, axis: string }} of what the amounts are of
   */
  set(lines, { noise, axis }) {
    this.lines = lines;
    this.axis = axis;
    this.unit = noise ? UNITS.noise : UNITS.patch;
    this.largest = Math.max(1, ...lines.map(({ largest }) => largest || 0));
    this.draw();
    this.tell();
  }

  /** @param {number} size */
  mark(size) {
    this.size = size;
    this.draw();
  }

  draw() {
    const sheet = prepare(this.canvas, MARGIN);
    if (!sheet) return;
    const { g, box, ink } = sheet;
    Object.assign(this, { box, ink });
    if (!this.lines.some(({ points }) => points.length)) this.wait(g);
    else {
      this.axes(g);
      this.lines.forEach((one) => this.band(g, one));
      this.lines.forEach((one, index) => this.curve(g, one, DASHES[index % DASHES.length]));
      this.cursor(g);
    }
    this.explain();
  }

  /**
   * Axes without a line look like a fault.
   * @param {Pen} g
   */
  wait(g) {
    Object.assign(g, { fillStyle: this.ink, globalAlpha: 0.7, textAlign: "center", textBaseline: "middle" });
    g.fillText("The first results are being worked out …", this.canvas.clientWidth / 2, this.canvas.clientHeight / 2);
    g.globalAlpha = 1;
  }

  /** @param {number} size */
  x(size) { return this.box.x + (this.box.w * size) / this.largest; }

  /** @param {number} share */
  y(share) { return this.box.y + this.box.h * (1 - share); }

  /** @param {Pen} g */
  axes(g) {
    const { box } = this;
    Object.assign(g, { strokeStyle: this.ink, fillStyle: this.ink, lineWidth: 1, textBaseline: "middle", textAlign: "right" });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      g.globalAlpha = 0.12;
      line(g, box.x, this.y(share), box.x + box.w, this.y(share));
      g.globalAlpha = 0.75;
      g.fillText(`${100 * share} %`, box.x - 6, this.y(share));
    }
    g.textBaseline = "top";
    g.textAlign = "center";
    const step = this.unit.steps.find((wide) => (box.w * wide) / this.largest > 30) || 64;
    for (let size = 0; size <= this.largest; size += step) g.fillText(String(size), this.x(size), box.y + box.h + 6);
    g.textAlign = "left";
    g.fillText(this.axis, box.x, box.y + box.h + 23);
    g.globalAlpha = 1;
  }

  /**
   * @param {Pen} g
   * @param {AccuracyLine} one
   */
  band(g, { points, colour }) {
    g.fillStyle = colour;
    g.globalAlpha = 0.13;
    g.beginPath();
    for (const [size, mean, spread] of points) g.lineTo(this.x(size), this.y(Math.min(1, mean + spread)));
    for (const [size, mean, spread] of [...points].reverse()) g.lineTo(this.x(size), this.y(Math.max(0, mean - spread)));
    g.fill();
    g.globalAlpha = 1;
  }

  /**
   * @param {Pen} g
   * @param {AccuracyLine} one
   * @param {number[]} dashes
   */
  curve(g, { points, colour }, dashes) {
    g.strokeStyle = g.fillStyle = colour;
    g.lineWidth = 2;
    g.lineJoin = "round";
    g.setLineDash(dashes);
    g.beginPath();
    for (const [size, mean] of points) g.lineTo(this.x(size), this.y(mean));
    g.stroke();
    g.setLineDash([]);
    for (const [size, mean] of points) { g.beginPath(); g.arc(this.x(size), this.y(mean), 2.6, 0, 7); g.fill(); }
  }

  /** @param {Pen} g */
  cursor(g) {
    const at = this.x(Math.min(this.size, this.largest));
    g.strokeStyle = g.fillStyle = this.ink;
    g.lineWidth = 1.5;
    g.globalAlpha = 0.7;
    line(g, at, this.box.y - 4, at, this.box.y + this.box.h);
    g.globalAlpha = 1;
  }

  /** The amount that is read off: under the pointer, or else the present one. */
  looked() {
    if (this.pointer === null) return this.size;
    return ((this.pointer - this.box.x) / this.box.w) * this.largest;
  }

  explain() {
    const wanted = this.looked();
    this.legend.replaceChildren(...this.lines.map(({ title, colour, points }, index) => {
      const entry = element("span"), nearest = nearestPoint(points, wanted);
      entry.append(key(colour, DASHES[index % DASHES.length]), title);
      if (nearest) entry.append(" ", element("b", "", percent(nearest[1])), `${spread(nearest[2])} at ${nearest[0]}`);
      return entry;
    }));
  }

  tell() {
    const sizes = [...new Set(this.lines.flatMap((one) => one.points.map(([size]) => size)))].sort((a, b) => a - b);
    const rows = sizes.map((size) => row("td", [this.unit.show(size), ...this.lines.map(({ points }) => {
      const point = points.find(([at]) => at === size);
      return point ? `${percent(point[1])} ± ${(100 * point[2]).toFixed(1)}` : "…";
    })]));
    this.table.replaceChildren(row("th", [this.unit.table, ...this.lines.map(({ title }) => title)]), ...rows);
    const ends = this.lines.filter(({ points }) => points.length).map(({ title, points }) =>
      `${title} from ${percent(points[0][1])} to ${percent(points[points.length - 1][1])}`);
    this.canvas.setAttribute("aria-label", `Share recognised, from nothing spoiled to the most. ${ends.join("; ")}`);
  }
}

/**
 * @param {Point[]} points
 * @param {number} wanted
 * @returns {Point | undefined}
 */
function nearestPoint(points, wanted) {
  return points.reduce((best, point) => (Math.abs(point[0] - wanted) < Math.abs(best[0] - wanted) ? point : best), points[0]);
}

/**
 * @param {"td" | "th"} tag
 * @param {string[]} cells
 */
function row(tag, cells) {
  const made = element("tr");
  made.append(...cells.map((text) => element(tag, "", text)));
  return made;
}

/**
 * Nothing where there is no spread: after a single trial, or where every trial is alike.
 * @param {number} share
 */
export function spread(share) {
  return share < 0.0005 ? "" : ` ± ${(100 * share).toFixed(share < 0.0095 ? 1 : 0)}`;
}

/**
 * A piece of line long enough to show its dashes.
 * @param {string} colour
 * @param {number[]} dashes
 */
function key(colour, dashes) {
  const picture = document.createElementNS(SVG, "svg"), piece = document.createElementNS(SVG, "line");
  const facts = { x2: KEY_LENGTH, y1: 5, y2: 5, stroke: colour, "stroke-width": 2.5, "stroke-dasharray": dashes.join(" ") || "none" };
  for (const [name, value] of Object.entries(facts)) piece.setAttribute(name, String(value));
  picture.setAttribute("aria-hidden", "true");
  picture.append(piece);
  return picture;
}

/** @param {number} share */
function percent(share) { return `${(100 * share).toFixed(0)} %`; }
