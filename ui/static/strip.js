// The strip: a sample, the parts it is made of with their weights, and their sum. Pointing at a part lights it up in
// the sum, a click takes it out or puts it back; the sum follows at once, without the server.

import { element, find, setText } from "./dom.js";
import { loadStyle } from "./frame.js";
import { ink, keyWords } from "./ink.js";
import { buttonName, caption, grouped, sumInWords, sumOf, titleOf } from "./strip_sum.js";

/** @import { Strip as Apart, Term } from "./strip_sum.js" */
/**
 * @typedef {object} StripHooks
 * @property {(number: number, off: boolean) => void} [onPart] a part was taken out or put back
 * @property {boolean} [plain] whether what is missing is said elsewhere
 */

const LAYOUT = `
  <div class="strip-view">
    <p class="formula"><span><span class="what">picture</span> ≈ Σ weight × part</span> <span class="key"></span></p>
    <div class="row">
      <figure class="whole"><canvas role="img" aria-label="The sample"></canvas><div class="bars"></div><figcaption>the picture</figcaption></figure>
      <span class="sign" aria-hidden="true">≈</span>
      <div class="terms" role="group"></div>
      <span class="sign" aria-hidden="true">=</span>
      <figure class="total"><canvas role="img" aria-label="The sum"></canvas><div class="bars"></div><figcaption></figcaption></figure>
    </div>
    <p class="hint"></p>
    <span class="unseen" role="status"></span>
  </div>`;
const HINT = "Point at a part to see where it lies in the sum; click to take it out or put it back.";

export class Strip {
  /** @type {Set<string>} the terms that are out */
  off = new Set();
  /** @type {Apart | null} */
  apart = null;
  /** @type {Term | null} what is pointed at */
  at = null;
  /** @type {{ box: HTMLButtonElement, canvas: HTMLCanvasElement, bars: HTMLElement, words: HTMLElement }[]} */
  buttons = [];

  /**
   * @param {HTMLElement} place
   * @param {number} most how many parts stand for themselves
   * @param {StripHooks} [hooks]
   */
  constructor(place, most, hooks = {}) {
    this.place = place;
    this.most = most;
    this.hooks = hooks;
    place.innerHTML = LAYOUT;
    // Without its style it would be many times as high.
    const view = find(place, ".strip-view");
    view.style.display = "none";
    loadStyle(place, "./strip.css", () => { view.style.display = ""; });
    this.terms = find(place, ".terms");
    find(place, ".hint").textContent = hooks.plain ? "" : HINT;
  }

  /**
   * @param {Apart | null} apart null if there is nothing to take apart
   * @param {string} what the sample is called
   */
  show(apart, what = "picture") {
    this.apart = apart && grouped(apart, this.most);
    find(this.place, ".strip-view").style.visibility = apart ? "" : "hidden";
    if (!this.apart) return;
    this.terms.setAttribute("aria-label", `The parts of this ${what}, the largest first`);
    setText(find(this.place, ".what"), what);
    setText(find(this.place, ".whole figcaption"), `the ${what}`);
    this.draw(this.apart);
  }

  /** @param {Apart} apart */
  draw(apart) {
    const { terms } = apart;
    this.fit(terms.length);
    terms.forEach((term, place) => this.drawTerm(term, this.buttons[place], apart));
    this.drawKey(keyWords(terms.some(({ signed, weight }) => signed || weight < 0), Boolean(apart.shape)));
    this.drawSums(apart);
  }

  /**
   * As many buttons as there are terms; those that are there stay, so that the keyboard keeps its place.
   * @param {number} count
   */
  fit(count) {
    while (this.buttons.length > count) this.buttons.pop()?.box.remove();
    while (this.buttons.length < count) {
      const place = this.buttons.length, box = element("button", "term"), canvas = document.createElement("canvas");
      const bars = element("span", "bars"), words = element("span", "words-of-term");
      canvas.setAttribute("aria-hidden", "true");
      box.append(canvas, bars, words);
      box.onclick = () => this.toggle(place);
      box.onpointerenter = box.onfocus = () => this.point(place);
      box.onpointerleave = box.onblur = () => this.point(null);
      this.terms.append(box);
      this.buttons.push({ box, canvas, bars, words });
    }
  }

  /**
   * @param {Term} term
   * @param {Strip["buttons"][number]} button
   * @param {Apart} apart
   */
  drawTerm(term, { box, canvas, bars, words }, { shape, names, most }) {
    const off = this.off.has(term.id);
    box.setAttribute("aria-pressed", String(!off));
    box.setAttribute("aria-label", buttonName(term));
    box.title = `${titleOf(term)}: ${off ? "put it back" : "take it out"}`;
    box.classList.toggle("off", off);
    setText(words, caption(term));
    canvas.hidden = !shape;
    bars.hidden = Boolean(shape);
    // A part is drawn as bright as can be, for its weight is said; the mean and the rest as bright as they are.
    if (shape) ink(canvas, term.values, shape, { signed: term.signed, most: term.kind === "part" ? 1 : most / (term.weight || 1) });
    else setText(bars, term.words.join(", ") || names.join(", "));
  }

  /** @param {Apart} apart */
  drawSums(apart) {
    const { shape, original, signed, most } = apart, sum = sumOf(apart, this.off), mark = this.at?.values ?? null;
    const said = sumInWords(apart, this.off, sum), [whole, total] = [find(this.place, ".whole"), find(this.place, ".total")];
    for (const [figure, values] of /** @type {[HTMLElement, Float32Array][]} */ ([[whole, original], [total, sum]])) {
      const canvas = find(figure, "canvas", HTMLCanvasElement);
      canvas.hidden = !shape;
      if (shape) ink(canvas, values, shape, { signed, most, mark });
      else listed(find(figure, ".bars"), apart.names, values, most);
    }
    find(total, "canvas").setAttribute("aria-label", `The sum of the parts that are in: ${said}`);
    setText(find(total, "figcaption"), this.hooks.plain ? "the sum" : said);
    this.place.dataset.sum = said; // for tests
  }

  /** @param {string[]} said */
  drawKey(said) {
    const key = find(this.place, ".key");
    if (key.dataset.said === String(said)) return;
    key.dataset.said = String(said);
    key.replaceChildren(...said.map((words, place, all) => {
      const entry = element("span", "", words), kinds = all.length === 3 ? ["takes", "zero", "adds"] : ["dark", "adds"];
      entry.prepend(element("i", kinds[place]));
      return entry;
    }));
  }

  /** @param {number | null} place */
  point(place) {
    this.at = place === null ? null : (this.apart?.terms[place] ?? null);
    if (this.apart) this.drawSums(this.apart);
  }

  /** @param {number} place */
  toggle(place) {
    const term = this.apart?.terms[place];
    if (!this.apart || !term) return;
    const out = !this.off.delete(term.id);
    if (out) this.off.add(term.id);
    this.draw(this.apart);
    // Said only where a hand has done it: while parts form it would never be silent.
    setText(find(this.place, ".unseen"), this.place.dataset.sum ?? "");
    if (term.kind === "part") this.hooks.onPart?.(term.number, out);
  }
}

/**
 * @param {HTMLElement} holder
 * @param {string[]} names
 * @param {Float32Array} values
 * @param {number} most
 */
function listed(holder, names, values, most) {
  holder.replaceChildren(...names.map((name, at) => {
    const row = element("span", values[at] < 0 ? "bar minus" : "bar", name);
    row.style.setProperty("--share", `${Math.min(100, (100 * Math.abs(values[at])) / (most || 1))}%`);
    return row;
  }));
}
