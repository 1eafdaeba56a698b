// The Tune page: values and their colours, cells of a grid, brushes over all trials.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BELOW, best, drawingOrder, front, placesOn, within } from "../../ui/static/tune_brush.js";
import { CellGrid, nearestParts, opacities, outline, placeOn } from "../../ui/static/tune_grid.js";
import { goodness, plusMinus, ranks, robustEnds, shade, written } from "../../ui/static/tune_values.js";

const ALPHA = { name: "alpha", log: true, values: [0.1, 1, 10, 100] };
const BETA = { name: "beta", log: false, values: [0, 1, 2] };
/** @type {Record<string, number[]>} */
const PARAMS = { alpha: [], beta: [] };
for (const b of BETA.values) for (const a of ALPHA.values) { PARAMS.alpha.push(a); PARAMS.beta.push(b); }
const GRID = new CellGrid([ALPHA, BETA], PARAMS);

/**
 * @param {string} name
 * @param {number[]} values
 * @param {"high" | "low" | null} better
 * @returns {import("../../ui/static/tune_types.js").TrialColumn}
 */
function column(name, values, better = null, log = false) {
  return { name, title: name, values: Float64Array.from(values), log, unit: "", better, texts: null };
}

test("a few diverged trials do not squash an axis, and are said to lie beyond it", () => {
  const errors = [...Array.from({ length: 97 }, (_, index) => 1 + index / 100), 1e30, 1e12, Infinity, null];
  const ends = robustEnds(errors, "low");
  assert.ok(ends.high < 4 && ends.cutHigh && !ends.cutLow);
  assert.equal(ends.low, 1);
  const shares = robustEnds([0.8, 0.79, 0.78, 0.77, 0.76, 0.75, 0.1], "high");
  assert.ok(shares.low > 0.6 && shares.high === 0.8 && shares.cutLow);
  assert.deepEqual(robustEnds([1, 5, 100], null), { low: 1, high: 100, cutLow: false, cutHigh: false });
  assert.deepEqual(robustEnds([null, NaN], "low"), { low: 0, high: 1, cutLow: false, cutHigh: false });
});

test("the better value has the stronger colour, whichever way is better", () => {
  const ends = { low: 1, high: 3, cutLow: false, cutHigh: false };
  assert.deepEqual([1, 2, 3, 9].map((value) => goodness(value, ends, "high")), [0, 0.5, 1, 1]);
  assert.deepEqual([1, 2, 3, 9].map((value) => goodness(value, ends, "low")), [1, 0.5, 0, 0]);
  assert.equal(goodness(5, { ...ends, low: 5, high: 5 }, "low"), 1);
  assert.notEqual(shade(0, "light"), shade(1, "light"));
  assert.match(shade(2, "dark"), /^rgb\(217 255 248\)$/);
});

test("ranks: the best is first, equal values share a rank, what is missing has none", () => {
  assert.deepEqual([...ranks([0.5, 0.9, 0.9, null, 0.1], "high")], [3, 1, 1, NaN, 4]);
  assert.deepEqual([...ranks([0.5, 0.9, 0.1], "low")], [2, 3, 1]);
});

test("values are written with their unit", () => {
  assert.deepEqual([written(0.8123, "share"), written(0.5, "seconds"), written(null, "share")], ["81.2 %", "0.5 s", "–"]);
  assert.deepEqual([plusMinus(0.0123, "share"), plusMinus(0, "share"), plusMinus(null, "")], [" ± 1.2", "", ""]);
});

test("a value between two of a log axis lies in the middle of their powers", () => {
  assert.deepEqual([0.1, 1, 100].map((value) => placeOn(ALPHA, value)), [0, 1, 3]);
  assert.ok(Math.abs(placeOn(ALPHA, Math.sqrt(10)) - 1.5) < 1e-9);
  assert.equal(placeOn(BETA, 0.5), 0.5);
});

test("every cell is found by its places, and so are its neighbours", () => {
  PARAMS.alpha.forEach((_, cell) => assert.equal(GRID.at(GRID.places[cell]), cell));
  assert.equal(GRID.at([4, 0]), -1);
  assert.deepEqual([GRID.beside(0, 0, 1), GRID.beside(0, 1, 1), GRID.beside(0, 0, -1)], [1, 4, 0]);
});

test("between cells those around have their shares, at a cell it alone", () => {
  assert.deepEqual(GRID.around(2, 1), [{ cell: 6, weight: 1 }]);
  const parts = GRID.around(0.25, 0.5);
  assert.ok(Math.abs(parts.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-12);
  assert.deepEqual(new Set(parts.map(({ cell }) => cell)), new Set([0, 1, 4, 5]));
  assert.ok(parts[0].weight > parts[3].weight);
  assert.deepEqual(GRID.around(-3, 9), [{ cell: 8, weight: 1 }]);
});

test("painted over each other, pictures have the shares they should", () => {
  const weights = [0.5, 0.3, 0.2], alphas = opacities(weights);
  const shares = alphas.map((alpha, index) => alpha * alphas.slice(index + 1).reduce((left, later) => left * (1 - later), 1));
  shares.forEach((share, index) => assert.ok(Math.abs(share - weights[index]) < 1e-12));
});

test("an outline goes round the cells of a kind, and round nothing else", () => {
  assert.equal(outline(() => false, 3, 3).length, 0);
  assert.equal(outline((x, y) => x === 1 && y === 1, 3, 3).length, 4);
  assert.equal(outline(() => true, 3, 2).length, 10);
});

test("of freely drawn trials the nearest counts most", () => {
  const parts = nearestParts([[0, 0], [10, 0], [100, 0]], 1, 0, 2);
  assert.deepEqual(parts.map(({ cell }) => cell), [0, 1]);
  assert.ok(parts[0].weight > 0.9);
});

test("places on an axis: logs by powers, the best rank on top, failed ones below", () => {
  const logs = placesOn(column("alpha", [1, 10, 100], null, true), false);
  assert.deepEqual([...logs.shares], [0, 0.5, 1]);
  const ranked = placesOn(column("accuracy", [0.5, 0.9, NaN], "high"), true);
  assert.deepEqual([...ranked.shares], [0, 1, Math.fround(BELOW)]);
});

test("brushes act together, and the best few are taken of what they leave", () => {
  const a = column("a", [0, 1, 2, 3, 4]), score = column("score", [5, 4, 3, 2, NaN], "high");
  const placed = { a: placesOn(a, false), score: placesOn(score, false) };
  assert.deepEqual([...within(placed, {}, 5)], [1, 1, 1, 1, 1]);
  const chosen = within(placed, { a: [0.2, 1], score: [0, 1] }, 5);
  assert.deepEqual([...chosen], [0, 1, 1, 1, 0]);
  assert.deepEqual([...best(chosen, score, 0.5)], [0, 1, 0, 0, 0]);
  assert.deepEqual([...drawingOrder(score.values, "high").order], [4, 3, 2, 1, 0]);
});

test("on the front nothing is beaten in both, whichever way is better", () => {
  const accuracy = column("accuracy", [0.9, 0.8, 0.8, 0.7, NaN], "high"), seconds = column("seconds", [9, 3, 4, 1, 0], "low");
  assert.deepEqual(front(accuracy, seconds), [0, 1, 3]);
  assert.deepEqual(front(accuracy, seconds, Uint8Array.from([1, 0, 1, 1, 1])), [0, 2, 3]);
});
