// A race of several runs: one curve each, by iterations or by seconds, and how each is doing.

import { drawAxes, prepare, trace } from "./axes.js";
import { drawnBy } from "./canvas.js";
import { unpack } from "./blocks.js";
import { find, rootOf, setText } from "./dom.js";
import { loadStyle, themeOf } from "./frame.js";
import { OFFLINE } from "./messages.js";
import { mounted } from "./mounted.js";
import { short } from "./numbers.js";
import { endsOf, pairsOf } from "./race_curves.js";
import { scale } from "./scales.js";
import { Line } from "./socket.js";
import { Teller } from "./teller.js";

/** @import { Pen } from "./canvas.js" */
/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { KeptScores, Pair, Wish } from "./race_curves.js" */
/** @import { Scale } from "./scales.js" */
/** @import { Theme, Themed } from "./server.js" */
/** @typedef {{ id: string, title: string, colour: Themed, dashed: boolean, phase: string }} Racer */
/**
 * What Python says of a race (`ui.live.race`).
 * @typedef {object} RaceFacts
 * @property {Racer[]} racers
 * @property {string} measure what is measured, in words
 * @property {string} invitation
 * @property {string} preparing what is said of a run that gets ready
 */
/** @typedef {RaceFacts & Wish} RaceData */
/**
 * How a run of the race is doing (`ui.live.race_frames`).
 * @typedef {object} RunState
 * @property {string} status
 * @property {string} phase
 * @property {string} state the status in words
 * @property {boolean} ended
 * @property {number} rows of its curve
 * @property {number} iteration
 * @property {KeptScores[]} kept
 */
/** @typedef {RunState & { points: Float32Array }} Runner */

export const { show, leave } = mounted((place, { data }, lifetime) => new Race(rootOf(place), data, lifetime));

const LAYOUT = `
  <div class="race">
    <div class="stage">
      <canvas class="chart" role="img" aria-label="Nothing is measured yet"></canvas>
      <div class="invitation" hidden><span></span></div>
    </div>
    <div class="switches">
      <button type="button" aria-pressed="false" data-switch="logY">log value</button>
      <button type="button" aria-pressed="false" data-switch="logX">log axis</button>
      <span class="line" role="status"></span>
    </div>
    <table class="standings"><thead><tr><th>racer</th><th>state</th><th>iterations</th><th>seconds</th><th class="measured"></th></tr></thead><tbody></tbody></table>
  </div>`;
const COLUMNS = 5;

class Race {
  options = { logX: false, logY: false };
  /** @type {string | null} the ids of the runs, joined; null before the page has said any */
  runs = null;
  /** @type {Runner[]} */
  runners = [];
  /** @type {Theme} */
  theme = "light";
  /** @type {RaceData["axis"] | null} the axis that the options were set for */
  axis = null;
  /** @type {Component<RaceData>["setTriggerValue"]} */
  setTriggerValue = () => {};

