// The strip: what is added up, what joins the rest, what is said; and which moment of the opening is shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { DARK, LIGHT, SIGNED, keyWords, shade } from "../../ui/static/ink.js";
import { Film, filmInWords, stripOf } from "../../ui/static/opening_film.js";
import { buttonName, caption, fromBytes, grouped, missing, readStrip, sumInWords, sumOf } from "../../ui/static/strip_sum.js";

/** @typedef {import("../../ui/static/strip_sum.js").StripHeader} StripHeader */

/** @type {StripHeader} a picture of two pixels that is the mean, two parts and a rest */
const HEADER = {
  original: { weight: 4, signed: false }, shape: [1, 2], names: [], parts: 9,
  terms: [
    { kind: "mean", number: -1, weight: 1, count: 1, signed: false, words: [] },
    { kind: "part", number: 6, weight: 2, count: 1, signed: false, words: [] },
    { kind: "part", number: 2, weight: -1, count: 1, signed: true, words: ["cat"] },
    { kind: "rest", number: -1, weight: 1, count: 7, signed: false, words: [] },
  ],
};
const VALUES = Uint8Array.from([255, 0, 255, 255, 255, 0, 128, 255, 255, 255]);
const none = new Set();

function strip() {
  const read = readStrip({ header: HEADER, values: VALUES });
  assert.ok(read);
  return read;
}

test("bytes are what was sent", () => {
  assert.deepEqual([...fromBytes(Uint8Array.from([0, 255]), false)], [0, 1]);
  assert.deepEqual([...fromBytes(Uint8Array.from([1, 128, 255]), true)], [-1, 0, 1]);
  assert.equal(readStrip({ header: { ...HEADER, terms: [] }, values: VALUES }), null);
  assert.deepEqual([...strip().original], [4, 0]);
});

test("the sum is that of the terms that are in", () => {
  assert.deepEqual([...sumOf(strip(), none)], [4, 1]);
  assert.deepEqual([...sumOf(strip(), new Set(["6"]))], [2, 1]);
  assert.deepEqual([...sumOf(strip(), new Set(["mean", "6", "2", "rest"]))], [0, 0]);
  assert.equal(missing([4, 0], [4, 0]), 0);
  assert.equal(missing([3, 4], [0, 0]), 1);
  assert.equal(sumInWords(strip(), none, Float32Array.from([4, 0])), "0 % missing");
  assert.equal(sumInWords(strip(), new Set(["6"]), Float32Array.from([1, 1])), "without 1 of 4: 79 % missing");
});

test("what has no place of its own joins the rest, and the sum stays", () => {
  const few = grouped(strip(), 1);
  assert.deepEqual(few.terms.map(({ id, count }) => [id, count]), [["mean", 1], ["6", 1], ["rest", 8]]);
  assert.deepEqual([...sumOf(few, none)], [4, 1]);
  const [, , third] = strip().terms;
  const tiny = { ...strip(), terms: strip().terms.map((term) => (term === third || term.id === "2" || term.id === "rest" ? { ...term, weight: 0.001 } : term)) };
  assert.deepEqual(grouped(tiny, 5).terms.map(({ id }) => id), ["mean", "6"], "a rest that nobody could see is left out");
});

test("a key says what light means in pictures; bars and words have none", () => {
  assert.deepEqual(keyWords(false, true), ["nothing", "adds brightness"]);
  assert.equal(keyWords(true, true).length, 3);
  assert.deepEqual([keyWords(false, false), keyWords(true, false)], [[], []]);
});

test("terms are named for the eye and for the ear", () => {
  const [mean, part, subtracted, rest] = strip().terms;
  assert.deepEqual([mean, part, subtracted, rest].map(caption), ["the mean", "2.00 ×", "−1.00 ×", "7 more parts"]);
  assert.equal(buttonName(part), "2.00 times part 7");
  assert.equal(buttonName(subtracted), "−1.00 times part 3 (cat)");
  assert.equal(buttonName(rest), "7 more parts together");
});

test("light adds brightness; nothing is grey where something may be taken away", () => {
  assert.deepEqual([shade(0, false)[0], shade(1, false)[0], shade(-1, false)[0]], [DARK, LIGHT, DARK]);
  assert.deepEqual([shade(-1, true), shade(0, true), shade(1, true)], [SIGNED.takes, SIGNED.nothing, SIGNED.adds]);
  const light = (/** @type {number[]} */ [r, g, b]) => 0.2 * r + 0.7 * g + 0.1 * b;
  assert.ok(light(shade(-1, true)) < light(shade(0, true)) && light(shade(0, true)) < light(shade(1, true)));
});

test("what was recorded plays at its pace until the real run has come as far", () => {
  const header = { iterations: [0, 1, 2, 4, 6], shape: /** @type {[number, number]} */ ([1, 2]), parts: 2, pace: 10, seconds: 0.1 };
  const film = new Film(header), made = stripOf(header, Float32Array.from([1, 3]), [Float32Array.from([1, 0]), Float32Array.from([0, 1])], Float32Array.from([1, 3]));
  assert.deepEqual(made.terms.map(({ number }) => number), [1, 0], "the largest first");
  film.begin(1000);
  assert.deepEqual(film.next(1000), { recorded: 0 });
  assert.equal(film.next(1010), null);
  assert.deepEqual(film.next(1350), { recorded: 2 });
  film.live = { iteration: 1, strip: made, live: true };
  assert.equal(film.next(1360), null, "the real run is behind");
  film.live = { iteration: 5, strip: made, live: true };
  assert.deepEqual(film.next(1370), { live: film.live });
  assert.deepEqual([film.next(9000), film.over], [{ recorded: 4 }, true]);
  film.fast = true;
  film.begin(0);
  assert.equal(film.reached(50), 3, "at full speed six steps take a tenth of a second");
  assert.equal(filmInWords(4, header, { live: false, fast: false }), "recorded · step 4 of 6 · slowed down to be seen: at full speed all 6 steps take 100 ms");
});
