// The occlusion and noise pages: a face that is spoiled by hand, and what fitted methods say of it.

import { unpack } from "./blocks.js";
import { decode, loadStyle, themeOf } from "./frame.js";
import { Stage } from "./patch.js";
import { Line } from "./socket.js";
import { Surveys } from "./surveys.js";
import { Verdicts, headline } from "./verdicts.js";
import { mounted } from "./mounted.js";

const OBJECTS = new Set(["piggy bank", "strawberry", "can"]);
const OWN = -1; // asked for instead of the number of a face
const AGAIN_MS = 250, REPORT_MS = 350, QUIET_MS = 700;

export const { show, leave } = mounted((place, component, lifetime) => new View(place, lifetime));

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
      <p class="quiet margin"></p>
    </div>
    <div class="surveys"></div>
    <div class="unseen" role="status"></div>
  </div>`;

class View {
  constructor(parent, lifetime) {
    const root = (this.root = parent.querySelector(".root"));
    root.innerHTML = LAYOUT;
    this.find = (selector) => root.querySelector(selector);
    this.stage = new Stage(this.find(".face"), () => this.moved());
    this.surveys = new Surveys(this.find(".surveys"), () => this.stage.face, lifetime);
    this.verdicts = new Verdicts(this.find(".cards"), () => this.surveys.follow());
    this.line = new Line({
      hello: (say) => this.hello(say),
      question: (number) => this.question(number),
      take: (buffer) => this.take(buffer),
      gone: () => this.setTriggerValue("gone", this.runs),
      refused: (words) => this.tell(words),
    }, lifetime);
    this.sliders = [...root.querySelectorAll("input[type=range]")];
    for (const slider of this.sliders) slider.oninput = () => this.slide(slider.dataset.of, Number(slider.value));
    for (const button of root.querySelectorAll("[data-go]")) button.onclick = () => this.go(button.dataset.go);
    lifetime.resized(() => this.fit(), root);
  }

  update({ data, base, setStateValue, setTriggerValue }) {
    Object.assign(this, { base, setStateValue, setTriggerValue });
    if (!this.styled) loadStyle(this.root, "./robustness.css", () => this.fit());
    this.styled = true;
    const before = this.data || { runs: [] };
    this.data = data;
    this.theme = themeOf(this.root);
    Object.assign(this.find(".lab").dataset, { theme: this.theme, of: data.noise ? "noise" : "patch" });
    const ids = (runs) => runs.map(({ id }) => id).join(",");
    this.runs = ids(data.runs);
    this.nameThings(data);
    this.verdicts.set(data, this.theme);
    if (before.ground !== data.ground || before.noise !== data.noise) this.start(data);
    this.takeOwn(before.own, data.own);
    if (before.kind !== data.kind || before.ground !== data.ground) this.loadPatch();
    if (this.runs !== ids(before.runs)) this.connect();
    else if (["kind", "metric", "how"].some((name) => before[name] !== data[name])) this.askAnew();
    this.surveys.set(data, this.theme, `${base}partwise/`, this.runs);
    this.mirror();
  }

  // People are spoken of as faces, anything else as pictures.
  nameThings({ what, unit }) {
    const other = unit === "person" ? "anybody else" : `any other ${unit}`;
    this.find("[data-go=random]").textContent = `Another ${what}`;
    this.find("[data-go='-1']").setAttribute("aria-label", `The ${what} before`);
    this.find("[data-go='1']").setAttribute("aria-label", `The next ${what}`);
    this.find(".margin").textContent = `The margin says how much farther off the nearest picture of ${other} is; of a classifier, how far the next score lies below the best.`;
  }

  start({ shape, place, noise }) {
    this.stage.shape = shape;
    this.stage.setStill(noise);
    this.face = place.face;
    this.faceShown = null;
    this.stage.setPlace({ left: place.left, top: place.top, size: noise ? 0 : place.amount });
    this.level = place.amount; // of noise
  }

  get amount() { return this.data.noise ? this.level : this.stage.place.size; }

  fit() {
    this.find(".lab").classList.toggle("narrow", this.root.clientWidth < 700);
    this.stage.draw();
    this.surveys.draw();
  }

  async loadPatch() {
    const { kind, noise, shape: [height, width] } = this.data;
    if (noise) return;
    const answer = await fetch(`${this.base}partwise/patch/${encodeURIComponent(kind)}?height=${height}&width=${width}`);
    const picture = await createImageBitmap(await answer.blob());
    if (kind === this.data.kind) this.stage.setPatch(picture, OBJECTS.has(kind));
    this.mirror();
  }

  // A picture of one's own: it goes through our line and is asked for there, and is nowhere else.
  takeOwn(before, own) {
    if (before?.pixels === own?.pixels) return;
    this.faceShown = null;
    if (own) this.last = this.face >= 0 ? this.face : this.last || 0;
    this.face = own ? OWN : this.last || 0;
    this.hello((what) => this.line.send(what));
    this.askAnew();
  }

  hello(say) {
    if (!this.data.own) return;
    say(Uint8Array.from(atob(this.data.own.pixels), (letter) => letter.charCodeAt(0)));
  }

  moved() {
    this.mirror();
    this.askAnew();
    this.report();
  }

  slide(name, value) {
    if (!this.data.noise) return this.stage.change({ ...this.stage.place, [name === "amount" ? "size" : name]: value });
    this.level = value;
    this.moved();
  }

  go(where) {
    const { count } = this.data, from = this.face >= 0 ? this.face : this.last || 0;
    const by = where === "random" ? 1 + Math.floor(Math.random() * Math.max(1, count - 1)) : Number(where);
    this.face = (from + by + count) % count;
    this.moved();
  }

  // Sliders, the mark in the chart and the words for those who cannot see follow the hand.
  mirror() {
    const { left, top, size } = this.stage.place, [height, width] = this.stage.shape, { kind, noise, most } = this.data;
    const largest = { amount: most, left: width - size, top: height - size }, now = { amount: this.amount, left, top };
    for (const slider of this.sliders) {
      const name = slider.dataset.of;
      slider.max = largest[name];
      slider.value = now[name];
      slider.nextElementSibling.textContent = noise ? `${now[name]} %` : now[name];
    }
    this.find(".sliders span").textContent = noise ? "Noise" : "Size";
    this.surveys.mark(this.amount);
    const face = this.face === OWN ? `Your ${this.data.what}` : this.name || `A ${this.data.what}`;
    this.find(".face").setAttribute("aria-label", noise ? `${face} with ${this.level} percent of ${kind} noise`
      : `${face} behind a ${kind} patch of ${size} by ${size} pixels, ${left} from the left, ${top} from the top. ` +
        "Arrow keys move it, plus and minus change its size.");
  }

  // The page learns where the hand has come to rest, so that the address can say it.
  report() {
    clearTimeout(this.reporting);
    this.reporting = setTimeout(() => {
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
    this.root.dataset.asked = this.line.number;
  }

  question(number) {
    const { kind, metric, how, noise } = this.data, { left, top } = noise ? { left: 0, top: 0 } : this.stage.place;
    const clean = this.faceShown !== this.face;
    this.root.dataset.asked = number;
    return JSON.stringify({ number, face: this.face, kind, amount: this.amount, left, top, metric, how, clean });
  }

  // Draws an answer; returns in how many milliseconds it should be asked again.
  async take(buffer) {
    const { header, parts, sample } = unpack(buffer), { entries } = header, own = header.face === OWN;
    const [pictures, face] = await Promise.all([decode(parts), decode(sample)]);
    if (face) this.meet(header, face);
    entries.forEach((entry) => this.verdicts.say(entry, pictures, header.parts, own));
    pictures?.close();
    this.tell(headline(entries, this.name, own && this.data.what));
    Object.assign(this.root.dataset, { row: header.row, drawn: header.number });
    return entries.some(({ state }) => state === "fitting") ? AGAIN_MS : null;
  }

  meet({ face, row, name }, picture) {
    const other = this.faceShown !== face, seen = { held: "No method has seen it.", seen: "Seen by the methods, without a name." };
    this.faceShown = face;
    this.name = name;
    this.stage.setFace(picture);
    if (!other) return;
    this.find(".who").textContent = face === OWN ? "Your own: only rebuilt. It is not stored, and nobody else can see it."
      : `${name}, picture ${row + 1} of the data. ${seen[this.data.tested] || "Seen by some methods, spoiled and without a name."}`;
    this.surveys.draw();
    this.mirror();
  }

  tell(text) {
    this.find(".headline").textContent = text;
    // Read out only when the hand has come to rest.
    clearTimeout(this.telling);
    this.telling = setTimeout(() => { this.find(".unseen").textContent = text; }, QUIET_MS);
  }

  close() {
    clearTimeout(this.reporting);
    clearTimeout(this.telling);
    this.surveys.close();
  }
}
