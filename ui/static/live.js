// A run as it happens: its parts, its curve, its samples as points, one of them rebuilt, and a timeline.

import { unpack } from "./blocks.js";
import { Chart } from "./chart.js";
import { Cloud } from "./cloud.js";
import { find, findAll, rootOf } from "./dom.js";
import { keepFocus } from "./focus.js";
import { loadStyle, themeOf } from "./frame.js";
import { Hand } from "./hand.js";
import { followed } from "./follower.js";
import { Facts } from "./live_facts.js";
import { LiveStrip } from "./live_strip.js";
import { LAYOUT } from "./live_layout.js";
import { Pace } from "./live_pace.js";
import { Stage } from "./live_stage.js";
import { Switches } from "./live_switches.js";
import { Timeline } from "./live_timeline.js";
import { mounted } from "./mounted.js";
import { OneSample } from "./one_sample.js";
import { PartMenu } from "./part_menu.js";
import { Line } from "./socket.js";
import { Teller } from "./teller.js";
import { WISHES, onWish } from "./wishes.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Cast, Frame, LiveData, PicturesHeader, RunHeader, Theme } from "./server.js" */
/** @import { Turned } from "./wishes.js" */

const NARROW = 640;

export const { show, leave } = mounted((place, { data }, lifetime) => new View(rootOf(place), data, lifetime));

class View {
  /** @type {string | null} */
  run = null;
  base = "";
  /** @type {Theme} */
  theme = "light";
  /** @type {RunHeader | null} */
  header = null;
  /** @type {PicturesHeader["scores"] | null} */
  scores = null;
  /** @type {string | null} */
  castOf = null;
  /** @type {string | null} a run that is no longer kept */
  lost = null;
  /** @type {string | null} */
  posterOf = null;
  drawn = 0; // frames of this run
  shown = false; // whether there is anything of it on the screen
  first = true;
  /** @type {Component<LiveData>["setTriggerValue"]} */
  setTriggerValue = () => {};

  /**
   * @param {HTMLElement} root
   * @param {LiveData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    this.root = root;
    this.data = data;
    root.innerHTML = LAYOUT;
    this.view = find(root, ".view");
    this.facts = new Facts(find(root, ".line"));
    this.stage = new Stage(root);
    this.menu = new PartMenu(find(root, ".part-menu"), lifetime, (part, what) => this.setTriggerValue("edited", { run: this.run, part, what }));
    this.sample = new OneSample(find(root, ".sample"));
    this.strip = new LiveStrip(find(root, ".strip-place"));
    this.chart = new Chart(find(root, ".chart", HTMLCanvasElement), find(root, ".legend"), {
      onZoom: (zoomed) => { find(root, "[data-zoom=out]").hidden = !zoomed; },
    });
    this.cloud = new Cloud(find(root, ".cloud", HTMLCanvasElement), find(root, ".plane .tip"), { onPick: (place) => this.pick(place) });
    this.timeline = new Timeline(find(root, ".timeline"), { onGo: (iteration) => this.goBack(iteration), onLive: () => this.connect() });
    this.pace = new Pace(root, this.timeline);
    this.line = new Line({
      question: () => "next",
      take: (buffer) => this.take(unpack(buffer)),
      gone: () => this.gone(),
      refused: (words) => this.facts.say(words),
      online: (online) => this.facts.setOnline(online, this.header),
    }, lifetime);
    this.switches = new Switches(root, this.chart);
    this.hand = new Hand({
      send: (message) => this.line.send(message),
      taken: () => { if (this.timeline.back !== null) this.timeline.toPresent(); this.chart.haunt(); },
      back: () => this.chart.unhaunt(),
    });
    this.teller = new Teller(() => this.news(), (news) => this.setTriggerValue("changed", news), lifetime);
    loadStyle(root, "./live.css", () => this.redraw());
    this.listen(lifetime);
  }

  /** @param {Lifetime} lifetime */
  listen(lifetime) {
    const hold = find(this.root, ".hold");
    hold.onclick = () => {
      this.line.hold(!this.line.held);
      hold.textContent = this.line.held ? "Go on" : "Pause";
    };
    const fit = () => { this.view.classList.toggle("narrow", this.root.clientWidth < NARROW); this.redraw(); };
    lifetime.resized(fit, this.root, find(this.root, ".cloud"));
    lifetime.atEnd(() => this.timeline.stop());
    onWish(lifetime, WISHES.another, () => this.cloud.deal());
    onWish(lifetime, WISHES.play, () => (this.data.hold ? hold.click() : this.pace.toggle()));
    onWish(lifetime, WISHES.walk, (by) => this.timeline.walk(by));
    lifetime.listen(document, WISHES.turn, (/** @type {CustomEvent<Turned>} */ { detail }) => {
      if (detail.of === this.data.turned_by && this.run) this.hand.turned({ [detail.param]: detail.value }, detail.hand);
    });
    keepFocus(lifetime, () => this.data.takes_over);
  }

