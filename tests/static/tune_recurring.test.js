import assert from "node:assert/strict";
import test from "node:test";

import { everywhere, frame } from "../../ui/static/tune_recurring.js";

test("parts that come back from every start are framed within their tiles, others are not", () => {
  assert.deepEqual(everywhere([1, 0.75, 1]), [0, 2]);
  /** @type {number[][]} */
  const drawn = [];
  const pen = { strokeRect: (/** @type {number[]} */ ...box) => drawn.push(box) };
  frame(/** @type {CanvasRenderingContext2D} */ (/** @type {unknown} */ (pen)), { columns: 2, count: 3, gap: 1, tile: [10, 10], size: [21, 21] }, 2, [1, 0.75, 1]);
  assert.equal(drawn.length, 2);
  for (const [at, y] of [[0, 0], [1, 22]]) {
    const [left, top, w, h] = drawn[at];
    assert.ok(left >= 0 && left + w <= 20 && top >= y && top + h <= y + 20);
  }
});
