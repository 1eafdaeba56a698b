// A run as it happens: its parts, its curve, its samples as points, one of them rebuilt, and a timeline.

import { Chart } from "./chart.js";
import { Cloud } from "./cloud.js";
import { unpack } from "./blocks.js";
import { FEW_STAGES } from "./curve.js";
import { keepFocus } from "./focus.js";
import { loadStyle, themeOf } from "./frame.js";
import { Facts } from "./live_facts.js";
import { LAYOUT } from "./live_layout.js";
import { Stage } from "./live_stage.js";
import { Timeline } from "./live_timeline.js";
import { OneSample } from "./one_sample.js";
import { mounted } from "./mounted.js";
import { Line } from "./socket.js";
import { Teller } from "./teller.js";

export const { show, leave } = mounted((place, _, lifetime) => new View(place, lifetime));

class View {
  constructor(parent, lifetime) {
    const root = (this.root = parent.querySelector(".root"));
    root.innerHTML = LAYOUT;
    this.find = (selector) => root.querySelector(selector);
    this.facts = new Facts(this.find(".line"));
    this.stage = new Stage(root);
    this.sample = new OneSample(this.find(".sample"));
    this.chart = new Chart(this.find(".chart"), this.find(".legend"), { onZoom: (zoomed) => this.zoomed(zoomed) });
    this.cloud = new Cloud(this.find(".cloud"), this.find(".plane .tip"), { onPick: (place) => this.pick(place) });
    this.timeline = new Timeline(this.find(".timeline"), { onGo: (iteration) => this.goBack(iteration), onLive: () => this.connect() });
    this.line = new Line({
      question: () => "next",
      take: (buffer) => this.take(buffer),
      gone: () => this.gone(),
      refused: (words) => this.facts.say(words),
      online: (online) => this.facts.setOnline(online, this.header),
    }, lifetime);
    this.teller = new Teller(() => this.unknown(), (news) => this.setTriggerValue("changed", news), lifetime);
    this.listen(lifetime);
    keepFocus(lifetime, () => this.data?.takes_over ?? {});
  }

  listen(lifetime) {
    for (const button of this.root.querySelectorAll("[data-switch]")) {
      button.setAttribute("aria-pressed", "false");
      button.onclick = () => button.setAttribute("aria-pressed", String(this.chart.toggle(button.dataset.switch)));
    }
    this.find("[data-zoom=in]").onclick = () => this.chart.zoomIn();
    this.find("[data-zoom=out]").onclick = () => this.chart.zoom.clear();
    const hold = this.find(".hold");
    hold.onclick = () => {
      this.line.hold(!this.line.held);
      hold.textContent = this.line.held ? "Go on" : "Pause";
    };
    lifetime.resized(() => {
      this.find(".view").classList.toggle("narrow", this.root.clientWidth < 640);
      this.chart.draw();
      this.cloud.draw();
    }, this.root, this.find(".cloud"));
  }

  update({ data, base, setTriggerValue }) {
    Object.assign(this, { base, setTriggerValue });
    if (!this.styled) loadStyle(this.root, "./live.css", () => { this.chart.draw(); this.cloud.draw(); });
    this.styled = true;
    const view = this.find(".view"), theme = themeOf(this.root);
    view.classList.toggle("parts", data.form === "parts");
    view.classList.toggle("beside", data.tall);
    view.classList.toggle("dark", theme === "dark");
    view.style.setProperty("--method", data.colour[theme]);
    this.find(".name").textContent = data.title;
    this.find(".hold").hidden = !data.hold;
    this.find(".explained").textContent = data.explained || "";
    for (const place of this.root.querySelectorAll(".promise")) place.textContent = data.promises[place.dataset.promise] || "";
    this.chart.colour = data.colour[theme];
    const another = data.run !== this.run, otherLooks = theme !== this.theme || data.view !== this.data?.view;
    // What goes on from the run before takes its place on the screen without a blink.
    const goesOn = another && data.follows && data.follows === this.run;
    Object.assign(this, { data, theme, run: data.run });
    if (another) this.reset(goesOn);
    if (data.poster !== this.poster || another || otherLooks) this.showPoster();
    if (another || otherLooks) this.connect();
    this.chart.draw();
  }

  // The samples themselves, until there is something made of them.
  async showPoster() {
    this.poster = this.data.poster;
    if (!this.poster || this.root.dataset.shown) return;
    const answer = await fetch(`${this.base}${this.poster}&theme=${this.theme}`);
    if (!answer.ok || this.root.dataset.shown) return;
    const picture = await createImageBitmap(await answer.blob());
    if (this.root.dataset.shown) return;
    this.stage.poster(picture);
    this.root.dataset.poster = "1";
  }

