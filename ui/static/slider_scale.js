// The scale of a parameter's slider: places from 0 to 1, the values there, and what the keys make of them.

const STEPS_A_DECADE = 10;
const STEPS = 100; // from end to end of an even scale
const PAGE = 10; // steps
const OFF = 0.06; // the stretch before a log scale where 0 lies
const NEAR = 0.012; // so near the paper's value a hand means it

/** @typedef {{ low: number, high: number, log: boolean, zero: boolean, whole: boolean, mark: number | null }} Ends */

export class SliderScale {
  /** @param {Ends} ends */
  constructor(ends) {
    this.ends = ends;
    this.begin = ends.zero ? OFF : 0;
    this.unit = ends.whole ? 1 : nice((ends.high - ends.low) / STEPS);
    this.page = Math.max(1, Math.round((ends.high - ends.low) / PAGE / this.unit)) * this.unit;
  }

  /** @param {number} value */
  place(value) {
    const { low, high, log } = this.ends;
    if (log && value < low) return 0;
    const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low || 1);
    return this.begin + (1 - this.begin) * Math.min(Math.max(share, 0), 1);
  }

  /**
   * The value at a place, round enough to be read.
   * @param {number} place
   */
  at(place) {
    const { mark } = this.ends;
    if (mark !== null && Math.abs(place - this.place(mark)) < NEAR) return mark;
    if (this.begin && place < this.begin / 2) return 0;
    return this.valueAt(Math.min(Math.max((place - this.begin) / (1 - this.begin), 0), 1));
  }

  /** @param {number} share of the way from the lowest to the highest value */
  valueAt(share) {
    const { low, high, log, whole } = this.ends;
    if (share <= 0) return low;
    if (share >= 1) return high;
    if (!log) return Number((low + Math.round((share * (high - low)) / this.unit) * this.unit).toPrecision(10));
    const value = Number((low * (high / low) ** share).toPrecision(2));
    return Math.min(Math.max(whole ? Math.round(value) : value, low), high);
  }

  /**
   * Where a key leads, null if it leads nowhere.
   * @param {number} value
   * @param {string} key
   */
  step(value, key) {
    const { low, high, zero } = this.ends, by = stepsOf(key);
    if (key === "Home") return zero ? 0 : low;
    if (key === "End") return high;
    if (!by) return null;
    if (value < low) return by > 0 ? low : value;
    const next = this.ends.log ? this.along(value, by) : value + (Math.abs(by) === 1 ? by * this.unit : Math.sign(by) * this.page);
    if (next >= low) return Number(Math.min(next, high).toPrecision(10));
    return zero && value <= low ? 0 : low;
  }

  /**
   * From a value along the round values of a log scale, to one that differs from it.
   * @param {number} value
   * @param {number} by
   */
  along(value, by) {
    const { low, high } = this.ends, sign = Math.sign(by), all = Math.round(Math.log10(high / low) * STEPS_A_DECADE);
    let at = (Math.log(value / low) / Math.log(high / low)) * all;
    at = (sign > 0 ? Math.floor(at + 1e-3) : Math.ceil(at - 1e-3)) + by;
    while (at > 0 && at < all && sign * (this.valueAt(at / all) - value) <= 0) at += sign;
    if (at < 0 || (at === 0 && value <= low)) return -1;
    return this.valueAt(at / all);
  }

  /**
   * What somebody has typed, null if the slider cannot stand there.
   * @param {string} text
   */
  read(text) {
    const { low, high, zero, whole } = this.ends, plain = text.trim().replace(",", ".");
    const value = plain ? Number(plain) : NaN;
    if (!Number.isFinite(value) || (whole && !Number.isInteger(value))) return null;
    return (value >= low && value <= high) || (zero && value === 0) ? value : null;
  }
}

/** @param {string} key */
function stepsOf(key) {
  if (key === "ArrowRight" || key === "ArrowUp") return 1;
  if (key === "ArrowLeft" || key === "ArrowDown") return -1;
  return key === "PageUp" ? PAGE : key === "PageDown" ? -PAGE : 0;
}

/** @param {number} rough */
function nice(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((times) => times * power >= rough * 0.999) ?? 10);
}

/**
 * A value as it is read: 0.000001 is hard to tell from 0.00001.
 * @param {number} value
 */
export function told(value) {
  const text = String(Number(value.toPrecision(6)));
  return text.replace(/^(-?[\d.]+)e([+-]?)(\d+)$/, (_, front, sign, power) =>
    `${front === "1" ? "" : `${front}·`}10${raised((sign === "-" ? "-" : "") + power)}`);
}

/** @param {string} power */
function raised(power) {
  return [...power].map((digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)])).join("");
}
