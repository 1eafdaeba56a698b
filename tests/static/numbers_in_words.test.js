// What answers of the server come to in numbers and words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { spread } from "../../ui/static/accuracy.js";
import { axisFrom, statsOf } from "../../ui/static/contest_stats.js";
import { recognised } from "../../ui/static/documents.js";
import { factsOf } from "../../ui/static/live_facts.js";
import { partInWords } from "../../ui/static/live_stage.js";
import { edgesByPoint, laidOut, radiusOf } from "../../ui/static/map_layout.js";
import { endsOf as raceEnds, pairsOf } from "../../ui/static/race_curves.js";
import { when } from "../../ui/static/runs.js";
import { placesInWords, progressOf } from "../../ui/static/surveys.js";
import { endsOf as viewEnds } from "../../ui/static/views.js";

test("a race shows what is measured against what was chosen, and leaves out what is not known", () => {
  const run = {
    points: new Float32Array([0, 9, 0, 1, NaN, 0.5, 2, 4, 1]),
    kept: /** @type {import("../../ui/static/race_curves.js").KeptScores[]} */ ([[0, 0, 0.25, null], [2, 1, 0.75, 0.5], [5, null, 1, 0.25]]),
  };
  assert.deepEqual(pairsOf(run, { axis: "iterations", by: "objective" }), [[0, 9], [2, 4]]);
  assert.deepEqual(pairsOf(run, { axis: "seconds", by: "objective" }), [[0, 9], [1, 4]]);
  assert.deepEqual(pairsOf(run, { axis: "iterations", by: "recognised" }), [[0, 0.25], [2, 0.75]]);
  assert.deepEqual(pairsOf(run, { axis: "seconds", by: "error" }), [[1, 0.5]]);
});

test("every curve of a race lies inside of its chart, negative ones too", () => {
  for (const value of [-1710, 0, 42]) {
    const { x, y } = raceEnds([[0, value], [3, value + 1]], { logX: false, logY: false }, false);
    assert.ok(y[0] <= value && value + 1 <= y[1], String(y));
    assert.deepEqual(x, [0, 3]);
  }
  assert.deepEqual(raceEnds([[0, 0.4], [5, 0.5]], { logX: false, logY: false }, true).y, [0, 1]);
});

test("an axis by powers begins at the least value that has a logarithm, or stays even", () => {
  const { x, y, logX, logY } = raceEnds([[0, 2], [0.5, 4]], { logX: true, logY: true }, false);
  assert.deepEqual([x, y[0], logX, logY], [[0.5, 0.5], 1.8, true, true]);
  assert.ok(!raceEnds([[0, -2], [1, 4]], { logX: true, logY: true }, false).logY);
});

test("shares far beyond the whole are shown by powers of ten, others up to the whole at most", () => {
  assert.deepEqual(viewEnds([0.2, 0.4, null]), { low: 0, high: 0.42000000000000004, far: false });
  assert.deepEqual(viewEnds([0.99]), { low: 0, high: 1, far: false });
  assert.deepEqual(viewEnds([0.5, 1e8, Infinity, null]), { low: 0.5, high: 1e8, far: true });
});

test("several splits come to a mean and a spread, and the axis begins before the weakest", () => {
  assert.equal(statsOf([]), null);
  const stats = [statsOf([0.8, 0.9]), statsOf([0.55])].filter((one) => one !== null);
  assert.ok(Math.abs(stats[0].mean - 0.85) < 1e-12 && Math.abs(stats[0].deviation - 0.05) < 1e-12);
  assert.ok(Math.abs(axisFrom(stats) - 0.5) < 1e-12);
  assert.deepEqual([axisFrom([]), axisFrom([{ values: [0], mean: 0, deviation: 0, least: 0 }])], [0, 0]);
});

test("curves say how far they are: trials of what is spoiled count, those of nothing do not", () => {
  /** @type {Pick<import("../../ui/static/robustness_types.js").RobustnessData, "tested" | "noise" | "count">} */
  const data = { tested: "held", noise: false, count: 40 };
  const curve = { id: "a", complete: false, whole: 10, amounts: 3, points: /** @type {[number, number, number, number][]} */ ([[0, 1, 0, 1], [8, 0.5, 0, 4]]) };
  assert.equal(progressOf({ curves: [curve], complete: false }, data), "Being worked out, 20 %: more trials, narrower doubts …");
  assert.equal(progressOf({ curves: [{ ...curve, points: [[0, 1, 0, 1]] }], complete: false }, data), "Getting ready …");
  assert.match(progressOf({ curves: [curve], complete: true }, data), /^Mean of 10 trials: random places in random splits, 40 pictures each/);
  assert.match(progressOf({ curves: [curve], complete: true }, { ...data, tested: "covered" }), /fitted anew/);
});

