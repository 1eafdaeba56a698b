// A run as it happens. Frames arrive through a WebSocket of our own; each is asked for when the
// last one has been drawn, so a slow browser simply gets fewer of them.

import { Chart } from "./chart.js";
import { decode, loadStyle, paint, themeOf, unpack } from "./frame.js";

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
  <div class="view">
    <div class="line" role="status"><span class="name"></span><span class="facts quiet"></span></div>
    <div class="stage">
      <canvas class="parts-canvas" role="img" width="10" height="8"></canvas>
      <div class="invitation" hidden><span></span></div>
      <div class="caption"></div>
    </div>
    <div class="side">
      <canvas class="chart" role="img" aria-label="Objective against iterations"></canvas>
      <div class="legend"></div>
      <div class="switches">
        <button type="button" data-switch="logY">log objective</button>
        <button type="button" data-switch="logX">log axis</button>
        <button type="button" data-switch="bySeconds">by seconds</button>
      </div>
      <div class="sample">
        <canvas role="img" aria-label="One sample, and what the parts make of it"></canvas>
        <span class="quiet">One sample, and the sum of its parts</span>
      </div>
    </div>
    <div class="timeline">
      <input type="range" min="0" max="0" step="1" value="0" aria-label="Go back to an earlier iteration">
      <output></output>
      <button type="button" aria-pressed="true">Live</button>
    </div>
  </div>`;

const ENDINGS = {
  done: "settled", max_iter: "all iterations made", diverged: "diverged", stopped: "stopped",
  failed: "could not run", interrupted: "interrupted",
};

class View {
  constructor(parent) {
    const root = parent.querySelector(".root");
    root.innerHTML = LAYOUT;
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.chart = new Chart(this.find(".chart"), this.find(".legend"));
    this.kept = [];
    this.back = null; // the kept iteration that is looked at, or null for the present
    for (const button of root.querySelectorAll("[data-switch]")) {
      button.setAttribute("aria-pressed", "false");
      button.onclick = () => {
        const on = this.chart.toggle(button.dataset.switch);
        button.setAttribute("aria-pressed", String(on));
      };
    }
    this.slider = this.find(".timeline input");
    this.slider.oninput = () => this.goTo(this.kept[Number(this.slider.value)]);
    this.find(".timeline button").onclick = () => this.goLive();
    this.resized = new ResizeObserver(() => {
      this.find(".view").classList.toggle("narrow", root.clientWidth < 640);
      this.chart.draw();
    });
    this.resized.observe(root);
  }

  update({ data, base, setTriggerValue }) {
    this.base = base;
    this.setTriggerValue = setTriggerValue;
    if (!this.styled) loadStyle(this.root, "./live.css", () => this.chart.draw());
    this.styled = true;
    const view = this.find(".view");
    view.classList.toggle("parts", data.form === "parts");
    this.find(".name").textContent = data.title;
    const theme = themeOf(this.root);
    view.style.setProperty("--method", data.colour[theme]);
    this.chart.colour = data.colour[theme];
    const another = data.run !== this.run;
    const otherTheme = theme !== this.shownTheme || data.view !== this.data?.view;
    this.data = data;
    this.run = data.run;
    this.shownTheme = theme;
    if (another) this.reset();
    if (data.poster !== this.poster || another || otherTheme) this.showPoster();
    if (another || otherTheme) this.connect();
    this.chart.draw();
  }

  // The samples themselves, until there is something made of them.
  async showPoster() {
    this.poster = this.data.poster;
    if (!this.poster || this.root.dataset.shown) return;
    const answer = await fetch(`${this.base}${this.poster}&theme=${this.shownTheme}`);
    if (!answer.ok || this.root.dataset.shown) return;
    const picture = await createImageBitmap(await answer.blob());
    if (this.root.dataset.shown) return;
    paint(this.find(".parts-canvas"), picture);
    this.find(".parts-canvas").setAttribute("aria-label", "Some of the samples");
    this.root.dataset.poster = "1";
  }

  say(words) {
    this.find(".invitation").hidden = !words;
    this.find(".invitation span").textContent = words;
  }

  reset() {
    this.back = null;
    this.kept = [];
    this.header = null;
    this.chart.clear();
    for (const name of Object.keys(this.root.dataset)) delete this.root.dataset[name];
    // What is not there yet keeps its place, so that nothing jumps when it comes.
    this.find(".timeline").style.visibility = this.find(".sample").style.visibility = "hidden";
    this.find(".facts").textContent = "";
    this.find(".caption").textContent = "";
    this.say(this.run ? "" : this.data.invitation);
    const canvas = this.find(".parts-canvas");
    canvas.width = 658; // the shape of most montages; setting it also clears the canvas
    canvas.height = 526;
    canvas.setAttribute("aria-label", this.data.invitation || "Parts");
  }

  connect() {
    this.disconnect();
    if (!this.run) return;
    const address = new URL(`${this.base}partwise/live/${this.run}?${this.looks()}`);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(address));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { this.tries = 0; socket.send("next"); };
    socket.onmessage = async ({ data }) => {
      await this.take(data);
      if (socket.readyState === WebSocket.OPEN) socket.send("next");
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket) return;
      if (code === 4404) return this.gone();
      // The server may be restarting or the network away: try again, less and less often.
      this.tries = (this.tries || 0) + 1;
      this.retry = setTimeout(() => this.connect(), Math.min(8000, 300 * 2 ** this.tries));
    };
  }

  // How pictures are wanted: for this theme, and of which view of the data.
  looks() {
    const looks = new URLSearchParams({ theme: this.shownTheme });
    if (this.data.view) looks.set("view", this.data.view);
    return looks;
  }

  disconnect() {
    clearTimeout(this.retry);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  gone() {
    this.find(".facts").textContent = "This run is no longer kept. Press Run to start it again.";
    if (this.told !== this.run) this.setTriggerValue("changed", this.run);
    this.told = this.run;
  }

  async take(buffer) {
    const frame = unpack(buffer);
    this.header = frame.header;
    this.kept = frame.header.snapshots;
    this.chart.set(frame.header.terms, frame.points, frame.header.points);
    this.find(".timeline").style.visibility = this.kept.length < 2 ? "hidden" : "";
    this.slider.max = Math.max(0, this.kept.length - 1);
    if (this.back === null) {
      this.slider.value = this.slider.max;
      await this.draw(frame);
    }
    this.describe();
    this.tell(frame.header);
  }

  // The page's buttons were drawn for one state of the run; when it is in another, the page must know.
  tell({ id, status, ended }) {
    const state = ended ? "ended" : status === "paused" ? "paused" : "running";
    if (state === this.data.state) this.told = null;
    else if (this.told !== id + state) {
      this.told = id + state;
      this.setTriggerValue("changed", this.told);
    }
  }

  async draw(frame) {
    // Both pictures are decoded before either is drawn: nothing blinks, nothing is drawn in halves.
    const [parts, sample] = await Promise.all([decode(frame.parts), decode(frame.sample)]);
    if (parts) {
      this.say("");
      paint(this.find(".parts-canvas"), parts);
      const count = frame.header.parts.count;
      const caption = this.data.caption.replace("{}", count);
      this.find(".caption").textContent = caption;
      this.find(".parts-canvas").setAttribute("aria-label", `Iteration ${frame.header.shown}: ${caption}`);
    }
    else if (frame.header.ended) {
      this.say(frame.header.message || "This method has no parts to show.");
    }
    this.find(".sample").style.visibility = sample ? "" : "hidden";
    if (sample) paint(this.find(".sample canvas"), sample);
    if (frame.header.shown < 0) return;
    this.root.dataset.shown = frame.header.shown;
    this.root.dataset.frames = Number(this.root.dataset.frames || 0) + 1;
  }

  describe() {
    const h = this.header;
    if (!h) return;
    this.root.dataset.status = h.status;
    this.root.dataset.iteration = h.iteration;
    if (h.elapsed) this.root.dataset.elapsed = h.elapsed;
    const words = [];
    if (h.status === "preparing") words.push("getting ready …");
    else {
      words.push(`iteration <b>${h.iteration}</b>${h.limit ? ` of ${h.limit}` : ""}`);
      const last = this.chart.last();
      if (last) {
        words.push(`objective <b>${short(last.objective)}</b>`);
        if (h.iteration > 0) words.push(`${short((1000 * last.seconds) / h.iteration)} ms each`);
      }
      const found = h.scores.accuracy_euclidean;
      if (found !== undefined) words.push(`recognises <b>${(100 * found).toFixed(0)} %</b> of the unlabelled`);
      words.push(ENDINGS[h.status] || h.status);
    }
    this.find(".facts").innerHTML = words.map((word) => `<span>${word}</span>`).join(" · ");
    const at = this.back === null ? h.iteration : this.back;
    this.find(".timeline output").textContent = `iteration ${at}`;
    this.find(".timeline button").setAttribute("aria-pressed", String(this.back === null));
    this.chart.mark = this.back;
    this.chart.draw();
  }

  async goTo(iteration) {
    if (iteration === undefined) return;
    this.back = iteration;
    this.describe();
    if (this.fetching) return; // the one under way looks again when it is done
    this.fetching = true;
    try {
      let drawn = null;
      while (this.back !== null && this.back !== drawn) {
        drawn = this.back;
        const answer = await fetch(`${this.base}partwise/kept/${this.run}/${drawn}?${this.looks()}`);
        if (!answer.ok) break;
        const frame = unpack(await answer.arrayBuffer());
        if (this.back === drawn) await this.draw(frame);
      }
    } catch {
      this.find(".timeline output").textContent = "not reachable just now";
    } finally {
      this.fetching = false;
    }
    if (this.back === null) this.connect();
  }

  goLive() {
    this.back = null;
    this.connect(); // asks for the present frame anew
  }

  close() {
    this.disconnect();
    this.resized.disconnect();
  }
}

export function short(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e6 || (size < 1e-3 && size > 0)) return value.toExponential(2).replace("e+", "e");
  return size >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}
