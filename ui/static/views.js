// How much SULF trusts each view while it runs: weights and errors over the iterations, and, for documents,
// the same topics in the words of two views. The server is asked again as long as there is something new.

import { drawAxes, prepare, scale, trace } from "./axes.js";
import { loadStyle, themeOf } from "./frame.js";
import { short } from "./numbers.js";
import { Words } from "./words.js";
import { mounted } from "./mounted.js";
import { Poller } from "./poller.js";
import { Teller } from "./teller.js";

// Beside its colour each view has its own dashes, so that nobody needs to tell colours apart.
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [12, 5], [1, 2], [6, 2, 1, 2]];
// From so many times the whole on, an axis in percent says nothing.
const FAR = 10;
const LAYOUT = `
  <div class="course">
    <div class="line" role="status"></div>
    <p class="flag" role="alert" hidden></p>
    <div class="charts">
      <div><h4>Weight of each view (π)</h4><canvas class="weights" role="img"></canvas></div>
      <div><h4>What is left unexplained of each view</h4><canvas class="errors" role="img"></canvas></div>
    </div>
    <table><thead><tr><th>view</th><th class="bar"></th><th class="number">weight</th><th class="number">unexplained</th></tr></thead>
      <tbody></tbody></table>
    <p class="note turning"></p>
    <p class="note">A view is trusted for being easy to explain, which is not the same as telling classes apart: few
      features are explained quickly. The comparison below shows which views do tell.</p>
  </div>`;

export const { show, leave } = mounted((place, { data }, lifetime) => {
  const root = place.querySelector(".root");
  return data.words.length ? new Topics(root, lifetime) : new Course(root, lifetime);
});

// What both have in common: they ask about a run until it has ended.
class Asking {
  constructor(root, lifetime, every) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.teller = new Teller(() => this.unknown(), (news) => this.setTriggerValue("changed", news), lifetime);
    this.poller = new Poller({
      every,
      take: (told) => this.take(told),
      gone: () => this.gone(),
      refused: (words) => { root.textContent = words; },
    }, lifetime);
  }

  update({ data, base, setTriggerValue }) {
    Object.assign(this, { data, base, setTriggerValue });
    this.colours = data.palette[themeOf(this.root)];
    const query = new URLSearchParams(data.words.map((view) => ["words", view]));
    if (this.told) this.draw();
    this.poller.follow(`${base}partwise/views/${data.run}?${query}`);
  }

  take(told) {
    this.told = told;
    this.draw();
    Object.assign(this.root.dataset, { run: told.id, status: told.status, iteration: told.iterations.at(-1) ?? -1 });
    this.teller.look();
    return !told.ended;
  }

  gone() {
    this.lost = this.data.run;
    this.teller.look();
  }

  // The page was drawn for a run that had ended or had not; when it is otherwise, the page must know.
  unknown() {
    const { data, lost, told } = this;
    if (lost === data.run) return lost;
    return told?.id === data.run && told.ended !== data.ended && `${told.id} ${told.status}`;
  }
}

class Topics extends Asking {
  constructor(root, lifetime) {
    super(root, lifetime, 400);
    const grid = document.createElement("div");
    root.append(grid);
    this.words = new Words(grid);
    loadStyle(root, "./words.css");
  }

  draw() {
    const [first, second] = this.data.words, { words } = this.told;
    const parts = words[first] || [];
    this.words.show(parts, {
      titles: parts.map((part, index) => `topic ${index + 1}`),
      beside: second ? words[second] || null : null,
      heads: [first, second],
    });
  }
}

class Course extends Asking {
  constructor(root, lifetime) {
    super(root, lifetime, 120);
    root.innerHTML = LAYOUT;
    loadStyle(root, "./views.css", () => this.told && this.draw());
    lifetime.resized(() => {
      this.find(".course").classList.toggle("narrow", root.clientWidth < 620);
      if (this.told) this.draw();
    }, root);
  }

