// The list of runs. A click on a name picks that run alone, the boxes pick several to compare.

import { element, find, rootOf } from "./dom.js";
import { loadStyle, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";
import { short } from "./numbers.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Theme, Themed } from "./server.js" */
/**
 * One run of the list (`ui.runs`).
 * @typedef {object} ListedRun
 * @property {string} id
 * @property {string} name given by hand, or nothing
 * @property {string} method
 * @property {string[]} tags
 * @property {boolean} shared
 * @property {string} data
 * @property {string} facts
 * @property {string} params
 * @property {string} status
 * @property {string} words the status in words
 * @property {number | null} accuracy
 * @property {number | null} objective
 * @property {number} iterations
 * @property {number} seconds
 * @property {number} when seconds since 1970
 * @property {Themed} colour
 */
/** @typedef {{ rows: ListedRun[], picked: string[], most: number }} RunsData */
/** @typedef {{ run: string, line: HTMLElement, box: HTMLInputElement, name: HTMLElement }} Row */

export const { show, leave } = mounted((place, _, lifetime) => new List(rootOf(place), lifetime));

const HEAD = ["", "Run", "Data", "Parameters", "Ended", "Recognised", "Objective", "Seconds", "When"];
const HINTS = new Map([
  ["Recognised", "Share of the unlabelled samples whose class is found"],
  ["Objective", "At the last iteration; only runs of one method on the same data can be compared by it"],
  ["Seconds", "Time spent in the iterations alone"],
]);
const NARROW = 760;

class List {
  /** @type {Row[]} */
  rows = [];
  /** @type {string[]} */
  picked = [];
  most = 0;
  drawn = "";
  /** @type {(picked: string[]) => void} */
  tell = () => {};

  /**
   * @param {HTMLElement} root
   * @param {Lifetime} lifetime
   */
  constructor(root, lifetime) {
    this.root = root;
    root.innerHTML = `<div class="runs" tabindex="-1"><table><thead><tr></tr></thead><tbody></tbody></table></div>`;
    find(root, "thead tr").append(...HEAD.map(heading));
    this.body = find(root, "tbody");
    loadStyle(root, "./runs.css");
    lifetime.resized(() => find(root, ".runs").classList.toggle("narrow", root.clientWidth < NARROW), root);
  }

  /** @param {Component<RunsData>} component */
  update({ data, setTriggerValue }) {
    this.tell = (picked) => setTriggerValue("picked", picked);
    this.most = data.most;
    this.picked = data.picked;
    const theme = themeOf(this.root), drawn = JSON.stringify([data.rows, theme]);
    if (drawn !== this.drawn) this.fill(data.rows, theme);
    this.drawn = drawn;
    this.mark();
  }

  /**
   * @param {ListedRun[]} runs
   * @param {Theme} theme
   */
  fill(runs, theme) {
    // Rows are drawn anew while a run is under way: whoever walks with the keyboard stays where they are.
    const page = /** @type {Document | ShadowRoot} */ (this.body.getRootNode()), focused = page.activeElement;
    const held = this.rows.find(({ line }) => line.contains(focused)), onBox = held?.box === focused;
    this.rows = runs.map((run) => this.row(run, theme));
    this.body.replaceChildren(...this.rows.map(({ line }) => line));
    const again = held && this.rows.find(({ run }) => run === held.run);
    if (again) (onBox ? again.box : again.name).focus();
  }

  /**
   * @param {ListedRun} run
   * @param {Theme} theme
   * @returns {Row}
   */
  row(run, theme) {
    const line = element("tr"), box = element("input", "box"), name = element("button", "name", run.name || run.method);
    // Tests find a run by its id, and wait for its status.
    Object.assign(line.dataset, { run: run.id, status: run.status });
    line.style.setProperty("--method", run.colour[theme]);
    box.type = "checkbox";
    box.setAttribute("aria-label", `Compare ${run.name || run.method}`);
    box.onchange = () => this.toggle(run.id, box.checked);
    // The name is the button; the rest of the row does the same for a pointer, but for the box.
    line.onclick = (event) => {
      if (event.target !== box) this.pick([run.id]);
    };
    line.append(...cellsOf(run, box, name));
    return { run: run.id, line, box, name };
  }

  mark() {
    const full = this.picked.length >= this.most;
    for (const { run, line, box } of this.rows) {
      const on = this.picked.includes(run);
      line.classList.toggle("picked", on);
      box.checked = on;
      box.disabled = full && !on;
      box.title = box.disabled ? `Up to ${this.most} runs can be compared` : "";
    }
  }

  /**
   * @param {string} id
   * @param {boolean} on
   */
  toggle(id, on) {
    this.pick(on ? [...this.picked, id] : this.picked.filter((other) => other !== id));
  }

  /** @param {string[]} ids */
  pick(ids) {
    this.picked = ids.slice(0, this.most);
    this.mark();
    this.tell(this.picked);
  }
}

/** @param {string} title */
function heading(title) {
  const cell = element("th", "", title), hint = HINTS.get(title);
  cell.scope = "col";
  if (hint) cell.title = hint;
  if (!title) cell.append(element("span", "unseen", "Compare"));
  return cell;
}

/**
 * @param {ListedRun} run
 * @param {HTMLElement} box
 * @param {HTMLElement} name
 */
function cellsOf(run, box, name) {
  const title = element("div", "title"), data = element("div", "", run.data);
  title.append(name);
  if (run.name) title.append(element("span", "quiet", run.method));
  for (const tag of run.tags) title.append(element("span", "tag", `#${tag}`));
  if (run.shared) title.append(element("span", "tag", "on the shelf"));
  if (run.facts) data.append(element("div", "quiet", run.facts));
  /** @type {[string, Node | string][]} */
  const cells = [
    ["pick", box], ["run", title], ["data", data], ["params", run.params],
    ["status", run.words],
    ["number recognised", run.accuracy === null ? "–" : `${(100 * run.accuracy).toFixed(1)} %`],
    ["number objective", run.objective === null ? "–" : short(run.objective)],
    ["number seconds", run.iterations ? `${run.seconds.toFixed(run.seconds < 10 ? 2 : 1)} s` : "–"],
    ["when", when(run.when, new Date())],
  ];
  return cells.map(([kind, content]) => {
    const cell = element("td", kind);
    cell.append(content);
    return cell;
  });
}

/**
 * The time alone for today, the day for what is older.
 * @param {number} seconds since 1970
 * @param {Date} now
 */
export function when(seconds, now) {
  const date = new Date(1000 * seconds), time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (date.toDateString() === now.toDateString()) return time;
  /** @type {Intl.DateTimeFormatOptions} */
  const day = { day: "numeric", month: "short" };
  if (date.getFullYear() !== now.getFullYear()) day.year = "numeric";
  return `${date.toLocaleDateString([], day)}, ${time}`;
}
