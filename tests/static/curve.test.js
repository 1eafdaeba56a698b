// What of a run's curve is seen, and where it stops being one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Curve } from "../../ui/static/curve.js";

const AS_IT_IS = { logX: false, logY: false, bySeconds: false };

/**
 * A curve of iterations 0, 1, 2 …, each with half a second.
 * @param {number[][]} rows the terms of each iteration; the objective is their sum
 */
function curveOf(rows, closed = false) {
  const columns = 3 + rows[0].length;
  const points = rows.flatMap((terms, row) => [row, terms.reduce((sum, term) => sum + term, 0), row / 2, ...terms]);
  return new Curve(new Float32Array(points), [rows.length, columns], closed);
}

const falling = curveOf(Array.from({ length: 200 }, (_, row) => [1 + 300 / (row + 1), 2]));

test("an iteration is read at its row, or at the next one that is kept", () => {
  const thinned = new Curve(new Float32Array([0, 9, 0, 10, 5, 1, 50, 4, 2]), [3, 3], false);
  assert.deepEqual([0, 1, 10, 30, 50, 80].map((iteration) => thinned.rowOf(iteration)), [0, 1, 1, 2, 2, 2]);
  assert.deepEqual(thinned.read(1), { iteration: 10, objective: 5, seconds: 1 });
  assert.equal(new Curve(new Float32Array(), [0, 3], false).rowOf(3), null);
  assert.equal(thinned.nearest(33, (row) => thinned.xOf(row, false)), 2);
});

test("the whole of a long run is cut at the top, and says so; a part of it is cut at the bottom", () => {
  const whole = falling.window(AS_IT_IS, null);
  assert.deepEqual([whole.x, whole.y[0], whole.cut], [[0, 199], 0, "top"]);
  assert.ok(whole.y[1] < falling.objective(0) && whole.y[1] > falling.objective(6));
  const part = falling.window(AS_IT_IS, [100, 199]);
  assert.equal(part.cut, "bottom");
  assert.ok(part.y[0] > 0 && part.y[0] < falling.objective(199) && part.y[1] >= falling.objective(100));
});

test("by powers an axis never begins at zero", () => {
  const seen = falling.window({ logX: true, logY: true, bySeconds: true }, null);
  assert.ok(seen.logX && seen.logY && seen.x[0] > 0 && seen.y[0] > 0);
  assert.equal(seen.x[0], 0.5);
  assert.ok(!curveOf([[-1], [-2], [-3]]).window({ ...AS_IT_IS, logY: true }, null).logY);
});

test("bars stand on zero or hang from it: a negative objective lies inside its chart", () => {
  for (const value of [-1710, 1710, 0]) {
    const { y, x } = curveOf([[value]], true).window(AS_IT_IS, null);
    assert.ok(y[0] <= Math.min(0, value) && y[1] >= Math.max(0, value) && y[1] > y[0], String([value, y]));
    assert.deepEqual(x, [-0.6, 0.6]);
  }
});

test("terms of either sign are each seen whole", () => {
  const seen = curveOf([[5, -2], [4, -3], [3, -1]]).window(AS_IT_IS, null);
  assert.ok(seen.signed && seen.y[0] <= -3 && seen.y[1] >= 5);
  const deep = curveOf([[20, -210, 9], [21, -204, 9]]).window(AS_IT_IS, null);
  assert.ok(deep.y[0] <= -210 && deep.y[1] >= 21, "what lies above a negative objective was outside its chart");
});

test("a run that leaves every bound has a first row that is no number, and a window of what came before", () => {
  const off = curveOf([[3, 1], [2, 1], [1, Infinity], [NaN, 1], [1, 1]]);
  assert.equal(off.firstOff(), 2);
  assert.equal(falling.firstOff(), null);
  const { y } = off.window(AS_IT_IS, null);
  assert.ok(y.every(Number.isFinite) && y[1] >= 4);
});

test("a curve without any number still has axes", () => {
  const { x, y } = curveOf([[NaN], [NaN]]).window(AS_IT_IS, null);
  assert.ok([...x, ...y].every(Number.isFinite) && y[1] > y[0]);
});
