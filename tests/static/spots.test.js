// Among points on a plane: the nearest, the next in a direction, and those inside of a line drawn by hand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { spotsOf, whoIs } from "../../ui/static/cloud.js";
import { inside, look } from "../../ui/static/map_paint.js";
import { nearestSpot, nextSpot, wayOf } from "../../ui/static/spots.js";

/** @type {[number, number][]} a three by three lattice, ten apart */
const LATTICE = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => /** @type {[number, number]} */ ([10 * column, 10 * row])));
const spotOf = (/** @type {number} */ index) => LATTICE[index];

test("the nearest point is found within reach only", () => {
  assert.equal(nearestSpot(9, spotOf, [11, 9], 5), 4);
  assert.equal(nearestSpot(9, spotOf, [15, 15], 5), null);
  assert.equal(nearestSpot(0, spotOf, [0, 0], 5), null);
});

test("arrow keys go to the neighbour in their direction, and from there back", () => {
  for (const [key, next, back] of /** @type {[string, number, string][]} */ ([
    ["ArrowRight", 5, "ArrowLeft"], ["ArrowLeft", 3, "ArrowRight"], ["ArrowUp", 1, "ArrowDown"], ["ArrowDown", 7, "ArrowUp"],
  ])) {
    assert.equal(nextSpot(9, spotOf, LATTICE[4], wayOf(key) ?? [0, 0]), next);
    assert.equal(nextSpot(9, spotOf, LATTICE[next], wayOf(back) ?? [0, 0]), 4);
  }
  assert.equal(wayOf("a"), undefined);
});

test("at the rim there is nothing ahead; what lies far aside counts as ahead only if it may", () => {
  assert.equal(nextSpot(9, spotOf, LATTICE[5], [1, 0]), null);
  const spots = /** @type {[number, number][]} */ ([[0, 0], [5, 40]]);
  assert.equal(nextSpot(2, (index) => spots[index], [0, 0], [1, 0]), 1);
  assert.equal(nextSpot(2, (index) => spots[index], [0, 0], [1, 0], 1), null);
});

test("a line drawn around some holds those and no others, however it is drawn", () => {
  /** @type {[number, number][]} the shape of a U, open above */
  const path = [[0, 0], [0, 30], [30, 30], [30, 0], [20, 0], [20, 20], [10, 20], [10, 0]];
  assert.deepEqual([[5, 5], [25, 5], [15, 25]].map(([x, y]) => inside(path, x, y)), [true, true, true]);
  assert.deepEqual([[15, 5], [-1, 5], [31, 5], [15, 31]].map(([x, y]) => inside(path, x, y)), [false, false, false, false]);
});

test("classes differ in colour, and beyond the palette in shape", () => {
  const palette = ["a", "b", "c"], looks = Array.from({ length: 12 }, (_, code) => look(code, palette));
  assert.equal(new Set(looks.map(({ colour, shape }) => `${colour} ${shape}`)).size, 12);
  assert.equal(look(-1, palette).colour, null);
});

test("samples lie inside of their canvas, upwards", () => {
  const spots = spotsOf(new Uint16Array([0, 0, 65535, 65535]), 2, 200, 100);
  assert.deepEqual([...spots], [10, 90, 190, 10]);
});

test("a sample says who it is, and a bare number what it is a number of", () => {
  const cast = { places: [4, 9], codes: [0, -1], labelled: /** @type {(0 | 1)[]} */ ([1, 0]), names: [null, "a.png"], classes: ["7"], unit: "digit" };
  assert.equal(whoIs(cast, 0), "sample 5 · digit 7 · labelled");
  assert.equal(whoIs(cast, 1), "a.png · class unknown · unlabelled");
});
