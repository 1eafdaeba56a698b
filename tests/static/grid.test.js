// Pictures on a sheet: where each lies, which is under the pointer, and the same pictures in another shape.

import assert from "node:assert/strict";
import { test } from "node:test";

import { enlarged, fewerColumns, rowsOf, stepOf, tileAt, tileBox } from "../../ui/static/grid.js";

/** @import { Grid } from "../../ui/static/server.js" */

/** Seventeen pictures of 10 by 8, six a row.
 * @type {Grid} */
const GRID = { columns: 6, count: 17, tile: [10, 8], gap: 2, size: [58, 34] };

test("every picture is found at its own corners and middle", () => {
  for (let index = 0; index < GRID.count; index++) {
    const [x, y, w, h] = tileBox(GRID, index);
    for (const [atX, atY] of [[x, y], [x + w / 2, y + h / 2], [x + w - 0.01, y + h - 0.01]]) assert.equal(tileAt(GRID, atX, atY), index);
  }
});

test("beyond the last picture, and outside, there is none", () => {
  for (const [x, y] of [[50, 25], [60, 5], [-1, 5], [5, -1], [5, 37]]) assert.equal(tileAt(GRID, x, y), null);
});

test("arrow keys go to the neighbours", () => {
  assert.deepEqual(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "a"].map((key) => stepOf(GRID, key)), [1, -1, 6, -6, undefined]);
});

test("a narrow screen gets fewer columns, and room for all; a wide one what was sent", () => {
  const narrow = fewerColumns(GRID, 100, 24);
  assert.deepEqual([narrow.columns, narrow.size], [4, [38, 58]]);
  assert.equal(rowsOf(narrow), 5);
  const [x, y, w, h] = tileBox(narrow, 16);
  assert.ok(x + w <= narrow.size[0] && y + h <= narrow.size[1]);
  assert.equal(fewerColumns(GRID, 600, 24), GRID);
  assert.equal(fewerColumns(GRID, 10, 24), GRID);
});

test("enlarged pictures are whole multiples and fill the screen's width", () => {
  const large = enlarged(GRID, 640, 2);
  assert.deepEqual(large.tile, [120, 96]);
  assert.equal(large.size[0], 6 * 98 - 2);
  assert.equal(rowsOf(large), rowsOf(GRID));
});
