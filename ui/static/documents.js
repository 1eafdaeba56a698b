// Documents: topics as they form, a map and the classes beside them, and the documents to read and label.
//
// The page itself says which run is looked at; everything else is fetched from `/partwise/topics/…`,
// so that pointing, picking, reading and searching never wait for the page. Words, titles and texts are
// strangers': they are set as text only.

import { loadStyle, themeOf } from "./frame.js";
import { Classes } from "./documents_classes.js";
import { percent } from "./documents_dom.js";
import { Finder } from "./documents_finder.js";
import { Reader } from "./documents_reader.js";
import { Poller } from "./poller.js";
import { Shelf } from "./documents_shelf.js";
import { TopicMap } from "./documents_map.js";
import { Words } from "./words.js";
import { mounted } from "./mounted.js";

const AGAIN_AFTER = 150;

export const { show, leave } = mounted((place, component, lifetime) => new Page(place, lifetime));

const LAYOUT = `
  <div class="docs empty">
    <div class="line" role="status"><span class="name"></span><span class="facts quiet"></span></div>
    <div class="finder"></div>
    <div class="upper">
      <section class="topics" aria-label="Topics"><div class="grid"></div></section>
      <section class="overview" aria-label="Map and classes">
        <div class="map-place"></div>
        <div class="classes"></div>
      </section>
    </div>
    <div class="lower">
      <section class="shelf" aria-label="Documents"></section>
      <section class="reader" aria-label="One document"></section>
    </div>
  </div>`;

class Page {
  constructor(parent, lifetime) {
    this.root = parent.querySelector(".root");
    this.root.innerHTML = LAYOUT;
    this.find = (selector) => this.root.querySelector(selector);
    loadStyle(this.root, "./words.css");
    loadStyle(this.root, "./documents.css", () => this.map.draw());
    this.words = new Words(this.find(".grid"), { onPick: (topic) => this.pick({ topic: topic === this.topic ? null : topic }) });
    this.map = new TopicMap(this.find(".map-place"), this);
    this.classes = new Classes(this.find(".classes"), this);
    this.finder = new Finder(this.find(".finder"), this);
    this.shelf = new Shelf(this.find(".shelf"), this);
    this.reader = new Reader(this.find(".reader"), this);
    this.poller = new Poller({
      every: AGAIN_AFTER,
      take: (now) => { this.take(now); return !now.ended; },
      gone: () => this.gone(),
      refused: (words) => { this.find(".facts").textContent = words; },
    }, lifetime);
    lifetime.resized(() => {
      this.find(".docs").classList.toggle("narrow", this.root.clientWidth < 760);
      this.map.draw();
    }, this.root);
    Object.assign(this, { topic: null, group: null, taken: false, chosen: false, now: null, before: null, source: null });
  }

  update({ data, base, setTriggerValue }) {
    const another = data.ground !== this.data?.ground;
    const previous = this.data;
    Object.assign(this, { data, base, tell: setTriggerValue, theme: themeOf(this.root) });
    const docs = this.find(".docs");
    docs.dataset.theme = this.theme;
    docs.style.setProperty("--method", data.colour[this.theme]);
    this.find(".name").textContent = data.title;
    if (another) this.begin();
    else if (data.run !== previous?.run && this.now) this.before = this.now;
    this.shelf.update();
    if (this.now) this.draw();
    this.follow();
  }

  // Other documents: nothing of what was picked means anything there.
  begin() {
    Object.assign(this, { topic: null, group: null, taken: false, chosen: false, now: null, before: null, source: null });
    for (const name of ["shown", "status"]) delete this.root.dataset[name];
    this.find(".docs").classList.add("empty");
    this.words.show([]);
    this.map.clear();
    this.classes.clear();
    this.finder.clear();
    this.shelf.clear();
    this.reader.clear();
  }

  // What a question was answered; null if the run is gone or another one is looked at by now. It is asked of the run
  // whose topics are on show: a new one has none to begin with.
  async ask(path, query = {}) {
    const run = this.source;
    if (!run) return null;
    const answer = await fetch(this.address(run, path, query));
    if (run !== this.source) return null;
    if (answer.status === 404 && !path.startsWith("/document/")) this.gone();
    return answer.ok ? answer.json() : null;
  }

