// A run that is over before anybody has seen it is shown once more, slowly; "full speed" goes to its end.

import { find, setText } from "./dom.js";

/** @import { RunHeader } from "./server.js" */
/** @import { Timeline } from "./live_timeline.js" */
/** @typedef {Pick<RunHeader, "id" | "status" | "closed" | "snapshots" | "elapsed">} Ended */

// Seconds; longer runs have been seen.
const QUICK = 0.6;
const WHOLE = 4000; // milliseconds
const FEWEST = 4;
const BY_ITSELF = ["done", "max_iter", "diverged"];
/** @type {Set<string>} runs that have been shown so since the app was loaded */
const shown = new Set();

/**
 * How many milliseconds each kept moment of a run is shown, 0 for a run that needs no slowing down.
 * @param {Ended} run
 */
export function momentOf({ status, closed, snapshots, elapsed }) {
  const quick = BY_ITSELF.includes(status) && !closed && elapsed !== null && elapsed < QUICK;
  return quick && snapshots.length >= FEWEST ? WHOLE / snapshots.length : 0;
}

export class Pace {
  /** Milliseconds a moment, 0 while nothing is slowed down. */
  moment = 0;

  /**
   * @param {HTMLElement} root
   * @param {Timeline} timeline
   */
  constructor(root, timeline) {
    this.timeline = timeline;
    this.place = find(root, ".slowed");
    find(this.place, "button").onclick = () => { timeline.stop(); timeline.toPresent(); };
  }

  /**
   * Slows a run down that has just ended, if its end was all there was to see.
   * @param {Ended} run
   * @param {string} words what is said of it, with {} for its milliseconds; empty where nothing is to be slowed down
   */
  look(run, words) {
    if (!words || run.elapsed === null || shown.has(run.id)) return;
    shown.add(run.id);
    if (this.timeline.back !== null || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.moment = momentOf(run);
    if (!this.moment) return;
    setText(find(this.place, "span"), words.replace("{}", String(Math.max(1, Math.round(1000 * run.elapsed)))));
    this.timeline.play(this.moment);
  }

  /** Whoever is back in the present sees the end. */
  describe() {
    if (this.timeline.back === null) this.moment = 0;
    this.place.hidden = !this.moment;
  }

  /** Holds what is slowed down, or goes on with it; returns whether there is anything. */
  toggle() {
    if (!this.moment) return false;
    if (this.timeline.player.playing) this.timeline.stop();
    else this.timeline.play(this.moment);
    return true;
  }
}
