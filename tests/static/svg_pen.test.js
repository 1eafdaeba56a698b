// What is drawn on a canvas, noted as SVG.

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawWith } from "../../ui/static/canvas.js";
import { Chart } from "../../ui/static/chart.js";
import { asPen, SvgPen } from "../../ui/static/svg_pen.js";
import { fakePage } from "./fake_canvas.js";

const HELP = { measure: () => /** @type {TextMetrics} */ ({ width: 10 }), colour: (/** @type {string} */ colour) => colour };

test("a chart that has drawn itself draws the same as lines, and goes on drawing on its canvas", () => {
  const { canvas, calls, legend } = fakePage(), chart = new Chart(canvas, legend), pen = new SvgPen(HELP);
  const points = [3, 2, 1].flatMap((value, row) => [row, value + 1, row / 10]);
  chart.set([], new Float32Array(points), [3, 3], false);
  chart.draw();
  const before = calls.length;
  assert.ok(drawWith(canvas, asPen(pen)));
  assert.equal(calls.length, before, "the canvas stays as it was");
  const svg = pen.svg();
  assert.match(svg, /<text[^>]*>iteration<\/text>/);
  assert.match(svg, /<clipPath id="(clip\d+)">.*<g clip-path="url\(#clip\d+\)">/);
  assert.match(svg, /<path d="M[\d. ]+L[\d. ]+L[\d. ]+" fill="none" stroke=/);
  chart.draw();
  assert.ok(calls.length > before);
  assert.ok(!drawWith(/** @type {HTMLCanvasElement} */ (/** @type {unknown} */ ({})), asPen(pen)), "nobody draws this one");
});

test("circles are closed, transforms and names are kept", () => {
  const pen = new SvgPen(HELP);
  pen.setTransform(2, 0, 0, 2, 0, 0);
  pen.beginPath();
  pen.arc(10, 10, 5, 0, 7);
  pen.fill();
  pen.globalAlpha = 0.5;
  pen.font = "600 17px Source Sans, sans-serif";
  pen.textAlign = "right";
  pen.fillText("a < b & \"c\"", 1, 2);
  assert.equal(pen.svg(), '<g transform="matrix(2 0 0 2 0 0)"><path d="M15 10A5 5 0 0 1 5 10A5 5 0 0 1 15 10" fill="#000"/>'
    + '<text x="1" y="2" dy="0em" text-anchor="end" textLength="10" lengthAdjust="spacingAndGlyphs" font-size="17" font-family="Source Sans, sans-serif" font-weight="600" fill="#000"'
    + ' fill-opacity="0.5">a &lt; b &amp; &quot;c&quot;</text></g>');
  pen.clearRect();
  assert.equal(pen.svg(), "");
});
