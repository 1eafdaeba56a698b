// What the first page opens with: stick figures come apart into limbs, and one of them is shown as their sum.

import { unpack } from "./blocks.js";
import { find, rootOf, setText } from "./dom.js";
import { decode, loadStyle } from "./frame.js";
import { ink } from "./ink.js";
import { mounted } from "./mounted.js";
import { Film, filmInWords, partsAt, stripOf } from "./opening_film.js";
import { fromBytes, readStrip } from "./strip_sum.js";
import { Strip } from "./strip.js";
import { WISHES, onWish } from "./wishes.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Moment, RecordingHeader } from "./opening_film.js" */
/** @import { StripHeader } from "./strip_sum.js" */
/** @typedef {{ run: string | null, sample: number, samples: number }} OpeningData what Python says (`ui.live.opening`) */
/** @typedef {{ header: RecordingHeader, weights: Float32Array, original: Uint8Array, pictures: Uint8Array<ArrayBuffer> }} Recording */
/** @typedef {{ header: StripHeader & { shown: number, seen: string, ended: boolean }, values: Uint8Array }} StripAnswer */

const RECORDING = new URL("./opening.bin", import.meta.url).href;
const MOST = 5, LOOK_MS = 60, AGAIN_MS = 1500;

const LAYOUT = `
  <div class="opening">
    <div class="line"><span class="said" role="status"></span>
      <button type="button" class="again">Once more</button>
      <button type="button" class="fast" aria-pressed="false">Full speed</button>
      <button type="button" class="other" hidden>Another figure</button></div>
    <h2>The 17 parts it has found</h2>
    <div class="parts" role="img" aria-label="17 parts"></div>
    <h2>One figure, and the parts it is made of</h2>
    <div class="strip-place"></div>
  </div>`;

export const { show, leave } = mounted((place, { data }, lifetime) => new Opening(rootOf(place), data, lifetime));

class Opening {
  base = "";
  /** @type {Film | null} */
  film = null;
  /** @type {Recording | null} */
  recording = null;
  pixels = new Uint8ClampedArray();
  /** @type {HTMLCanvasElement[]} */
  tiles = [];
  asking = {};
  /** @type {number | undefined} */
  frame;

  /**
   * @param {HTMLElement} root
   * @param {OpeningData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    this.root = root;
    this.data = data;
    this.sample = data.sample;
    root.innerHTML = LAYOUT;
    // Without their style pictures would be many times as large.
    loadStyle(root, "./opening.css", () => this.load());
    this.strip = new Strip(find(root, ".strip-place"), MOST);
    find(root, ".again").onclick = () => this.again();
    find(root, ".fast").onclick = () => this.hurry();
    find(root, ".other").onclick = () => this.another();
    onWish(lifetime, WISHES.play, () => this.again());
    onWish(lifetime, WISHES.another, () => this.another());
    lifetime.atEnd(() => {
      this.asking = {};
      cancelAnimationFrame(this.frame ?? 0);
    });
  }

  /** @param {Component<OpeningData>} component */
  update({ data, base }) {
    const other = data.run !== this.data.run || !this.base;
    Object.assign(this, { data, base });
    if (other && data.run) this.follow(data.run);
  }

  async load() {
    const answer = await fetch(RECORDING);
    const recording = /** @type {Recording} */ (unpack(await answer.arrayBuffer())), bitmap = await decode(recording.pictures);
    if (!bitmap) return;
    const g = beginPixels(bitmap.width, bitmap.height);
    g.drawImage(bitmap, 0, 0);
    this.pixels = g.getImageData(0, 0, bitmap.width, bitmap.height).data;
    bitmap.close();
    this.recording = recording;
    this.film = new Film(recording.header);
    this.makeTiles(recording.header);
    this.begin(this.film);
  }

  /** @param {RecordingHeader} header */
  makeTiles({ parts }) {
    this.tiles = Array.from({ length: parts }, () => document.createElement("canvas"));
    find(this.root, ".parts").replaceChildren(...this.tiles);
  }

