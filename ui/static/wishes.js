// What keys and sliders of a page ask its views for.

/** @import { Lifetime } from "./lifetime.js" */

export const WISHES = { another: "partwise-another", walk: "partwise-walk", play: "partwise-play", turn: "partwise-turn", followed: "partwise-followed" };

/**
 * Which fit is shown in place of a run while a hand holds its sliders.
 * @typedef {object} Followed
 * @property {string} of the run
 * @property {string} by the fit
 */

/**
 * Where a slider is that somebody holds.
 * @typedef {object} Turned
 * @property {string} of which sliders it belongs to
 * @property {string} param
 * @property {number} value
 * @property {"held" | "released" | "back"} hand whether it is still held, stays where it is, or went back
 */

/**
 * Asks the views of the page for something; returns whether one of them has done it.
 * @param {string} name of the wish
 * @param {number} [detail]
 */
export function wish(name, detail = 0) {
  return !document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));
}

/**
 * Does what is asked for, unless another view has done it.
 * @param {Lifetime} lifetime
 * @param {string} name of the wish
 * @param {(detail: number) => unknown} act returns false if there is nothing to be done
 */
export function onWish(lifetime, name, act) {
  lifetime.listen(document, name, (/** @type {CustomEvent<number>} */ event) => {
    if (!event.defaultPrevented && act(event.detail) !== false) event.preventDefault();
  });
}

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
