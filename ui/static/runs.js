// The list of runs. A click on a name picks that run alone, the boxes pick several to compare.

import { short } from "./numbers.js";
import { loadStyle, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";

export const { show, leave } = mounted((place) => new List(place));

const HEAD = ["", "Run", "Data", "Parameters", "Ended", "Recognised", "Objective", "Seconds", "When"];
const HINTS = {
  Recognised: "Share of the unlabelled samples whose class is found",
  Objective: "At the last iteration; only runs of one method on the same data can be compared by it",
  Seconds: "Time spent in the iterations alone",
};

class List {
  constructor(parent) {
    this.root = parent.querySelector(".root");
    this.root.innerHTML = `<div class="runs" tabindex="-1"><table><thead><tr></tr></thead><tbody></tbody></table></div>`;
    const head = this.root.querySelector("thead tr");
    for (const title of HEAD) {
      const cell = element("th", "", title);
      cell.scope = "col";
      if (HINTS[title]) cell.title = HINTS[title];
      if (!title) cell.innerHTML = `<span class="unseen">Compare</span>`;
      head.append(cell);
    }
    this.body = this.root.querySelector("tbody");
    loadStyle(this.root, "./runs.css");
    new ResizeObserver(() => {
      this.root.querySelector(".runs").classList.toggle("narrow", this.root.clientWidth < 760);
    }).observe(this.root);
  }

  update({ data, setTriggerValue }) {
    this.tell = (picked) => setTriggerValue("picked", picked);
    this.most = data.most;
    this.picked = data.picked;
    const theme = themeOf(this.root);
    const drawn = JSON.stringify([data.rows, theme]);
    if (drawn !== this.drawn) this.fill(data.rows, theme);
    this.drawn = drawn;
    this.mark();
  }

  fill(rows, theme) {
    // Rows are drawn anew while a run is under way: whoever walks with the keyboard stays where they are.
    const focused = this.body.contains(this.body.getRootNode().activeElement) ? this.body.getRootNode().activeElement : null;
    const place = focused && [focused.closest("tr").dataset.run, focused.className];
    this.body.replaceChildren(...rows.map((row) => this.row(row, theme)));
    if (place) this.body.querySelector(`tr[data-run="${CSS.escape(place[0])}"] .${place[1]}`)?.focus();
  }

  row(run, theme) {
    const line = element("tr");
    line.dataset.run = run.id;
    line.dataset.status = run.status;
    line.style.setProperty("--method", run.colour[theme]);
    const box = element("input", "box");
    box.type = "checkbox";
    box.setAttribute("aria-label", `Compare ${run.name || run.method}`);
    box.onchange = () => this.toggle(run.id, box.checked);
    const name = element("button", "name", run.name || run.method);
    name.type = "button";
    // The name is the button; the rest of the row does the same for a pointer, but for the box.
    line.onclick = (event) => {
      if (event.target !== box) this.pick([run.id]);
    };
    const title = element("div", "title");
    title.append(name);
    if (run.name) title.append(element("span", "quiet", run.method));
    for (const tag of run.tags) title.append(element("span", "tag", `#${tag}`));
    if (run.shared) title.append(element("span", "tag", "on the shelf"));
    const data = element("div", "", run.data);
    if (run.facts) data.append(element("div", "quiet", run.facts));
    const cells = [
      ["pick", box], ["run", title], ["data", data], ["params", run.params],
      ["status", run.words],
      ["number recognised", run.accuracy === null ? "–" : `${(100 * run.accuracy).toFixed(1)} %`],
      ["number objective", run.objective === null ? "–" : short(run.objective)],
      ["number seconds", run.iterations ? `${run.seconds.toFixed(run.seconds < 10 ? 2 : 1)} s` : "–"],
      ["when", when(run.when)],
    ];
    for (const [kind, content] of cells) {
      const cell = element("td", kind);
      cell.append(content);
      line.append(cell);
    }
    return line;
  }

  mark() {
    const full = this.picked.length >= this.most;
    for (const line of this.body.children) {
      const on = this.picked.includes(line.dataset.run);
      line.classList.toggle("picked", on);
      const box = line.querySelector(".box");
      box.checked = on;
      box.disabled = full && !on;
      box.title = box.disabled ? `Up to ${this.most} runs can be compared` : "";
    }
  }

  toggle(id, on) {
    this.pick(on ? [...this.picked, id] : this.picked.filter((other) => other !== id));
  }

  pick(ids) {
    this.picked = ids.slice(0, this.most);
    this.mark();
    this.tell(this.picked);
  }
}

function element(tag, kind = "", text = "") {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text) made.textContent = text;
  return made;
}

// The time alone for today, the day for what is older.
function when(seconds) {
  const date = new Date(1000 * seconds), now = new Date();
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (date.toDateString() === now.toDateString()) return time;
  const day = { day: "numeric", month: "short" };
  if (date.getFullYear() !== now.getFullYear()) day.year = "numeric";
  return `${date.toLocaleDateString([], day)}, ${time}`;
}
