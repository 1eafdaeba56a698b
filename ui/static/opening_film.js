// The run that the first page opens with: recorded moments until the real one has come as far, then that one.

import { sizeOf } from "./strip_sum.js";

/** @import { Strip, Term } from "./strip_sum.js" */
/** @typedef {{ iterations: number[], shape: [height: number, width: number], parts: number, pace: number, seconds: number }} RecordingHeader */
/** @typedef {{ iteration: number, strip: Strip, live: boolean }} Moment */

/**
 * A recorded moment as a strip, its terms by size.
 * @param {RecordingHeader} header
 * @param {Float32Array} weights of one moment, a number a part
 * @param {Float32Array[]} parts of one moment, from 0 to 1
 * @param {Float32Array} original
 * @returns {Strip}
 */
export function stripOf({ shape }, weights, parts, original) {
  /** @type {Term[]} */
  const terms = parts.map((values, number) => (
    { id: String(number), kind: "part", number, weight: weights[number], count: 1, signed: false, words: [], values }));
  terms.sort((one, other) => sizeOf(other) - sizeOf(one));
  return { terms, original, most: 1, signed: false, shape, names: [], parts: parts.length };
}

/**
 * Cuts the picture of a recording, a row of parts a moment.
 * @param {Uint8ClampedArray} pixels red, green, blue and opacity
 * @param {RecordingHeader} header
 * @param {number} at the moment
 */
export function partsAt(pixels, { shape: [height, width], parts }, at) {
  return Array.from({ length: parts }, (_, part) => Float32Array.from({ length: height * width }, (__, pixel) => {
    const row = at * height + Math.floor(pixel / width), column = part * width + (pixel % width);
    return pixels[4 * (row * parts * width + column)] / 255;
  }));
}

/** Which moment is to be shown: what was recorded plays at its pace, and the real run takes over where it is farther. */
export class Film {
  begun = 0;
  fast = false;
  /** @type {Moment | null} the newest of the real run */
  live = null;
  /** @type {number} the iteration that is shown */
  shown = -1;

  /** @param {RecordingHeader} header */
  constructor(header) { this.header = header; }

  get end() { return this.header.iterations[this.header.iterations.length - 1]; }

  /** @param {number} now in milliseconds */
  begin(now) {
    this.begun = now;
    this.shown = -1;
  }

  /**
   * Iterations made by now at the pace that is chosen.
   * @param {number} now
   */
  reached(now) {
    const { pace, seconds } = this.header, perSecond = this.fast ? this.end / seconds : pace;
    return Math.min(this.end, ((now - this.begun) / 1000) * perSecond);
  }

  /**
   * The recorded moment, by its place, or the real one; null if there is nothing newer than what is shown.
   * @param {number} now
   * @returns {{ recorded: number } | { live: Moment } | null}
   */
  next(now) {
    const reached = this.reached(now), { iterations } = this.header;
    if (this.live && this.live.iteration >= Math.max(this.shown, reached - 1) && (this.live.iteration > this.shown || this.shown < 0)) {
      this.shown = this.live.iteration;
      return { live: this.live };
    }
    let recorded = 0;
    while (recorded + 1 < iterations.length && iterations[recorded + 1] <= reached) recorded++;
    if (iterations[recorded] <= this.shown) return null;
    this.shown = iterations[recorded];
    return { recorded };
  }

  /** Whether the last moment is shown. */
  get over() { return this.shown >= this.end; }
}

/**
 * The line above the film.
 * @param {number} iteration
 * @param {RecordingHeader} header
 * @param {{ live: boolean, fast: boolean }} how
 */
export function filmInWords(iteration, { iterations, seconds }, { live, fast }) {
  const end = iterations[iterations.length - 1], took = `${Math.round(1000 * seconds)} ms`;
  const pace = fast ? `at full speed: ${took}` : `slowed down to be seen: at full speed all ${end} steps take ${took}`;
  return `${live ? "live" : "recorded"} · step ${iteration} of ${end} · ${pace}`;
}
