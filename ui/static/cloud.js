// The samples as points: near each other if the method makes the same of them, coloured by class.
//
// Classes share colours when there are many, so shapes differ too; the labelled ones have a ring. A click,
// or the arrow keys, chooses the sample that is shown rebuilt.

import { prepare } from "./axes.js";
import { drawnBy } from "./canvas.js";
import { nearestSpot, wayOf } from "./spots.js";
import { another } from "./wishes.js";

/** @import { Pen } from "./canvas.js" */
/** @import { Cast } from "./server.js" */

/** @typedef {"round" | "square" | "triangle" | "diamond"} Shape */
/** @type {Shape[]} */
const SHAPES = ["round", "square", "triangle", "diamond"];
const NEAR = 14, RIM = 10, FARTHEST = 65535;

export class Cloud {
  /** pairs of numbers from 0 to `FARTHEST` */
  points = new Uint16Array();
  /** where they are on the screen */
  spots = new Float64Array();
  /** @type {Cast | null} */
  cast = null;
  chosen = 0; // a place among the training samples
  /** @type {string[]} */
  palette = [];

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} tip
   * @param {{ onPick: (place: number) => void }} told
   */
  constructor(canvas, tip, { onPick }) {
    this.canvas = canvas;
    this.tip = tip;
    this.onPick = onPick;
    drawnBy(canvas, () => this.draw());
    canvas.onpointermove = (event) => this.look(this.nearest(event));
    canvas.onpointerleave = () => this.look(null);
    canvas.onclick = (event) => this.pick(this.nearest(event));
    canvas.onkeydown = (event) => this.walk(event);
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    const way = wayOf(event.key);
    if (!way || !this.cast) return;
    event.preventDefault();
    const next = this.cast.places.indexOf(this.chosen) + way[0] + way[1];
    this.pick(Math.min(Math.max(next, 0), this.cast.places.length - 1));
    this.look(this.cast.places.indexOf(this.chosen));
  }

  /**
   * @param {Uint16Array<ArrayBuffer>} points
   * @param {string[]} palette
   */
  set(points, palette) {
    Object.assign(this, { points, palette });
    this.draw();
  }

  chosenInWords() {
    const index = this.cast?.places.indexOf(this.chosen) ?? -1;
    return index < 0 || !this.cast ? "" : whoIs(this.cast, index);
  }

  draw() {
    const sheet = prepare(this.canvas);
    if (!sheet || !this.cast) return;
    const { g, ink } = sheet, { cast, canvas } = this, count = Math.min(this.points.length / 2, cast.places.length);
    this.spots = spotsOf(this.points, count, canvas.clientWidth, canvas.clientHeight);
    for (const labelled of [0, 1])
      for (let i = 0; i < count; i++) if (cast.labelled[i] === labelled) this.drawOne(g, ink, i, count > 500 ? 2.6 : 3.6);
    g.globalAlpha = 1;
    const index = cast.places.indexOf(this.chosen);
    if (index < 0 || index >= count) return;
    g.strokeStyle = ink;
    g.lineWidth = 2;
    g.beginPath();
    g.arc(this.spots[2 * index], this.spots[2 * index + 1], 9, 0, 2 * Math.PI);
    g.stroke();
  }

  /**
   * @param {Pen} g
   * @param {string} ink
   * @param {number} index
   * @param {number} size
   */
  drawOne(g, ink, index, size) {
    const code = this.cast?.codes[index] ?? -1, labelled = this.cast?.labelled[index], { palette } = this;
    g.globalAlpha = labelled ? 1 : 0.55;
    g.fillStyle = code < 0 ? ink : palette[code % palette.length];
    const shape = SHAPES[code < 0 ? 0 : Math.floor(code / palette.length) % SHAPES.length];
    spot(g, this.spots[2 * index], this.spots[2 * index + 1], labelled ? size * 1.35 : size, shape);
    if (labelled) { g.strokeStyle = ink; g.lineWidth = 1; g.stroke(); }
  }

  /** @param {MouseEvent} event */
  nearest(event) {
    const { spots } = this;
    return nearestSpot(spots.length / 2, (i) => [spots[2 * i], spots[2 * i + 1]], [event.offsetX, event.offsetY], NEAR);
  }

  /** @param {number | null} index */
  look(index) {
    this.tip.hidden = index === null || !this.cast;
    this.canvas.style.cursor = index === null ? "" : "pointer";
    if (index === null || !this.cast) return;
    this.tip.textContent = whoIs(this.cast, index);
    const room = this.canvas.clientWidth - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(this.spots[2 * index] - 20, room))}px`;
    this.tip.style.top = `${this.spots[2 * index + 1] + 12}px`;
  }

  /** Another sample than the one chosen. */
  deal() {
    if (this.cast) this.pick(another(this.cast.places.indexOf(this.chosen), this.cast.places.length));
  }

  /** @param {number | null} index */
  pick(index) {
    if (index === null || !this.cast) return;
    this.chosen = this.cast.places[index];
    this.draw();
    this.onPick(this.chosen);
  }
}

/**
 * Where the points lie on a screen of this size, upwards and with a rim.
 * @param {Uint16Array} points
 * @param {number} count
 * @param {number} width
 * @param {number} height
 */
export function spotsOf(points, count, width, height) {
  const spots = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    spots[2 * i] = RIM + (points[2 * i] / FARTHEST) * (width - 2 * RIM);
    spots[2 * i + 1] = RIM + (1 - points[2 * i + 1] / FARTHEST) * (height - 2 * RIM);
  }
  return spots;
}

/**
 * A sample in words: its name, its class, and whether the method was told it.
 * @param {Cast} cast
 * @param {number} index
 */
export function whoIs(cast, index) {
  const code = cast.codes[index], words = [cast.names[index] || `sample ${cast.places[index] + 1}`];
  if (cast.classes.length) words.push(code < 0 ? "class unknown" : className(cast, code));
  words.push(cast.labelled[index] ? "labelled" : "unlabelled");
  return words.join(" · ");
}

/**
 * A bare number says what it is a number of: digit 1.
 * @param {Cast} cast
 * @param {number} code
 */
function className(cast, code) {
  const name = cast.classes[code] ?? "a new class";
  return /^\d+$/.test(name) ? `${cast.unit ?? "class"} ${name}` : name;
}

/**
 * @param {Pen} g
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {Shape} shape
 */
function spot(g, x, y, size, shape) {
  g.beginPath();
  if (shape === "round") g.arc(x, y, size, 0, 2 * Math.PI);
  else if (shape === "square") g.rect(x - size * 0.85, y - size * 0.85, size * 1.7, size * 1.7);
  else if (shape === "triangle") { g.moveTo(x, y - size * 1.2); g.lineTo(x + size * 1.1, y + size * 0.8); g.lineTo(x - size * 1.1, y + size * 0.8); g.closePath(); }
  else { g.moveTo(x, y - size * 1.25); g.lineTo(x + size * 1.1, y); g.lineTo(x, y + size * 1.25); g.lineTo(x - size * 1.1, y); g.closePath(); }
  g.fill();
}
