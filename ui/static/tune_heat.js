// How a map is painted: its cells and their signs, what is tied with the best, the values beside it, the paper's value.

import { line } from "./axes.js";
import { outline, placeOn } from "./tune_grid.js";
import { goodness, robustEnds, shade, valueText } from "./tune_values.js";

/** @import { Pen } from "./canvas.js" */
/** @import { Box } from "./axes.js" */
/** @import { CellGrid } from "./tune_grid.js" */
/** @import { TuneAnswer, TuneAxis, TuneMeasure } from "./tune_types.js" */
/**
 * All that a map shows.
 * @typedef {object} Scene
 * @property {TuneAxis[]} axes
 * @property {TuneAnswer} told
 * @property {TuneMeasure} measure
 * @property {CellGrid} grid
 * @property {Box[]} boxes one for each value of the third parameter
 * @property {Uint8Array | null} chosen 1 for each cell that the brushes leave over
 * @property {string} ink
 * @property {boolean} dark
 */

export const LEFT = 62, PATH = 1, AUDITED = 2, PROVISIONAL = 4;

/**
 * One plane of the map.
 * @param {Pen} g
 * @param {Scene} scene
 * @param {number} plane
 */
export function paintPlane(g, scene, plane) {
  cells(g, scene, plane);
  ties(g, scene, plane);
  names(g, scene, plane);
  paper(g, scene, plane);
}

/**
 * Where a cell is painted.
 * @param {CellGrid} grid
 * @param {Box} box
 * @param {number} column
 * @param {number} row from below
 * @returns {[number, number, number, number]}
 */
export function rectangle(grid, box, column, row) {
  const [columns, rows = 1] = grid.sizes, w = box.w / columns, h = box.h / rows;
  return [box.x + column * w + 0.5, box.y + box.h - (row + 1) * h + 0.5, w - 1, h - 1];
}

/**
 * @param {Pen} g
 * @param {Scene} scene
 * @param {number} plane
 */
function cells(g, { told, measure, grid, boxes, chosen, ink, dark }, plane) {
  const values = told.means[measure.name] ?? [], ends = robustEnds(values, measure.better);
  grid.places.forEach(([column, row = 0, on = 0], cell) => {
    if (on !== plane) return;
    const [x, y, w, h] = rectangle(grid, boxes[plane], column, row), value = values[cell] ?? null;
    g.globalAlpha = chosen && !chosen[cell] ? 0.15 : 1;
    if (value !== null) {
      g.fillStyle = shade(goodness(value, ends, measure.better), dark ? "dark" : "light");
      g.fillRect(x, y, w, h);
    } else {
      g.fillStyle = g.strokeStyle = ink;
      g.globalAlpha *= 0.07;
      g.fillRect(x, y, w, h);
      if (told.problems[cell]) cross(g, x + w / 2, y + h / 2, Math.min(w, h, 16) / 3);
    }
    flags(g, x, y, w, told.marks[cell] ?? 0);
  });
  g.globalAlpha = 1;
}

/**
 * @param {Pen} g
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function cross(g, x, y, r) {
  g.globalAlpha = 0.7;
  g.lineWidth = 1.3;
  line(g, x - r, y - r, x + r, y + r);
  line(g, x - r, y + r, x + r, y - r);
}

/**
 * Small signs in the corners of a cell: a triangle where the answer depends on the way, a dash where that was checked, a
 * dot while it is provisional.
 * @param {Pen} g
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} bits
 */
function flags(g, x, y, w, bits) {
  const size = Math.min(9, w / 2);
  g.globalAlpha = 1;
  g.beginPath();
  if (bits & PATH) {
    for (const [dx, dy] of [[0, 0], [0, size], [-size, 0]]) g.lineTo(x + w + dx, y + dy);
    g.closePath();
    g.fillStyle = "#d55e00";
    g.fill();
  }
  if (bits & AUDITED && !(bits & PATH)) {
    g.globalAlpha = 0.75;
    g.lineWidth = 1.2;
    for (const [by, dark] of /** @type {[number, string][]} */ ([[1, "#ffffff"], [0, "#101113"]])) {
      g.strokeStyle = dark;
      line(g, x + w - size - 2, y + 4 + by, x + w - 3, y + 4 + by);
    }
    g.globalAlpha = 1;
  }
  if (bits & PROVISIONAL) {
    g.beginPath();
    g.arc(x + size * 0.6, y + size * 0.6, size / 4, 0, 7);
    Object.assign(g, { fillStyle: "#ffffff", strokeStyle: "#101113", lineWidth: 1 });
    g.fill();
    g.stroke();
  }
}

/**
 * @param {Pen} g
 * @param {Scene} scene
 * @param {number} plane
 */
