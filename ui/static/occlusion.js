// The occlusion page: a face under a patch that follows the hand, and what fitted methods say of it.
// Questions go through a WebSocket of our own: one under way at a time, and the latest wins.

import { Accuracy } from "./accuracy.js";
import { decode, loadStyle, themeOf, unpack } from "./frame.js";
import { Stage } from "./patch.js";

const OBJECTS = new Set(["piggy bank", "strawberry", "can"]);
const AGAIN_MS = 250, REPORT_MS = 350, QUIET_MS = 700;
const views = new WeakMap();

export function show(component) {
  let view = views.get(component.parentElement);
  if (!view) views.set(component.parentElement, (view = new View(component.parentElement)));
  view.update(component);
}

export function leave(parent) {
  views.get(parent)?.close();
  views.delete(parent);
}

const LAYOUT = `
  <div class="lab">
    <div class="hand">
      <canvas class="face" tabindex="0" role="application" aria-roledescription="patch to move"></canvas>
      <p class="quiet">Drag the patch, pull a corner; or the arrow keys, + and −.</p>
    </div>
    <div class="tools">
      <div class="sliders">
        <label>Size <input type="range" min="0" step="1" data-of="size"><output></output></label>
        <label>Left <input type="range" min="0" step="1" data-of="left"><output></output></label>
        <label>Top <input type="range" min="0" step="1" data-of="top"><output></output></label>
      </div>
      <div class="faces">
        <button type="button" data-go="-1" aria-label="The face before">‹</button>
        <button type="button" data-go="random">Another face</button>
        <button type="button" data-go="1" aria-label="The next face">›</button>
      </div>
      <p class="who"></p>
    </div>
    <div class="said">
      <p class="headline">…</p>
      <div class="cards"></div>
      <p class="quiet">The margin says how much farther off the nearest picture of anybody else is.</p>
    </div>
    <div class="curves">
      <h3>How many are recognised behind a patch of each size?</h3>
      <p class="quiet progress"></p>
      <canvas class="accuracy" role="img"></canvas>
      <div class="legend"></div>
      <details><summary>The numbers</summary><div class="scroll"><table></table></div></details>
    </div>
    <div class="unseen" role="status"></div>
  </div>`;
const CARD = `
  <h3><i></i><span></span></h3>
  <div class="pair">
    <figure><canvas role="img"></canvas><figcaption>rebuilt</figcaption></figure>
    <figure><canvas role="img"></canvas><figcaption></figcaption></figure>
  </div>
  <p class="verdict"></p>`;

class View {
  constructor(parent) {
    const root = (this.root = parent.querySelector(".root"));
    root.innerHTML = LAYOUT;
    this.find = (selector) => root.querySelector(selector);
    this.stage = new Stage(this.find(".face"), () => this.moved());
    this.accuracy = new Accuracy(this.find(".accuracy"), this.find(".legend"), this.find("table"));
    this.sliders = [...root.querySelectorAll("input[type=range]")];
    for (const slider of this.sliders)
      slider.oninput = () => this.stage.change({ ...this.stage.place, [slider.dataset.of]: Number(slider.value) });
    for (const button of root.querySelectorAll("[data-go]")) button.onclick = () => this.go(button.dataset.go);
    this.number = 0; // of the latest change
    this.waiting = false; // for an answer
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(root);
  }

  update({ data, base, setStateValue, setTriggerValue }) {
    Object.assign(this, { base, setStateValue, setTriggerValue });
    if (!this.styled) loadStyle(this.root, "./occlusion.css", () => this.fit());
    this.styled = true;
    const before = this.data || { runs: [] };
    this.data = data;
    this.theme = themeOf(this.root);
    this.find(".lab").dataset.theme = this.theme;
    const ids = (runs) => runs.map(({ id }) => id).join(",");
    this.runs = ids(data.runs);
    this.cards();
    if (before.ground !== data.ground) this.start(data);
    if (before.kind !== data.kind || before.ground !== data.ground) this.loadPatch();
    if (this.runs !== ids(before.runs)) this.connect();
    else if (before.kind !== data.kind || before.metric !== data.metric) this.askAnew();
    this.follow();
  }

  start({ shape, place }) {
    this.stage.shape = shape;
    this.face = place.face;
    this.faceShown = null;
    this.stage.setPlace(place);
    this.mirror();
  }

  fit() {
    this.find(".lab").classList.toggle("narrow", this.root.clientWidth < 700);
    this.stage.draw();
    this.accuracy.draw();
  }

