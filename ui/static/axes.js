// What charts on a canvas have in common: a sharp canvas, axes with titles, cut axes marked.

import { begin } from "./canvas.js";
import { short } from "./numbers.js";
import { ticks } from "./scales.js";

/** @import { Pen } from "./canvas.js" */
/** @import { Scale } from "./scales.js" */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */

export const MARGIN = { left: 56, right: 12, top: 12, bottom: 36 };

/**
 * Makes the canvas as fine as the screen and returns what is needed to draw, null while it has no size.
 * @param {HTMLCanvasElement} canvas
 */
export function prepare(canvas, margin = MARGIN) {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (!width || !height) return null;
  const g = begin(canvas, width, height), style = getComputedStyle(canvas);
  g.font = `12px ${style.fontFamily}`;
  /** @type {Box} */
  const box = { x: margin.left, y: margin.top, w: width - margin.left - margin.right, h: height - margin.top - margin.bottom };
  return { g, box, ink: style.color, dark: isLight(style.color) };
}

/**
 * @typedef {object} AxisOptions
 * @property {string} xTitle
 * @property {string} yTitle
 * @property {boolean} [whole] name whole numbers only on the x axis
 * @property {boolean} [percent] name shares in percent on the y axis
 * @property {boolean} [percentX] the same on the x axis
 * @property {string} [cut] the ends at which the y axis leaves something out: "top", "bottom", both or none
 */

/**
 * @param {Pen} g
 * @param {Box} box
 * @param {string} ink
 * @param {Scale} x
 * @param {Scale} y
 * @param {AxisOptions} options
 */
export function drawAxes(g, box, ink, x, y, { xTitle, yTitle, whole = false, percent = false, percentX = false, cut = "" }) {
  g.strokeStyle = g.fillStyle = ink;
  g.lineWidth = 1;
  g.textBaseline = "middle";
  g.textAlign = "right";
  for (const value of ticks(y.low, y.high, y.log, 4)) {
    g.globalAlpha = 0.12;
    line(g, box.x, y(value), box.x + box.w, y(value));
    g.globalAlpha = 0.75;
    g.fillText(percent ? `${Math.round(100 * value)} %` : short(value), box.x - 7, y(value));
  }
  g.textBaseline = "top";
  g.textAlign = "center";
  for (const value of ticks(x.low, x.high, x.log, 5))
    if (!whole || Number.isInteger(value)) g.fillText(percentX ? `${Math.round(100 * value)} %` : short(value), x(value), box.y + box.h + 5);
  g.textAlign = "right";
  g.fillText(xTitle, box.x + box.w, box.y + box.h + 20);
  g.textAlign = "left";
  g.fillText(yTitle, box.x, box.y + box.h + 20);
  g.globalAlpha = 0.35;
  line(g, box.x, box.y + box.h, box.x + box.w, box.y + box.h);
  g.globalAlpha = 1;
  if (cut.includes("top")) zigzag(g, box.x, box.y - 6, ink);
  if (cut.includes("bottom")) zigzag(g, box.x, box.y + box.h - 8, ink);
}

/**
 * The sign that an axis leaves something out.
 * @param {Pen} g
 * @param {number} x
 * @param {number} y
 * @param {string} ink
 */
function zigzag(g, x, y, ink) {
  g.strokeStyle = ink;
  g.globalAlpha = 0.8;
  g.lineWidth = 1.5;
  g.beginPath();
  g.moveTo(x - 6, y);
  for (const [dx, dy] of [[-2, 4], [2, 0], [6, 4]]) g.lineTo(x + dx, y + dy);
  g.moveTo(x - 6, y + 4);
  for (const [dx, dy] of [[-2, 8], [2, 4], [6, 8]]) g.lineTo(x + dx, y + dy);
  g.stroke();
  g.globalAlpha = 1;
}

/**
 * @param {Pen} g
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
export function line(g, x1, y1, x2, y2) {
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}

/**
 * Draws a curve through the places of rows; what is not a number leaves a gap.
 * @param {Pen} g
 * @param {number} rows
 * @param {(row: number) => [number, number]} at
 */
export function trace(g, rows, at) {
  g.beginPath();
  let drawing = false;
  for (let row = 0; row < rows; row++) {
    const [x, y] = at(row);
    if (!Number.isFinite(x) || !Number.isFinite(y)) drawing = false;
    else if (drawing) g.lineTo(x, y);
    else { g.moveTo(x, y); drawing = true; }
  }
  g.stroke();
}

/** @param {string} colour as `getComputedStyle` writes it */
function isLight(colour) {
  const [r, g, b] = (colour.match(/[\d.]+/g) ?? ["0", "0", "0"]).map(Number);
  return (r + g + b) / 3 > 128;
}
