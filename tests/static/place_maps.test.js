// Maps of places: cells that meet, colours in order, and words for those who do not see them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RAMP, colourOf, inWords, nearest, span } from "../../ui/static/place_maps.js";

test("cells of neighbouring places meet halfway, around the middle of the patch", () => {
  const places = [0, 10, 20, 28], size = 6;
  const spans = places.map((_, index) => span(places, index, size));
  spans.slice(1).forEach(([start], index) => assert.equal(start, spans[index][0] + spans[index][1]));
  places.forEach((place, index) => {
    const [start, length] = spans[index];
    assert.ok(start <= place + size / 2 && place + size / 2 <= start + length);
  });
  assert.deepEqual(span([5], 0, 4), [6.5, 1]);
});

test("the lowest share has the darkest colour, the highest the lightest, and a flat map has one", () => {
  const range = { low: 0.2, high: 0.8 };
  assert.equal(colourOf(0.2, range), `rgb(${RAMP[0].join(" ")})`);
  assert.equal(colourOf(0.8, range), `rgb(${RAMP[RAMP.length - 1].join(" ")})`);
  assert.equal(colourOf(0.5, { low: 0.5, high: 0.5 }), `rgb(${RAMP[0].join(" ")})`);
});

test("the nearest place is found from both sides", () => {
  assert.deepEqual([-5, 4, 6, 100].map((at) => nearest([0, 10, 20], at)), [0, 0, 1, 2]);
});

test("a map says where it hurts most", () => {
  const shares = [0.9, 0.8, 0.9, 0.7, null, 0.9, 0.9, 0.2, 0.9];
  assert.equal(inWords("NMF", shares, 3), "NMF: between 20 % and 90 % recognised; fewest with the patch at the bottom centre");
  assert.equal(inWords("NMF", [null, null], 2), "NMF: nothing known yet");
});
