// Among points on a plane: the nearest to a pointer, and the next one in the direction of a key.

/** @typedef {(index: number) => [x: number, y: number]} SpotOf where a point lies on the screen */

/**
 * The nearest point within reach, null if there is none.
 * @param {number} count
 * @param {SpotOf} spotOf
 * @param {[x: number, y: number]} at
 * @param {number} reach
 */
export function nearestSpot(count, spotOf, [x, y], reach) {
  let least = reach * reach;
  /** @type {number | null} */
  let best = null;
  for (let index = 0; index < count; index++) {
    const [u, v] = spotOf(index), apart = (u - x) ** 2 + (v - y) ** 2;
    if (apart < least) [best, least] = [index, apart];
  }
  return best;
}

/**
 * The nearest point that lies ahead; what lies aside counts as farther.
 * @param {number} count
 * @param {SpotOf} spotOf
 * @param {[x: number, y: number]} from
 * @param {[dx: number, dy: number]} way one of the four directions
 * @param {number} [widest] how far aside a point may lie, as a multiple of how far ahead it lies
 */
export function nextSpot(count, spotOf, [x, y], [dx, dy], widest = Infinity) {
  let least = Infinity;
  /** @type {number | null} */
  let best = null;
  for (let index = 0; index < count; index++) {
    const [u, v] = spotOf(index), ahead = (u - x) * dx + (v - y) * dy, aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (ahead > 0.5 && aside <= widest * ahead && ahead + 2 * aside < least) [best, least] = [index, ahead + 2 * aside];
  }
  return best;
}

/** The direction of an arrow key, undefined for other keys.
 * @param {string} key
 * @returns {[dx: number, dy: number] | undefined}
 */
export function wayOf(key) { return WAYS.get(key); }

/** @type {Map<string, [number, number]>} */
const WAYS = new Map([["ArrowRight", [1, 0]], ["ArrowLeft", [-1, 0]], ["ArrowDown", [0, 1]], ["ArrowUp", [0, -1]]]);
