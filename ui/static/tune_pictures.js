// Pictures of the parts of every cell, fetched before anybody points at it: a few at a time, the wanted ones first.

/** @import { Grid } from "./server.js" */
/** @import { TuneCell, TunePictures } from "./tune_types.js" */
/**
 * What is shown of a cell.
 * @typedef {object} Shown
 * @property {ImageBitmap | null} bitmap none where parts are words
 * @property {TuneCell} told
 * @property {Grid | null} grid where its tiles are
 * @property {Float32Array} curve the objective by iteration
 * @property {number} version
 */
/**
 * How pictures are had.
 * @typedef {object} Source
 * @property {(cells: number[]) => Promise<TunePictures | null>} fetch null if there is no answer just now
 * @property {(bytes: Uint8Array<ArrayBuffer>) => Promise<ImageBitmap | null>} decode
 * @property {(cell: number) => void} came
 */

const AT_ONCE = 12, MOST_KEPT = 420, AGAIN_MS = 400;

export class Pictures {
  /** @type {Map<number, Shown>} the least used first */
  #shown = new Map();
  /** @type {number[]} the most wanted last */
  #queue = [];
  /** @type {number[]} of each cell the version of its picture, 0 where there is none yet */
  #versions = [];
  #fetching = false;
  #turn = {};

  /** @param {Source} source */
  constructor(source) {
    this.source = source;
  }

  /** Lets go of everything: another sweep, or another theme. */
  clear() {
    for (const { bitmap } of this.#shown.values()) bitmap?.close();
    this.#shown.clear();
    this.#queue = [];
    this.#versions = [];
    this.#turn = {};
    this.#fetching = false;
  }

  /**
   * Takes in which pictures there are, and fetches in advance those that are new while there is room for all.
   * @param {number[]} versions
   */
  update(versions) {
    this.#versions = versions;
    if (versions.length > MOST_KEPT) return;
    const missing = [...versions.keys()].filter((cell) => this.#lacks(cell) && !this.#queue.includes(cell));
    this.#queue.unshift(...missing.reverse());
    this.#pump();
  }

  /**
   * Wants some cells before all others, the first one most.
   * @param {number[]} cells
   */
  want(cells) {
    const missing = cells.filter((cell) => this.#lacks(cell));
    if (!missing.length) return;
    this.#queue = [...this.#queue.filter((cell) => !missing.includes(cell)), ...missing.reverse()];
    this.#pump();
  }

  /**
   * What there is of a cell, an older picture too.
   * @param {number} cell
   * @returns {Shown | null}
   */
  get(cell) {
    const shown = this.#shown.get(cell) ?? null;
    if (shown) {
      this.#shown.delete(cell);
      this.#shown.set(cell, shown);
    }
    return shown;
  }

  /** How many cells can be shown at once. */
  get ready() { return this.#shown.size; }

  /** @param {number} cell */
  #lacks(cell) { return (this.#versions[cell] ?? 0) > 0 && this.#shown.get(cell)?.version !== this.#versions[cell]; }

  async #pump() {
    if (this.#fetching || !this.#queue.length) return;
    const cells = this.#queue.splice(-AT_ONCE).reverse(), turn = this.#turn;
    this.#fetching = true;
    const answer = await this.source.fetch(cells).catch(() => null);
    if (turn !== this.#turn) return;
    if (answer) for (const told of answer.header.cells) await this.#take(told, answer, turn);
    else {
      this.#queue.unshift(...cells);
      await new Promise((done) => { setTimeout(done, AGAIN_MS); });
    }
    if (turn !== this.#turn) return;
    this.#fetching = false;
    this.#pump();
  }

  /**
   * @param {TuneCell} told
   * @param {TunePictures} answer
   * @param {object} turn
   */
  async #take(told, answer, turn) {
    const bytes = /** @type {Uint8Array<ArrayBuffer> | undefined} */ (answer[told.picture]);
    const bitmap = bytes?.length ? await this.source.decode(bytes) : null;
    if (turn !== this.#turn) return bitmap?.close();
    this.#shown.get(told.cell)?.bitmap?.close();
    this.#shown.delete(told.cell);
    const grid = /** @type {Grid | undefined} */ (answer.header[told.picture]) ?? null;
    const curve = /** @type {Float32Array | undefined} */ (answer[told.curve]) ?? new Float32Array();
    this.#shown.set(told.cell, { bitmap, told, grid, curve, version: this.#versions[told.cell] });
    for (const [cell, { bitmap: old }] of this.#shown) {
      if (this.#shown.size <= MOST_KEPT) break;
      old?.close();
      this.#shown.delete(cell);
    }
    this.source.came(told.cell);
    return undefined;
  }
}
