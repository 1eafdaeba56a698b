// The cell beside the map: its parts, its curve, its numbers; between cells the pictures of those around, mixed.

import { drawAxes, prepare, trace } from "./axes.js";
import { pen, resize } from "./canvas.js";
import { element, find, setText } from "./dom.js";
import { scale } from "./scales.js";
import { SMALL } from "./tiles.js";
import { opacities } from "./tune_grid.js";
import { AUDITED, PATH, PROVISIONAL } from "./tune_heat.js";
import { Recurring, frame, mark } from "./tune_recurring.js";
import { plusMinus, valueText, written } from "./tune_values.js";

/** @import { Part } from "./tune_grid.js" */
/** @import { Pictures, Shown } from "./tune_pictures.js" */
/** @import { TuneAnswer, TuneAxis, TuneData } from "./tune_types.js" */

const LAYOUT = `
  <h2 aria-live="polite"></h2>
  <div class="picture"><canvas role="img" aria-label="Parts"></canvas><div class="topics"></div><p class="quiet wait"></p></div>
  <div class="recurring" hidden></div>
  <table class="numbers"><tbody></tbody></table>
  <p class="note"></p>
  <canvas class="curve" role="img" aria-label="Objective by iteration"></canvas>
  <div class="opens"></div>`;
const TOPICS = 12, WORDS = 5, WIDTH = 480;
const NOTES = /** @type {[number, string][]} */ ([
  [PATH, "Fitted from its neighbour and from the start it ends apart: the answer here depends on the way."],
  [PROVISIONAL, "Provisional: it will be refined."],
  [AUDITED, "Fitted from the beginning as well, as a check."],
]);

export class TunePanel {
  /** @type {number | null} the cell on show */
  cell = null;
  /** How many pictures have been shown; tests and benchmarks count them. */
  painted = 0;

  /**
   * @param {HTMLElement} root
   * @param {Pictures} pictures
   * @param {(page: string, cell: number) => void} open
   * @param {(cell: number) => string} pairs the address of the pairs of samples of a cell
   */
  constructor(root, pictures, open, pairs) {
    this.root = root;
    this.pictures = pictures;
    this.open = open;
    root.innerHTML = LAYOUT;
    this.canvas = find(root, ".picture canvas", HTMLCanvasElement);
    this.curve = find(root, "canvas.curve", HTMLCanvasElement);
    this.topics = find(root, ".topics");
    this.recurring = new Recurring(find(root, ".recurring"), pairs);
  }

  /**
   * Shows a cell: numbers at once, its parts as soon as they are here.
   * @param {number | null} cell
   * @param {TuneData} data
   * @param {TuneAnswer} told
   */
  show(cell, data, told) {
    this.cell = cell;
    this.root.toggleAttribute("data-empty", cell === null);
    if (cell === null) {
      setText(find(this.root, "h2"), "");
      return;
    }
    setText(find(this.root, "h2"), named(data.axes, told, cell));
    this.numbers(cell, data, told);
    const bits = told.marks[cell] ?? 0, problem = told.problems[cell] ?? "";
    setText(find(this.root, ".note"), problem || NOTES.filter(([bit]) => bits & bit).map(([, words]) => words).slice(0, 2).join(" "));
    this.buttons(cell, data, told);
    this.pictures.want([cell]);
    this.paint([{ cell, weight: 1 }], told);
  }

