// What several methods say of a face, in one sentence.

import assert from "node:assert/strict";
import { test } from "node:test";

import { factsOf } from "../../ui/static/live_facts.js";
import { headline } from "../../ui/static/verdicts.js";

/** @import { Verdict } from "../../ui/static/verdicts.js" */

/**
 * @param {boolean} right
 * @returns {Verdict}
 */
const ready = (right) => ({ id: "a", state: "ready", rebuilt: true, tile: 0, name: "s1", row: 0, right, margin: null });
/** @type {Verdict} */
const fitting = { id: "b", state: "fitting" };
/** @type {Verdict} */
const failed = { id: "c", state: "failed", message: "no" };

/** @type {[Verdict[], string][]} */
const CASES = [
  [[fitting], "The methods are being fitted …"],
  [[ready(true)], "The method still recognises s1."],
  [[ready(true), ready(true)], "All 2 still recognise s1."],
  [[ready(false)], "0 of 1 still recognise s1."],
  [[ready(true), ready(false)], "1 of 2 still recognises s1."],
  [[ready(true), failed], "1 of 1 still recognises s1."],
  [[ready(false), fitting], "The first that is ready does not recognise s1; 1 to come …"],
  [[ready(true), ready(false), fitting], "1 of the 2 that are ready still recognises s1; 1 to come …"],
];

for (const [entries, words] of CASES) test(words, () => assert.equal(headline(entries, "s1", false), words));

test("a face of one's own is not recognised by anybody", () => {
  assert.equal(headline([ready(true)], "s1", "face"), "Your face, made of what the methods have learnt from others.");
});

test("what is recognised at the start is said to be no achievement", () => {
  const reading = { iteration: 0, objective: 5, seconds: 0 }, run = { closed: false, limit: 100 };
  const said = (/** @type {number} */ at) => factsOf(run, reading, { accuracy_euclidean: 0.73 }, at).at(-1)?.join("");
  assert.equal(said(0), "recognised 73 % before any step");
  assert.equal(said(3), "recognised 73 %");
});
