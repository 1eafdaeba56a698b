// What is on show follows a hand on the sliders of its run, on pages that have no line to the run at other times.

import { unpack } from "./blocks.js";
import { Hand } from "./hand.js";
import { Line } from "./socket.js";
import { WISHES } from "./wishes.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Along, Frame, RunHeader, Turns } from "./server.js" */
/** @import { Followed, Turned } from "./wishes.js" */

/**
 * @typedef {object} Watched
 * @property {() => string} address where frames of the run come from
 * @property {() => string | null} run
 * @property {() => Turns} turns which sliders it follows, and how
 * @property {(frame: Frame<RunHeader>) => Promise<void> | void} take draws a frame of the fit that follows
 * @property {() => void} back nothing is held any more: the run is to be seen as it was
 * @property {(words: string) => void} refused why it does not follow, nothing if it does
 */

export class Follower {
  /**
   * @param {Watched} watched
   * @param {Lifetime} lifetime
   */
  constructor(watched, lifetime) {
    this.watched = watched;
    this.line = new Line({
      question: () => "next",
      take: (buffer) => this.take(unpack(buffer)),
      gone: () => this.hand.letGo(),
      refused: (words) => watched.refused(words),
      hello: () => this.hand.online(),
    }, lifetime);
    this.hand = new Hand({
      send: (message) => this.line.send(message),
      taken: () => this.line.open(watched.address),
      back: () => { this.line.close(); watched.back(); },
    });
    lifetime.listen(document, WISHES.turn, (/** @type {CustomEvent<Turned>} */ { detail }) => {
      const { of, along } = watched.turns();
      if (of.includes(detail.of) && watched.run()) this.hand.turned(turnedAlong(detail, along), detail.hand);
    });
  }

  get holding() { return this.hand.holding; }

  /** @param {Frame<RunHeader>} frame */
  async take(frame) {
    const { header } = frame, follows = header.preview_of === this.watched.run();
    if (!this.holding) return 0;
    this.watched.refused(header.problem || (follows && header.flags[0]) || "");
    if (follows) {
      followed(this.hand, header);
      await this.watched.take(frame);
    }
    return 0;
  }

  /**
   * The page has been drawn anew.
   * @param {boolean} another whether with another run, which takes the place of what followed
   */
  drawn(another) {
    if (!another) return this.hand.stays();
    this.hand.forget();
    this.line.close();
  }
}

/**
 * Notes that a fit has followed a hand, and tells the others on the page which it is: they may ask about it.
 * @param {Hand} hand
 * @param {RunHeader} header
 */
export function followed(hand, { id, preview_of: of, turned }) {
  hand.followed(turned);
  if (of === null) return;
  /** @type {Followed} */
  const detail = { of, by: id };
  document.dispatchEvent(new CustomEvent(WISHES.followed, { detail }));
}

/**
 * What a slider sets: its own parameter, or those that go along with it.
 * @param {Pick<Turned, "param" | "value">} turned
 * @param {Along} along
 * @returns {Record<string, number>}
 */
export function turnedAlong({ param, value }, along) {
  const others = along[param];
  if (!others) return { [param]: value };
  return Object.fromEntries(Object.entries(others).map(([name, { less, most }]) => [name, Math.max(1, Math.min(value - less, most ?? Infinity))]));
}
