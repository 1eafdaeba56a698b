// How much SULF trusts each view while it runs: weights and errors over the iterations, and, for documents,
// the same topics in the words of two views. The server is asked again as long as there is something new.

import { drawAxes, prepare, trace } from "./axes.js";
import { drawnBy } from "./canvas.js";
import { element, find, findAll, rootOf } from "./dom.js";
import { Follower } from "./follower.js";
import { loadStyle } from "./frame.js";
import { mounted } from "./mounted.js";
import { short } from "./numbers.js";
import { scale } from "./scales.js";
import { Asking } from "./views_asking.js";
import { Words } from "./words.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Course, ViewsData } from "./views_asking.js" */

// Beside its colour each view has its own dashes, so that nobody needs to tell colours apart.
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [12, 5], [1, 2], [6, 2, 1, 2]];
// From so many times the whole on, an axis in percent says nothing.
const FAR = 10, NARROW = 620;
const LAYOUT = `
  <div class="course">
    <div class="line" role="status"></div>
    <p class="flag" role="alert" hidden></p>
    <div class="charts">
      <div><h2>Weight of each view (π)</h2><canvas class="weights" role="img" aria-label="Nothing is known yet"></canvas></div>
      <div><h2>What is left unexplained of each view</h2><canvas class="errors" role="img" aria-label="Nothing is known yet"></canvas></div>
    </div>
    <table><thead><tr><th>view</th><td class="bar"></td><th class="number">weight</th><th class="number">unexplained</th></tr></thead>
      <tbody></tbody></table>
    <p class="note turning"></p>
    <p class="note">A view is trusted for being easy to explain, which is not the same as telling classes apart: few
      features are explained quickly. The comparison below shows which views do tell.</p>
  </div>`;

export const { show, leave } = mounted((place, { data }, lifetime) => (
  data.words.length ? new TopicsView(rootOf(place), data, lifetime) : new CourseView(rootOf(place), data, lifetime)
));

class TopicsView extends Asking {
  /**
   * @param {HTMLElement} root
   * @param {ViewsData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    super(root, data, lifetime, 400);
    const grid = element("div");
    root.append(grid);
    this.words = new Words(grid);
    loadStyle(root, "./words.css");
  }

  /** @param {Course} told */
  draw({ words }) {
    const [first, second] = this.data.words, topics = words[first] ?? [];
    this.words.show(topics, {
      titles: topics.map((_, index) => `topic ${index + 1}`),
      beside: second ? words[second] ?? null : null,
      heads: [first, second],
    });
  }
}

class CourseView extends Asking {
  /** @type {{ row: HTMLTableRowElement, key: SVGElement }[]} */
  rows = [];

  /**
   * @param {HTMLElement} root
   * @param {ViewsData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    super(root, data, lifetime, 120);
    root.innerHTML = LAYOUT;
    this.follower = new Follower({
      address: () => `${this.base}partwise/live/${this.data.run}`,
      run: () => this.data.run,
      turns: () => this.data.turns,
      take: () => {}, // what is to be seen of it is asked for like that of the run
      back: () => this.watch(null),
      refused: (words) => { if (words) this.complain(words); },
    }, lifetime);
    const redraw = () => { if (this.told) this.draw(this.told); };
    for (const canvas of findAll(root, "canvas", HTMLCanvasElement)) drawnBy(canvas, redraw);
    loadStyle(root, "./views.css", redraw);
    lifetime.resized(() => {
      find(root, ".course").classList.toggle("narrow", root.clientWidth < NARROW);
      redraw();
    }, root);
  }

  /** @param {Component<ViewsData>} component */
  update(component) {
    const another = component.data.run !== this.data.run;
    super.update(component);
    this.follower.drawn(another);
  }

  /** @param {Course} told */
  draw(told) {
    const { turning, weights, errors } = told;
    this.describe(told);
    this.table(told);
    find(this.root, ".turning").textContent = !turning ? "" : `As things are, weights are all but equal for λ far above
      ${short(turning)}; below it the view explained worst gets none. Errors grow with the data, and so does this λ.`;
    this.curves(".weights", told, weights, "weight");
    this.curves(".errors", told, errors, "share of its squared length");
    this.root.dataset.weights = (weights.at(-1) ?? []).join(" "); // for tests
  }