  /**
   * Paints the parts of some cells, each by its share.
   * @param {Part[]} parts
   * @param {TuneAnswer} told
   */
  paint(parts, told) {
    const here = parts.map(({ cell, weight }) => ({ cell, weight, shown: this.pictures.get(cell) }))
      .filter((part) => part.shown !== null), first = here[0]?.shown ?? null;
    const cell = parts[0]?.cell ?? 0, none = (told.counts[cell] ?? 0) > 0 || Boolean(told.problems[cell]);
    setText(find(this.root, ".wait"), first ? "" : told.problems[cell] ? "No parts came of this." : none ? "Fetching its parts …" : "Not tried yet.");
    this.canvas.hidden = !first?.bitmap;
    this.topics.hidden = !first?.told.words.length;
    this.drawCurve(first);
    this.recurring.show(first?.told ?? null);
    if (!first) return;
    this.root.dataset.shown = String(here[0].cell);
    this.root.dataset.painted = String((this.painted += 1));
    if (first.told.words.length) this.words(first);
    if (!first.bitmap) return;
    const { width, height } = first.bitmap;
    const times = first.grid?.tile && first.grid.tile[0] < SMALL ? Math.max(1, Math.round(WIDTH / width)) : 1;
    resize(this.canvas, width * times, height * times);
    this.canvas.setAttribute("aria-label", first.told.label);
    const g = pen(this.canvas), weights = opacities(here.map(({ weight }) => weight));
    g.imageSmoothingEnabled = times === 1;
    here.forEach(({ shown }, index) => {
      if (!shown?.bitmap) return;
      g.globalAlpha = weights[index];
      g.drawImage(shown.bitmap, 0, 0, width * times, height * times);
    });
    g.globalAlpha = 1;
    const shares = first.told.recurring;
    if (shares && first.grid && here.length === 1) frame(g, first.grid, (width * times) / first.grid.size[0], shares);
  }

  /** @param {Shown} shown */
  words({ told }) {
    this.topics.replaceChildren(...told.words.slice(0, TOPICS).map((topic, part) => {
      const line = element("p"), [first, ...others] = topic.slice(0, WORDS).map(([word]) => word);
      line.append(element("b", "", first ?? ""), others.length ? ` ${others.join(" ")}` : "");
      mark(line, told.recurring?.[part]);
      return line;
    }));
  }

  /**
   * @param {number} cell
   * @param {TuneData} data
   * @param {TuneAnswer} told
   */
  numbers(cell, data, told) {
    const rows = data.measures.map(({ name, title, unit }) =>
      [title, written(told.means[name]?.[cell], unit) + plusMinus(told.spreads[name]?.[cell], unit)]);
    const count = told.counts[cell] ?? 0;
    if (count) rows.push(["Fit", `${Math.round(told.iterations[cell])} iterations, ${written(told.seconds[cell], "seconds")}; ${count} of ${told.splits} splits`]);
    find(this.root, "tbody").replaceChildren(...rows.map(([title, value]) => {
      const row = element("tr"), head = element("th", "", title);
      head.scope = "row";
      row.append(head, element("td", "", value));
      return row;
    }));
  }

  /**
   * @param {number} cell
   * @param {TuneData} data
   * @param {TuneAnswer} told
   */
  buttons(cell, data, told) {
    const holder = find(this.root, ".opens");
    if (!holder.children.length) holder.append(...Object.entries(data.opens).map(([page, title]) => {
      const button = element("button", "", title);
      button.onclick = () => { if (this.cell !== null) this.open(page, this.cell); };
      return button;
    }));
    for (const button of holder.querySelectorAll("button")) button.disabled = !told.counts[cell];
  }

  /** @param {Shown | null} shown */
  drawCurve(shown) {
    const points = shown?.curve ?? new Float32Array(), count = points.length / 2;
    this.curve.style.visibility = count > 1 ? "" : "hidden";
    const sheet = count > 1 ? prepare(this.curve, { left: 50, right: 8, top: 8, bottom: 34 }) : null;
    if (!sheet) return;
    const at = (/** @type {number} */ row) => points[2 * row], value = (/** @type {number} */ row) => points[2 * row + 1];
    const values = Array.from({ length: count }, (_, row) => value(row)).filter(Number.isFinite), low = Math.min(...values), high = Math.max(...values);
    const { g, box, ink } = sheet, x = scale(0, Math.max(1, at(count - 1)), box.x, box.x + box.w);
    const y = scale(low, high, box.y + box.h, box.y, low > 0);
    drawAxes(g, box, ink, x, y, { xTitle: "iteration", yTitle: "objective", whole: true });
    g.strokeStyle = ink;
    g.lineWidth = 1.6;
    trace(g, count, (row) => [x(at(row)), y(value(row))]);
  }
}

/**
 * What a cell is called: its values.
 * @param {TuneAxis[]} axes
 * @param {TuneAnswer} told
 * @param {number} cell
 */
export function named(axes, told, cell) {
  return axes.map((axis) => `${axis.symbol || axis.label} = ${valueText(told.params[axis.name]?.[cell], axis)}`).join(", ");
}
