// From values to places and back; round values for axes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { short } from "../../ui/static/numbers.js";
import { scale, ticks } from "../../ui/static/scales.js";

/**
 * @param {number} is
 * @param {number} wanted
 */
const near = (is, wanted) => assert.ok(Math.abs(is - wanted) <= 1e-9 * (1 + Math.abs(wanted)), `${is} is not ${wanted}`);

for (const log of [false, true])
  test(`a value is at the place it comes back from, ${log ? "by powers" : "evenly"}`, () => {
    const x = scale(2, 5000, 56, 640, log);
    near(x(2), 56);
    near(x(5000), 640);
    for (let at = 56; at <= 640; at += 7.3) near(x(x.back(at)), at);
    for (let value = 2; value < 5000; value *= 1.7) assert.ok(x(value) < x(value * 1.7));
  });

test("an axis upside down, as y axes are, keeps its order", () => {
  const y = scale(0, 10, 300, 20);
  assert.ok(y(1) > y(9));
  near(y.back(160), 5);
});

test("by powers, zero and less lie at the lower end and not at minus infinity", () => {
  const x = scale(1e-3, 10, 0, 100, true);
  assert.equal(x(0), 0);
  assert.equal(x(-4), 0);
});

test("an axis whose ends are alike has a place for its value", () => {
  assert.ok(Number.isFinite(scale(3, 3, 0, 100)(3)));
  assert.ok(Number.isFinite(scale(3, 3, 0, 100, true)(3)));
  assert.deepEqual(ticks(3, 3, false, 4), [3]);
});

for (const [low, high] of [[0, 1], [0, 0.003], [-1710, 0], [17, 23], [0, 123456], [-2, 7]])
  test(`ticks from ${low} to ${high} are round, inside, even, and neither few nor many`, () => {
    const values = ticks(low, high, false, 4), step = values[1] - values[0];
    assert.ok(values.length >= 2 && values.length <= 6, String(values));
    for (const [index, value] of values.entries()) {
      assert.ok(value >= low - 1e-9 && value <= high + step * 1e-5);
      near(value, values[0] + index * step);
    }
    const lead = step / 10 ** Math.floor(Math.log10(step * 1.000001));
    assert.ok([1, 2, 5].some((round) => Math.abs(lead - round) < 1e-6), `steps of ${step}`);
  });

test("an axis that crosses zero names it zero, not nearly zero", () => {
  assert.ok(ticks(-0.3, 0.3, false, 4).includes(0));
});

test("by powers, long axes name each power, shorter ones what lies between", () => {
  assert.deepEqual(ticks(1, 10000, true, 4), [1, 10, 100, 1000, 10000]);
  const wide = ticks(1e-8, 1e3, true, 4);
  assert.ok(wide.length >= 5 && wide.length <= 8, "over many powers not each has its name");
  assert.deepEqual(ticks(1, 50, true, 4), [1, 3, 10, 30]);
  // Within one power there may be no round power at all: the axis is named evenly.
  assert.deepEqual(ticks(1.1, 1.9, true, 4), ticks(1.1, 1.9, false, 4));
});

test("numbers are written as people read them", () => {
  const narrow = "\u00a0";
  assert.deepEqual([0, 0.5, 12.345, 99.96, 1234.5, 999999, 1e6, 2.5e-4, -0.25, NaN, Infinity].map(short),
    ["0", "0.5", "12.3", "100", `1${narrow}235`, `999${narrow}999`, "1.00e6", "2.50e-4", "-0.25", "–", "–"]);
});
