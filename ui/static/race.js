// A race of several runs: one curve each, by iterations or by seconds, and how each is doing.

import { drawAxes, prepare, scale, trace } from "./axes.js";
import { unpack } from "./blocks.js";
import { loadStyle, themeOf } from "./frame.js";
import { short } from "./numbers.js";
import { mounted } from "./mounted.js";
import { Line } from "./socket.js";
import { Teller } from "./teller.js";

export const { show, leave } = mounted((place, component, lifetime) => new Race(place, lifetime));

const LAYOUT = `
  <div class="race">
    <div class="stage">
      <canvas class="chart" role="img"></canvas>
      <div class="invitation" hidden><span></span></div>
    </div>
    <div class="switches">
      <button type="button" aria-pressed="false" data-switch="logY">log value</button>
      <button type="button" aria-pressed="false" data-switch="logX">log axis</button>
      <span class="line" role="status"></span>
    </div>
    <table class="standings"><thead><tr><th>racer</th><th>state</th><th>iterations</th><th>seconds</th><th class="measured"></th></tr></thead><tbody></tbody></table>
  </div>`;

class Race {
  constructor(parent, lifetime) {
    const root = (this.root = parent.querySelector(".root"));
    root.innerHTML = LAYOUT;
    this.find = (selector) => root.querySelector(selector);
    this.canvas = this.find(".chart");
    this.options = { logX: false, logY: false };
    for (const button of root.querySelectorAll("[data-switch]"))
      button.onclick = () => {
        this.turn(button.dataset.switch, !this.options[button.dataset.switch]);
        this.draw();
      };
    this.line = new Line({
      question: () => "next",
      take: (buffer) => this.take(buffer),
      gone: () => this.setTriggerValue("changed", this.runs),
      refused: (words) => { this.find(".line").textContent = words; },
      online: (online) => { this.find(".line").textContent = online ? "" : "no connection to the server, trying again …"; },
    }, lifetime);
    this.teller = new Teller(() => this.unknown(), (news) => this.setTriggerValue("changed", news), lifetime);
    lifetime.resized(() => this.draw(), root);
  }

  turn(name, on) {
    this.options[name] = on;
    this.find(`[data-switch=${name}]`).setAttribute("aria-pressed", String(on));
  }

  update({ data, base, setTriggerValue }) {
    // One slow racer would press all others against the edge: seconds are told apart by their size.
    if (data.axis !== this.data?.axis) this.turn("logX", data.axis === "seconds");
    Object.assign(this, { data, setTriggerValue });
    if (!this.styled) loadStyle(this.root, "./race.css", () => this.draw());
    this.styled = true;
    this.theme = themeOf(this.root);
    const runs = data.racers.map(({ id }) => id).join(",");
    if (runs !== this.runs) {
      this.runs = runs;
      this.header = null;
      if (runs) this.line.open(() => `${base}partwise/race/${runs}`);
      else this.line.close();
    }
    this.find(".measured").textContent = data.measure;
    this.draw();
  }

  take(buffer) {
    const { header, points } = unpack(buffer);
    let row = 0;
    for (const run of header.runs) {
      run.points = points.subarray(3 * row, 3 * (row + run.rows));
      row += run.rows;
    }
    this.header = header;
    this.root.dataset.status = header.runs.map(({ status }) => status).join(" ");
    this.draw();
    this.teller.look();
    return 0;
  }

  // The page's buttons were drawn for one phase of the racers; when they are in another, it must know.
  unknown() {
    const { racers } = this.data, runs = this.header?.runs;
    if (!runs || runs.length !== racers.length) return null;
    const now = runs.map(({ phase }) => phase);
    return now.some((phase, place) => phase !== racers[place].phase) && `${this.runs} ${now.join(" ")}`;
  }

