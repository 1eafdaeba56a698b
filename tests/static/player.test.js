// Films: moment by moment, never two at once, over when they are over.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Player } from "../../ui/static/player.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** @param {number} milliseconds */
async function pass(milliseconds) {
  for (let spent = 0; spent < milliseconds; spent += 10) {
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    mock.timers.tick(10);
  }
}

/** @param {Partial<import("../../ui/static/player.js").Film>} [how] */
function film(how) {
  /** @type {(number | string)[]} */
  const seen = [];
  const player = new Player({
    every: 100, show: (at) => { seen.push(at); }, said: (playing) => { seen.push(playing ? "plays" : "rests"); },
    over: () => { seen.push("over"); }, ...how,
  });
  player.count = 3;
  return { player, seen };
}

test("it plays to its end, and begins again from there", async () => {
  const { player, seen } = film();
  player.play();
  await pass(1000);
  assert.deepEqual(seen, ["plays", 0, 1, 2, "rests", "over"]);
  player.toggle();
  await pass(50);
  assert.deepEqual(seen.slice(6), ["plays", 0]);
  player.toggle();
  await pass(1000);
  assert.deepEqual(seen.slice(8), ["rests"]);
});

test("a hand on the slider ends it", async () => {
  const { player, seen } = film();
  player.play();
  await pass(120);
  player.stay(0);
  player.stay(99);
  await pass(1000);
  assert.deepEqual(seen, ["plays", 0, 1, "rests", 0, "rests", 2]);
  assert.equal(player.at, 2);
});

test("it can be played several times, its last moment longer", async () => {
  const { player, seen } = film({ times: 2, last: 500 });
  player.play(0);
  await pass(650);
  assert.deepEqual(seen, ["plays", 0, 1, 2]);
  await pass(2000);
  assert.deepEqual(seen.slice(4), [0, 1, 2, "rests", "over"]);
});

test("the next moment waits until one is there, and playing twice is playing once", async () => {
  /** @type {(() => void)[]} */
  const arrive = [];
  const { player, seen } = film({ show: () => new Promise((done) => { arrive.push(() => done(null)); }) });
  player.play();
  player.play();
  await pass(1000);
  assert.equal(player.at, 0);
  for (const one of arrive.splice(0)) one();
  await pass(300);
  assert.deepEqual([player.at, arrive.length], [1, 1]);
  assert.equal(seen.length, 2);
});
