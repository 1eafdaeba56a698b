// Values of trials: ends of an axis that outliers cannot squash, colours, ranks, and how a value is written.

import { short } from "./numbers.js";

/** @import { TuneAxis, Unit } from "./tune_types.js" */
/** @typedef {{ low: number, high: number, cutLow: boolean, cutHigh: boolean }} Ends cut where values lie beyond */
/** @typedef {ArrayLike<number | null>} Values null and NaN stand for what is not known */

const FARTHEST = 3; // times as far from the best as the worse quarter
const HUES = {
  light: [[240, 244, 240], [153, 201, 195], [15, 118, 110], [6, 61, 57]],
  dark: [[26, 36, 36], [15, 79, 74], [45, 212, 191], [217, 255, 248]],
};

/**
 * The finite values, upwards.
 * @param {Values} values
 */
export function finite(values) {
  const kept = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value !== null && Number.isFinite(value)) kept.push(value);
  }
  return Float64Array.from(kept).sort();
}

/**
 * Ends between which the good values are told apart: those far worse than the usual lie at the end and beyond it.
 * @param {Values} values
 * @param {"high" | "low" | null} better null where no end is the better one: then nothing is cut off
 * @returns {Ends}
 */
export function robustEnds(values, better) {
  const sorted = finite(values), count = sorted.length;
  if (!count) return { low: 0, high: 1, cutLow: false, cutHigh: false };
  const [least, most] = [sorted[0], sorted[count - 1]];
  if (better === null || least === most) return { low: least, high: most, cutLow: false, cutHigh: false };
  const at = (/** @type {number} */ share) => sorted[Math.round(share * (count - 1))];
  if (better === "high") {
    const spread = most - at(0.25), low = spread > 0 ? Math.max(least, most - FARTHEST * spread) : least;
    return { low, high: most, cutLow: low > least, cutHigh: false };
  }
  const spread = at(0.75) - least, high = spread > 0 ? Math.min(most, least + FARTHEST * spread) : most;
  return { low: least, high, cutLow: false, cutHigh: high < most };
}

/**
 * How good a value is between the ends, from 0 to 1.
 * @param {number} value
 * @param {Ends} ends
 * @param {"high" | "low"} better
 */
export function goodness(value, { low, high }, better) {
  const share = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 1;
  return better === "high" || high === low ? share : 1 - share;
}

/**
 * The colour of a goodness: the better, the stronger on the page.
 * @param {number} share
 * @param {"light" | "dark"} theme
 */
export function shade(share, theme) {
  const hues = HUES[theme], at = Math.min(1, Math.max(0, share)) * (hues.length - 1), index = Math.min(hues.length - 2, Math.floor(at));
  return `rgb(${hues[index].map((value, channel) => Math.round(value + (hues[index + 1][channel] - value) * (at - index))).join(" ")})`;
}

/**
 * The rank of each value, 1 for the best; equal values share one, what is not known has NaN.
 * @param {Values} values
 * @param {"high" | "low" | null} better
 */
export function ranks(values, better) {
  /** @type {number[]} */
  const order = [];
  for (let index = 0; index < values.length; index++) if (Number.isFinite(values[index] ?? NaN)) order.push(index);
  const of = (/** @type {number} */ index) => Number(values[index]);
  order.sort((a, b) => (better === "high" ? of(b) - of(a) : of(a) - of(b)));
  const result = new Float64Array(values.length).fill(NaN);
  order.forEach((index, place) => {
    const tied = place > 0 && of(index) === of(order[place - 1]);
    result[index] = tied ? result[order[place - 1]] : place + 1;
  });
  return result;
}

/**
 * A value as people read it.
 * @param {number | null | undefined} value
 * @param {Unit} unit
 */
export function written(value, unit) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (unit === "share") return `${(100 * value).toFixed(1)} %`;
  if (unit === "seconds") return `${short(value)} s`;
  return short(value);
}

/**
 * A spread beside its mean; nothing where there is none.
 * @param {number | null | undefined} spread
 * @param {Unit} unit
 */
export function plusMinus(spread, unit) {
  if (!spread || !Number.isFinite(spread)) return "";
  return unit === "share" ? ` ± ${(100 * spread).toFixed(1)}` : ` ± ${short(spread)}`;
}

/**
 * The value of a parameter as people read it.
 * @param {number} value
 * @param {Pick<TuneAxis, "texts">} axis
 */
export function valueText(value, { texts }) { return texts ? (texts[value] ?? "–") : short(value); }
