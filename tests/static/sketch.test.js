// A curve drawn by hand: what a hand bends, and what keys do.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bent, stepped } from "../../ui/static/sketch_line.js";

test("a hand bends what it passes over, however fast it goes", () => {
  assert.deepEqual(bent([0.5, 0.5, 0.5], { x: 0.5, y: 0.9 }, { x: 0.5, y: 0.9 }), [0.5, 0.9, 0.5]);
  assert.deepEqual(bent([0.5, 0.5, 0.5], { x: 1, y: 0 }, { x: 0, y: 1 }), [1, 0.5, 0]);
  assert.deepEqual(bent([0.5, 0.5], { x: -1, y: 2 }, { x: -1, y: 2 }), [1, 0.5], "beyond the rim is at the rim");
});

test("keys move one place", () => {
  assert.deepEqual(stepped([0.5, 0.5], 1, "ArrowUp"), [0.5, 0.6]);
  assert.deepEqual(stepped([0.5, 0.1], 1, "PageDown"), [0.5, 0]);
  assert.equal(stepped([0.5], 0, "a"), null);
});
