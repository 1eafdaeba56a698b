// What the signs on a map stand for.

import { element } from "./dom.js";
import { AUDITED, PATH, PROVISIONAL } from "./tune_heat.js";

const MARKS = /** @type {[number, string, string, string][]} */ ([
  [PATH, "◥", "depends on the way", "path"], [AUDITED, "‒", "fitted from the beginning too, ends alike", ""], [PROVISIONAL, "○", "provisional", ""]]);

/**
 * An entry for each sign that is on the map.
 * @param {number[]} marks the bits of each cell
 */
export function signsOf(marks) {
  return MARKS.filter(([bit]) => marks.some((bits) => bits & bit)).map(([, mark, words, kind]) => sign(mark, words, kind));
}

/**
 * @param {string} mark
 * @param {string} words
 */
export function sign(mark, words, className = "") {
  const made = element("span", `sign ${className}`);
  made.append(element("b", "", mark), words);
  return made;
}
