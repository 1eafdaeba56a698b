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
import { Shelf } from "./documents_shelf.js";
import { TopicMap } from "./documents_map.js";
import { inWords } from "./status_words.js";
import { Words } from "./words.js";
import { mounted } from "./mounted.js";

const AGAIN_AFTER = 150;

export const { show, leave } = mounted((place) => new Page(place));

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
  constructor(parent) {
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
    this.watcher = new ResizeObserver(() => {
      this.find(".docs").classList.toggle("narrow", this.root.clientWidth < 760);
      this.map.draw();
    });
    this.watcher.observe(this.root);
    Object.assign(this, { topic: null, group: null, taken: false, chosen: false, now: null, before: null, source: null });
  }

  close() {
    this.turn = null;
    this.watcher.disconnect();
  }

  update({ data, base, setTriggerValue }) {
    const another = data.ground !== this.data?.ground, other = data.run !== this.data?.run || data.beside !== this.data?.beside;
    const previous = this.data;
    Object.assign(this, { data, base, tell: setTriggerValue, theme: themeOf(this.root) });
    const docs = this.find(".docs");
    docs.dataset.theme = this.theme;
    docs.style.setProperty("--method", data.colour[this.theme]);
    this.find(".name").textContent = data.title;
    if (another) this.begin();
    else if (data.run !== previous?.run && this.now) this.before = this.now;
    this.shelf.update();
    if (other || another) this.follow();
    else if (this.now) this.draw();
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

  // What a question was answered; null if the run is gone or another one is looked at by now. All but the
  // overview is asked of the run whose topics are on show: a new one has none to begin with.
  async ask(path, query = {}) {
    const run = path ? this.source : this.data.run;
    if (!run) return null;
    const asked = Object.entries({ beside: this.data.beside, ...query }).filter(([, value]) => value !== null && value !== "");
    const answer = await fetch(`${this.base}partwise/topics/${run}${path}?${new URLSearchParams(asked)}`);
    if (run !== (path ? this.source : this.data.run)) return null;
    if (answer.status === 404 && !path.startsWith("/document/")) this.gone();
    return answer.ok ? answer.json() : null;
  }

  gone() {
    if (this.told !== this.data.run) this.tell("gone", this.data.run);
    this.told = this.data.run;
  }

  // Ask for the topics, again and again until the run has ended.
  async follow() {
    const turn = (this.turn = {});
    this.followed = this.data.run;
    let seen = "", tries = 0;
    while (turn === this.turn && this.data.run) {
      let now = null;
      try {
        now = await this.ask("", { seen });
        tries = 0;
      } catch {
        tries += 1; // The network is away, or the server is restarting.
      }
      if (turn !== this.turn) return;
      if (now) {
        seen = now.seen;
        this.take(now);
        if (now.ended) return;
      } else if (!tries) return;
      await new Promise((go) => setTimeout(go, tries ? Math.min(8000, 300 * 2 ** tries) : AGAIN_AFTER));
    }
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
    if (now.status === "waiting") facts.push(`waiting for its turn (${now.before} ahead)`);
    else if (!now.topics.length && !now.ended) facts.push("getting ready; the first topics come in a moment");
    else facts.push(`iteration ${now.iteration}`, now.ended ? inWords(now) : "");
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
