// What is over before anybody has seen it is slowed down, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { momentOf } from "../../ui/static/live_pace.js";

const QUICK = { id: "a", status: "done", closed: false, elapsed: 0.01, snapshots: [0, 1, 2, 3, 4, 6, 8, 11, 16, 20] };

test("ten milliseconds are shown in three to five seconds", () => {
  for (const status of ["done", "max_iter", "diverged"]) {
    const whole = momentOf({ ...QUICK, status }) * QUICK.snapshots.length;
    assert.ok(whole >= 3000 && whole <= 5000, String(whole));
  }
});

for (const [why, other] of /** @type {const} */ ([
  ["has been seen while it ran", { elapsed: 2 }], ["is still running", { status: "running", elapsed: null }],
  ["was stopped by hand", { status: "stopped" }], ["was solved in one go", { closed: true }], ["has hardly any moments", { snapshots: [0, 1] }],
])) test(`what ${why} is shown as it is`, () => assert.equal(momentOf({ ...QUICK, ...other, snapshots: [...(other.snapshots ?? QUICK.snapshots)] }), 0));
