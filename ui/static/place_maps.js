// What maps of places are made of: where a place is painted, which colour a share has, and what is said of a map.

/** @typedef {"top" | "middle" | "bottom" | "left" | "centre" | "right"} Third */
/** @typedef {{ low: number, high: number }} Range */

// Colour-blind-safe and even in lightness, from what matters most (dark) to what does not matter.
export const RAMP = [[38, 12, 81], [84, 39, 143], [158, 68, 132], [222, 106, 89], [248, 166, 81], [246, 233, 154]];

/**
 * The colour of a share between the lowest and the highest on show.
 * @param {number} share
 * @param {Range} range
 */
export function colourOf(share, { low, high }) {
  const at = ((share - low) / (high - low || 1)) * (RAMP.length - 1), index = Math.min(RAMP.length - 2, Math.floor(at));
  const [from, to] = [RAMP[index], RAMP[index + 1]];
  return `rgb(${from.map((value, channel) => Math.round(value + (to[channel] - value) * (at - index))).join(" ")})`;
}

/**
 * Where a place is painted along one axis: around the middle of the patch when it is there, up to half the way to the
 * next place.
 * @param {number[]} places
 * @param {number} index
 * @param {number} size of the patch
 * @returns {[start: number, length: number]}
 */
export function span(places, index, size) {
  const low = index ? (places[index - 1] + places[index]) / 2 : places[0] - (places[1] - places[0] || 1) / 2;
  const last = index === places.length - 1;
  const high = last ? 2 * places[index] - low : (places[index] + places[index + 1]) / 2;
  return [low + size / 2, high - low];
}

/**
 * The place nearest to a value.
 * @param {number[]} places
 * @param {number} at
 */
export function nearest(places, at) {
  return places.reduce((best, place, index) => (Math.abs(place - at) < Math.abs(places[best] - at) ? index : best), 0);
}

/**
 * A map in words, for those who do not see it.
 * @param {string} title
 * @param {(number | null)[]} shares row by row, null where they are not known yet
 * @param {number} columns
 */
export function inWords(title, shares, columns) {
  const known = shares.filter((share) => share !== null);
  if (!known.length) return `${title}: nothing known yet`;
  const least = Math.min(...known), worst = shares.indexOf(least), rows = shares.length / columns;
  const where = `${third(Math.floor(worst / columns), rows, ["top", "middle", "bottom"])} ` +
    third(worst % columns, columns, ["left", "centre", "right"]);
  return `${title}: between ${percent(least)} and ${percent(Math.max(...known))} recognised; fewest with the patch at the ${where}`;
}

/**
 * @param {number} at
 * @param {number} of
 * @param {[Third, Third, Third]} names
 */
function third(at, of, names) { return names[Math.min(2, Math.floor((3 * at) / of))]; }

/** @param {number} share */
export function percent(share) { return `${(100 * share).toFixed(0)} %`; }
