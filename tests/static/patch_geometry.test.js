// A patch goes where the hand wants it and never out of its picture.

import assert from "node:assert/strict";
import { test } from "node:test";

import { alike, dragged, fetched, holdAt, keyed, within } from "../../ui/static/patch_geometry.js";

/** @import { Place, Shape } from "../../ui/static/patch_geometry.js" */

/** @type {Shape} */
const SHAPE = [60, 40];

/** @param {Place} place */
function assertInside({ left, top, size }) {
  assert.ok([left, top, size].every(Number.isInteger), String([left, top, size]));
  assert.ok(left >= 0 && top >= 0 && size >= 0 && left + size <= SHAPE[1] && top + size <= SHAPE[0], String([left, top, size]));
}

test("any wish becomes a whole place inside of the picture; a place that is one stays", () => {
  for (let trial = 0; trial < 500; trial++) {
    const wish = { left: 200 * Math.random() - 80, top: 200 * Math.random() - 80, size: 120 * Math.random() - 20 };
    const place = within(wish, SHAPE);
    assertInside(place);
    assert.ok(alike(place, within(place, SHAPE)));
  }
  assert.deepEqual(within({ left: 3, top: 4, size: 99 }, SHAPE), { left: 0, top: 4, size: 40 });
});

test("corners are gripped within reach, the middle drags, beside it there is nothing", () => {
  const place = { left: 10, top: 20, size: 12 };
  assert.deepEqual(holdAt(place, { x: 23, y: 33 }, 2), { corner: [1, 1], dx: 1, dy: 1, fixed: [10, 20] });
  assert.deepEqual(holdAt(place, { x: 10, y: 19 }, 2)?.fixed, [22, 32]);
  assert.deepEqual(holdAt(place, { x: 16, y: 26 }, 2), { corner: null, dx: 6, dy: 6, fixed: [10, 20] });
  assert.equal(holdAt(place, { x: 30, y: 26 }, 2), null);
});

test("the middle of a small patch stays free to be dragged by, however large the finger", () => {
  assert.equal(holdAt({ left: 10, top: 10, size: 6 }, { x: 13, y: 13 }, 24)?.corner, null);
});

test("the corner opposite to the one that is pulled stays where it is", () => {
  for (const [x, y] of [[10, 20], [22, 20], [10, 32], [22, 32]]) {
    const place = { left: 10, top: 20, size: 12 }, hold = holdAt(place, { x, y }, 1);
    assert.ok(hold?.corner);
    const [right, bottom] = hold.corner;
    for (let trial = 0; trial < 200; trial++) {
      const next = within(dragged(place, hold, { x: 100 * Math.random() - 30, y: 120 * Math.random() - 30 }, SHAPE), SHAPE);
      assertInside(next);
      assert.deepEqual([next.left + (right ? 0 : next.size), next.top + (bottom ? 0 : next.size)], hold.fixed);
      assert.ok(next.size >= 2);
    }
  }
});

test("a dragged patch keeps its size and follows the pointer from where it was held", () => {
  const place = { left: 10, top: 20, size: 12 }, hold = holdAt(place, { x: 14, y: 25 }, 1);
  assert.ok(hold);
  assert.deepEqual(dragged(place, hold, { x: 15, y: 23 }, SHAPE), { left: 11, top: 18, size: 12 });
});

test("pressing beside the patch brings it to the pointer, large enough to be seen", () => {
  const { place, hold } = fetched({ left: 0, top: 0, size: 0 }, { x: 20, y: 30 }, SHAPE);
  assert.deepEqual(place, { left: 17.5, top: 27.5, size: 5 });
  assert.deepEqual(dragged(place, hold, { x: 20, y: 30 }, SHAPE), place);
});

test("keys move by one or five and let the patch grow around its middle", () => {
  const place = { left: 10, top: 20, size: 12 };
  assert.deepEqual(keyed(place, "ArrowLeft", false), { left: 9, top: 20, size: 12 });
  assert.deepEqual(keyed(place, "ArrowDown", true), { left: 10, top: 25, size: 12 });
  assert.equal(keyed(place, "a", false), null);
  let grown = place;
  for (let times = 0; times < 6; times++) grown = keyed(grown, "+", false) ?? grown;
  assert.deepEqual(grown, { left: 7, top: 17, size: 18 });
  for (let times = 0; times < 6; times++) grown = keyed(grown, "-", false) ?? grown;
  assert.deepEqual(grown, place);
});
