// Single views, views side by side and fused: a row each, a dot for every split, the mean and its spread.
// Asking the server moves the comparison on, so it fills in as long as somebody looks.

import { axisFrom, statsOf } from "./contest_stats.js";
import { element, find, rootOf } from "./dom.js";
import { loadStyle, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";
import { Poller } from "./poller.js";
import { switches } from "./switches.js";

/** @import { Stats } from "./contest_stats.js" */
/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Themed } from "./server.js" */
/**
 * One way to use the views, and its values by measure (`ui.views.answers`).
 * @typedef {{ title: string, way: string, method: string, problem: string, values: Record<string, number[]> }} Contestant
 */
/** @typedef {{ rows: Contestant[], known: number, whole: number, splits: number }} Standing */
/**
 * What Python says of the comparison (`ui.views.contest`).
 * @typedef {object} ContestData
 * @property {string} key
 * @property {Record<string, string>} measures their titles
 * @property {Record<string, string>} explained
 * @property {Record<string, string>} ways the titles of ways to use the views
 * @property {Themed<Record<string, string>>} colours by method
 */

const EVERY_MS = 500;
const NS = "http://www.w3.org/2000/svg";

export const { show, leave } = mounted((place, { data }, lifetime) => new Contest(rootOf(place), data, lifetime));

class Contest {
  /** @type {Standing | null} */
  told = null;
  /** @type {string | null} the comparison on show */
  key = null;

  /**
   * @param {HTMLElement} root
   * @param {ContestData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    this.root = root;
    this.data = data;
    this.measure = Object.keys(data.measures)[0];
    root.innerHTML = `<div class="contest"><div class="switches" role="group" aria-label="What is measured"></div>
      <p class="explained"></p><p class="progress" role="status"></p><table>
      <colgroup><col class="title"><col><col class="value"></colgroup><tbody></tbody></table></div>`;
    this.body = find(root, "tbody");
    this.progress = find(root, ".progress");
    loadStyle(root, "./contest.css");
    const say = (/** @type {string} */ words) => { this.progress.textContent = words; };
    /** @type {Poller<Standing>} */
    this.poller = new Poller({ every: EVERY_MS, take: (told) => this.take(told), gone: say, refused: say }, lifetime);
  }

  /** @param {Component<ContestData>} component */
  update({ data, base }) {
    this.data = data;
    this.switches();
    if (data.key !== this.key) {
      this.key = data.key;
      this.told = null;
      this.body.replaceChildren();
    } else this.draw();
    this.poller.follow(`${base}partwise/contest/${data.key}`);
  }

  switches() {
    const choose = (/** @type {string} */ measure) => { this.measure = measure; this.draw(); };
    find(this.root, ".switches").replaceChildren(...switches(Object.entries(this.data.measures), this.measure, choose));
  }

  /** @param {Standing} told */
  take(told) {
    this.told = told;
    this.draw();
    return told.known < told.whole;
  }

  draw() {
    if (!this.told) return;
    const { known, whole, rows, splits } = this.told;
    find(this.root, ".explained").textContent = this.data.explained[this.measure];
    this.progress.textContent = known < whole
      ? `${known} of ${whole} fits compared …`
      : `Mean of ${splits} splits; a dot for each of them, a bar for the standard deviation.`;
    Object.assign(this.root.dataset, { known, whole, measure: this.measure }); // tests wait for them
    const stats = rows.map((row) => statsOf(row.values[this.measure] || [])), found = stats.filter((one) => one !== null);
    const low = axisFrom(found), best = Math.max(...found.map(({ mean }) => mean));
    const colours = this.data.colours[themeOf(this.root)];
    this.body.replaceChildren(...rows.flatMap((row, index) => {
      const shown = line(row, stats[index], low, colours[row.method], stats[index]?.mean === best);
      return row.way === rows[index - 1]?.way ? [shown] : [heading(this.data.ways[row.way], low, index === 0), shown];
    }));
  }
}

/**
 * @param {string} title
 * @param {number} low
 * @param {boolean} first
 */
function heading(title, low, first) {
  const row = element("tr"), cell = element("th", "way", title);
  cell.colSpan = first ? 1 : 3;
  row.append(cell);
  if (!first) return row;
  const scale = element("th", "way"), ends = element("span", "scale");
  ends.append(element("span", "", `${Math.round(100 * low)} %`), element("span", "", "100 %"));
  scale.append(ends);
  row.append(scale, element("td", "way"));
  return row;
}

/**
 * @param {Contestant} told
 * @param {Stats | null} stats
 * @param {number} low
 * @param {string} colour
 * @param {boolean} best
 */
function line(told, stats, low, colour, best) {
  const row = element("tr", best ? "best" : ""), plot = element("td", "plot"), value = element("td", "value");
  row.append(element("td", "title", told.title), plot, value);
  if (!stats) {
    plot.append(element("span", "why", told.problem));
    value.textContent = "–";
    return row;
  }
  plot.append(dots(stats, low, colour));
  value.textContent = `${(100 * stats.mean).toFixed(1)} `;
  value.append(element("span", "spread", `± ${(100 * stats.deviation).toFixed(1)}`));
  return row;
}

/**
 * @param {Stats} stats
 * @param {number} low
 * @param {string} colour
 */
function dots(stats, low, colour) {
  const svg = document.createElementNS(NS, "svg"), at = (/** @type {number} */ share) => `${(100 * (share - low)) / (1 - low)}%`;
  const add = (/** @type {"line" | "circle"} */ name, /** @type {Record<string, string | number>} */ facts) => {
    const shape = document.createElementNS(NS, name);
    for (const [fact, value] of Object.entries(facts)) shape.setAttribute(fact, String(value));
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