test("a spread is said only where there is one, small ones with a digit more", () => {
  assert.deepEqual([0, 0.0004, 0.004, 0.05].map(spread), ["", "", " ± 0.4", " ± 5"]);
});

test("the line above a run says how far it is, what it has reached, and at what pace", () => {
  const words = (/** @type {import("../../ui/static/live_facts.js").Fact[]} */ facts) => facts.map((fact) => fact.join("")).join(" · ");
  const reading = { iteration: 50, objective: 12.3456, seconds: 0.1 };
  assert.equal(words(factsOf({ closed: false, limit: 200 }, reading, { accuracy_euclidean: 0.784 }, 50)),
    "iteration 50 of 200 · objective 12.3 · 2 ms each · recognised 78 %");
  assert.equal(words(factsOf({ closed: true, limit: 200 }, reading, {}, 2)), "stage 2 · objective 12.3");
});

test("a part says what it is for, how much it rebuilds and how sparse it is", () => {
  const header = { discriminative: 1, tips: /** @type {[number, number][]} */ ([[12.34, 0.5], [3.21, 0.25]]) };
  /** @type {[string, string]} */
  const kinds = ["U¹: tells classes apart", "U²: helps to rebuild"];
  assert.equal(partInWords(0, 2, header, kinds), "part 1 of 2 · U¹: tells classes apart · 12 % of what is rebuilt · sparsity 0.50");
  assert.equal(partInWords(1, 2, header, kinds), "part 2 of 2 · U²: helps to rebuild · 3.2 % of what is rebuilt · sparsity 0.25");
  assert.equal(partInWords(1, 2, { discriminative: null }, kinds), "part 2 of 2");
});

test("documents: what was recognised before is said only at the end, and only if it differs", () => {
  const tail = "of the others taken for what they are";
  assert.equal(recognised({ labelled: 20, ended: true }, 0.8, 0.7), `20 labelled; 80 % (before: 70 %) ${tail}`);
  assert.equal(recognised({ labelled: 20, ended: true }, 0.801, 0.799), `20 labelled; 80 % ${tail}`);
  assert.equal(recognised({ labelled: 20, ended: false }, 0.8, 0.7), `20 labelled; 80 % ${tail}`);
  assert.equal(recognised({ labelled: 20, ended: true }, 0.8), `20 labelled; 80 % ${tail}`);
});

test("a run of today has a time, an older one a day, one of another year the year too", () => {
  const now = new Date(2026, 4, 20, 15, 30), seconds = (/** @type {Date} */ date) => date.getTime() / 1000;
  assert.ok(!when(seconds(new Date(2026, 4, 20, 9, 5)), now).includes(","));
  assert.match(when(seconds(new Date(2026, 4, 19, 9, 5)), now), /19.*, /);
  assert.ok(!when(seconds(new Date(2026, 4, 19, 9, 5)), now).includes("2026"));
  assert.match(when(seconds(new Date(2025, 4, 20, 9, 5)), now), /2025/);
});

test("points of a map keep the same unit on both axes and stay inside", () => {
  const spotOf = laidOut(new Float32Array([-1, 0, 1, 0, 0, 0.5]), 400, 200);
  assert.deepEqual([0, 1, 2].map(spotOf), [[36, 100], [364, 100], [200, 18]]);
  assert.ok(radiusOf(10, 800, 800) > radiusOf(5000, 800, 800) && radiusOf(1e6, 800, 800) >= 1.8);
});

test("each edge is found at both of its points", () => {
  const edges = { count: 2, pairs: new Int32Array([0, 1, 1, 2]), weights: new Float32Array(2), crossing: new Uint8Array(2) };
  assert.deepEqual(edgesByPoint(4, edges), [[0], [0, 1], [1], []]);
});

test("maps say that they ask about other pictures than curves do, where that is so", () => {
  const data = /** @type {const} */ ({ tested: "held", kind: "grey", what: "picture" });
  assert.match(placesInWords(data, 20, false), /^Being worked out for a grey patch of 20 by 20/);
  assert.ok(placesInWords(data, 20, true).endsWith("dark is where it hurts most."));
  for (const complete of [true, false])
    assert.match(placesInWords({ ...data, tested: "covered" }, 20, complete), /pictures they have learned from, which is easier\.$/);
});
