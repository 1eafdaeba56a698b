// Another sample than the present one, and ghosts of curves to compare with.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Chart } from "../../ui/static/chart.js";
import { another } from "../../ui/static/wishes.js";

test("another sample is never the present one, and any other may be dealt", () => {
  const dealt = new Set([0, 0.3, 0.6, 0.99].map((draw) => another(2, 5, () => draw)));
  assert.deepEqual([...dealt].sort(), [0, 1, 3, 4]);
  assert.equal(another(0, 1), 0);
});

test("a curve stays as a ghost only if there was enough of it to compare with", () => {
  const chart = Object.create(Chart.prototype);
  Object.assign(chart, { zoom: { range: null }, room: { width: 0 }, draw() {} });
  const curve = (/** @type {number} */ rows) => ({ rows });
  chart.curve = curve(100);
  chart.clear(true);
  assert.equal(chart.ghost.rows, 100);
  chart.curve = curve(3); // a slider that is still moving
  chart.clear(true);
  assert.equal(chart.ghost.rows, 100);
  chart.curve = curve(50);
  chart.clear(false); // other data or another method
  assert.equal(chart.ghost.rows, 0);
});
