// A view that is closed has let go of all it watched.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { Lifetime } from "../../ui/static/lifetime.js";
import { mounted } from "../../ui/static/mounted.js";

/** @import { Component } from "../../ui/static/mounted.js" */

/** @type {Set<FakeObserver>} */
const watching = new Set();

class FakeObserver {
  /** @param {() => void} act */
  constructor(act) { this.act = act; }
  observe() { watching.add(this); }
  disconnect() { watching.delete(this); }
}

Object.assign(globalThis, { ResizeObserver: FakeObserver, MutationObserver: FakeObserver });
afterEach(() => watching.clear());

const element = () => /** @type {HTMLElement} */ (/** @type {unknown} */ (new EventTarget()));

/**
 * @param {HTMLElement} parentElement
 * @param {number} data
 * @returns {Component<number>}
 */
const component = (parentElement, data) => ({ parentElement, data, base: "", setStateValue() {}, setTriggerValue() {} });

test("what was observed and listened to is released at the end, once", () => {
  const lifetime = new Lifetime(), page = new EventTarget();
  let heard = 0, resized = 0, released = 0;
  lifetime.resized(() => { resized += 1; }, element(), element());
  lifetime.mutated(element(), { childList: true }, () => {});
  lifetime.listen(page, "focusin", () => { heard += 1; });
  lifetime.atEnd(() => { released += 1; });
  page.dispatchEvent(new Event("focusin"));
  for (const observer of watching) observer.act();
  assert.deepEqual([heard, resized, watching.size], [1, 1, 2]);
  lifetime.end();
  lifetime.end();
  page.dispatchEvent(new Event("focusin"));
  assert.deepEqual([heard, released, watching.size], [1, 1, 0]);
});

test("a place has one view, which is told of every change and closed with its lifetime", () => {
  /** @type {string[]} */
  const told = [];
  const { show, leave } = mounted((/** @type {HTMLElement} */ place, /** @type {Component<number>} */ first, lifetime) => {
    told.push(`made ${first.data}`);
    lifetime.resized(() => {}, place);
    return { update: ({ data }) => told.push(`told ${data}`), close: () => told.push("closed") };
  });
  const [one, other] = [element(), element()];
  show(component(one, 1));
  show(component(one, 2));
  show(component(other, 3));
  assert.equal(watching.size, 2);
  leave(one);
  leave(one);
  assert.equal(watching.size, 1);
  show(component(one, 4));
  assert.deepEqual(told, ["made 1", "told 1", "told 2", "made 3", "told 3", "closed", "made 4", "told 4"]);
});
