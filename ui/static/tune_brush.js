// All trials at once: which of them brushes leave over, in which order they are drawn, which nothing beats.

import { goodness, ranks, robustEnds } from "./tune_values.js";

/** @import { TrialColumn } from "./tune_types.js" */
/** @import { Ends } from "./tune_values.js" */
/** @typedef {Record<string, [from: number, to: number]>} Brushes shares of the axis from its lower end, by column */

export const BELOW = -0.07; // where on an axis trials lie that have no value there

/**
 * Places of all trials on an axis, as shares from its lower end; trials beyond the ends lie at them.
 * @param {TrialColumn} column
 * @param {boolean} byRank
 * @returns {{ shares: Float32Array, ends: Ends, log: boolean }}
 */
export function placesOn(column, byRank) {
  const values = byRank && column.better ? ranks(column.values, column.better) : column.values;
  const better = byRank && column.better ? null : column.better, ends = robustEnds(values, better);
  const log = !byRank && column.log && ends.low > 0, to = (/** @type {number} */ value) => (log ? Math.log(value) : value);
  const [low, high] = [to(ends.low), to(ends.high)], shares = new Float32Array(values.length);
  const turned = byRank && column.better !== null; // rank 1 is on top
  for (let index = 0; index < shares.length; index++) {
    const share = high > low ? Math.min(1, Math.max(0, (to(values[index]) - low) / (high - low))) : 0.5;
    shares[index] = Number.isFinite(values[index]) ? (turned ? 1 - share : share) : BELOW;
  }
  return { shares, ends, log };
}

/**
 * Which trials lie within all brushes: 1 for each that does.
 * @param {Record<string, { shares: Float32Array }>} placed by column
 * @param {Brushes} brushes
 * @param {number} count
 */
export function within(placed, brushes, count) {
  const chosen = new Uint8Array(count).fill(1);
  for (const [name, [from, to]] of Object.entries(brushes)) {
    const shares = placed[name]?.shares;
    if (!shares) continue;
    for (let index = 0; index < count; index++) if (shares[index] < from || shares[index] > to) chosen[index] = 0;
  }
  return chosen;
}

/**
 * Leaves over of the chosen only the best share by a column.
 * @param {Uint8Array} chosen
 * @param {TrialColumn} column
 * @param {number} share
 */
export function best(chosen, column, share) {
  if (share >= 1) return chosen;
  const places = ranks(column.values, column.better), most = Math.max(1, Math.round(share * places.filter(Number.isFinite).length));
  return chosen.map((is, index) => (is && places[index] <= most ? 1 : 0));
}

/**
 * In which order trials are drawn: the worst first, so that the best lie on top; those without a value before all.
 * @param {Float64Array} values
 * @param {"high" | "low"} better
 */
export function drawingOrder(values, better) {
  const ends = robustEnds(values, better);
  const good = Float64Array.from(values, (value) => (Number.isFinite(value) ? goodness(value, ends, better) : -1));
  return { good, order: Uint32Array.from(values.keys()).sort((a, b) => good[a] - good[b]) };
}

/**
 * The trials that no other beats in both measures, along the first one.
 * @param {TrialColumn} first
 * @param {TrialColumn} second
 * @param {Uint8Array} [among] 1 for each that takes part
 */
export function front(first, second, among) {
  const sign = (/** @type {TrialColumn} */ column) => (column.better === "low" ? -1 : 1);
  const [a, b] = [sign(first), sign(second)], rows = [];
  for (let index = 0; index < first.values.length; index++)
    if ((!among || among[index]) && Number.isFinite(first.values[index]) && Number.isFinite(second.values[index])) rows.push(index);
  rows.sort((p, q) => a * (first.values[q] - first.values[p]) || b * (second.values[q] - second.values[p]));
  let most = -Infinity;
  return rows.filter((index) => {
    const value = b * second.values[index], beats = value > most;
    most = Math.max(most, value);
    return beats;
  });
}
