// A small run, played from its beginning as often as one likes: parts forming, the objective falling.

import { begin } from "./canvas.js";
import { unpack } from "./blocks.js";
import { decode, loadStyle, paint, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";
import { Player } from "./player.js";
import { Line } from "./socket.js";

export const { show, leave } = mounted((place, component, lifetime) => new Miniature(place, lifetime));

const LAYOUT = `
  <figure class="miniature">
    <div class="stage"><canvas class="parts" role="img" width="520" height="416"></canvas><p class="note" role="status"></p></div>
    <div class="controls">
      <button type="button" class="play"></button>
      <input type="range" min="0" max="0" value="0" step="1" aria-label="Moment of the small run">
      <output></output>
    </div>
    <canvas class="curve" role="img" height="1"></canvas>
    <figcaption></figcaption>
  </figure>`;
const A_FRAME = 420, LAST_FRAME = 2200, TIMES = 3;

class Miniature {
  constructor(parent, lifetime) {
    this.root = parent.querySelector(".root");
    this.root.innerHTML = LAYOUT;
    loadStyle(this.root, "./miniature.css");
    this.find = (selector) => this.root.querySelector(selector);
    this.slider = this.find("input");
    this.player = new Player({
      every: A_FRAME, last: LAST_FRAME, times: TIMES,
      show: (at) => this.go(at),
      said: (playing) => { this.find(".play").textContent = playing ? "Pause" : "Play"; },
    });
    this.slider.oninput = () => this.player.stay(Number(this.slider.value));
    this.find(".play").onclick = () => this.player.toggle();
    this.line = new Line({
      question: () => "next",
      take: (buffer) => this.take(buffer),
      gone: () => this.tell("changed", `gone ${this.data.run}`),
      refused: (words) => { this.find(".note").textContent = words; },
      online: (there) => { if (!there) this.find(".note").textContent = "The server is not reachable just now …"; },
    }, lifetime);
    lifetime.resized(() => this.drawCurve(), this.root);
  }

  update({ data, base, setTriggerValue }) {
    const theme = themeOf(this.root), same = data.run === this.data?.run && theme === this.theme;
    Object.assign(this, { data, base, theme, tell: setTriggerValue });
    this.root.style.setProperty("--method", data.colour[theme]);
    this.find("figcaption").textContent = data.what;
    if (!same) this.begin();
  }

  begin() {
    this.player.pause();
    this.frames = [];
    this.player.count = this.player.at = 0;
    this.root.dataset.state = "waiting";
    this.find(".note").textContent = "getting ready …";
    this.find(".controls").style.visibility = "hidden";
    this.find("output").textContent = "";
    const canvas = this.find(".parts");
    canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    this.watch();
  }

  // Wait for the run to end; it takes a second or two at most.
  watch() {
    const { run } = this.data, { theme } = this;
    this.line.open(() => `${this.base}partwise/live/${run}?theme=${theme}`);
  }

  async take(buffer) {
    const { header, points } = unpack(buffer);
    if (!header.ended) return 0;
    this.line.close();
    await this.load(header, points);
    return null;
  }

  async load(header, points) {
    const run = this.data.run, theme = this.theme, frames = [];
    this.header = header;
    const columns = 3 + header.terms.length;
    this.curve = Array.from({ length: points.length / columns }, (_, row) => [points[row * columns], points[row * columns + 1]]);
    for (const iteration of header.snapshots) {
      const answer = await fetch(`${this.base}partwise/kept/${run}/${iteration}?theme=${theme}`);
      if (run !== this.data.run || theme !== this.theme) return;
      if (!answer.ok) continue;
      const frame = unpack(await answer.arrayBuffer());
      frames.push({ iteration, picture: frame.parts.slice(), scores: frame.header.scores ?? {} });
    }
    if (!frames.length) {
      this.find(".note").textContent = "This run has left nothing to see.";
      return;
    }
    this.frames = frames;
    this.player.count = frames.length;
    this.slider.max = frames.length - 1;
    this.find(".controls").style.visibility = frames.length > 1 ? "" : "hidden";
    this.find(".note").textContent = "";
    this.root.dataset.state = "ready";
    // Who has asked for less motion sees the end and may start it by hand.
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || frames.length < 3) this.player.stay(frames.length - 1);
    else this.player.play(0);
  }

  async go(at) {
    const frame = this.frames[at];
    if (!frame) return;
    this.slider.value = at;
    const found = frame.scores.accuracy_euclidean;
    const words = [`iteration ${frame.iteration}`];
    if (found !== undefined) words.push(`recognises ${Math.round(100 * found)} %`);
    this.find("output").textContent = words.join(" · ");
    this.slider.setAttribute("aria-valuetext", words.join(", "));
    this.root.dataset.iteration = frame.iteration;
    this.drawCurve();
    const bitmap = await decode(frame.picture);
    if (frame !== this.frames[this.player.at]) return bitmap?.close();
    const canvas = this.find(".parts");
    if (bitmap) {
      canvas.style.imageRendering = bitmap.width < 400 ? "pixelated" : "";
      paint(canvas, bitmap);
    }
    this.find(".note").textContent = bitmap ? "" : words[1] ?? "Nothing to draw.";
    canvas.setAttribute("aria-label", `${this.data.title} at ${words.join(", ")}. ${this.data.what}`);
  }

  drawCurve() {
    const canvas = this.find(".curve"), width = this.root.clientWidth, height = 52;
    const g = begin(canvas, width, height);
    const known = (this.curve ?? []).filter(([, value]) => Number.isFinite(value));
    canvas.style.visibility = known.length > 2 ? "" : "hidden";
    if (known.length < 3) return;
    const values = known.map(([, value]) => value);
    const low = Math.min(...values), high = Math.max(...values), end = Math.log1p(known.at(-1)[0]);
    const x = (iteration) => 4 + ((width - 8) * Math.log1p(iteration)) / (end || 1);
    const y = (value) => height - 6 - ((height - 12) * (value - low)) / (high - low || 1);
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
    canvas.setAttribute("aria-label", `The objective goes from ${values[0].toPrecision(3)} to ${values.at(-1).toPrecision(3)}`);
  }

  close() {
    this.player.pause();
  }
}