  draw() {
    this.describe();
    this.table();
    const { turning } = this.told;
    this.find(".turning").textContent = !turning ? "" : `As things are, weights are all but equal for λ far above
      ${short(turning)}; below it the view explained worst gets none. Errors grow with the data, and so does this λ.`;
    this.curves(".weights", this.told.weights, "weight");
    this.curves(".errors", this.told.errors, "share of its squared length");
    this.root.dataset.weights = (this.told.weights.at(-1) || []).join(" ");
  }

  describe() {
    const { told } = this, words = [];
    const at = told.iterations.at(-1);
    if (told.status === "waiting") words.push(told.state);
    else if (at === undefined) words.push("getting ready …");
    else words.push(`iteration <b>${at}</b>${told.limit ? ` of ${Number(told.limit)}` : ""}`);
    if (told.score !== null && told.score !== undefined)
      words.push(`names <b>${(100 * told.score).toFixed(1)} %</b> of the unlabelled rightly`);
    if (told.ended) words.push(told.state);
    this.find(".line").innerHTML = words.map((word) => `<span>${word}</span>`).join("");
    const flag = told.flags[0] || "";
    this.find(".flag").hidden = !flag;
    const why = this.data.printed ? " The printed rule does not guarantee descent: choose the rule “split”." : "";
    this.find(".flag").textContent = flag && flag + why;
  }

  table() {
    const { told } = this, body = this.find("tbody");
    const weights = told.weights.at(-1) || [], errors = told.errors.at(-1) || [];
    while (body.rows.length > told.views.length) body.deleteRow(-1);
    told.views.forEach((view, index) => {
      const row = body.rows[index] || newRow(body);
      row.style.setProperty("--view", this.colour(index));
      row.querySelector("line").setAttribute("stroke-dasharray", DASHES[index % DASHES.length].join(" "));
      row.querySelector("line").setAttribute("stroke", this.colour(index));
      row.querySelector(".title").textContent = view;
      row.querySelector(".bar span").style.width = `${100 * (weights[index] || 0)}%`;
      row.cells[2].textContent = percent(weights[index]);
      row.cells[3].textContent = percent(errors[index]);
    });
  }

  curves(selector, rows, yTitle) {
    const canvas = this.find(selector), ready = prepare(canvas);
    if (!ready || !rows.length) return;
    const { g, box, ink } = ready, { iterations, views } = this.told;
    const x = scale(0, Math.max(1, iterations.at(-1)), box.x, box.x + box.w);
    const values = rows.flat().filter(Number.isFinite), top = Math.max(0.05, ...values);
    // A rule that diverges leaves the percents behind: powers of ten show what happens, and fit beside the axis.
    const far = top > FAR, low = Math.min(top, ...values.filter((value) => value > 0));
    const y = far
      ? scale(low, top, box.y + box.h, box.y, true)
      : scale(0, Math.min(top * 1.05, Math.max(1, top)), box.y + box.h, box.y);
    const title = far ? yTitle.replace("share of", "times") : yTitle;
    drawAxes(g, box, ink, x, y, { xTitle: "iteration", yTitle: title, whole: true, percent: !far });
    canvas.dataset.axis = far ? "powers of ten" : "percent";
    views.forEach((view, index) => {
      g.strokeStyle = this.colour(index);
      g.lineWidth = 2;
      g.setLineDash(DASHES[index % DASHES.length]);
      trace(g, rows.length, (row) => [x(iterations[row]), y(rows[row][index] ?? NaN)]);
    });
    g.setLineDash([]);
    const last = rows.at(-1);
    canvas.setAttribute("aria-label", views.map((view, index) => `${view} ${percent(last[index])}`).join(", "));
  }

  colour(index) { return this.colours[index % this.colours.length]; }
}

function newRow(body) {
  const row = body.insertRow();
  row.innerHTML = `<td><svg class="key" viewBox="0 0 30 10"><line x1="0" y1="5" x2="30" y2="5" stroke-width="2.5"/></svg><span
    class="title"></span></td><td class="bar"><span></span></td><td class="number"></td><td class="number"></td>`;
  return row;
}

function percent(share) {
  if (share > FAR) return `${short(share)} times`;
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : "–";
}
