// A small run, played from its beginning as often as one likes: parts forming, the objective falling.

import { unpack } from "./blocks.js";
import { begin, pen } from "./canvas.js";
import { find, rootOf } from "./dom.js";
import { decode, loadStyle, paint, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";
import { Player } from "./player.js";
import { Line } from "./socket.js";
import { WISHES, onWish } from "./wishes.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Frame, PicturesHeader, RunHeader, Theme, Themed } from "./server.js" */
/** @typedef {{ run: string, title: string, colour: Themed, what: string, preparing: string }} MiniatureData what Python says (`ui.handbook.miniature`) */
/** @typedef {{ iteration: number, picture: Uint8Array<ArrayBuffer>, scores: PicturesHeader["scores"] }} Moment */

export const { show, leave } = mounted((place, { data }, lifetime) => new Miniature(rootOf(place), data, lifetime));

const LAYOUT = `
  <figure class="miniature">
    <div class="stage"><canvas class="parts" role="img" aria-label="Nothing to see yet" width="520" height="416"></canvas><p class="note" role="status"></p></div>
    <div class="controls">
      <button type="button" class="play"></button>
      <input type="range" min="0" max="0" value="0" step="1" aria-label="Moment of the small run">
      <output></output>
    </div>
    <canvas class="curve" role="img" aria-label="The objective" height="1"></canvas>
    <figcaption></figcaption>
  </figure>`;
const A_FRAME = 420, LAST_FRAME = 2200, TIMES = 3, FEW_PIXELS = 400, CURVE_HEIGHT = 52;

class Miniature {
  base = "";
  /** @type {Theme | null} for which pictures were fetched */
  theme = null;
  /** @type {Moment[]} */
  frames = [];
  /** @type {[iteration: number, objective: number][]} */
  curve = [];
  /** @type {Component<MiniatureData>["setTriggerValue"]} */
  tell = () => {};

  /**
   * @param {HTMLElement} root
   * @param {MiniatureData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    this.root = root;
    this.data = data;
    root.innerHTML = LAYOUT;
    this.canvas = find(root, ".parts", HTMLCanvasElement);
    this.note = find(root, ".note");
    this.slider = find(root, "input", HTMLInputElement);
    this.player = new Player({
      every: A_FRAME, last: LAST_FRAME, times: TIMES,
      show: (at) => this.go(at),
      said: (playing) => { find(root, ".play").textContent = playing ? "Pause" : "Play"; },
    });
    this.slider.oninput = () => this.player.stay(Number(this.slider.value));
    find(root, ".play").onclick = () => this.player.toggle();
    onWish(lifetime, WISHES.play, () => this.player.toggle());
    onWish(lifetime, WISHES.walk, (by) => this.player.stay(this.player.at + by));
    this.line = new Line({
      question: () => "next",
      take: (buffer) => this.take(unpack(buffer)),
      gone: () => this.tell("changed", `gone ${this.data.run}`),
      refused: (words) => { this.note.textContent = words; },
      online: (there) => { if (!there) this.note.textContent = "The server is not reachable just now …"; },
    }, lifetime);
    loadStyle(root, "./miniature.css");
    lifetime.resized(() => this.drawCurve(), root);
    lifetime.atEnd(() => this.player.pause());
  }

  /** @param {Component<MiniatureData>} component */
  update({ data, base, setTriggerValue }) {
    const theme = themeOf(this.root), same = data.run === this.data.run && theme === this.theme;
    Object.assign(this, { data, base, theme, tell: setTriggerValue });
    this.root.style.setProperty("--method", data.colour[theme]);
    find(this.root, "figcaption").textContent = data.what;
    if (!same) this.begin(theme);
  }

  /** @param {Theme} theme */
  begin(theme) {
    const { canvas, player, base } = this, { run } = this.data;
    player.pause();
    this.frames = [];
    player.count = player.at = 0;
    this.root.dataset.state = "waiting"; // tests wait for it
    this.note.textContent = this.data.preparing;
    find(this.root, ".controls").style.visibility = "hidden";
    find(this.root, "output").textContent = "";
    pen(canvas).clearRect(0, 0, canvas.width, canvas.height);
    // It takes a second or two at most until the run has ended.
    this.line.open(() => `${base}partwise/live/${run}?theme=${theme}`);
  }

  /** @param {Frame<RunHeader>} frame */
  async take({ header, points }) {
    if (!header.ended) return 0;
    this.line.close();
    const columns = 3 + header.terms.length;
    this.curve = Array.from({ length: points.length / columns }, (_, row) => [points[row * columns], points[row * columns + 1]]);
    await this.load(header.snapshots);
    return null;
  }

  /** @param {number[]} iterations */
  async load(iterations) {
    const { theme } = this, { run } = this.data;
    /** @type {Moment[]} */
    const frames = [];
    for (const iteration of iterations) {
      const answer = await fetch(`${this.base}partwise/kept/${run}/${iteration}?theme=${theme}`);
      if (run !== this.data.run || theme !== this.theme) return;
      if (!answer.ok) continue;
      /** @type {Frame<PicturesHeader>} */
      const { header, parts } = unpack(await answer.arrayBuffer());
      frames.push({ iteration, picture: parts.slice(), scores: header.scores });
    }
    this.frames = frames;
    this.note.textContent = frames.length ? "" : "This run has left nothing to see.";
    if (!frames.length) return;
    this.player.count = frames.length;
    this.slider.max = String(frames.length - 1);
    find(this.root, ".controls").style.visibility = frames.length > 1 ? "" : "hidden";
    this.root.dataset.state = "ready";
    // Who has asked for less motion sees the end and may start it by hand.
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || frames.length < 3) this.player.stay(frames.length - 1);
    else this.player.play(0);
  }

  /** @param {number} at */
  async go(at) {
    const frame = this.frames[at];
    if (!frame) return;
    const { canvas } = this, recognised = frame.scores.accuracy_euclidean, words = [`iteration ${frame.iteration}`];
    if (recognised !== undefined) words.push(`recognises ${Math.round(100 * recognised)} %`);
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", words.join(", "));
    find(this.root, "output").textContent = words.join(" · ");
    this.root.dataset.iteration = String(frame.iteration); // for tests
    this.drawCurve();
    const bitmap = await decode(frame.picture);
    if (frame !== this.frames[this.player.at]) return bitmap?.close();
    if (bitmap) {
      canvas.style.imageRendering = bitmap.width < FEW_PIXELS ? "pixelated" : "";
      paint(canvas, bitmap);
    }
    this.note.textContent = bitmap ? "" : words[1] ?? "Nothing to draw.";
    canvas.setAttribute("aria-label", `${this.data.title} at ${words.join(", ")}. ${this.data.what}`);
  }

  drawCurve() {
    const canvas = find(this.root, ".curve", HTMLCanvasElement), width = this.root.clientWidth;
    const g = begin(canvas, width, CURVE_HEIGHT), known = this.curve.filter(([, value]) => Number.isFinite(value));
    canvas.style.visibility = known.length > 2 ? "" : "hidden";
    if (known.length < 3 || !this.theme) return;
    const values = known.map(([, value]) => value), low = Math.min(...values), high = Math.max(...values);
    const end = Math.log1p(known[known.length - 1][0]) || 1;
    const x = (/** @type {number} */ iteration) => 4 + ((width - 8) * Math.log1p(iteration)) / end;
    const y = (/** @type {number} */ value) => CURVE_HEIGHT - 6 - ((CURVE_HEIGHT - 12) * (value - low)) / (high - low || 1);
    g.strokeStyle = g.fillStyle = this.data.colour[this.theme];
    g.lineWidth = 2;
    g.beginPath();
    for (const [iteration, value] of known) g.lineTo(x(iteration), y(value));
    g.stroke();
    const now = this.frames[this.player.at]?.iteration ?? 0;
    const here = known.reduce((best, point) => (Math.abs(point[0] - now) < Math.abs(best[0] - now) ? point : best));
    g.beginPath();
    g.arc(x(here[0]), y(here[1]), 4, 0, 7);
    g.fill();
    canvas.setAttribute("aria-label", `The objective goes from ${values[0].toPrecision(3)} to ${values[values.length - 1].toPrecision(3)}`);
  }
}
