// What charts on a canvas have in common: a sharp canvas, scales, ticks, axes with titles, cut axes marked.

import { begin } from "./canvas.js";
import { short } from "./numbers.js";

export const MARGIN = { left: 56, right: 12, top: 12, bottom: 36 };

// Makes the canvas as fine as the screen and returns what is needed to draw, null while it has no size.
export function prepare(canvas) {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (!width || !height) return null;
  const g = begin(canvas, width, height), style = getComputedStyle(canvas);
  g.font = `12px ${style.fontFamily}`;
  const box = { x: MARGIN.left, y: MARGIN.top, w: width - MARGIN.left - MARGIN.right, h: height - MARGIN.top - MARGIN.bottom };
  return { g, box, ink: style.color, dark: isLight(style.color) };
}

// A function from values to places; `log` for a logarithmic one.
export function scale(low, high, from, to, log = false) {
  const span = high - low || 1, decades = Math.log(high / low) || 1;
  const place = (value) =>
    from + (to - from) * (log ? Math.log(Math.max(value, low) / low) / decades : (value - low) / span);
  place.back = (at) => {
    const share = (at - from) / (to - from);
    return log ? low * Math.exp(share * decades) : low + share * span;
  };
  return Object.assign(place, { low, high, log });
}

export function drawAxes(g, box, ink, x, y, { xTitle, yTitle, whole = false, percent = false, cut = "" }) {
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
    if (!whole || Number.isInteger(value)) g.fillText(short(value), x(value), box.y + box.h + 5);
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

// The sign that an axis leaves something out.
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

export function line(g, x1, y1, x2, y2) {
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}

// Draws a curve through values at rows; what is not a number leaves a gap.
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

function isLight(colour) {
  const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
  return (r + g + b) / 3 > 128;
}

function ticks(low, high, log, count) {
  const found = [];
  if (!(high > low)) return [low];
  if (log) {
    const decades = Math.log10(high / low), steps = decades > 2.5 ? [1] : decades > 1 ? [1, 3] : [1, 2, 3, 5, 7];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
      for (const step of steps) {
        const value = step * 10 ** power;
        if (value >= low && value <= high) found.push(value);
      }
    if (found.length > 1) return found;
    found.length = 0;
  }
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-6; value += step)
    found.push(Math.abs(value) < step * 1e-6 ? 0 : value);
  return found;
}
