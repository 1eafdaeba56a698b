// From values to places on an axis and back, and which values an axis names.

/**
 * @typedef {object} ScaleFacts
 * @property {number} low
 * @property {number} high
 * @property {boolean} log
 * @property {(at: number) => number} back the value at a place
 */

/** @typedef {((value: number) => number) & ScaleFacts} Scale */

/**
 * A function from values to places.
 * @param {number} low
 * @param {number} high
 * @param {number} from the place of `low`
 * @param {number} to the place of `high`
 * @param {boolean} [log] whether places go by powers; values below `low` then lie at `from`
 * @returns {Scale}
 */
export function scale(low, high, from, to, log = false) {
  const span = high - low || 1, decades = Math.log(high / low) || 1;
  /** @param {number} value */
  const place = (value) =>
    from + (to - from) * (log ? Math.log(Math.max(value, low) / low) / decades : (value - low) / span);
  /** @param {number} at */
  const back = (at) => {
    const share = (at - from) / (to - from);
    return log ? low * Math.exp(share * decades) : low + share * span;
  };
  return Object.assign(place, { low, high, log, back });
}

/**
 * Round values between two ends, about `count` of them.
 * @param {number} low
 * @param {number} high
 * @param {boolean} log
 * @param {number} count
 */
export function ticks(low, high, log, count) {
  if (!(high > low)) return [low];
  const powers = log ? powersBetween(low, high, count) : [];
  // Within one power of ten an axis is nearly even anyway.
  return powers.length > 1 ? powers : evenBetween(low, high, count);
}

/**
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
function powersBetween(low, high, count) {
  // Over many powers of ten not each of them has room for its name.
  const decades = Math.log10(high / low), every = Math.max(1, Math.ceil(decades / (2 * count))), steps = decades > 2.5 ? [1] : decades > 1 ? [1, 3] : [1, 2, 3, 5, 7];
  const values = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += every)
    for (const step of steps) values.push(step * 10 ** power);
  return values.filter((value) => value >= low && value <= high);
}

/**
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
function evenBetween(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5].map((times) => times * power).find((width) => width >= rough) ?? 10 * power;
  const values = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-6; value += step)
    values.push(Math.abs(value) < step * 1e-6 ? 0 : value);
  return values;
}