function ties(g, { axes, told, measure, grid, boxes, ink }, plane) {
  const [columns, rows = 1] = grid.sizes, best = told.best[measure.name] ?? null, box = boxes[plane];
  const tied = new Set([...(told.ties[measure.name] ?? []), ...(best === null ? [] : [best])]), rest = axes.length > 2 ? [plane] : [];
  const is = (/** @type {number} */ column, /** @type {number} */ row) => tied.has(grid.at(axes.length > 1 ? [column, row, ...rest] : [column]));
  const x = (/** @type {number} */ column) => box.x + (column * box.w) / columns;
  const y = (/** @type {number} */ row) => box.y + box.h - (row * box.h) / rows;
  g.strokeStyle = ink;
  g.lineWidth = 2;
  for (const [c1, r1, c2, r2] of outline(is, columns, rows)) line(g, x(c1), y(r1), x(c2), y(r2));
  const place = best === null ? null : grid.places[best];
  if (place && (place[2] ?? 0) === plane) star(g, rectangle(grid, box, place[0], place[1] ?? 0));
}

/**
 * The values beside the cells, as many as there is room for.
 * @param {Pen} g
 * @param {Scene} scene
 * @param {number} plane
 */
function names(g, { axes: [across, up, third], grid, boxes, ink }, plane) {
  const [columns, rows = 1] = grid.sizes, box = boxes[plane], leftmost = box.x === LEFT;
  Object.assign(g, { fillStyle: ink, globalAlpha: 0.8, textAlign: "center", textBaseline: "top" });
  const every = Math.ceil((38 * columns) / box.w), each = Math.ceil((14 * rows) / box.h);
  across.values.forEach((value, at) => {
    if (at % every === 0) g.fillText(valueText(value, across), box.x + ((at + 0.5) * box.w) / columns, box.y + box.h + 5);
  });
  Object.assign(g, { textAlign: "right", textBaseline: "middle" });
  if (up && leftmost) up.values.forEach((value, at) => {
    if (at % each === 0) g.fillText(valueText(value, up), LEFT - 7, box.y + box.h - ((at + 0.5) * box.h) / rows);
  });
  Object.assign(g, { globalAlpha: 1, textBaseline: "top" });
  if (plane === boxes.length - 1 || !third) g.fillText(`${across.label} →`, box.x + box.w, box.y + box.h + 23);
  Object.assign(g, { textAlign: "left", textBaseline: "bottom" });
  if (up && leftmost && !third) g.fillText(`↑ ${up.label}`, 4, box.y - 6);
  if (third) g.fillText(`${third.symbol || third.name} = ${valueText(third.values[plane], third)}`, box.x, box.y - 6);
}

/**
 * A diamond where the values of the paper are, between cells if need be.
 * @param {Pen} g
 * @param {Scene} scene
 * @param {number} plane
 */
function paper(g, { axes, grid, boxes, ink }, plane) {
  const at = axes.map((axis) => (axis.paper === null ? null : placeOn(axis, axis.paper))), [columns, rows = 1] = grid.sizes, box = boxes[plane];
  if (at[0] === null || at[1] === null || (at[2] !== undefined && Math.round(at[2] ?? 0) !== plane)) return;
  const x = box.x + ((at[0] + 0.5) * box.w) / columns, y = box.y + box.h - (((at[1] ?? 0) + 0.5) * box.h) / rows;
  if (x < box.x || x > box.x + box.w || y < box.y || y > box.y + box.h) return;
  diamond(g, x, y, ink);
}

/**
 * @param {Pen} g
 * @param {[number, number, number, number]} rectangle
 */
function star(g, [x, y, w, h]) {
  const r = Math.min(w, h) / 3.4;
  g.beginPath();
  for (let point = 0; point < 10; point++) {
    const far = point % 2 ? r * 0.45 : r, angle = (Math.PI * point) / 5 - Math.PI / 2;
    g.lineTo(x + w / 2 + far * Math.cos(angle), y + h / 2 + far * Math.sin(angle));
  }
  g.closePath();
  Object.assign(g, { fillStyle: "#ffffff", strokeStyle: "#101113", lineWidth: 1.2 });
  g.fill();
  g.stroke();
}

/**
 * @param {Pen} g
 * @param {number} x
 * @param {number} y
 * @param {string} ink
 */
export function diamond(g, x, y, ink) {
  g.beginPath();
  for (const [dx, dy] of [[0, -7], [7, 0], [0, 7], [-7, 0]]) g.lineTo(x + dx, y + dy);
  g.closePath();
  Object.assign(g, { fillStyle: "#e69f00", strokeStyle: ink, lineWidth: 1.3 });
  g.fill();
  g.stroke();
}
