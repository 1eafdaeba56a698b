// A hand on the sliders of a run: what it wants is sent while it moves, one message under way at a time.

// A message that is not answered by then is not waited for: its answer may have been a refusal.
const PATIENCE = 300; // milliseconds

/** @import { Turned } from "./wishes.js" */

/**
 * @typedef {object} Told
 * @property {(message: string) => boolean} send returns false while there is no line to send it on
 * @property {() => void} taken a slider is taken
 * @property {() => void} back it has gone back to where it was
 */

export class Hand {
  holding = false;
  released = false;
  #sent = 0;
  #seen = 0;
  #at = 0;
  /** @type {Record<string, number>} */
  #wanted = {};

  /**
   * @param {Told} told
   * @param {() => number} now in milliseconds
   */
  constructor(told, now = () => performance.now()) {
    this.told = told;
    this.now = now;
  }

  /**
   * The hand is here now; of several places the latest counts.
   * @param {Record<string, number>} params
   * @param {Turned["hand"]} hand
   */
  turned(params, hand) {
    if (hand === "back") return this.letGo();
    if (!this.holding) this.told.taken();
    this.holding = true;
    this.released = hand === "released";
    Object.assign(this.#wanted, params);
    this.#pump();
  }

  /** There is a line now: what is wanted is sent. */
  online() { this.#pump(); }

  /**
   * A picture has come that follows so many messages.
   * @param {number} turned
   */
  followed(turned) {
    this.#seen = Math.max(this.#seen, Math.min(turned, this.#sent));
    this.#pump();
  }

  /** The page is drawn anew with the same run: it has begun none with what was let go. */
  stays() { if (this.released) this.letGo(); }

  /** Whatever was held goes back to where it was. */
  letGo() {
    if (!this.holding) return;
    this.told.send("release");
    this.forget();
    this.told.back();
  }

  /** Another run is on show, or this one again. */
  forget() {
    this.holding = this.released = false;
    this.#wanted = {};
    this.#seen = this.#sent;
  }

  #pump() {
    const waiting = this.#sent > this.#seen && this.now() - this.#at < PATIENCE;
    if (waiting || !this.holding || !Object.keys(this.#wanted).length) return;
    if (!this.told.send(`turn ${JSON.stringify({ n: this.#sent + 1, params: this.#wanted })}`)) return;
    this.#sent += 1;
    this.#at = this.now();
    this.#wanted = {};
  }
}