  /** @param {Film} film */
  begin(film) {
    film.begin(performance.now());
    // Who has asked for less motion sees the end.
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) film.begun = -1e9;
    this.play();
  }

  play() {
    cancelAnimationFrame(this.frame ?? 0);
    const look = () => {
      const { film } = this, next = film?.next(performance.now());
      if (next) this.draw("live" in next ? next.live : this.recorded(next.recorded));
      if (film && !film.over) this.frame = requestAnimationFrame(look);
    };
    look();
  }

  /**
   * @param {number} at
   * @returns {Moment}
   */
  recorded(at) {
    const { header, weights, original } = /** @type {Recording} */ (this.recording), { parts } = header;
    const strip = stripOf(header, weights.subarray(at * parts, (at + 1) * parts), partsAt(this.pixels, header, at), fromBytes(original, false));
    return { iteration: header.iterations[at], strip, live: false };
  }

  /** @param {Moment} moment */
  draw({ iteration, strip, live }) {
    const { film } = this;
    if (!film || !strip.shape) return;
    for (const { number, values } of strip.terms) if (this.tiles[number]) ink(this.tiles[number], values, strip.shape);
    this.strip.show(strip, "figure");
    setText(find(this.root, ".said"), filmInWords(iteration, film.header, { live, fast: film.fast }));
    Object.assign(this.root.dataset, { shown: iteration, live: live ? "1" : "" }); // for tests and measurements
    find(this.root, ".parts").setAttribute("aria-label", `The 17 parts at step ${iteration}: ${iteration > 60 ? "limbs and a body" : "still forming"}`);
  }

  /**
   * Asks the real run for what it has come to, until it has ended.
   * @param {string} run
   */
  async follow(run) {
    const mine = (this.asking = {});
    for (let seen = ""; mine === this.asking;) {
      const answer = await this.ask(run, seen).catch(() => null);
      if (mine !== this.asking) return;
      if (!answer) {
        await pause(AGAIN_MS);
        continue;
      }
      const strip = readStrip(answer), { header } = answer;
      if (strip && this.film) this.heard({ iteration: header.shown, strip, live: true });
      if (header.ended) return;
      seen = header.seen;
      await pause(LOOK_MS);
    }
  }

  /**
   * @param {string} run
   * @param {string} seen
   * @returns {Promise<StripAnswer>}
   */
  async ask(run, seen) {
    const query = new URLSearchParams({ sample: String(this.sample), seen });
    const answer = await fetch(`${this.base}partwise/strip/${run}?${query}`);
    if (!answer.ok) throw new Error(await answer.text());
    return /** @type {StripAnswer} */ (unpack(await answer.arrayBuffer()));
  }

  /** @param {Moment} moment */
  heard(moment) {
    const film = /** @type {Film} */ (this.film);
    film.live = moment;
    find(this.root, ".other").hidden = moment.iteration < film.end;
    if (film.over && moment.iteration >= film.end) this.draw(moment);
  }

  /** Plays the recording: the real run, which everybody watches, is over. */
  again() {
    const { film } = this;
    if (!film) return;
    this.asking = {};
    film.live = null;
    this.strip.off.clear();
    this.begin(film);
  }

  hurry() {
    const { film } = this, button = find(this.root, ".fast");
    if (!film) return;
    film.fast = !film.fast;
    button.setAttribute("aria-pressed", String(film.fast));
    this.again();
  }

  async another() {
    if (!this.data.run) return;
    this.sample = Math.floor(Math.random() * this.data.samples);
    const answer = await this.ask(this.data.run, ""), strip = readStrip(answer);
    this.strip.off.clear();
    if (strip) this.draw({ iteration: answer.header.shown, strip, live: true });
  }
}

/** @param {number} milliseconds */
function pause(milliseconds) { return new Promise((done) => { setTimeout(done, milliseconds); }); }

/**
 * @param {number} width
 * @param {number} height
 */
function beginPixels(width, height) {
  const canvas = new OffscreenCanvas(width, height);
  return /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
}
