// Single views, views side by side and fused: a row each, a dot for every split, the mean and its spread.
// Asking the server moves the comparison on, so it fills in as long as somebody looks.

import { loadStyle, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";
import { Poller } from "./poller.js";

const EVERY_MS = 500;
const WAYS = { "one view": "One view alone", "side by side": "All views side by side", "several views": "Methods for several views" };
const NS = "http://www.w3.org/2000/svg";

export const { show, leave } = mounted((place, component, lifetime) => new Contest(place.querySelector(".root"), lifetime));

class Contest {
  constructor(root, lifetime) {
    this.root = root;
    root.innerHTML = `<div class="contest"><div class="switches" role="group" aria-label="What is measured"></div>
      <p class="explained"></p><p class="progress" role="status"></p><table>
      <colgroup><col class="title"><col><col class="value"></colgroup><tbody></tbody></table></div>`;
    this.find = (selector) => root.querySelector(selector);
    loadStyle(root, "./contest.css");
    const say = (words) => { this.find(".progress").textContent = words; };
    this.poller = new Poller({ every: EVERY_MS, take: (told) => this.take(told), gone: say, refused: say }, lifetime);
  }

  update({ data, base }) {
    const another = data.key !== this.data?.key;
    Object.assign(this, { data, base });
    this.measure ||= Object.keys(data.measures)[0];
    this.switches();
    if (another) {
      this.told = null;
      this.find("tbody").replaceChildren();
    } else this.draw();
    this.poller.follow(`${base}partwise/contest/${data.key}`);
  }

  switches() {
    const buttons = Object.entries(this.data.measures).map(([measure, title]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = title;
      button.setAttribute("aria-pressed", String(measure === this.measure));
      button.onclick = () => {
        this.measure = measure;
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        this.draw();
      };
      return button;
    });
    this.find(".switches").replaceChildren(...buttons);
  }

  take(told) {
    this.told = told;
    this.draw();
    return told.known < told.whole;
  }

  draw() {
    if (!this.told) return;
    const { known, whole, rows, splits } = this.told;
    this.find(".explained").textContent = this.data.explained[this.measure];
    this.find(".progress").textContent = known < whole
      ? `${known} of ${whole} fits compared …`
      : `Mean of ${splits} splits; a dot for each of them, a bar for the standard deviation.`;
    Object.assign(this.root.dataset, { known, whole, measure: this.measure });
    const stats = rows.map((row) => spread(row.values[this.measure] || []));
    const found = stats.filter(Boolean);
    // The axis begins where the weakest begins, or differences between good ones could not be seen.
    const low = found.length ? Math.max(0, Math.floor(10 * Math.min(...found.map((s) => s.least)) - 0.2) / 10) : 0;
    const best = Math.max(...found.map((s) => s.mean));
    const colours = this.data.colours[themeOf(this.root)];
    const lines = [];
    rows.forEach((row, index) => {
      if (row.way !== rows[index - 1]?.way) lines.push(heading(WAYS[row.way], low, lines.length === 0));
      lines.push(line(row, stats[index], low, colours[row.method], stats[index]?.mean === best));
    });
    this.find("tbody").replaceChildren(...lines);
  }
}

function spread(values) {
  if (!values.length) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return { values, mean, deviation, least: Math.min(...values) };
}

function heading(title, low, first) {
  const row = document.createElement("tr");
  const cell = Object.assign(document.createElement("th"), { className: "way", colSpan: first ? 1 : 3, textContent: title });
  row.append(cell);
  if (first) {
    const scale = Object.assign(document.createElement("th"), { className: "way" });
    scale.innerHTML = `<span class="scale"><span>${Math.round(100 * low)} %</span><span>100 %</span></span>`;
    row.append(scale, Object.assign(document.createElement("th"), { className: "way" }));
  }
  return row;
}

function line(told, stats, low, colour, best) {
  const row = document.createElement("tr");
  row.className = best ? "best" : "";
  const [title, plot, value] = ["title", "plot", "value"].map((name) => Object.assign(row.insertCell(), { className: name }));
  title.textContent = told.title;
  if (!stats) {
    plot.append(Object.assign(document.createElement("span"), { className: "why", textContent: told.problem }));
    value.textContent = "–";
    return row;
  }
  plot.append(dots(stats, low, colour));
  value.textContent = `${(100 * stats.mean).toFixed(1)} `;
  value.append(Object.assign(document.createElement("span"), { className: "spread", textContent: `± ${(100 * stats.deviation).toFixed(1)}` }));
  return row;
}

function dots(stats, low, colour) {
  const svg = document.createElementNS(NS, "svg"), at = (share) => `${(100 * (share - low)) / (1 - low)}%`;
  const add = (name, facts) => {
    const shape = document.createElementNS(NS, name);
    for (const [fact, value] of Object.entries(facts)) shape.setAttribute(fact, value);
    svg.append(shape);
  };
  add("line", { x1: "0%", x2: "100%", y1: 9, y2: 9, stroke: "currentColor", "stroke-opacity": 0.13 });
  const [from, to] = [Math.max(low, stats.mean - stats.deviation), Math.min(1, stats.mean + stats.deviation)];
  add("line", { x1: at(from), x2: at(to), y1: 9, y2: 9, stroke: colour, "stroke-width": 5, "stroke-opacity": 0.35, "stroke-linecap": "round" });
  for (const value of stats.values) add("circle", { cx: at(value), cy: 9, r: 2.5, fill: colour, "fill-opacity": 0.55 });
  add("circle", { cx: at(stats.mean), cy: 9, r: 5, fill: colour });
  svg.setAttribute("aria-hidden", "true"); // the numbers are beside it
  return svg;
}
