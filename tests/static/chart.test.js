// What the chart of a run draws, on a canvas that notes it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Chart } from "../../ui/static/chart.js";
import { fakePage } from "./fake_canvas.js";

const TERMS = ["reconstruction", "separability"].map((title, index) => ({ title, light: `#11111${index}`, dark: `#22222${index}` }));
const BOTTOM = 300 - 36, TOP = 12;

/**
 * @param {number[][]} rows the two terms of each iteration
 * @param {boolean} [closed]
 */
function drawn(rows, closed = false) {
  const { canvas, calls, legend, words } = fakePage(), chart = new Chart(canvas, legend);
  const points = rows.flatMap(([one, other], row) => [row, one + other, row / 10, one, other]);
  chart.set(TERMS, new Float32Array(points), [rows.length, 5], closed);
  calls.length = 0;
  chart.draw();
  return { chart, calls, words, legend };
}

/**
 * The corners of all filled areas.
 * @param {import("./fake_canvas.js").Call[]} calls
 */
function filled(calls) {
  /** @type {[number, number][][]} */
  const areas = [];
  /** @type {[number, number][]} */
  let path = [];
  for (const [name, ...values] of calls) {
    if (name === "beginPath") path = [];
    if (name === "lineTo") path.push([Number(values[0]), Number(values[1])]);
    if (name === "fill" && path.length) areas.push(path);
  }
  return areas;
}

test("terms are stacked in the colours that the server gives them", () => {
  const { calls, words } = drawn([[3, 1], [2, 1], [1, 1]]);
  assert.equal(filled(calls).length, 2);
  for (const { light } of TERMS) assert.ok(calls.some(([name, value]) => name === "=fillStyle" && value === light));
  assert.match(words(), /objective +2.*reconstruction +1.*separability +1/);
});

test("where the objective is no number any more, the area ends and ∞ says where it has gone", () => {
  const { calls } = drawn([[3, 1], [2, 1], [Infinity, 1], [NaN, NaN], [Infinity, Infinity]]);
  const areas = filled(calls);
  assert.equal(areas.length, 2);
  // Two rows up and the same two back: nothing falls to the bottom after the last number.
  for (const area of areas) {
    assert.equal(area.length, 4);
    assert.ok(area.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y)));
  }
  const signs = calls.filter(([name, text]) => name === "fillText" && text === "∞");
  assert.equal(signs.length, 1);
  assert.ok(Number(signs[0][2]) > Math.max(...areas[0].map(([x]) => x)) - 1e-9);
  assert.ok(!drawn([[3, 1], [2, 1]]).calls.some(([name, text]) => name === "fillText" && text === "∞"));
});

for (const [what, rows] of /** @type {[string, number[][]][]} */ ([["negative", [[-1700, -10]]], ["positive", [[4, 1]]], ["mixed", [[4, 1], [-3, -2]]]]))
  test(`bars of ${what} stages lie inside of the chart`, () => {
    const bars = drawn(rows, true).calls.filter(([name]) => name === "fillRect");
    assert.equal(bars.length, rows.length);
    for (const [, , y, , height] of bars) {
      assert.ok(Number(height) > 1.5, "a bar that can be seen");
      assert.ok(Number(y) >= TOP - 1 && Number(y) + Number(height) <= BOTTOM + 1, `${y} + ${height}`);
    }
  });

test("the legend reads off the iteration that is looked at, and keeps the height it has needed", () => {
  const { chart, words, legend } = drawn([[3, 1], [2, 1], [1, 1]]);
  const place = /** @type {{ offsetHeight: number, style: CSSStyleDeclaration }} */ (legend);
  chart.mark = 1;
  place.offsetHeight = 37;
  chart.draw();
  assert.match(words(), /iteration +1.*objective +3/);
  assert.equal(place.style.minHeight, "37px");
  place.offsetHeight = 18;
  chart.mark = null;
  chart.draw();
  assert.equal(place.style.minHeight, "37px");
});
