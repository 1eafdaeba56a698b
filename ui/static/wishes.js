// What keys and sliders of a page ask its views for.

export const WISHES = { another: "partwise-another", walk: "partwise-walk", turn: "partwise-turn" };

/**
 * Where a slider is that somebody holds.
 * @typedef {object} Turned
 * @property {string} of which sliders it belongs to
 * @property {string} param
 * @property {number} value
 * @property {"held" | "released" | "back"} hand whether it is still held, stays where it is, or went back
 */

/**
 * Another place than the present one, of so many.
 * @param {number} present
 * @param {number} count
 * @param {() => number} random
 */
export function another(present, count, random = Math.random) {
  if (count < 2) return present;
  return (present + 1 + Math.floor(random() * (count - 1))) % count;
}