  reset(goesOn) {
    this.header = null;
    this.chart.clear();
    this.timeline.reset();
    for (const name of Object.keys(this.root.dataset)) if (!goesOn || name !== "shown") delete this.root.dataset[name];
    if (goesOn) return;
    this.cloud.cast = null;
    this.cloud.set(new Uint16Array(), []);
    for (const name of [".plane", ".sample", ".switches"]) this.find(name).style.visibility = "hidden";
    this.find(".view").classList.add("empty");
    this.facts.clear();
    this.stage.clear(this.data.invitation);
    this.stage.say(this.run ? "" : this.data.invitation);
  }

  connect() {
    if (!this.run) return this.line.close();
    this.line.open(() => `${this.base}partwise/live/${this.run}?${this.looks()}`);
    this.fetchCast();
  }

  async fetchCast() {
    if (this.data.form === "parts" || this.castOf === this.run) return;
    const run = (this.castOf = this.run), answer = await fetch(`${this.base}partwise/cast/${run}`).catch(() => null);
    if (!answer?.ok || run !== this.run) return void (this.castOf = null);
    this.cloud.cast = await answer.json();
    this.cloud.draw();
    this.sample.describe(this.cloud.chosenInWords());
  }

  // How pictures are wanted: for this theme, of which view of the data, with which sample rebuilt.
  looks() {
    const looks = new URLSearchParams({ theme: this.theme, sample: this.cloud.chosen });
    if (this.data.view) looks.set("view", this.data.view);
    return looks;
  }

  gone() {
    this.facts.say("This run is no longer kept. Run starts it again.");
    this.lost = this.run;
    this.teller.look();
  }

  async take(buffer) {
    const frame = unpack(buffer);
    if (frame.header.id !== this.run) return 0;
    this.header = frame.header;
    const columns = 3 + frame.header.terms.length; // iteration, objective, seconds
    this.chart.set(frame.header.terms, frame.points, [frame.points.length / columns, columns], frame.header.closed);
    this.timeline.set(frame.header.snapshots);
    this.offer(frame.header);
    this.timeline.heard(frame.header);
    if (this.timeline.back === null) await this.draw(frame);
    this.describe();
    this.teller.look();
    return 0;
  }

  // Of the switches only those that have an effect.
  offer({ closed, iteration, shown }) {
    this.find(".switches").style.visibility = shown < 0 ? "hidden" : "";
    for (const name of ["[data-switch=logX]", "[data-switch=bySeconds]"]) this.find(name).hidden = closed;
    for (const name of ["[data-switch=logY]", "[data-zoom=in]"]) this.find(name).hidden = closed && iteration < FEW_STAGES;
  }

  // The page's buttons were drawn for one phase of the run; when it is in another, the page must know.
  unknown() {
    if (this.run && this.lost === this.run) return this.lost;
    if (!this.header) return null;
    const { phase } = this.header;
    return phase !== this.data.phase && this.header.id + phase;
  }

  async draw(frame) {
    // All pictures are decoded before any is drawn: nothing blinks, nothing is drawn in halves.
    const ready = await Promise.all([this.stage.ready(frame, this.data), this.sample.ready(frame)]);
    for (const draw of ready) draw();
    this.scores = frame.header.scores;
    this.find(".plane").style.visibility = frame.cloud.length ? "" : "hidden";
    this.cloud.set(frame.cloud, this.data.palette[this.theme]);
    this.sample.describe(this.cloud.chosenInWords());
    if (frame.header.shown < 0) return;
    this.find(".view").classList.remove("empty");
    this.root.dataset.shown = frame.header.shown;
    this.root.dataset.run = this.run;
    this.root.dataset.frames = Number(this.root.dataset.frames || 0) + 1;
  }

  describe() {
    const { header } = this, { back } = this.timeline;
    if (!header) return;
    this.root.dataset.status = header.status;
    this.root.dataset.iteration = header.iteration;
    if (header.elapsed) this.root.dataset.elapsed = header.elapsed;
    this.facts.show(header, back === null ? this.chart.last() : this.chart.reading(back), this.scores, back);
    this.timeline.describe(header.iteration, header.closed ? "stage" : "iteration");
    this.find(".cloud").setAttribute("aria-label", this.data.plane || "Samples as points");
    this.chart.mark = back;
    this.chart.draw();
  }

  async goBack(iteration) {
    this.describe();
    const answer = await fetch(`${this.base}partwise/kept/${this.run}/${iteration}?${this.looks()}`);
    if (!answer.ok) return false;
    const frame = unpack(await answer.arrayBuffer());
    if (this.timeline.back === iteration) await this.draw(frame);
    this.describe();
    return true;
  }

  pick(place) {
    if (this.timeline.back === null) this.line.send(`sample ${place}`);
    else this.timeline.go(this.timeline.back);
    this.sample.describe(this.cloud.chosenInWords());
  }

  zoomed(zoomed) {
    this.find("[data-zoom=out]").hidden = !zoomed;
  }

  close() {
    this.timeline.stop();
  }
}
