// Where the points of a map lie on the screen, and which edges there are at each.

/** @import { Edges } from "./map_paint.js" */
/** @import { SpotOf } from "./spots.js" */

const MARGIN = 18;

/**
 * The same unit on both axes: what looks near is near.
 * @param {Float32Array} places pairs around zero, upwards
 * @param {number} width
 * @param {number} height
 * @returns {SpotOf}
 */
export function laidOut(places, width, height) {
  let wide = 0, high = 0;
  for (let i = 0; i < places.length / 2; i++) {
    wide = Math.max(wide, Math.abs(places[2 * i]));
    high = Math.max(high, Math.abs(places[2 * i + 1]));
  }
  const unit = Math.min((width / 2 - MARGIN) / (wide || 1), (height / 2 - MARGIN) / (high || 1));
  return (i) => [width / 2 + unit * places[2 * i], height / 2 - unit * places[2 * i + 1]];
}

/**
 * How large points are: smaller where there are many, and on a small screen.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 */
export function radiusOf(count, width, height) {
  return Math.max(1.8, Math.min(5.5, 110 / Math.sqrt(count + 1)) * Math.min(1, Math.min(width, height) / 420));
}

/**
 * The edges at each point.
 * @param {number} count of points
 * @param {Edges} edges
 */
export function edgesByPoint(count, { count: many, pairs }) {
  /** @type {number[][]} */
  const touching = Array.from({ length: count }, () => []);
  for (let e = 0; e < many; e++) {
    touching[pairs[2 * e]].push(e);
    touching[pairs[2 * e + 1]].push(e);
  }
  return touching;
}
