// Buttons of which one is chosen, and what is pointed at on a canvas.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fakePage } from "./fake_canvas.js";
import { PointedCanvas } from "../../ui/static/pointed_canvas.js";
import { switches } from "../../ui/static/switches.js";

/** A page whose buttons remember their attributes. */
class Button {
  /** @type {Record<string, string>} */
  attributes = {};
  textContent = "";
  onclick = () => {};

  /**
   * @param {string} name
   * @param {string} value
   */
  setAttribute(name, value) { this.attributes[name] = value; }
}

test("one of the buttons is chosen at a time, and says so", () => {
  Object.assign(globalThis, { HTMLButtonElement: Button, document: { createElement: () => new Button() } });
  /** @type {string[]} */
  const chosen = [];
  const buttons = /** @type {Button[]} */ (/** @type {unknown} */ (switches([["a", "One"], ["b", "Other"]], "a", (key) => chosen.push(key))));
  const pressed = () => buttons.map(({ attributes }) => attributes["aria-pressed"]);
  assert.deepEqual(pressed(), ["true", "false"]);
  buttons[1].onclick();
  assert.deepEqual(pressed(), ["false", "true"]);
  assert.deepEqual([chosen, buttons.map(({ textContent }) => textContent)], [["b"], ["One", "Other"]]);
  const [tab] = /** @type {Button[]} */ (/** @type {unknown} */ (switches([["a", "One"]], "a", () => {}, { tabs: true })));
  assert.deepEqual(tab.attributes, { role: "tab", "aria-selected": "true" });
});

test("what is pointed at is marked and told once, until it is another", () => {
  const { canvas } = fakePage();
  /** @type {(number | null)[]} */
  const told = [], /** @type {(number | null)[]} */ marked = [];
  const hands = { point: (/** @type {number | null} */ at) => { told.push(at); } };
  const pointed = new PointedCanvas({ canvas, overlay: canvas }, hands);
  pointed.mark = () => { marked.push(pointed.pointed); };
  for (const at of [3, 3, null, null, 0]) pointed.point(at);
  assert.deepEqual(told, [3, null, 0]);
  assert.deepEqual(marked, told);
});
