// Accuracy against the amount of a corruption, a line a method with its spread over splits and draws, the present
// amount marked.

import { begin } from "./canvas.js";

const MARGIN = { left: 46, right: 14, top: 12, bottom: 40 };
// Beside its colour each line has its own dashes, so that nobody needs to tell colours apart.
const SVG = "http://www.w3.org/2000/svg", KEY_LENGTH = 50;
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [12, 5]];

const UNITS = {
  patch: { axis: "side of the patch in pixels", steps: [1, 2, 4, 8, 16, 32], table: "patch", show: (amount) => `${amount}×${amount}` },
  noise: { axis: "noise in percent", steps: [5, 10, 20], table: "noise", show: (amount) => `${amount} %` },
};

export class Accuracy {
  constructor(canvas, legend, table) {
    Object.assign(this, { canvas, legend, table, lines: [], size: 0, pointer: null, largest: 1, unit: UNITS.patch });
    canvas.onpointermove = (event) => { this.pointer = event.offsetX; this.draw(); };
    canvas.onpointerleave = () => { this.pointer = null; this.draw(); };
  }

  // lines: [{title, colour, largest: amount, points: [[amount, mean, spread, how often], …]}, …]
  set(lines, noise) {
    this.lines = lines;
    this.unit = noise ? UNITS.noise : UNITS.patch;
    this.largest = Math.max(1, ...lines.map(({ largest }) => largest || 0));
    this.draw();
    this.tell();
  }

  mark(size) {
    this.size = size;
    this.draw();
  }

  draw() {
    const { canvas } = this, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    const g = begin(canvas, width, height), style = getComputedStyle(canvas);
    g.font = `12px ${style.fontFamily}`;
    this.ink = style.color;
    this.box = { x: MARGIN.left, y: MARGIN.top, w: width - MARGIN.left - MARGIN.right, h: height - MARGIN.top - MARGIN.bottom };
    if (!this.lines.some(({ points }) => points.length)) return this.wait(g, width, height);
    this.axes(g);
    this.lines.forEach((line) => this.band(g, line));
    this.lines.forEach((line, index) => this.curve(g, line, DASHES[index % DASHES.length]));
    this.cursor(g);
    this.explain();
  }

  // Axes without a line look like a fault.
  wait(g, width, height) {
    Object.assign(g, { fillStyle: this.ink, globalAlpha: 0.7, textAlign: "center", textBaseline: "middle" });
    g.fillText("The first results are being worked out …", width / 2, height / 2);
    g.globalAlpha = 1;
    this.explain();
  }

  x(size) { return this.box.x + (this.box.w * size) / this.largest; }
  y(share) { return this.box.y + this.box.h * (1 - share); }

  axes(g) {
    const { box } = this;
    Object.assign(g, { strokeStyle: this.ink, fillStyle: this.ink, lineWidth: 1, textBaseline: "middle", textAlign: "right" });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      g.globalAlpha = 0.12;
      g.beginPath(); g.moveTo(box.x, this.y(share)); g.lineTo(box.x + box.w, this.y(share)); g.stroke();
      g.globalAlpha = 0.75;
      g.fillText(`${100 * share} %`, box.x - 6, this.y(share));
    }
    g.textBaseline = "top";
    g.textAlign = "center";
    const step = this.unit.steps.find((wide) => (box.w * wide) / this.largest > 30) || 64;
    for (let size = 0; size <= this.largest; size += step) g.fillText(String(size), this.x(size), box.y + box.h + 6);
    g.textAlign = "left";
    g.fillText(this.unit.axis, box.x, box.y + box.h + 23);
    g.globalAlpha = 1;
  }

  band(g, { points, colour }) {
    g.fillStyle = colour;
    g.globalAlpha = 0.13;
    g.beginPath();
    for (const [size, mean, spread] of points) g.lineTo(this.x(size), this.y(Math.min(1, mean + spread)));
    for (const [size, mean, spread] of [...points].reverse()) g.lineTo(this.x(size), this.y(Math.max(0, mean - spread)));
    g.fill();
    g.globalAlpha = 1;
  }

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

  cursor(g) {
    const at = this.x(Math.min(this.size, this.largest));
    g.strokeStyle = g.fillStyle = this.ink;
    g.lineWidth = 1.5;
    g.globalAlpha = 0.7;
    g.beginPath(); g.moveTo(at, this.box.y - 4); g.lineTo(at, this.box.y + this.box.h); g.stroke();
    g.globalAlpha = 1;
  }

  // The size that is read off: under the pointer, or else the present one.
  looked() {
    if (this.pointer === null) return this.size;
    return ((this.pointer - this.box.x) / this.box.w) * this.largest;
  }

  explain() {
    const wanted = this.looked();
    const entries = this.lines.map(({ title, colour, points }, index) => {
      const entry = document.createElement("span");
      entry.append(key(colour, DASHES[index % DASHES.length]), title);
      const nearest = points.reduce((best, point) =>
        !best || Math.abs(point[0] - wanted) < Math.abs(best[0] - wanted) ? point : best, null);
      if (nearest) {
        const number = document.createElement("b");
        number.textContent = percent(nearest[1]);
        entry.append(" ", number, `${spread(nearest[2])} at ${nearest[0]}`);
      }
      return entry;
    });
    this.legend.replaceChildren(...entries);
  }

  tell() {
    const sizes = [...new Set(this.lines.flatMap((line) => line.points.map(([size]) => size)))].sort((a, b) => a - b);
    const row = (tag, cells) => {
      const line = document.createElement("tr");
      for (const text of cells) { const cell = document.createElement(tag); cell.textContent = text; line.append(cell); }
      return line;
    };
    const rows = sizes.map((size) => row("td", [this.unit.show(size), ...this.lines.map(({ points }) => {
      const found = points.find((point) => point[0] === size);
      return found ? `${percent(found[1])} ± ${(100 * found[2]).toFixed(1)}` : "…";
    })]));
    this.table.replaceChildren(row("th", [this.unit.table, ...this.lines.map(({ title }) => title)]), ...rows);
    const ends = this.lines.filter(({ points }) => points.length).map(({ title, points }) =>
      `${title} from ${percent(points[0][1])} to ${percent(points.at(-1)[1])}`);
    this.canvas.setAttribute("aria-label", `Share recognised, from nothing spoiled to the most. ${ends.join("; ")}`);
  }
}

// Nothing where there is no spread: after a single trial, or where every trial is alike.
function spread(share) {
  return share < 0.0005 ? "" : ` ± ${(100 * share).toFixed(share < 0.0095 ? 1 : 0)}`;
}

// A piece of line long enough to show its dashes.
function key(colour, dashes) {
  const picture = document.createElementNS(SVG, "svg"), line = document.createElementNS(SVG, "line");
  for (const [name, value] of Object.entries({ x2: KEY_LENGTH, y1: 5, y2: 5, stroke: colour, "stroke-width": 2.5, "stroke-dasharray": dashes.join(" ") || "none" }))
    line.setAttribute(name, value);
  picture.setAttribute("aria-hidden", "true");
  picture.append(line);
  return picture;
}

function percent(share) { return `${(100 * share).toFixed(0)} %`; }
