// The line to the server: one question under way, the latest wins; made again when it breaks, not when it is refused.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Lifetime } from "../../ui/static/lifetime.js";
import { Line, endingOf, pauseAfter } from "../../ui/static/socket.js";

/** @type {FakeSocket[]} */
let sockets = [];

class FakeSocket {
  static OPEN = 1;
  static CONNECTING = 0;
  readyState = 0;
  /** @type {unknown[]} */
  sent = [];
  /** @type {(() => void) | null} */
  onopen = null;
  /** @type {((event: { data: unknown }) => void) | null} */
  onmessage = null;
  /** @type {((event: { code: number, reason: string }) => void) | null} */
  onclose = null;

  /** @param {URL} address */
  constructor(address) {
    this.address = String(address);
    sockets.push(this);
  }

  /** @param {unknown} what */
  send(what) { this.sent.push(what); }

  close() { this.readyState = 3; }

  opened() {
    this.readyState = 1;
    this.onopen?.();
  }

  /**
   * @param {number} code
   * @param {string} [reason]
   */
  ended(code, reason = "") {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }
}

const later = () => new Promise((done) => setImmediate(done));

beforeEach(() => {
  sockets = [];
  Object.assign(globalThis, { WebSocket: FakeSocket, addEventListener: () => {}, removeEventListener: () => {} });
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
});
afterEach(() => mock.timers.reset());

/** @param {number | null} [again] */
function talking(again = null) {
  /** @type {string[]} */
  const heard = [];
  const line = new Line({
    question: (number) => `question ${number}`,
    take: (answer) => { heard.push(String(answer)); return again; },
    gone: () => { heard.push("gone"); },
    refused: (words) => { heard.push(`refused: ${words}`); },
    online: (online) => { heard.push(online ? "online" : "offline"); },
  }, new Lifetime());
  line.open(() => "http://here/partwise/live/x");
  return { line, heard, socket: () => sockets[sockets.length - 1] };
}

test("a refused question is not asked for ever: the page is told once, in the server's words", () => {
  for (const code of [4400, 4403, 4429]) {
    sockets = [];
    const { heard, socket } = talking();
    socket().opened();
    socket().ended(code, "No.");
    mock.timers.tick(600_000);
    assert.equal(sockets.length, 1);
    assert.deepEqual(heard.filter((word) => word.startsWith("refused")), ["refused: No."]);
  }
});

test("a run that is gone is told of once", () => {
  const { heard, socket } = talking();
  socket().opened();
  socket().ended(4404);
  mock.timers.tick(600_000);
  assert.deepEqual([sockets.length, heard.at(-1)], [1, "gone"]);
});

test("a broken line is made again, less and less often", () => {
  const { heard, socket } = talking();
  const at = [];
  for (let second = 0; second < 60; second++) {
    if (socket().readyState === 0) {
      at.push(second);
      socket().ended(1006);
    }
    mock.timers.tick(1000);
  }
  assert.ok(at.length > 5 && at.length < 16, String(at));
  assert.ok(heard.includes("offline"));
  mock.timers.tick(10_000);
  socket().opened();
  assert.equal(heard.at(-1), "online");
});

test("a line that is opened and closed at once is not a good one: the pauses grow", () => {
  const { socket } = talking();
  for (let tries = 0; tries < 200; tries++) {
    if (socket().readyState === 0) {
      socket().opened();
      socket().ended(1011);
    }
    mock.timers.tick(100);
  }
  assert.ok(sockets.length < 10, `${sockets.length} lines in 20 seconds`);
});

test("one question is under way at a time, and the latest wins", async () => {
  const { line, socket } = talking();
  socket().opened();
  line.ask();
  line.ask();
  assert.deepEqual(socket().sent, ["question 1"]);
  socket().onmessage?.({ data: "answer" });
  await later();
  assert.deepEqual(socket().sent, ["question 1", "question 3"]);
});

test("what is held is neither drawn nor asked for, and goes on afterwards", async () => {
  const { line, heard, socket } = talking(0);
  socket().opened();
  line.hold(true);
  socket().onmessage?.({ data: "late" });
  await later();
  assert.ok(!heard.includes("late"));
  assert.equal(socket().sent.length, 1);
  line.hold(false);
  assert.equal(socket().sent.length, 2);
});

test("an answer that cannot be drawn does not end the talk", async () => {
  const line = new Line({
    question: () => "?", take: () => Promise.reject(new Error("odd")), gone: () => {}, refused: () => {},
  }, new Lifetime());
  const reported = new Promise((done) => Object.assign(globalThis, { reportError: done }));
  line.open(() => "http://here/");
  sockets[0].opened();
  sockets[0].onmessage?.({ data: "odd" });
  assert.match(String(await reported), /odd/);
  await later();
  line.ask();
  assert.equal(sockets[0].sent.length, 2);
});

test("it says that it is still here, until its view is closed", () => {
  const lifetime = new Lifetime();
  const line = new Line({ question: () => "?", take: () => null, gone: () => {}, refused: () => {} }, lifetime);
  line.open(() => "http://here/");
  sockets[0].opened();
  mock.timers.tick(100_000);
  assert.deepEqual(sockets[0].sent, ["?", "still here", "still here"]);
  lifetime.end();
  mock.timers.tick(600_000);
  assert.deepEqual([sockets[0].sent.length, sockets[0].readyState, sockets.length], [3, 3, 1]);
});

test("codes and pauses", () => {
  assert.deepEqual([1000, 1006, 1011, 4408, 4503].map(endingOf), Array(5).fill("again"));
  assert.deepEqual([1, 2, 3, 10].map(pauseAfter), [300, 600, 1200, 8000]);
});
