// Where the cells of a grid lie: which is under the pointer, which surround a point, what is outlined.

/** @import { TuneAxis } from "./tune_types.js" */
/** @typedef {{ cell: number, weight: number }} Part a cell, and its share in what is seen between cells */

/**
 * The place of a value on an axis in cells: 0 is the middle of the first, 0.5 its border with the second.
 * @param {Pick<TuneAxis, "values" | "log">} axis
 * @param {number} value
 */
export function placeOn({ values, log }, value) {
  const to = (/** @type {number} */ one) => (log && one > 0 && values[0] > 0 ? Math.log(one) : one);
  const at = to(value);
  if (values.length < 2) return 0;
  let upper = values.findIndex((one) => to(one) >= at);
  if (upper === -1) upper = values.length - 1;
  upper = Math.max(1, upper);
  const [low, high] = [to(values[upper - 1]), to(values[upper])];
  return upper - 1 + (high > low ? (at - low) / (high - low) : 0);
}

/** Which cell has which places on its axes, and the other way round. */
export class CellGrid {
  /** @type {Map<string, number>} */
  #cells = new Map();

  /**
   * @param {Pick<TuneAxis, "name" | "values" | "log">[]} axes
   * @param {Record<string, number[]>} params the values of each cell by parameter
   */
  constructor(axes, params) {
    this.sizes = axes.map(({ values }) => values.length);
    const count = axes.length ? (params[axes[0].name] ?? []).length : 0;
    /** @type {number[][]} */
    this.places = Array.from({ length: count }, (_, cell) => axes.map((axis) => Math.round(placeOn(axis, params[axis.name][cell]))));
    this.places.forEach((place, cell) => this.#cells.set(place.join(), cell));
  }

  /**
   * The cell at places, -1 where there is none.
   * @param {number[]} place
   */
  at(place) { return this.#cells.get(place.join()) ?? -1; }

  /**
   * The neighbour of a cell along an axis; the cell itself where there is none.
   * @param {number} cell
   * @param {number} axis
   * @param {number} by
   */
  beside(cell, axis, by) {
    const place = [...(this.places[cell] ?? [])];
    if (!place.length) return cell;
    place[axis] += by;
    const next = this.at(place);
    return next < 0 ? cell : next;
  }

  /**
   * The cells around a point of a plane and their shares, the largest first; shares add up to 1.
   * @param {number} x in cells
   * @param {number} y in cells
   * @param {number[]} rest the places on the other axes
   * @returns {Part[]}
   */
  around(x, y, rest = []) {
    const [columns, rows = 1] = this.sizes, fx = Math.min(columns - 1, Math.max(0, x)), fy = Math.min(rows - 1, Math.max(0, y));
    const [left, low] = [Math.floor(fx), Math.floor(fy)];
    /** @type {Part[]} */
    const parts = [];
    for (const [column, wx] of [[left, 1 - (fx - left)], [left + 1, fx - left]])
      for (const [row, wy] of [[low, 1 - (fy - low)], [low + 1, fy - low]]) {
        const cell = wx * wy > 0 ? this.at(this.sizes.length > 1 ? [column, row, ...rest] : [column]) : -1;
        if (cell >= 0) parts.push({ cell, weight: wx * wy });
      }
    return normalised(parts);
  }
}

/**
 * Shares that add up to 1, the largest first.
 * @param {Part[]} parts
 */
export function normalised(parts) {
  const sum = parts.reduce((total, { weight }) => total + weight, 0);
  return parts.map(({ cell, weight }) => ({ cell, weight: weight / sum })).sort((a, b) => b.weight - a.weight);
}

/**
 * With which opacity each of several pictures is painted over those before it, so that all have their shares.
 * @param {number[]} weights
 */
export function opacities(weights) {
  let sum = 0;
  return weights.map((weight) => weight / (sum += weight));
}

/**
 * The lines between cells that are of a kind and those that are not, in cells from the lower left corner.
 * @param {(column: number, row: number) => boolean} is
 * @param {number} columns
 * @param {number} rows
 */
export function outline(is, columns, rows) {
  /** @type {[number, number, number, number][]} */
  const lines = [];
  const inside = (/** @type {number} */ column, /** @type {number} */ row) =>
    column >= 0 && row >= 0 && column < columns && row < rows && is(column, row);
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= columns; column++) {
      if (column < columns && inside(column, row) !== inside(column, row - 1)) lines.push([column, row, column + 1, row]);
      if (row < rows && inside(column, row) !== inside(column - 1, row)) lines.push([column, row, column, row + 1]);
    }
  return lines;
}

/**
 * The cells of freely drawn trials nearest to a point and their shares: the nearer, the larger.
 * @param {number[][]} points on the screen
 * @param {number} x
 * @param {number} y
 * @param {number} most
 * @returns {Part[]}
 */
export function nearestParts(points, x, y, most) {
  const near = points.map(([px, py], cell) => ({ cell, distance: (px - x) ** 2 + (py - y) ** 2 }))
    .sort((a, b) => a.distance - b.distance).slice(0, most);
  return normalised(near.map(({ cell, distance }) => ({ cell, weight: 1 / (distance + 1) ** 2 })));
}