  address(run, path, query) {
    const asked = Object.entries({ beside: this.data.beside, ...query }).filter(([, value]) => value !== null && value !== "");
    return `${this.base}partwise/topics/${run}${path}?${new URLSearchParams(asked)}`;
  }

  gone() {
    if (this.told !== this.data.run) this.tell("gone", this.data.run);
    this.told = this.data.run;
  }

  // Ask for the topics, again and again until the run has ended: each is answered when there is something new.
  follow() {
    const { run, ground, beside } = this.data;
    if (!run) return this.poller.stop();
    this.poller.follow(`${run} ${ground} ${beside}`, (last) => {
      this.followed = run;
      return this.address(run, "", { seen: last?.seen ?? "" });
    });
  }

  take(now) {
    this.root.dataset.status = now.status;
    this.root.dataset.iteration = now.iteration;
    this.describe(now);
    this.find(".docs").classList.toggle("empty", !now.topics.length && !this.now);
    if (!now.topics.length) return;
    this.now = now;
    this.source = this.followed;
    if (this.topic !== null && this.topic >= now.topics.length) this.topic = null;
    // Before the end topics still change their meaning; then the heaviest one is a good one to begin with.
    if (now.ended && !this.chosen && this.group === null) this.topic = heaviest(now.topics);
    this.draw();
    if (!this.shelf.total || now.ended) this.shelf.load();
    if (now.ended) this.reader.again();
    this.root.dataset.shown = this.source;
  }

  draw() {
    const { topics, beside } = this.now;
    this.words.show(topics.map((topic) => topic.words), {
      titles: topics.map((topic) => topic.title),
      notes: topics.map((topic) => `${(100 * topic.share).toFixed(0)} % of all · main topic of ${topic.main_of}`),
      picked: this.topic,
      colours: topics.map((topic, index) => this.colourOf(index)),
      beside: beside?.topics,
      heads: [this.data.view, beside?.view],
    });
    this.map.draw();
    this.classes.draw();
    this.shelf.headline();
  }

  describe(now) {
    const facts = [];
    if (now.status === "waiting") facts.push(now.state);
    else if (!now.topics.length && !now.ended) facts.push("getting ready; the first topics come in a moment");
    else facts.push(`iteration ${now.iteration}`, now.ended ? now.state : "");
    if (now.accuracy !== null && now.accuracy !== undefined) facts.push(this.recognised(now));
    if (now.message && now.status !== "max_iter") facts.push(now.message);
    if (now.note) facts.push(now.note);
    this.find(".facts").textContent = facts.filter(Boolean).join(" · ");
    this.find(".facts").classList.toggle("wrong", ["failed", "diverged", "interrupted"].includes(now.status));
  }

  recognised(now) {
    const before = this.before?.accuracy;
    const was = now.ended && typeof before === "number" && percent(before) !== percent(now.accuracy) ? ` (before: ${percent(before)})` : "";
    return `${now.labelled} labelled; ${percent(now.accuracy)}${was} of the others taken for what they are`;
  }

  // Show the documents of a topic, of a class, or of both.
  pick({ topic = this.topic, group = this.group, taken = false }) {
    Object.assign(this, { topic, group, taken, chosen: true });
    this.shelf.leaveSearch();
    this.draw();
    this.shelf.load();
    if (this.reader.row !== null) this.reader.again();
  }

  open(row, { scroll = true } = {}) {
    this.reader.open(row);
    if (scroll && this.find(".docs").classList.contains("narrow")) this.find(".reader").scrollIntoView({ block: "start", behavior: "smooth" });
  }

  colourOf(topic) {
    const palette = this.data.palette[this.theme];
    return palette[topic % palette.length];
  }

  titleOf(topic) { return this.now?.topics[topic]?.title ?? ""; }
}

function heaviest(topics) {
  return topics.reduce((best, topic, index) => (topic.share > topics[best].share ? index : best), 0);
}