  async loadPatch() {
    const { kind, shape: [height, width] } = this.data;
    const answer = await fetch(`${this.base}partwise/patch/${encodeURIComponent(kind)}?height=${height}&width=${width}`);
    const picture = await createImageBitmap(await answer.blob());
    if (kind === this.data.kind) this.stage.setPatch(picture, OBJECTS.has(kind));
    this.mirror();
  }

  moved() {
    this.mirror();
    this.askAnew();
    this.report();
  }

  go(where) {
    const { count } = this.data;
    const by = where === "random" ? 1 + Math.floor(Math.random() * (count - 1)) : Number(where);
    this.face = (this.face + by + count) % count;
    this.moved();
  }

  // Sliders, the mark in the chart and the words for those who cannot see follow the patch.
  mirror() {
    const { left, top, size } = this.stage.place, [height, width] = this.stage.shape;
    const most = { size: Math.min(height, width), left: width - size, top: height - size };
    for (const slider of this.sliders) {
      const name = slider.dataset.of;
      slider.max = most[name];
      slider.value = this.stage.place[name];
      slider.nextElementSibling.textContent = this.stage.place[name];
    }
    this.accuracy.mark(size);
    const kind = this.data?.kind;
    this.find(".face").setAttribute("aria-label",
      `${this.name || "A face"} behind a ${kind} patch of ${size} by ${size} pixels, ${left} from the left, ${top} from the top. ` +
      "Arrow keys move it, plus and minus change its size.");
  }

  // The page learns where the patch has come to rest, so that the address can say it.
  report() {
    clearTimeout(this.reporting);
    this.reporting = setTimeout(() => {
      if (this.stage.held) return this.report();
      this.setStateValue("place", { face: this.face, ...this.stage.place });
    }, REPORT_MS);
  }

