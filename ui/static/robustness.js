// The occlusion and noise pages: a face that is spoiled by hand, and what fitted methods say of it.

import { unpack } from "./blocks.js";
import { find, findAll, rootOf } from "./dom.js";
import { decode, loadStyle, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";
import { PatchStage } from "./patch.js";
import { Line } from "./socket.js";
import { Surveys } from "./surveys.js";
import { Verdicts, headline } from "./verdicts.js";
import { WISHES, onWish } from "./wishes.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { RobustnessData, SpoiltHeader } from "./robustness_types.js" */
/** @import { Frame, Theme } from "./server.js" */
/** @typedef {"amount" | "left" | "top"} Measure what a slider is of */
/** @typedef {Record<Measure, { slider: HTMLInputElement, output: HTMLElement }>} Sliders */

const OWN = -1; // asked for instead of the number of a face
const AGAIN_MS = 250, REPORT_MS = 350, QUIET_MS = 700, NARROW = 700;
const MEASURES = /** @type {const} */ (["amount", "left", "top"]);
const SEEN = { held: "No method has seen it.", seen: "Seen by the methods, without a name.", covered: "Seen by some methods, spoiled and without a name." };

export const { show, leave } = mounted((place, { data }, lifetime) => new RobustnessView(rootOf(place), data, lifetime));

const LAYOUT = `
  <div class="lab">
    <div class="hand">
      <canvas class="face" tabindex="0" role="application" aria-roledescription="patch to move"></canvas>
      <p class="quiet of-patch">Drag the patch, pull a corner; or the arrow keys, + and −.</p>
    </div>
    <div class="tools">
      <div class="sliders">
        <label><span>Size</span> <input type="range" min="0" step="1" data-of="amount"><output></output></label>
        <label class="of-patch">Left <input type="range" min="0" step="1" data-of="left"><output></output></label>
        <label class="of-patch">Top <input type="range" min="0" step="1" data-of="top"><output></output></label>
      </div>
      <div class="faces">
        <button type="button" data-go="-1">‹</button>
        <button type="button" data-go="random"></button>
        <button type="button" data-go="1">›</button>
      </div>
      <p class="who"></p>
    </div>
    <div class="said">
      <p class="headline">…</p>
      <div class="cards"></div>
      <p class="quiet margin"></p><div class="strip-place"></div>
    </div>
    <div class="surveys"></div>
    <div class="unseen" role="status"></div>
  </div>`;

class RobustnessView {
  base = "";
  runs = "";
  /** @type {Theme} */
  theme = "light";
  face = 0;
  last = 0; // the face before one's own
  /** @type {number | null} the face whose picture is on the screen */
  faceShown = null;
  name = "";
  level = 0; // of noise
  first = true;
  reporting = 0;
  telling = 0;
  /** @type {Component<RobustnessData>["setStateValue"]} */
  setStateValue = () => {};
  /** @type {Component<RobustnessData>["setTriggerValue"]} */
  setTriggerValue = () => {};

  /**
   * @param {HTMLElement} root
   * @param {RobustnessData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    this.root = root;
    this.data = data;
    root.innerHTML = LAYOUT;
    this.lab = find(root, ".lab");
    this.stage = new PatchStage(find(root, ".face", HTMLCanvasElement), () => this.moved());
    this.surveys = new Surveys(find(root, ".surveys"), data, () => this.stage.face, lifetime);
    this.verdicts = new Verdicts(find(root, ".cards"), () => this.surveys.follow(), find(root, ".strip-place"), () => this.askAnew());
    this.line = new Line({
      hello: (say) => this.hello(say),
      question: (number) => this.question(number),
      take: (buffer) => this.take(unpack(buffer)),
      gone: () => this.setTriggerValue("gone", this.runs),
      refused: (words) => this.tell(words),
    }, lifetime);
    this.sliders = this.listen(lifetime);
    loadStyle(root, "./robustness.css", () => this.fit());
    lifetime.resized(() => this.fit(), root);
    lifetime.atEnd(() => { clearTimeout(this.reporting); clearTimeout(this.telling); });
  }

  /** @param {Lifetime} lifetime */
  listen(lifetime) {
    const [before, another, next] = findAll(this.root, ".faces button");
    before.onclick = () => this.go(-1);
    another.onclick = () => this.go(1 + Math.floor(Math.random() * Math.max(1, this.data.count - 1)));
    next.onclick = () => this.go(1);
    onWish(lifetime, WISHES.another, () => another.click());
    onWish(lifetime, WISHES.walk, (by) => this.go(by));
    return /** @type {Sliders} */ (Object.fromEntries(MEASURES.map((name) => {
      const slider = find(this.root, `[data-of=${name}]`, HTMLInputElement);
      slider.oninput = () => this.slide(name, Number(slider.value));
      return [name, { slider, output: find(this.root, `[data-of=${name}] + output`) }];
    })));
  }

  /** @param {Component<RobustnessData>} component */
  update({ data, base, setStateValue, setTriggerValue }) {
    const { first, data: before } = this, elsewhere = first || before.ground !== data.ground;
    Object.assign(this, { base, setStateValue, setTriggerValue, data, first: false, theme: themeOf(this.root) });
    Object.assign(this.lab.dataset, { theme: this.theme, of: data.noise ? "noise" : "patch" }); // the style goes by it
    const runs = data.runs.map(({ id }) => id).join(","), others = runs !== this.runs;
    this.runs = runs;
    this.nameThings(data);
    this.verdicts.set(data, this.theme);
    if (elsewhere || before.noise !== data.noise) this.start(data);
    this.takeOwn((first ? null : before.own)?.pixels, data.own?.pixels);
    if (elsewhere || before.kind !== data.kind) this.loadPatch();
    if (others) this.connect();
    else if (before.kind !== data.kind || before.metric !== data.metric || before.how !== data.how) this.askAnew();
    this.surveys.set(data, this.theme, `${base}partwise/`, runs);
    this.mirror();
  }

  /**
   * People are spoken of as faces, anything else as pictures.
   * @param {RobustnessData} data
   */
  nameThings({ what, unit, noise }) {
    const other = unit === "person" ? "anybody else" : `any other ${unit}`, [before, another, next] = findAll(this.root, ".faces button");
    another.textContent = `Another ${what}`;
    before.setAttribute("aria-label", `The ${what} before`);
    next.setAttribute("aria-label", `The next ${what}`);
    find(this.root, ".sliders span").textContent = noise ? "Noise" : "Size";
    find(this.root, ".margin").textContent = `The margin says how much farther off the nearest picture of ${other} is; of a classifier, how far the next score lies below the best.`;
  }

  /** @param {RobustnessData} data */
  start({ shape, place, noise }) {
    this.stage.shape = shape;
    this.stage.setStill(noise);
    this.face = place.face;
    this.faceShown = null;
    this.stage.setPlace({ left: place.left, top: place.top, size: noise ? 0 : place.amount });
    this.level = place.amount;
  }

  get amount() { return this.data.noise ? this.level : this.stage.place.size; }

  fit() {
    this.lab.classList.toggle("narrow", this.root.clientWidth < NARROW);
    this.stage.draw();
    this.surveys.draw();
  }

  async loadPatch() {
    const { kind, noise, whole, shape: [height, width] } = this.data;
    if (noise) return;
    const answer = await fetch(`${this.base}partwise/patch/${encodeURIComponent(kind)}?height=${height}&width=${width}`);
    const picture = await createImageBitmap(await answer.blob());
    if (kind === this.data.kind) this.stage.setPatch(picture, whole);
    this.mirror();
  }

  /**
   * A picture of one's own: it goes through our line and is asked for there, and is nowhere else.
   * @param {string | undefined} before
   * @param {string | undefined} own
   */
  takeOwn(before, own) {
    if (before === own) return;
    this.faceShown = null;
    if (own && this.face >= 0) this.last = this.face;
    this.face = own ? OWN : this.last;
    this.hello((what) => this.line.send(what));
    this.askAnew();
  }

  /** @param {(what: Uint8Array<ArrayBuffer>) => void} say */
  hello(say) {
    if (!this.data.own) return;
    say(Uint8Array.from(atob(this.data.own.pixels), (letter) => letter.charCodeAt(0)));
  }

  moved() {
    this.mirror();
    this.askAnew();
    this.report();
  }

  /**
   * @param {Measure} name
   * @param {number} value
   */
  slide(name, value) {
    if (!this.data.noise) return this.stage.change({ ...this.stage.place, [name === "amount" ? "size" : name]: value });
    this.level = value;
    this.moved();
  }

  /** @param {number} by how many faces on */
  go(by) {
    const { count } = this.data, from = this.face >= 0 ? this.face : this.last;
    this.face = (from + by + count) % count;
    this.moved();
  }

  /** Sliders, the mark in the chart and the words for those who cannot see follow the hand. */
  mirror() {
    const { left, top, size } = this.stage.place, [height, width] = this.stage.shape, { kind, noise, most, what } = this.data;
    const largest = { amount: most, left: width - size, top: height - size }, now = { amount: this.amount, left, top };
    for (const name of MEASURES) {
      const { slider, output } = this.sliders[name];
      slider.max = String(largest[name]);
      slider.value = String(now[name]);
      output.textContent = noise ? `${now[name]} %` : String(now[name]);
    }
    this.surveys.mark(this.amount);
    const face = this.face === OWN ? `Your ${what}` : this.name || `A ${what}`;
    this.stage.canvas.setAttribute("aria-label", noise ? `${face} with ${this.level} percent of ${kind} noise`
      : `${face} behind a ${kind} patch of ${size} by ${size} pixels, ${left} from the left, ${top} from the top. ` +
        "Arrow keys move it, plus and minus change its size.");
  }

  /** The page learns where the hand has come to rest, so that the address can say it. */
  report() {
    clearTimeout(this.reporting);
    this.reporting = window.setTimeout(() => {
      if (this.stage.held) return this.report();
      const { left, top } = this.stage.place;
      this.setStateValue("place", { face: Math.max(0, this.face), left, top, amount: this.amount });
    }, REPORT_MS);
  }

  connect() {
    const { runs } = this;
    this.line.open(() => `${this.base}partwise/robustness/${runs}`);
  }

  askAnew() {
    this.line.ask();
    this.root.dataset.asked = String(this.line.number); // tests compare it with what was drawn
  }

  /** @param {number} number */
  question(number) {
    const { kind, metric, how, noise } = this.data, { left, top } = noise ? { left: 0, top: 0 } : this.stage.place;
    const clean = this.faceShown !== this.face;
    this.root.dataset.asked = String(number);
    return JSON.stringify({ number, face: this.face, kind, amount: this.amount, left, top, metric, how, clean, apart: this.verdicts.apart });
  }

  /**
   * Draws an answer; returns in how many milliseconds it should be asked again.
   * @param {Frame<SpoiltHeader> & { values: Uint8Array }} frame
   */
  async take({ header, parts, sample, values }) {
    const { entries, face: of } = header, own = of === OWN;
    const [pictures, face] = await Promise.all([decode(parts), decode(sample)]);
    if (face) this.meet(header, face);
    for (const entry of entries) this.verdicts.say(entry, pictures, header.parts, own);
    pictures?.close();
    this.verdicts.takeApart(header.strip, values, this.data.what);
    this.tell(headline(entries, this.name, own && this.data.what));
    Object.assign(this.root.dataset, { row: header.row, drawn: header.number }); // for tests
    return entries.some(({ state }) => state === "fitting") ? AGAIN_MS : null;
  }

  /**
   * @param {SpoiltHeader} header
   * @param {ImageBitmap} picture
   */
  meet({ face, row, name }, picture) {
    const other = this.faceShown !== face;
    this.faceShown = face;
    this.name = name;
    this.stage.setFace(picture);
    if (!other) return;
    find(this.root, ".who").textContent = face === OWN ? "Your own: only rebuilt. It is not stored, and nobody else can see it."
      : `${name}, picture ${row + 1} of the data. ${SEEN[this.data.tested]}`;
    this.surveys.draw();
    this.mirror();
  }

  /** @param {string} text */
  tell(text) {
    find(this.root, ".headline").textContent = text;
    // Read out only when the hand has come to rest.
    clearTimeout(this.telling);
    this.telling = window.setTimeout(() => { find(this.root, ".unseen").textContent = text; }, QUIET_MS);
  }
}