  // The curve of a run as pairs of what it is drawn against and what is measured.
  pairs(run) {
    const seconds = this.data.axis === "seconds", found = [];
    if (this.data.by === "objective")
      for (let row = 0; row < run.rows; row++) found.push([run.points[3 * row + (seconds ? 2 : 0)], run.points[3 * row + 1]]);
    else
      for (const [iteration, spent, recognised, error] of run.kept) {
        const value = this.data.by === "recognised" ? recognised : error;
        if (value !== null && spent !== null) found.push([seconds ? spent : iteration, value]);
      }
    return found.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  }

  draw() {
    const sheet = prepare(this.canvas);
    if (!sheet || !this.data) return;
    const { g, box, ink } = sheet, runs = this.header?.runs ?? [], curves = runs.map((run) => this.pairs(run));
    this.standings(runs, curves);
    const all = curves.flat();
    this.canvas.setAttribute("aria-label", `${this.data.measure} of ${this.data.racers.map(({ title }) => title).join(", ")}`);
    this.say(!this.runs ? this.data.invitation : all.length || runs.length && runs.every(over) ? "" : "getting ready …");
    if (!all.length) return;
    const share = this.data.by === "recognised", xs = all.map(([x]) => x), ys = all.map(([, y]) => y);
    const positive = (values) => Math.min(...values.filter((value) => value > 0));
    const logX = this.options.logX && Math.max(...xs) > 0, logY = this.options.logY && Math.min(...ys) > 0;
    const low = logY ? Math.min(...ys) * 0.9 : Math.min(0, ...ys), high = share && !logY ? 1 : Math.max(...ys) * 1.04;
    const x = scale(logX ? positive(xs) : 0, Math.max(...xs, 1e-6), box.x, box.x + box.w, logX);
    const y = scale(low, high, box.y + box.h, box.y, logY);
    const seconds = this.data.axis === "seconds";
    drawAxes(g, box, ink, x, y, {
      xTitle: seconds ? "seconds of the method's own work" : "iteration", yTitle: this.data.measure, whole: !seconds,
      percent: this.data.by !== "objective",
    });
    curves.forEach((curve, index) => {
      const racer = this.data.racers[index];
      if (!racer) return;
      g.strokeStyle = g.fillStyle = racer.colour[this.theme];
      g.lineWidth = 2.2;
      g.setLineDash(racer.dashed ? [7, 4] : []);
      trace(g, curve.length, (row) => [x(curve[row][0]), y(curve[row][1])]);
      g.setLineDash([]);
      const dots = this.data.by === "objective" ? curve.slice(-1) : curve;
      for (const [at, value] of dots) {
        g.beginPath();
        g.arc(x(at), y(value), 3.2, 0, 2 * Math.PI);
        g.fill();
      }
    });
  }

  say(words) {
    this.find(".invitation").hidden = !words;
    if (this.find(".invitation span").textContent !== words) this.find(".invitation span").textContent = words;
  }

  standings(runs, curves) {
    const body = this.find("tbody");
    while (body.rows.length > this.data.racers.length) body.deleteRow(-1);
    this.data.racers.forEach((racer, index) => {
      const row = body.rows[index] ?? body.insertRow(), run = runs[index], last = curves[index]?.at(-1);
      while (row.cells.length < 5) row.insertCell();
      const [name, state, iterations, seconds, measured] = row.cells;
      name.textContent = racer.title;
      name.style.setProperty("--method", racer.colour[this.theme]);
      name.classList.toggle("dashed", racer.dashed);
      state.textContent = run?.state ?? "getting ready …";
      iterations.textContent = run ? run.iteration : "";
      seconds.textContent = run?.rows ? short(run.points[3 * (run.rows - 1) + 2]) : "";
      measured.textContent = !last ? "–" : this.data.by === "objective" ? short(last[1]) : `${(100 * last[1]).toFixed(1)} %`;
    });
    this.find(".standings").hidden = !this.data.racers.length;
  }
}

function over({ ended }) {
  return ended;
}