  /**
   * @param {HTMLElement} root
   * @param {RaceData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    this.root = root;
    this.data = data;
    root.innerHTML = LAYOUT;
    this.canvas = find(root, ".chart", HTMLCanvasElement);
    drawnBy(this.canvas, () => this.draw());
    this.news = find(root, ".line");
    for (const name of /** @type {const} */ (["logX", "logY"]))
      this.switchOf(name).onclick = () => {
        this.turn(name, !this.options[name]);
        this.draw();
      };
    this.line = new Line({
      question: () => "next",
      take: (buffer) => this.take(unpack(buffer)),
      gone: () => this.setTriggerValue("changed", this.runs),
      refused: (words) => { this.news.textContent = words; },
      online: (online) => { this.news.textContent = online ? "" : OFFLINE; },
    }, lifetime);
    this.teller = new Teller(() => this.unknown(), (news) => this.setTriggerValue("changed", news), lifetime);
    loadStyle(root, "./race.css", () => this.draw());
    lifetime.resized(() => this.draw(), root);
  }

  /** @param {"logX" | "logY"} name */
  switchOf(name) { return find(this.root, `[data-switch=${name}]`); }

  /**
   * @param {"logX" | "logY"} name
   * @param {boolean} on
   */
  turn(name, on) {
    this.options[name] = on;
    this.switchOf(name).setAttribute("aria-pressed", String(on));
  }

  /** @param {Component<RaceData>} component */
  update({ data, base, setTriggerValue }) {
    // One slow racer would press all others against the edge: seconds are told apart by their size.
    if (data.axis !== this.axis) this.turn("logX", data.axis === "seconds");
    Object.assign(this, { data, setTriggerValue, axis: data.axis, theme: themeOf(this.root) });
    const runs = data.racers.map(({ id }) => id).join(",");
    if (runs !== this.runs) {
      this.runs = runs;
      this.runners = [];
      if (runs) this.line.open(() => `${base}partwise/race/${runs}`);
      else this.line.close();
    }
    find(this.root, ".measured").textContent = data.measure;
    this.draw();
  }

  /** @param {{ header: { runs: RunState[] }, points: Float32Array }} frame */
  take({ header, points }) {
    let row = 0;
    this.runners = header.runs.map((run) => {
      const from = 3 * row;
      row += run.rows;
      return { ...run, points: points.subarray(from, 3 * row) };
    });
    this.root.dataset.status = header.runs.map(({ status }) => status).join(" "); // tests wait for it
    this.draw();
    this.teller.look();
    return 0;
  }

  /** The page's buttons were drawn for one phase of the racers; when they are in another, it must know. */
  unknown() {
    const { racers } = this.data, now = this.runners.map(({ phase }) => phase);
    if (!now.length || now.length !== racers.length) return null;
    return now.some((phase, place) => phase !== racers[place].phase) && `${this.runs} ${now.join(" ")}`;
  }

  draw() {
    const sheet = prepare(this.canvas);
    if (!sheet) return;
    const { data, runners } = this, { g, box, ink } = sheet, curves = runners.map((run) => pairsOf(run, data)), all = curves.flat();
    this.standings(curves);
    this.canvas.setAttribute("aria-label", `${data.measure} of ${data.racers.map(({ title }) => title).join(", ")}`);
    const over = runners.length > 0 && runners.every(({ ended }) => ended);
    this.say(!this.runs ? data.invitation : all.length || over ? "" : data.preparing);
    if (!all.length) return;
    const ends = endsOf(all, this.options, data.by === "recognised"), seconds = data.axis === "seconds";
    const x = scale(...ends.x, box.x, box.x + box.w, ends.logX), y = scale(...ends.y, box.y + box.h, box.y, ends.logY);
    drawAxes(g, box, ink, x, y, {
      xTitle: seconds ? "seconds of the method's own work" : "iteration", yTitle: data.measure, whole: !seconds,
      percent: data.by !== "objective",
    });
    curves.forEach((curve, index) => { if (data.racers[index]) this.curve(g, x, y, curve, data.racers[index]); });
  }

  /**
   * @param {Pen} g
   * @param {Scale} x
   * @param {Scale} y
   * @param {Pair[]} curve
   * @param {Racer} racer
   */
  curve(g, x, y, curve, racer) {
    g.strokeStyle = g.fillStyle = racer.colour[this.theme];
    g.lineWidth = 2.2;
    g.setLineDash(racer.dashed ? [7, 4] : []);
    trace(g, curve.length, (row) => [x(curve[row][0]), y(curve[row][1])]);
    g.setLineDash([]);
    for (const [at, value] of this.data.by === "objective" ? curve.slice(-1) : curve) {
      g.beginPath();
      g.arc(x(at), y(value), 3.2, 0, 2 * Math.PI);
      g.fill();
    }
  }

  /** @param {string} words */
  say(words) {
    find(this.root, ".invitation").hidden = !words;
    setText(find(this.root, ".invitation span"), words);
  }

  /** @param {Pair[][]} curves */
  standings(curves) {
    const body = find(this.root, "tbody", HTMLTableSectionElement), { racers, by, preparing } = this.data;
    while (body.rows.length > racers.length) body.deleteRow(-1);
    racers.forEach((racer, index) => {
      const row = body.rows[index] ?? body.insertRow(), run = this.runners[index], last = curves[index]?.at(-1);
      while (row.cells.length < COLUMNS) row.insertCell();
      const [name, state, iterations, seconds, measured] = row.cells;
      name.textContent = racer.title;
      name.style.setProperty("--method", racer.colour[this.theme]);
      name.classList.toggle("dashed", racer.dashed);
      state.textContent = run?.state ?? preparing;
      iterations.textContent = run ? String(run.iteration) : "";
      seconds.textContent = run?.rows ? short(run.points[3 * (run.rows - 1) + 2]) : "";
      measured.textContent = !last ? "–" : by === "objective" ? short(last[1]) : `${(100 * last[1]).toFixed(1)} %`;
    });
    find(this.root, ".standings").hidden = !racers.length;
  }
}
