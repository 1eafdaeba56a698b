// A sketched curve: heights from 0 to 1 at a few places, bent by a hand that passes over them.

/**
 * The heights after a hand has gone from one place to another; what lies between is bent, too.
 * @param {number[]} heights
 * @param {{ x: number, y: number }} from `x` and `y` from 0 to 1
 * @param {{ x: number, y: number }} to
 */
export function bent(heights, from, to) {
  const last = heights.length - 1, column = (/** @type {number} */ x) => Math.round(Math.min(Math.max(x, 0), 1) * last);
  const [a, b] = [column(from.x), column(to.x)], next = [...heights];
  for (let at = Math.min(a, b); at <= Math.max(a, b); at++) {
    const share = a === b ? 1 : (at - a) / (b - a);
    next[at] = rounded(from.y + share * (to.y - from.y));
  }
  return next;
}

/**
 * The heights after a key on one place, null if the key means nothing there.
 * @param {number[]} heights
 * @param {number} at
 * @param {string} key
 */
export function stepped(heights, at, key) {
  const by = { ArrowUp: 0.1, ArrowDown: -0.1, PageUp: 0.3, PageDown: -0.3 }[key];
  if (by === undefined) return null;
  return heights.map((height, index) => (index === at ? rounded(height + by) : height));
}

/** @param {number} height */
function rounded(height) { return Number(Math.min(Math.max(height, 0), 1).toFixed(3)); }
