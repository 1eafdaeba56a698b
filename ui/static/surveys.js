// What holds for all faces, below the one in hand: accuracy by amount, and by the place of the patch. Both
// fill in while the page is looked at; they are asked for again until they are complete.

import { Accuracy } from "./accuracy.js";
import { find } from "./dom.js";
import { Places } from "./places.js";
import { Poller } from "./poller.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { CurvesAnswer, PlacesAnswer, RobustnessData } from "./robustness_types.js" */
/** @import { Theme } from "./server.js" */

const AGAIN_MS = 250, REST_MS = 600;

const LAYOUT = `
  <section class="curves">
    <h2></h2>
    <p class="quiet progress"></p>
    <canvas class="accuracy" role="img" aria-label="Nothing is known yet"></canvas>
    <div class="legend"></div>
    <details><summary>The numbers</summary><div class="scroll"><table></table></div></details>
  </section>
  <section class="places">
    <h2></h2>
    <p class="quiet progress"></p>
    <div class="maps"></div>
    <div class="scale"><span></span><i></i><span></span> recognised with the middle of the patch there</div>
  </section>`;

export class Surveys {
  amount = 0;
  resting = 0;
  address = "";
  runs = "";
  /** @type {Theme} */
  theme = "light";

  /**
   * @param {HTMLElement} holder
   * @param {RobustnessData} data
   * @param {() => ImageBitmap | null} face the picture in hand
   * @param {Lifetime} lifetime
   */
  constructor(holder, data, face, lifetime) {
    this.holder = holder;
    this.data = data;
    holder.innerHTML = LAYOUT;
    this.accuracy = new Accuracy(find(holder, ".accuracy", HTMLCanvasElement), find(holder, ".legend"), find(holder, "table"));
    this.places = new Places(find(holder, ".maps"), find(holder, ".scale"), face);
    /** @type {Poller<CurvesAnswer>} */
    this.curves = this.asking(".curves", (answer) => this.showCurves(answer), lifetime);
    /** @type {Poller<PlacesAnswer>} */
    this.maps = this.asking(".places", (answer) => this.showPlaces(answer), lifetime);
    lifetime.atEnd(() => clearTimeout(this.resting));
  }

  /**
   * @template {{ complete: boolean }} Answer
   * @param {".curves" | ".places"} where
   * @param {(answer: Answer) => void} draw
   * @param {Lifetime} lifetime
   * @returns {Poller<Answer>}
   */
  asking(where, draw, lifetime) {
    return new Poller({
      every: AGAIN_MS,
      take: (answer) => { draw(answer); return !answer.complete; },
      gone: () => {}, // That the runs are gone is noticed where the face is spoiled.
      refused: (words) => this.progress(where, words),
    }, lifetime);
  }

  /**
   * @param {".curves" | ".places"} where
   * @param {string} words
   */
  progress(where, words) { find(this.holder, `${where} .progress`).textContent = words; }

  /**
   * @param {RobustnessData} data
   * @param {Theme} theme
   * @param {string} address where ours begin
   * @param {string} runs the ids, joined
   */
  set(data, theme, address, runs) {
    Object.assign(this, { data, theme, address, runs });
    find(this.holder, ".curves h2").textContent = data.noise ? "How many are recognised through how much noise?"
      : "How many are recognised behind a patch of each size?";
    find(this.holder, ".places h2").textContent = `Which part of a ${data.what} matters to ${data.unit === "person" ? "whom" : "which method"}?`;
    find(this.holder, ".places").hidden = data.noise;
    this.follow();
  }

  /** @param {number} amount */
  mark(amount) {
    this.amount = amount;
    this.accuracy.mark(amount);
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.follow(), REST_MS);
  }

  draw() {
    this.accuracy.draw();
    this.places.redraw();
  }

  /** Asks for both until they are complete; begun anew whenever they would be others. */
  follow() {
    const { address, runs, amount } = this, { kind, metric, how, noise } = this.data;
    if (!address) return;
    const query = `kind=${encodeURIComponent(kind)}&metric=${metric}&how=${how}`;
    this.curves.follow(`${address}accuracy/${runs}?${query}`);
    if (!noise && amount) this.maps.follow(`${address}places/${runs}?${query}&size=${amount}`);
  }

  /**
   * What the server says of each run, with its method's title and colour.
   * @template Entry
   * @param {Entry[]} entries
   */
  named(entries) {
    return this.data.runs.map(({ title, colour }, index) => ({ ...entries[index], title, colour: colour[this.theme] }));
  }

  /** @param {CurvesAnswer} answer */
  showCurves(answer) {
    this.accuracy.set(this.named(answer.curves), this.data);
    find(this.holder, ".curves").dataset.complete = String(answer.complete); // tests wait for it
    const failed = answer.curves.map(({ message }) => message).filter(Boolean);
    this.progress(".curves", [progressOf(answer, this.data), ...failed].join(" "));
  }

  /** @param {PlacesAnswer} answer */
  showPlaces({ maps, size, complete }) {
    this.places.set(this.named(maps), size, this.data.shape);
    find(this.holder, ".places").dataset.complete = String(complete); // tests wait for it
    this.progress(".places", placesInWords(this.data, size, complete));
  }
}

/**
 * What the maps show. As in the paper's figure, curves and maps ask about different pictures, which is said.
 * @param {Pick<RobustnessData, "tested" | "kind" | "what">} data
 * @param {number} size
 * @param {boolean} complete
 */
export function placesInWords({ tested, kind, what }, size, complete) {
  const patch = `${kind} patch of ${size} by ${size} pixels`;
  const unlike = tested !== "covered" ? "" : ` Each ${what} is new to the methods here; the curves ask those that learn `
    + `without labels about ${what}s they have learned from, which is easier.`;
  // The first maps are compared with the curves long before the last one is there.
  const shown = complete ? `A ${patch}, moved over all ${what}s; dark is where it hurts most.`
    : `Being worked out for a ${patch}, place by place …`;
  return shown + unlike;
}

/**
 * How far the curves are, and what they are means of.
 * @param {CurvesAnswer} answer
 * @param {Pick<RobustnessData, "tested" | "noise" | "count">} data
 */
export function progressOf({ curves, complete }, { tested, noise, count }) {
  // Where nothing is spoiled, one trial counts for all.
  const made = curves.flatMap(({ points }) => points).reduce((sum, [amount, , , times]) => sum + (amount ? times : 0), 0);
  const spoiled = Math.max(0, ...curves.map(({ amounts }) => (amounts || 1) - 1)), whole = Math.max(0, ...curves.map((curve) => curve.whole || 0));
  if (complete) {
    const what = tested === "covered" ? `${whole} random splits, fitted anew for each amount to what is spoiled that much`
      : `${whole} trials: random ${noise ? "noise" : "places"} in random splits, ${count} pictures each`;
    return `Mean of ${what}; bands are one standard deviation.`;
  }
  if (!made) return "Getting ready …";
  const percent = Math.min(99, Math.floor((100 * made) / (whole * spoiled * curves.length)));
  return `Being worked out, ${percent} %: more trials, narrower doubts …`;
}
