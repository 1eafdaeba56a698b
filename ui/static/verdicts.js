// A card for each method: what it rebuilds of the face in hand, who is nearest, and whether that is right.

import { pen, resize } from "./canvas.js";
import { element, find, findAll } from "./dom.js";
import { tileBox } from "./grid.js";
import { readStrip } from "./strip_sum.js";
import { Strip } from "./strip.js";

/** @import { Grid, Theme, Themed } from "./server.js" */
/** @import { StripHeader } from "./strip_sum.js" */
/** @typedef {{ id: string, method: string, title: string, colour: Themed }} FittedRun */
/**
 * What one method says of the face (`ui.robustness.answers`); the tile of what is rebuilt is followed by that of the
 * nearest. Of a face of one's own there is neither name nor row, right nor margin.
 * @typedef {{ id: string, state: "fitting", iteration?: number }} Fitting
 * @typedef {{ id: string, state: "failed", message: string }} Failed
 * @typedef {object} Ready
 * @property {string} id
 * @property {"ready"} state
 * @property {boolean} rebuilt
 * @property {number} tile
 * @property {string} name
 * @property {number} row
 * @property {boolean} right
 * @property {number | null} margin
 */
/** @typedef {Fitting | Failed | Ready} Verdict */

const MOST = 6;
const CARD = `
  <h2><i></i><span></span></h2>
  <div class="pair">
    <figure><canvas role="img" aria-label="Not rebuilt yet"></canvas><figcaption>rebuilt</figcaption></figure>
    <figure><canvas role="img" aria-label="Not recognised yet"></canvas><figcaption></figcaption></figure>
  </div>
  <p class="verdict"></p>
  <button type="button" class="apart" aria-pressed="false">Its parts</button>`;

export class Verdicts {
  /** @type {Map<string, { card: HTMLElement, state: string, title: string }>} */
  cards = new Map();
  preparing = "";
  apart = ""; // the run whose parts are shown

  /**
   * @param {HTMLElement} holder
   * @param {() => void} changed a method has become ready, or has failed
   * @param {HTMLElement} place where a face is taken apart
   * @param {() => void} again asks once more, as another method is to take the face apart
   */
  constructor(holder, changed, place, again) {
    this.strip = new Strip(place, MOST);
    this.strip.show(null);
    this.again = again;
    this.holder = holder;
    this.changed = changed;
  }

  /**
   * Cards for these runs; those that are there already stay as they are.
   * @param {{ runs: FittedRun[], shape: [number, number], preparing: string }} data
   * @param {Theme} theme
   */
  set({ runs, shape: [height, width], preparing }, theme) {
    this.preparing = preparing;
    const before = this.cards;
    this.cards = new Map(runs.map((run) => [run.id, before.get(run.id) ?? { card: blank(run, width, height), state: "", title: "" }]));
    for (const { id, title, colour } of runs) {
      const shown = this.cards.get(id);
      if (!shown) continue;
      shown.title = find(shown.card, "h2 span").textContent = title;
      shown.card.style.setProperty("--method", colour[theme]);
    }
    this.holder.replaceChildren(...[...this.cards.values()].map(({ card }) => card));
    this.choose(this.cards.has(this.apart) ? this.apart : (runs[0]?.id ?? ""));
  }

  /** @param {string} run whose parts are to be shown */
  choose(run) {
    if (run !== this.apart) this.strip.off.clear();
    this.apart = run;
    for (const [id, { card, title }] of this.cards) {
      const button = find(card, ".apart");
      button.setAttribute("aria-label", `Its parts: ${title}`);
      button.setAttribute("aria-pressed", String(id === run));
      button.onclick = () => { this.choose(id); this.again(); };
    }
  }

  /**
   * @param {StripHeader | null} header
   * @param {Uint8Array} values
   * @param {string} what a sample is called
   */
  takeApart(header, values, what) {
    this.strip.show(header && readStrip({ header, values }), what);
  }