  redraw() { this.chart.draw(); this.cloud.draw(); }

  /** @param {Component<LiveData>} component */
  update({ data, base, setTriggerValue }) {
    Object.assign(this, { base, setTriggerValue });
    const theme = themeOf(this.root), before = this.data;
    this.dress(data, theme);
    const another = this.first || data.run !== this.run, otherLooks = this.first || theme !== this.theme || data.view !== before.view;
    // What goes on from the run before takes its place on the screen without a blink.
    const goesOn = another && data.follows !== null && data.follows === this.run;
    Object.assign(this, { data, theme, run: data.run, first: false });
    if (another) this.reset(goesOn, before.title === data.title && before.poster === data.poster);
    else this.hand.stays(); // the page has begun no run with what was let go
    if (data.poster !== this.posterOf || another || otherLooks) this.showPoster();
    if (another || otherLooks) this.connect();
    this.chart.draw();
  }

  /**
   * @param {LiveData} data
   * @param {Theme} theme
   */
  dress(data, theme) {
    this.view.classList.toggle("parts", data.form === "parts");
    this.view.classList.toggle("beside", data.tall);
    this.view.classList.toggle("dark", theme === "dark");
    this.view.classList.toggle("presenting", data.presenting);
    this.view.style.setProperty("--method", data.colour[theme]);
    this.stage.kinds = data.part_kinds;
    this.stage.offer(data.edits, this.menu);
    find(this.root, ".name").textContent = data.title;
    find(this.root, ".hold").hidden = !data.hold;
    find(this.root, ".explained").textContent = data.explained;
    for (const place of findAll(this.root, ".promise")) place.textContent = data.promises[place.dataset.promise ?? ""] ?? "";
    this.chart.colour = data.colour[theme];
  }

  /** The samples themselves, until there is something made of them. */
  async showPoster() {
    this.posterOf = this.data.poster;
    if (!this.posterOf || this.shown) return;
    const answer = await fetch(`${this.base}${this.posterOf}&theme=${this.theme}`);
    if (!answer.ok || this.shown) return;
    const picture = await createImageBitmap(await answer.blob());
    if (this.shown) return;
    this.stage.poster(picture);
    this.root.dataset.poster = "1"; // tests wait for it
  }

  /**
   * @param {boolean} goesOn whether what is on the screen stays there until there is something newer
   * @param {boolean} compared whether the curve stays as a ghost
   */
  reset(goesOn, compared) {
    this.header = null;
    this.drawn = 0;
    // The ghost is the run before, not what was seen while a slider moved.
    this.chart.clear(compared && this.run !== null, this.hand.holding);
    this.hand.forget();
    this.timeline.reset();
    this.note({}, goesOn);
    if (goesOn) return;
    this.shown = false;
    this.cloud.cast = null;
    this.cloud.set(new Uint16Array(), []);
    for (const name of [".plane", ".sample", ".switches"]) find(this.root, name).style.visibility = "hidden";
    this.view.classList.add("empty");
    this.facts.clear();
    this.strip.clear();
    this.stage.clear(this.data.invitation);
    this.stage.say(this.run ? "" : this.data.invitation);
  }

  /**
   * What tests read of the view; nothing else does.
   * @param {Record<string, string | number>} facts none to forget those of the run before
   */
  note(facts, keepShown = true) {
    const { dataset } = this.root;
    if (!Object.keys(facts).length) for (const name of Object.keys(dataset)) if (!keepShown || name !== "shown") delete dataset[name];
    for (const [name, value] of Object.entries(facts)) dataset[name] = String(value);
  }

  connect() {
    if (!this.run) return this.line.close();
    this.line.open(() => `${this.base}partwise/live/${this.run}?${this.looks()}`);
    this.fetchCast();
  }

