// One sample as weight × part + … + rest: what is read from the server's block, what is added up, what is said of it.

// What adds less than this share of the largest is not worth a place of its own.
const NEGLIGIBLE = 0.01;
// A rest that is less than this share of the sample cannot be seen.
const UNSEEN = 0.03;

/** @typedef {"mean" | "part" | "rest"} TermKind */
/**
 * What the server says of a strip (`ui/strip.py`).
 * @typedef {object} StripHeader
 * @property {{ weight: number, signed: boolean }} original
 * @property {{ kind: TermKind, number: number, weight: number, count: number, signed: boolean, words: string[] }[]} terms
 * @property {[height: number, width: number] | null} shape null where the sample is no picture
 * @property {string[]} names of the features, where they are no pixels
 * @property {number} parts how many parts there are in all
 * @property {string} [obstacle] why nothing adds up
 */
/**
 * @typedef {object} Term
 * @property {string} id
 * @property {TermKind} kind
 * @property {number} number of the part, -1 for the mean and the rest
 * @property {number} weight
 * @property {number} count of how many parts it is
 * @property {boolean} signed
 * @property {string[]} words
 * @property {Float32Array} values at most ±1: the part is weight × values
 */
/**
 * @typedef {object} Strip
 * @property {Term[]} terms
 * @property {Float32Array} original
 * @property {number} most the brightest of the sample
 * @property {boolean} signed
 * @property {[height: number, width: number] | null} shape
 * @property {string[]} names
 * @property {number} parts
 */

/**
 * @param {{ header: StripHeader, values: Uint8Array }} block
 * @returns {Strip | null} null if nothing adds up
 */
export function readStrip({ header, values }) {
  const { terms, shape, names, original, parts } = header;
  if (!terms.length) return null;
  const size = shape ? shape[0] * shape[1] : names.length;
  const at = (/** @type {number} */ place, /** @type {boolean} */ signed) => fromBytes(values.subarray(place * size, (place + 1) * size), signed);
  return {
    terms: terms.map((term, place) => ({ ...term, id: idOf(term), values: at(place + 1, term.signed) })),
    original: at(0, original.signed).map((value) => value * original.weight),
    most: original.weight, signed: original.signed, shape, names, parts,
  };
}

/** @param {{ kind: TermKind, number: number }} term */
export function idOf({ kind, number }) { return kind === "part" ? String(number) : kind; }

/**
 * @param {Uint8Array} bytes
 * @param {boolean} signed
 */
export function fromBytes(bytes, signed) {
  return Float32Array.from(bytes, signed ? (byte) => (byte - 128) / 127 : (byte) => byte / 255);
}

/**
 * The same strip with no more than so many parts of their own: the others join the rest, and so does what adds next
 * to nothing.
 * @param {Strip} strip
 * @param {number} most
 * @returns {Strip}
 */
export function grouped(strip, most) {
  const mean = strip.terms.filter(({ kind }) => kind === "mean"), parts = strip.terms.filter(({ kind }) => kind === "part");
  const sizes = parts.map(sizeOf), least = NEGLIGIBLE * Math.max(0, ...sizes);
  const large = parts.filter((_, place) => place < most && sizes[place] > least);
  const others = strip.terms.filter((term) => term.kind === "rest" || (term.kind === "part" && !large.includes(term)));
  const rest = restOf(others, strip.original.length);
  return { ...strip, terms: [...mean, ...large, ...(sizeOf(rest) > UNSEEN * lengthOf(strip.original) ? [rest] : [])] };
}

/**
 * @param {Term[]} joined
 * @param {number} size
 * @returns {Term}
 */
function restOf(joined, size) {
  const sum = added(joined, size), weight = sum.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return {
    id: "rest", kind: "rest", number: -1, weight, words: [],
    count: joined.reduce((count, term) => count + term.count, 0),
    signed: sum.some((value) => value < 0), values: sum.map((value) => (weight ? value / weight : 0)),
  };
}

/**
 * How much a term adds.
 * @param {Pick<Term, "weight" | "values">} term
 */
export function sizeOf({ weight, values }) {
  return Math.abs(weight) * lengthOf(values);
}

/** @param {Float32Array} values */
function lengthOf(values) { return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)); }

/**
 * @param {Term[]} terms
 * @param {number} size
 */
function added(terms, size) {
  const sum = new Float32Array(size);
  for (const { weight, values } of terms) for (let at = 0; at < size; at++) sum[at] += weight * values[at];
  return sum;
}

/**
 * What the terms that are on add up to.
 * @param {Strip} strip
 * @param {{ has(id: string): boolean }} off
 */
export function sumOf({ terms, original }, off) {
  return added(terms.filter(({ id }) => !off.has(id)), original.length);
}

/**
 * The length of what a sum lacks, as a share of the length of the sample.
 * @param {ArrayLike<number>} original
 * @param {ArrayLike<number>} sum
 */
export function missing(original, sum) {
  let lacks = 0, length = 0;
  for (let at = 0; at < original.length; at++) {
    lacks += (original[at] - sum[at]) ** 2;
    length += original[at] ** 2;
  }
  return length ? Math.sqrt(lacks / length) : 0;
}

/**
 * What stands under a term: its weight, or what it is instead of a part.
 * @param {Term} term
 */
export function caption({ kind, weight, count }) {
  if (kind === "mean") return "the mean";
  if (kind === "rest") return count === 1 ? "1 more part" : `${count} more parts`;
  return `${weightText(weight)} ×`;
}

/** @param {number} weight */
export function weightText(weight) {
  const size = Math.abs(weight), digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return `${weight < 0 ? "−" : ""}${size.toFixed(digits)}`;
}

/** @param {Term} term */
export function titleOf({ kind, number, words, count }) {
  if (kind === "mean") return "the mean of all samples";
  if (kind === "rest") return count === 1 ? "1 more part" : `${count} more parts together`;
  return `part ${number + 1}${words.length ? ` (${words.join(", ")})` : ""}`;
}

/**
 * The name of the button of a term, for those who hear it.
 * @param {Term} term
 */
export function buttonName(term) {
  const times = term.kind === "part" ? `${weightText(term.weight)} times ` : "";
  return `${times}${titleOf(term)}`;
}

/**
 * What is said under the sum.
 * @param {Strip} strip
 * @param {{ has(id: string): boolean }} off
 * @param {Float32Array} sum
 */
export function sumInWords({ terms, original }, off, sum) {
  const out = terms.filter(({ id }) => off.has(id)).length, share = 100 * missing(original, sum);
  const left = share >= 10 || share === 0 ? share.toFixed(0) : share.toFixed(1);
  return `${out ? `without ${out} of ${terms.length}: ` : ""}${left} % missing`;
}