  /**
   * @param {Verdict} entry
   * @param {ImageBitmap | null} pictures
   * @param {Grid} grid
   * @param {boolean} own the face belongs to somebody no method can know
   */
  say(entry, pictures, grid, own) {
    const shown = this.cards.get(entry.id);
    if (!shown) return;
    const verdict = find(shown.card, ".verdict"), changed = shown.state !== entry.state;
    // Tests wait for the state, and read what is said from the card.
    shown.card.dataset.state = shown.state = entry.state;
    if (changed) this.changed();
    if (entry.state === "fitting")
      verdict.textContent = entry.iteration === undefined ? this.preparing : `fitting, iteration ${entry.iteration} …`;
    else if (entry.state === "failed") verdict.textContent = entry.message;
    else show(shown.card, shown.title, entry, pictures, grid, own);
  }
}

/**
 * @param {FittedRun} run
 * @param {number} width
 * @param {number} height
 */
function blank({ id, method }, width, height) {
  const card = element("article", "card");
  card.innerHTML = CARD;
  // For tests: which card is whose.
  Object.assign(card.dataset, { run: id, method, state: "" });
  // As large as the pictures to come, so that nothing jumps.
  for (const canvas of findAll(card, "canvas", HTMLCanvasElement)) Object.assign(canvas, { width, height });
  find(card, ".verdict").textContent = "…";
  return card;
}

/**
 * @param {HTMLElement} card
 * @param {string} title
 * @param {Ready} entry
 * @param {ImageBitmap | null} pictures
 * @param {Grid} grid
 * @param {boolean} own
 */
function show(card, title, entry, pictures, grid, own) {
  const [rebuilt, nearest] = findAll(card, "canvas", HTMLCanvasElement), [made, found] = findAll(card, "figcaption");
  const verdict = find(card, ".verdict");
  if (entry.rebuilt) cut(rebuilt, pictures, grid, entry.tile);
  else pen(rebuilt).clearRect(0, 0, rebuilt.width, rebuilt.height);
  made.textContent = entry.rebuilt ? "rebuilt" : "not rebuilt";
  rebuilt.setAttribute("aria-label", entry.rebuilt ? `What ${title} rebuilds of it` : `${title} rebuilds nothing`);
  card.classList.toggle("own", own);
  if (own) {
    for (const name of ["row", "person", "right", "margin"]) delete card.dataset[name];
    verdict.textContent = entry.rebuilt ? "only rebuilt" : "can only recognise";
    return;
  }
  cut(nearest, pictures, grid, entry.tile + 1);
  found.textContent = entry.name;
  nearest.setAttribute("aria-label", `Nearest picture for ${title}: ${entry.name}`);
  Object.assign(card.dataset, { row: entry.row, person: entry.name, right: entry.right, margin: entry.margin ?? "" });
  const margin = entry.margin === null ? "" : ` · margin ${(100 * entry.margin).toFixed(entry.margin < 0.1 ? 1 : 0)} %`;
  verdict.textContent = `${entry.right ? "✓ right" : "✗ wrong"}${margin}`;
}

/**
 * What all of them say, in one sentence.
 * @param {Verdict[]} entries
 * @param {string} name of whom the face is
 * @param {string | false} own what a picture of one's own is called, if it is in hand
 */
export function headline(entries, name, own) {
  const ready = entries.filter((entry) => entry.state === "ready");
  if (!ready.length) return "The methods are being fitted …";
  if (own) return `Your ${own}, made of what the methods have learnt from others.`;
  const right = ready.filter((entry) => entry.right).length, coming = entries.filter(({ state }) => state === "fitting").length;
  const recognise = `still recognise${right === 1 ? "s" : ""} ${name}`;
  if (coming && ready.length === 1) return `The first that is ready ${right ? "still recognises" : "does not recognise"} ${name}; ${coming} to come …`;
  if (coming) return `${right} of the ${ready.length} that are ready ${recognise}; ${coming} to come …`;
  if (right === entries.length) return `${right === 1 ? "The method still recognises" : `All ${right} still recognise`} ${name}.`;
  return `${right} of ${ready.length} ${recognise}.`;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {ImageBitmap | null} pictures
 * @param {Grid} grid
 * @param {number} index
 */
function cut(canvas, pictures, grid, index) {
  const [x, y, width, height] = tileBox(grid, index);
  resize(canvas, width, height);
  if (pictures) pen(canvas).drawImage(pictures, x, y, width, height, 0, 0, width, height);
}
