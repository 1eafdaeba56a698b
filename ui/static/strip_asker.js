// Asks the server to take a sample of a run apart: one question at a time, the latest wins.

import { unpack } from "./blocks.js";
import { readStrip } from "./strip_sum.js";

/** @import { Strip, StripHeader } from "./strip_sum.js" */
/** @typedef {{ header: StripHeader, values: Uint8Array }} StripBlock */
/** @typedef {(strip: Strip | null, header: StripHeader) => void} Take */

export class StripAsker {
  /** @type {string | null} the address to be asked next */
  next = null;
  busy = false;

  /**
   * @param {Take} take
   * @param {number} [pause] milliseconds between an answer and the next question
   */
  constructor(take, pause = 0) {
    this.take = take;
    this.pause = pause;
  }

  /** @param {string} address */
  async ask(address) {
    this.next = address;
    if (this.busy) return;
    this.busy = true;
    while (this.next) {
      const asked = this.next;
      this.next = null;
      const answer = await fetch(asked).catch(() => null);
      if (answer?.ok) {
        const { header, values } = /** @type {StripBlock} */ (unpack(await answer.arrayBuffer()));
        // One that came too late is of another run, or of another sample.
        if (!this.stale(asked)) this.take(readStrip({ header, values }), header);
      }
      if (this.pause) await new Promise((done) => { setTimeout(done, this.pause); });
    }
    this.busy = false;
  }

  /**
   * Whether something else is wanted by now; the same run at a later moment is nothing else.
   * @param {string} asked
   */
  stale(asked) { return this.next !== null && this.next !== asked; }

  forget() { this.next = null; }
}