  /** @param {Course} told */
  describe(told) {
    const at = told.iterations.at(-1);
    /** @type {[before: string, value: string, after: string][]} the value is set off */
    const facts = [];
    if (told.status === "waiting") facts.push([told.state, "", ""]);
    else if (at === undefined) facts.push([this.data.preparing, "", ""]);
    else facts.push(["iteration ", String(at), told.limit ? ` of ${told.limit}` : ""]);
    if (told.score !== null && told.score !== undefined)
      facts.push(["names ", `${(100 * told.score).toFixed(1)} %`, " of the unlabelled rightly"]);
    if (this.by) facts.push([this.data.following, "", ""]);
    else if (told.ended) facts.push([told.state, "", ""]);
    find(this.root, ".line").replaceChildren(...facts.map(([before, value, after]) => {
      const fact = element("span", "", before);
      if (value) fact.append(element("b", "", value));
      fact.append(after);
      return fact;
    }));
    const flag = told.flags[0] ?? "";
    const why = this.data.printed ? " The printed rule does not guarantee descent: choose the rule “split”." : "";
    this.complain(flag && flag + why);
  }

  /** @param {string} words */
  complain(words) {
    const place = find(this.root, ".flag");
    place.hidden = !words;
    place.textContent = words;
  }

  /** @param {Course} told */
  table({ views, weights, errors }) {
    const body = find(this.root, "tbody", HTMLTableSectionElement), weight = weights.at(-1) ?? [], error = errors.at(-1) ?? [];
    for (const { row } of this.rows.splice(views.length)) row.remove();
    while (this.rows.length < views.length) this.rows.push(newRow(body));
    views.forEach((view, index) => {
      const { row, key } = this.rows[index], [title, bar] = findAll(row, "td > span");
      row.style.setProperty("--view", this.colour(index));
      key.setAttribute("stroke-dasharray", DASHES[index % DASHES.length].join(" "));
      key.setAttribute("stroke", this.colour(index));
      title.textContent = view;
      bar.style.width = `${100 * (weight[index] || 0)}%`;
      row.cells[2].textContent = percent(weight[index]);
      row.cells[3].textContent = percent(error[index]);
    });
  }

  /**
   * @param {".weights" | ".errors"} selector
   * @param {Course} told
   * @param {(number | null)[][]} rows
   * @param {string} yTitle
   */
  curves(selector, { iterations, views }, rows, yTitle) {
    const canvas = find(this.root, selector, HTMLCanvasElement), ready = prepare(canvas), last = rows.at(-1);
    if (!ready || !last) return;
    const { g, box, ink } = ready, x = scale(0, Math.max(1, iterations.at(-1) ?? 1), box.x, box.x + box.w);
    const { low, high, far } = endsOf(rows.flat()), y = scale(low, high, box.y + box.h, box.y, far);
    const title = far ? yTitle.replace("share of", "times") : yTitle;
    drawAxes(g, box, ink, x, y, { xTitle: "iteration", yTitle: title, whole: true, percent: !far });
    canvas.dataset.axis = far ? "powers of ten" : "percent"; // for tests
    views.forEach((_, index) => {
      g.strokeStyle = this.colour(index);
      g.lineWidth = 2;
      g.setLineDash(DASHES[index % DASHES.length]);
      trace(g, rows.length, (row) => [x(iterations[row]), y(rows[row][index] ?? NaN)]);
    });
    g.setLineDash([]);
    canvas.setAttribute("aria-label", views.map((view, index) => `${view} ${percent(last[index])}`).join(", "));
  }

  /** @param {number} index */
  colour(index) { return this.colours[index % this.colours.length]; }
}

/**
 * The ends of an axis of shares. A rule that diverges leaves the percents behind: powers of ten show what happens, and
 * fit beside the axis.
 * @param {(number | null)[]} shares
 */
export function endsOf(shares) {
  const values = shares.filter((share) => share !== null).filter(Number.isFinite), top = Math.max(0.05, ...values);
  if (top <= FAR) return { low: 0, high: Math.min(top * 1.05, Math.max(1, top)), far: false };
  return { low: Math.min(top, ...values.filter((value) => value > 0)), high: top, far: true };
}

/** @param {HTMLTableSectionElement} body */
function newRow(body) {
  const row = body.insertRow();
  row.innerHTML = `<td><svg class="key" viewBox="0 0 30 10"><line x1="0" y1="5" x2="30" y2="5" stroke-width="2.5"/></svg><span
    class="title"></span></td><td class="bar"><span></span></td><td class="number"></td><td class="number"></td>`;
  return { row, key: /** @type {SVGElement} */ (row.querySelector("line")) };
}

/** @param {number | null | undefined} share */
function percent(share) {
  if (share === null || share === undefined || !Number.isFinite(share)) return "–";
  return share > FAR ? `${short(share)} times` : `${(100 * share).toFixed(1)} %`;
}
