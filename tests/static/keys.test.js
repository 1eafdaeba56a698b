// Another sample than the present one, and ghosts of curves to compare with.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Chart } from "../../ui/static/chart.js";
import { Lifetime } from "../../ui/static/lifetime.js";
import { PageKeys } from "../../ui/static/page_keys.js";
import { WISHES, another, onWish, wish } from "../../ui/static/wishes.js";

test("another sample is never the present one, and any other may be dealt", () => {
  const dealt = new Set([0, 0.3, 0.6, 0.99].map((draw) => another(2, 5, () => draw)));
  assert.deepEqual([...dealt].sort(), [0, 1, 3, 4]);
  assert.equal(another(0, 1), 0);
});

test("what a key asks for is done by the first view that can, and by nobody once that is closed", () => {
  Object.assign(globalThis, { document: new EventTarget() });
  /** @type {string[]} */
  const done = [], lifetime = new Lifetime();
  onWish(lifetime, WISHES.walk, () => false);
  onWish(lifetime, WISHES.walk, (by) => { done.push(`first by ${by}`); });
  onWish(lifetime, WISHES.walk, () => { done.push("second"); });
  assert.deepEqual([wish(WISHES.walk, -1), wish(WISHES.play)], [true, false]);
  assert.deepEqual(done, ["first by -1"]);
  lifetime.end();
  assert.equal(wish(WISHES.walk, 1), false);
});

test("a curve stays as a ghost only if there was enough of it to compare with", () => {
  const chart = Object.create(Chart.prototype);
  Object.assign(chart, { zoom: { range: null }, legend: { forgetHeight() {} }, draw() {} });
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

test("what a run of the page says that began before the last wish to present is out of date", () => {
  const keys = Object.create(PageKeys.prototype);
  /** @type {unknown[]} */
  const told = [];
  const says = (/** @type {boolean} */ presenting, /** @type {number} */ heard) =>
    keys.update({ data: { presenting, heard }, setTriggerValue: (/** @type {string} */ _name, /** @type {unknown} */ value) => told.push(value) });
  keys.said = 1;
  keys.data = { presenting: true, heard: 1 };
  says(false, 1);
  keys.act({ key: "p" });
  says(false, 1); // drawn late
  keys.act({ key: "p" });
  assert.deepEqual(told, [{ number: 2, wished: true }, { number: 3, wished: false }]);
  says(true, 2);
  assert.equal(keys.data.presenting, false);
  says(true, 3); // chosen another way: by the address
  assert.equal(keys.data.presenting, true);
});
