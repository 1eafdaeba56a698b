// The scale of a parameter's slider, what its keys do, and what a hand on it sends while it moves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnedAlong } from "../../ui/static/follower.js";
import { Hand } from "../../ui/static/hand.js";
import { SliderScale, told } from "../../ui/static/slider_scale.js";

const ALPHA = new SliderScale({ low: 1e-3, high: 1e4, log: true, zero: true, whole: false, mark: 10 });
const PARTS = new SliderScale({ low: 1, high: 200, log: false, zero: false, whole: true, mark: 78 });
const LIMIT = new SliderScale({ low: 10, high: 5000, log: true, zero: false, whole: true, mark: null });
const SHARE = new SliderScale({ low: 0, high: 1, log: false, zero: false, whole: false, mark: null });

test("places and values are each other's inverse, and round enough to be read", () => {
  for (const [scale, values] of /** @type {const} */ ([[ALPHA, [0, 0.001, 0.25, 10, 370, 1e4]], [PARTS, [1, 50, 200]], [LIMIT, [10, 500, 5000]], [SHARE, [0, 0.37, 1]]]))
    for (const value of values) assert.equal(scale.at(scale.place(value)), value);
  assert.equal(ALPHA.at(0), 0, "before a log scale a term is switched off");
  assert.equal(ALPHA.at(0.04), 0.001);
  assert.equal(ALPHA.place(10) > 0.5, true);
  assert.equal(String(ALPHA.at(0.4)).length <= 5, true);
});

test("a hand that comes near the paper's value means it", () => {
  assert.equal(ALPHA.at(ALPHA.place(10) + 0.01), 10);
  assert.notEqual(ALPHA.at(ALPHA.place(10) + 0.03), 10);
});

test("arrows go a step, pages ten, home and end to the ends", () => {
  assert.equal(ALPHA.step(10, "ArrowRight"), 13);
  assert.equal(ALPHA.step(10, "ArrowDown"), 7.9);
  assert.equal(ALPHA.step(10, "PageUp"), 100);
  assert.equal(ALPHA.step(10, "Home"), 0);
  assert.equal(ALPHA.step(10, "End"), 1e4);
  assert.equal(ALPHA.step(0, "ArrowRight"), 0.001);
  assert.equal(ALPHA.step(0.001, "ArrowLeft"), 0);
  assert.equal(ALPHA.step(0, "PageDown"), 0);
  assert.equal(ALPHA.step(1e4, "ArrowUp"), 1e4);
  assert.equal(ALPHA.step(10, "a"), null);
  assert.equal(PARTS.step(78, "ArrowRight"), 79);
  assert.equal(PARTS.step(78, "PageDown"), 58);
  assert.equal(PARTS.step(1, "ArrowLeft"), 1);
  assert.equal(LIMIT.step(10, "ArrowRight"), 13);
  assert.equal(SHARE.step(0.5, "ArrowRight"), 0.51);
  assert.equal(SHARE.step(0.5, "PageUp"), 0.6);
});

test("from any value of a link the arrows lead along the scale and on to its end", () => {
  let value = 3.3, steps = 0;
  for (let next = ALPHA.step(value, "ArrowRight"); next !== value; next = ALPHA.step(value, "ArrowRight"), steps++) {
    assert.ok(next !== null && next > value);
    value = next;
  }
  assert.equal(value, 1e4);
  assert.ok(steps > 30 && steps < 40, String(steps));
});

test("a typed number is taken if the slider can stand there", () => {
  assert.deepEqual(["12.5", " 0,5 ", "0", "-1", "1e5", "much", ""].map((text) => ALPHA.read(text)), [12.5, 0.5, 0, null, null, null, null]);
  assert.deepEqual(["12", "12.5", "0"].map((text) => PARTS.read(text)), [12, null, null]);
});

test("values are told as they are read", () => {
  assert.deepEqual([78, 0.5, 1e-7, 3.2e-7, 1e4].map(told), ["78", "0.5", "10⁻⁷", "3.2·10⁻⁷", "10000"]);
});

/** A hand, what it has sent, and a clock to turn. */
function hand() {
  /** @type {string[]} */
  const sent = [], clock = { now: 0 };
  const line = { open: true };
  const told = {
    send: (/** @type {string} */ message) => line.open && sent.push(message) > 0,
    taken: () => { sent.push("taken"); },
    back: () => { sent.push(own.holding ? "still held" : "back"); },
  };
  const own = new Hand(told, () => clock.now);
  return { hand: own, sent, clock, line };
}

const held = (/** @type {number} */ alpha) => /** @type {const} */ ([{ alpha }, "held"]);

test("one message is under way at a time, and the latest place counts", () => {
  const { hand: own, sent } = hand();
  for (const value of [1, 2, 3]) own.turned(...held(value));
  assert.deepEqual(sent, ["taken", 'turn {"n":1,"params":{"alpha":1}}']);
  own.followed(1);
  assert.deepEqual(sent.slice(2), ['turn {"n":2,"params":{"alpha":3}}']);
  own.followed(2);
  assert.equal(sent.length, 3, "there is nothing more to say");
});

test("what is not answered is not waited for", () => {
  const { hand: own, sent, clock } = hand();
  own.turned(...held(1));
  clock.now = 400;
  own.turned(...held(2));
  assert.equal(sent.at(-1), 'turn {"n":2,"params":{"alpha":2}}');
});

test("what is wanted before there is a line is said as soon as there is one", () => {
  const { hand: own, sent, line } = hand();
  line.open = false;
  own.turned({ alpha: 1 }, "held");
  own.turned({ k: 9, q: 8 }, "held");
  line.open = true;
  own.online();
  assert.deepEqual(sent, ["taken", 'turn {"n":1,"params":{"alpha":1,"k":9,"q":8}}']);
});

test("a slider sets its own parameter, or those that go along with it", () => {
  const along = { k: { n_components: { less: 0, most: 39 }, n_discriminative: { less: 1, most: null } } };
  assert.deepEqual(turnedAlong({ param: "alpha", value: 0.5 }, along), { alpha: 0.5 });
  assert.deepEqual(turnedAlong({ param: "k", value: 25 }, along), { n_components: 25, n_discriminative: 24 });
  assert.deepEqual(turnedAlong({ param: "k", value: 60 }, along), { n_components: 39, n_discriminative: 59 });
  assert.deepEqual(turnedAlong({ param: "k", value: 1 }, along), { n_components: 1, n_discriminative: 1 });
});

test("who goes back, or lets go and is not followed by a run, sees the run as it was", () => {
  const { hand: own, sent } = hand();
  own.turned({ alpha: 1 }, "back");
  assert.deepEqual(sent, [], "nothing was held");
  own.turned(...held(1));
  own.stays();
  assert.equal(own.holding, true, "a page that is drawn anew does not take it out of the hand");
  own.turned({ alpha: 2 }, "released");
  own.stays();
  assert.deepEqual(sent.slice(2), ["release", "back"]);
  own.turned(...held(3));
  own.forget();
  own.turned({ alpha: 3 }, "back");
  assert.equal(sent.filter((message) => message === "release").length, 1, "a run has followed: there is nothing to go back to");
});