  connect() {
    this.disconnect();
    const address = new URL(`${this.base}partwise/occlusion/${this.runs}`);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(address));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { this.tries = 0; this.askAnew(); };
    socket.onmessage = async ({ data }) => {
      let again = 0;
      try {
        again = await this.take(data);
      } finally {
        // Whatever one answer was, the next question must be possible.
        if (socket === this.socket) this.waiting = false;
      }
      if (socket !== this.socket) return;
      if (this.asked !== this.number) this.ask(this.number);
      else if (again) this.retry = setTimeout(() => this.ask(this.number), again);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket) return;
      this.waiting = false;
      if (code === 4404 && this.told !== this.runs) {
        this.told = this.runs;
        return this.setTriggerValue("gone", this.runs);
      }
      // The server may be restarting or the network away: try again, less and less often.
      this.tries = (this.tries || 0) + 1;
      this.retry = setTimeout(() => this.connect(), Math.min(8000, 300 * 2 ** this.tries));
    };
  }

  disconnect() {
    clearTimeout(this.retry);
    const socket = this.socket;
    this.socket = null;
    this.waiting = false;
    socket?.close();
  }

  askAnew() {
    this.root.dataset.asked = ++this.number;
    this.ask(this.number);
  }

  ask(number) {
    if (this.waiting || this.socket?.readyState !== WebSocket.OPEN) return;
    clearTimeout(this.retry);
    this.waiting = true;
    this.asked = number;
    const { kind, metric } = this.data, { left, top, size } = this.stage.place;
    const clean = this.faceShown !== this.face;
    this.socket.send(JSON.stringify({ number, face: this.face, left, top, size, kind, metric, clean }));
  }

  // Draws an answer; returns in how many milliseconds it should be asked again (0: no need).
  async take(buffer) {
    const { header, parts, sample } = unpack(buffer);
    const [pictures, face] = await Promise.all([decode(parts), decode(sample)]);
    if (face) {
      this.faceShown = header.face;
      this.name = header.name;
      const { unseen } = this.data;
      this.find(".who").textContent = `${header.name}, picture ${header.row + 1} of the data. ` +
        (unseen ? "No method has seen it." : "Seen by the methods, without a name.");
      this.stage.setFace(face);
      this.mirror();
    }
    header.entries.forEach((entry) => this.say(entry, pictures, header.parts));
    pictures?.close();
    this.summarise(header.entries.filter(({ state, right }) => state === "ready" && right !== undefined));
    this.root.dataset.row = header.row;
    this.root.dataset.drawn = header.number;
    return header.entries.some(({ state }) => state === "fitting") ? AGAIN_MS : 0;
  }

  say(entry, pictures, grid) {
    const card = this.find(`.card[data-run="${entry.id}"]`);
    if (!card) return;
    const verdict = card.querySelector(".verdict"), title = card.querySelector("h3 span").textContent;
    if (card.dataset.state !== entry.state) this.follow();
    card.dataset.state = entry.state;
    if (entry.state === "fitting")
      verdict.textContent = entry.iteration === undefined ? "getting ready …" : `fitting, iteration ${entry.iteration} …`;
    if (entry.state === "failed") verdict.textContent = entry.message;
    if (entry.state !== "ready") return;
    const [rebuilt, nearest] = card.querySelectorAll("canvas"), captions = card.querySelectorAll("figcaption");
    cut(rebuilt, pictures, grid, entry.tile);
    cut(nearest, pictures, grid, entry.tile + 1);
    captions[0].textContent = entry.rebuilt ? "rebuilt" : "rebuilds nothing";
    captions[1].textContent = entry.name;
    rebuilt.setAttribute("aria-label", `What ${title} rebuilds of the covered face`);
    nearest.setAttribute("aria-label", `Nearest picture for ${title}: ${entry.name}`);
    Object.assign(card.dataset, { row: entry.row, person: entry.name, right: entry.right, margin: entry.margin ?? "" });
    const margin = entry.margin === null ? "" : ` · margin ${(100 * entry.margin).toFixed(entry.margin < 0.1 ? 1 : 0)} %`;
    verdict.textContent = `${entry.right ? "✓ right" : "✗ wrong"}${margin}`;
  }

  summarise(entries) {
    const right = entries.filter((entry) => entry.right).length;
    const text = !entries.length ? "The methods are being fitted …" : right === entries.length
      ? `${right === 1 ? "The method still recognises" : `All ${right} still recognise`} ${this.name}.`
      : `${right} of ${entries.length} still recognise${right === 1 ? "s" : ""} ${this.name}.`;
    this.find(".headline").textContent = text;
    // Read out only when the patch has come to rest.
    clearTimeout(this.telling);
    this.telling = setTimeout(() => { this.find(".unseen").textContent = text; }, QUIET_MS);
  }

  cards() {
    const holder = this.find(".cards");
    const kept = new Map([...holder.children].map((card) => [card.dataset.run, card]));
    holder.replaceChildren(...this.data.runs.map(({ id, method, title, colour }) => {
      const card = kept.get(id) || document.createElement("article");
      if (!kept.has(id)) {
        card.className = "card";
        card.innerHTML = CARD;
        Object.assign(card.dataset, { run: id, method, state: "" });
        // As large as the pictures to come, so that nothing jumps.
        const [height, width] = this.data.shape;
        for (const canvas of card.querySelectorAll("canvas")) Object.assign(canvas, { width, height });
        card.querySelector(".verdict").textContent = "…";
      }
      card.querySelector("h3 span").textContent = title;
      card.style.setProperty("--method", colour[this.theme]);
      return card;
    }));
  }

  // Fetches the curves until they are complete; begun anew whenever they would be others.
  follow() {
    const { kind, metric, runs } = this.data, wanted = `${this.runs} ${kind} ${metric}`;
    if (this.following === wanted) return;
    this.following = wanted;
    const look = async () => {
      if (this.following !== wanted) return;
      const query = `kind=${encodeURIComponent(kind)}&metric=${metric}`;
      const answer = await fetch(`${this.base}partwise/accuracy/${this.runs}?${query}`).catch(() => null);
      if (this.following !== wanted) return;
      if (answer?.status === 404) { this.following = null; return; } // the talk notices that the runs are gone
      if (!answer?.ok) return setTimeout(look, 8 * AGAIN_MS);
      const { curves, complete } = await answer.json();
      this.accuracy.set(runs.map(({ title, colour }, index) =>
        ({ title, colour: colour[this.theme], points: curves[index].points })));
      this.tellProgress(curves, complete);
      if (!complete) setTimeout(look, AGAIN_MS);
    };
    look();
  }

  tellProgress(curves, complete) {
    const placements = Math.max(0, ...curves.flatMap(({ points }) => points.map((point) => point[3])));
    this.find(".curves").dataset.complete = complete;
    this.find(".progress").textContent = complete
      ? `Each size in ${placements} random places on every one of the ${this.data.count} pictures; bands are one standard deviation between places.`
      : "Being worked out: more random places, narrower doubts …";
  }

  close() {
    this.following = null;
    clearTimeout(this.reporting);
    clearTimeout(this.telling);
    this.disconnect();
    this.resized.disconnect();
  }
}

function cut(canvas, pictures, { columns, tile: [height, width], gap }, index) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const x = (index % columns) * (width + gap), y = Math.floor(index / columns) * (height + gap);
  canvas.getContext("2d").drawImage(pictures, x, y, width, height, 0, 0, width, height);
}