  async fetchCast() {
    if (this.data.form === "parts" || this.castOf === this.run) return;
    const run = (this.castOf = this.run), answer = await fetch(`${this.base}partwise/cast/${run}`).catch(() => null);
    if (!answer?.ok || run !== this.run) this.castOf = null;
    if (!this.castOf || !answer) return;
    this.cloud.cast = /** @type {Cast} */ (await answer.json());
    this.cloud.draw();
    this.sample.describe(this.cloud.chosenInWords());
  }

  /** How pictures are wanted: for this theme, of which view of the data, with which sample rebuilt. */
  looks() {
    const looks = new URLSearchParams({ theme: this.theme, sample: String(this.cloud.chosen) });
    if (this.data.view) looks.set("view", this.data.view);
    return looks;
  }

  gone() {
    this.facts.say("This run is no longer kept. Run starts it again.");
    this.lost = this.run;
    this.teller.look();
  }

  /** @param {Frame<RunHeader>} frame */
  async take(frame) {
    const { header, points } = frame;
    if (header.preview_of === this.run && this.run) followed(this.hand, header);
    else if (header.id !== this.run) return 0;
    this.header = header;
    const columns = 3 + header.terms.length; // iteration, objective, seconds
    this.chart.set(header.terms, points, [points.length / columns, columns], header.closed);
    this.timeline.set(header.snapshots);
    this.switches.offer(header);
    this.timeline.heard(header);
    this.pace.look(header, this.data.slowed);
    if (this.timeline.back === null) await this.draw(frame);
    this.describe();
    this.teller.look();
    return 0;
  }

  /** The page's buttons were drawn for one phase of the run; when it is in another, the page must know. */
  news() {
    if (this.run && this.lost === this.run) return this.lost;
    if (!this.header || this.header.preview_of) return null;
    return this.header.phase !== this.data.phase && this.header.id + this.header.phase;
  }

  /** @param {Frame<PicturesHeader>} frame */
  async draw(frame) {
    const { run } = this;
    // All pictures are decoded before any is drawn: nothing blinks, nothing is drawn in halves.
    const ready = await Promise.all([this.stage.ready(frame, this.data), this.sample.ready(frame)]);
    if (run !== this.run) return; // The page has gone over to another run, or to none, meanwhile.
    for (const draw of ready) draw();
    this.scores = frame.header.scores;
    find(this.root, ".plane").style.visibility = frame.cloud.length ? "" : "hidden";
    this.cloud.set(frame.cloud, this.data.palette[this.theme]);
    this.sample.describe(this.cloud.chosenInWords());
    if (frame.header.shown < 0) return;
    this.view.classList.remove("empty");
    this.strip.ask(`${this.base}partwise/strip/${this.run}`, this.looks(), this.timeline.back);
    Object.assign(this, { shown: true, drawn: this.drawn + 1 });
    this.note({ shown: frame.header.shown, run: this.run ?? "", followed: this.header?.turned ?? 0, frames: this.drawn });
  }

  describe() {
    const { header } = this, { back } = this.timeline;
    if (!header) return;
    const { status, iteration, elapsed } = header;
    this.note({ status, iteration, ...(elapsed ? { elapsed } : {}) });
    this.facts.show(header, back === null ? this.chart.last() : this.chart.reading(back), this.scores, back);
    this.pace.describe();
    this.timeline.describe(header.iteration, header.closed ? "stage" : "iteration");
    find(this.root, ".cloud").setAttribute("aria-label", this.data.plane || "Samples as points");
    this.chart.mark = back;
    this.chart.draw();
  }

  /** @param {number} iteration */
  async goBack(iteration) {
    this.describe();
    const answer = await fetch(`${this.base}partwise/kept/${this.run}/${iteration}?${this.looks()}`);
    if (!answer.ok) return false;
    /** @type {Frame<PicturesHeader>} */
    const frame = unpack(await answer.arrayBuffer());
    if (this.timeline.back === iteration) await this.draw(frame);
    this.describe();
    return true;
  }

  /** @param {number} place */
  pick(place) {
    if (this.timeline.back === null) this.line.send(`sample ${place}`);
    else this.timeline.go(this.timeline.back);
    this.sample.describe(this.cloud.chosenInWords());
  }
}
