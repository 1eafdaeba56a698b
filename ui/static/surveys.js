// What holds for all faces, below the one in hand: accuracy by amount, and by the place of the patch. Both
// fill in while the page is looked at; they are asked for again until they are complete.

import { Accuracy } from "./accuracy.js";
import { Places } from "./places.js";
import { Poller } from "./poller.js";

const AGAIN_MS = 250, REST_MS = 600;

const LAYOUT = `
  <section class="curves">
    <h3></h3>
    <p class="quiet progress"></p>
    <canvas class="accuracy" role="img"></canvas>
    <div class="legend"></div>
    <details><summary>The numbers</summary><div class="scroll"><table></table></div></details>
  </section>
  <section class="places">
    <h3></h3>
    <p class="quiet progress"></p>
    <div class="maps"></div>
    <div class="scale"><span></span><i></i><span></span> recognised with the middle of the patch there</div>
  </section>`;

export class Surveys {
  // face(): the picture in hand.
  constructor(holder, face, lifetime) {
    holder.innerHTML = LAYOUT;
    this.find = (selector) => holder.querySelector(selector);
    this.accuracy = new Accuracy(this.find(".accuracy"), this.find(".legend"), this.find("table"));
    this.places = new Places(this.find(".maps"), this.find(".scale"), face);
    this.amount = 0;
    // That the runs are gone is noticed where the face is spoiled.
    const fill = (where, draw) => new Poller({
      every: AGAIN_MS,
      take: (found) => { draw(found); return !found.complete; },
      gone: () => {},
      refused: (words) => { this.find(`${where} .progress`).textContent = words; },
    }, lifetime);
    this.curves = fill(".curves", (found) => this.showCurves(found));
    this.maps = fill(".places", (found) => this.showPlaces(found));
  }

  // data: as the page has it; address: where ours begin; runs: the ids, joined.
  set(data, theme, address, runs) {
    Object.assign(this, { data, theme, address, runs });
    this.find(".curves h3").textContent = data.noise ? "How many are recognised through how much noise?"
      : "How many are recognised behind a patch of each size?";
    this.find(".places h3").textContent = `Which part of a ${data.what} matters to ${data.unit === "person" ? "whom" : "which method"}?`;
    this.find(".places").hidden = data.noise;
    this.follow();
  }

  mark(amount) {
    this.amount = amount;
    this.accuracy.mark(amount);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.follow(), REST_MS);
  }

  draw() {
    this.accuracy.draw();
    this.places.redraw();
  }

  close() {
    clearTimeout(this.resting);
  }

  // Asks for both until they are complete; begun anew whenever they would be others.
  follow() {
    if (!this.data) return;
    const { kind, metric, how, noise } = this.data, query = `kind=${encodeURIComponent(kind)}&metric=${metric}&how=${how}`;
    this.curves.follow(`${this.address}accuracy/${this.runs}?${query}`);
    if (!noise && this.amount) this.maps.follow(`${this.address}places/${this.runs}?${query}&size=${this.amount}`);
  }

  // What the server says of each run, with its method's title and colour.
  named(entries) {
    return this.data.runs.map(({ title, colour }, index) => ({ ...entries[index], title, colour: colour[this.theme] }));
  }

  showCurves({ curves, complete }) {
    const { noise, tested, count } = this.data;
    this.accuracy.set(this.named(curves), noise);
    this.find(".curves").dataset.complete = complete;
    // Where nothing is spoiled, one trial counts for all.
    const made = curves.flatMap(({ points }) => points.map(([amount, , , count]) => (amount ? count : 0))).reduce((a, b) => a + b, 0);
    const spoiled = Math.max(0, ...curves.map((curve) => (curve.amounts || 1) - 1));
    const whole = Math.max(0, ...curves.map((curve) => curve.whole || 0));
    const what = tested === "covered" ? `${whole} random splits, fitted anew for each amount to what is spoiled that much`
      : `${whole} trials: random ${noise ? "noise" : "places"} in random splits, ${count} pictures each`;
    const failed = curves.filter(({ message }) => message).map(({ message }) => message);
    this.find(".curves .progress").textContent = [complete ? `Mean of ${what}; bands are one standard deviation.`
      : !made ? "Getting ready …"
      : `Being worked out, ${Math.min(99, Math.floor((100 * made) / (whole * spoiled * curves.length)))} %: more trials, narrower doubts …`, ...failed].join(" ");
  }

  showPlaces({ maps, size, complete }) {
    this.places.set(this.named(maps), size, this.data.shape);
    this.find(".places").dataset.complete = complete;
    const patch = `${this.data.kind} patch of ${size} by ${size} pixels`;
    this.find(".places .progress").textContent = complete
      ? `A ${patch}, moved over all ${this.data.what}s; dark is where it hurts most.` : `Being worked out for a ${patch}, place by place …`;
  }
}
