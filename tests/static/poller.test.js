// Asking again and again: until it is complete, not for ever when refused, less often while nobody answers.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Lifetime } from "../../ui/static/lifetime.js";
import { Poller } from "../../ui/static/poller.js";

/** @type {string[]} */
let asked = [];
/** @type {(address: string) => { status: number, body: unknown } | null} */
let answers = () => null;

beforeEach(() => {
  asked = [];
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { fetch: async (/** @type {string} */ address) => {
    asked.push(address);
    const found = answers(address);
    if (!found) throw new TypeError("not reachable");
    const { status, body } = found;
    return { status, ok: status < 300, text: async () => String(body), json: async () => body };
  } });
});
afterEach(() => mock.timers.reset());

/** @param {number} milliseconds */
async function pass(milliseconds) {
  for (let spent = 0; spent < milliseconds; spent += 50) {
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
    mock.timers.tick(50);
  }
}

function polling() {
  /** @type {string[]} */
  const heard = [];
  const lifetime = new Lifetime();
  const poller = new Poller({
    every: 100,
    take: (/** @type {{ n: number }} */ found) => { heard.push(`took ${found.n}`); return found.n < 3; },
    gone: (words) => { heard.push(`gone: ${words}`); },
    refused: (words) => { heard.push(`refused: ${words}`); },
  }, lifetime);
  return { poller, heard, lifetime };
}

test("it asks until there is nothing new to come", async () => {
  const { poller, heard } = polling();
  let n = 0;
  answers = () => ({ status: 200, body: { n: (n += 1) } });
  poller.follow("a", (last) => `a?seen=${last?.n ?? 0}`);
  poller.follow("a");
  await pass(2000);
  assert.deepEqual(asked, ["a?seen=0", "a?seen=1", "a?seen=2"]);
  assert.deepEqual(heard, ["took 1", "took 2", "took 3"]);
});

test("a refusal is heard once", async () => {
  for (const [status, words] of /** @type {[number, string][]} */ ([[404, "gone: No."], [400, "refused: No."]])) {
    asked = [];
    const { poller, heard } = polling();
    answers = () => ({ status, body: "No." });
    poller.follow("a");
    await pass(20_000);
    assert.deepEqual([asked.length, heard], [1, [words]]);
  }
});

test("who does not answer is asked less and less often, and heard when there again", async () => {
  const { poller, heard } = polling();
  answers = () => null;
  poller.follow("a");
  await pass(30_000);
  assert.ok(asked.length > 3 && asked.length < 11, String(asked.length));
  answers = () => ({ status: 503, body: "busy" });
  await pass(9000);
  answers = () => ({ status: 200, body: { n: 3 } });
  await pass(9000);
  assert.deepEqual(heard, ["took 3"]);
});

test("an answer to what is no longer asked is not taken", async () => {
  const { poller, heard, lifetime } = polling();
  answers = (address) => ({ status: 200, body: { n: address === "a" ? 1 : 3 } });
  poller.follow("a");
  poller.follow("b");
  await pass(1000);
  assert.deepEqual(heard, ["took 3"]);
  poller.follow("a");
  lifetime.end();
  await pass(1000);
  assert.deepEqual(heard, ["took 3"]);
});
