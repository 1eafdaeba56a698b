// Documents: topics as they form, a map and the classes beside them, and the documents to read and label.
//
// The page itself says which run is looked at; everything else is fetched from `/partwise/topics/…`,
// so that pointing, picking, reading and searching never wait for the page. Words, titles and texts are
// strangers': they are set as text only.

import { find, rootOf } from "./dom.js";
import { Classes } from "./documents_classes.js";
import { Finder } from "./documents_finder.js";
import { TopicMap } from "./documents_map.js";
import { Reader } from "./documents_reader.js";
import { Shelf } from "./documents_shelf.js";
import { Follower } from "./follower.js";
import { loadStyle, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";
import { percent } from "./numbers.js";
import { Poller } from "./poller.js";
import { Words } from "./words.js";

/** @import { DocumentsData, DocumentsPage, Overview, Picked, Query, Topic } from "./documents_types.js" */
/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Frame, RunHeader, Theme } from "./server.js" */

const AGAIN_AFTER = 150, NARROW = 760;

export const { show, leave } = mounted((place, { data }, lifetime) => new DocumentsView(rootOf(place), data, lifetime));

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

/** @implements {DocumentsPage} */
class DocumentsView {
  /** @type {number | null} the topic that is picked, */
  topic = null;
  /** @type {number | null} the class, */
  group = null;
  taken = false; // and whether documents taken for the class are meant
  chosen = false; // whether somebody has picked anything
  /** @type {Overview | null} */
  now = null;
  /** @type {Overview | null} what the run before had come to */
  before = null;
  /** @type {string | null} the run whose topics are on show, */
  source = null;
  /** @type {string | null} the one that is asked about, */
  asked = null;
  /** @type {string | null} and one that is no longer kept, as the page has been told */
  told = null;
  base = "";
  /** @type {Theme} */
  theme = "light";
  first = true;
  /** @type {Component<DocumentsData>["setTriggerValue"]} */
  tell = () => {};

  /**
   * @param {HTMLElement} root
   * @param {DocumentsData} data
   * @param {Lifetime} lifetime
   */
  constructor(root, data, lifetime) {
    this.root = root;
    this.data = data;
    root.innerHTML = LAYOUT;
    this.docs = find(root, ".docs");
    this.facts = find(root, ".facts");
    this.words = new Words(find(root, ".grid"), { onPick: (topic) => this.pick({ topic: topic === this.topic ? null : topic }) });
    this.map = new TopicMap(find(root, ".map-place"), this);
    this.classes = new Classes(find(root, ".classes"), this);
    this.finder = new Finder(find(root, ".finder"), this);
    this.shelf = new Shelf(find(root, ".shelf"), this);
    this.reader = new Reader(find(root, ".reader"), this);
    /** @type {Poller<Overview>} */
    this.poller = new Poller({
      every: AGAIN_AFTER,
      take: (now) => { this.take(now); return !now.ended; },
      gone: () => this.gone(),
      refused: (words) => { this.facts.textContent = words; },
    }, lifetime);
    this.follower = new Follower({
      address: () => `${this.base}partwise/live/${this.data.run}?${new URLSearchParams({ view: this.data.view })}`,
      run: () => this.data.run,
      turns: () => this.data.turns,
      take: (frame) => this.followed(frame),
      back: () => this.asItWas(),
      refused: (words) => { if (words) this.facts.textContent = words; },
    }, lifetime);
    loadStyle(root, "./words.css");
    loadStyle(root, "./documents.css", () => this.map.draw());
    lifetime.resized(() => {
      this.docs.classList.toggle("narrow", root.clientWidth < NARROW);
      this.map.draw();
    }, root);
  }

  /** @param {Component<DocumentsData>} component */
  update({ data, base, setTriggerValue }) {
    const { first, data: previous } = this;
    Object.assign(this, { data, base, first: false, tell: setTriggerValue, theme: themeOf(this.root) });
    this.docs.dataset.theme = this.theme; // the style goes by it
    this.docs.style.setProperty("--method", data.colour[this.theme]);
    find(this.root, ".name").textContent = data.title;
    if (first || data.ground !== previous.ground) this.begin();
    else if (data.run !== previous.run && this.now) this.before = this.now;
    this.shelf.update();
    const another = first || data.run !== previous.run;
    this.follower.drawn(another);
    if (another) this.asItWas();
    else if (this.now && !this.follower.holding) this.draw(this.now);
    this.follow();
  }

  /** Other documents: nothing of what was picked means anything there. */
  begin() {
    Object.assign(this, { topic: null, group: null, taken: false, chosen: false, now: null, before: null, source: null });
    for (const name of ["shown", "status"]) delete this.root.dataset[name];
    this.docs.classList.add("empty");
    this.words.show([]);
    for (const piece of [this.map, this.classes, this.finder, this.shelf, this.reader]) piece.clear();
  }

  /**
   * What a question was answered; null if the run is gone or another one is looked at by now. It is asked of the run
   * whose topics are on show: a new one has none to begin with.
   * @template Answer
   * @param {string} path
   * @param {Query} [query]
   * @returns {Promise<Answer | null>}
   */
  async ask(path, query = {}) {
    const run = this.source;
    if (!run) return null;
    const answer = await fetch(this.address(run, path, query));
    if (run !== this.source) return null;
    if (answer.status === 404 && !path.startsWith("/document/")) this.gone();
    return answer.ok ? answer.json() : null;
  }

  /**
   * @param {string} run
   * @param {string} path
   * @param {Query} query
   */
  address(run, path, query) {
    const asked = Object.entries({ beside: this.data.beside, ...query }).filter(([, value]) => value !== null && value !== "");
    return `${this.base}partwise/topics/${run}${path}?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}`;
  }

  gone() {
    if (this.told !== this.data.run) this.tell("gone", this.data.run);
    this.told = this.data.run;
  }

  /** Ask for the topics, again and again until the run has ended: each is answered when there is something new. */
  follow() {
    const { run, ground, beside } = this.data;
    if (!run) return this.poller.stop();
    this.poller.follow(`${run} ${ground} ${beside}`, (last) => {
      this.asked = run;
      return this.address(run, "", { seen: last?.seen ?? "" });
    });
  }

  /** @param {Overview} now */
  take(now) {
    Object.assign(this.root.dataset, { status: now.status, iteration: now.iteration }); // tests wait for them
    this.describe(now);
    this.docs.classList.toggle("empty", !now.topics.length && !this.now);
    if (!now.topics.length) return;
    this.now = now;
    this.source = this.asked;
    if (this.topic !== null && this.topic >= now.topics.length) this.topic = null;
    // Before the end topics still change their meaning; then the heaviest one is a good one to begin with.
    if (now.ended && !this.chosen && this.group === null) this.topic = heaviest(now.topics);
    if (!this.follower.holding) this.draw(now);
    if (!this.shelf.total || now.ended) this.shelf.load();
    if (now.ended) this.reader.again();
    this.root.dataset.shown = this.source ?? "";
  }

  /** @param {Overview} now */
  draw({ topics, beside }) {
    this.words.show(topics.map((topic) => topic.words), {
      titles: topics.map((topic) => topic.title),
      notes: topics.map((topic) => `${(100 * topic.share).toFixed(0)} % of all · main topic of ${topic.main_of}`),
      picked: this.topic,
      colours: topics.map((_, index) => this.colourOf(index)),
      beside: beside?.topics,
      heads: [this.data.view, beside?.view ?? ""],
    });
    this.map.draw();
    this.classes.draw();
    this.shelf.headline();
  }

  /**
   * The topics while a hand holds the sliders: the map, the classes and the documents wait until it lets go.
   * @param {Frame<RunHeader>} frame
   */
  followed({ header: { words, iteration, topics, turned } }) {
    if (!words) return;
    this.docs.classList.add("following");
    this.words.show(words, {
      titles: words.map((own, index) => own.slice(0, 3).map(([word]) => word).join(", ") || `topic ${index + 1}`),
      colours: words.map((_, index) => this.colourOf(index)),
      beside: this.data.beside ? words.map(() => []) : null,
      heads: [this.data.view, this.data.beside ?? ""],
    });
    const first = topics && topics > words.length ? `the first ${words.length} of ${topics} topics · ` : "";
    this.facts.textContent = `${first}iteration ${iteration} · ${this.data.following}`;
    this.root.dataset.followed = String(turned); // for tests
  }

  /** Nothing is held: what the run has come to. */
  asItWas() {
    this.docs.classList.remove("following");
    if (!this.now) return;
    this.draw(this.now);
    this.describe(this.now);
  }

  /** @param {Overview} now */
  describe(now) {
    if (this.follower.holding) return;
    const facts = [];
    if (now.status === "waiting") facts.push(now.state);
    else if (!now.topics.length && !now.ended) facts.push("getting ready; the first topics come in a moment");
    else facts.push(`iteration ${now.iteration}`, now.ended ? now.state : "");
    if (now.accuracy !== null && now.accuracy !== undefined) facts.push(recognised(now, now.accuracy, this.before?.accuracy));
    if (now.message) facts.push(now.message);
    if (now.note) facts.push(now.note);
    this.facts.textContent = facts.filter(Boolean).join(" · ");
    this.facts.classList.toggle("wrong", now.badly);
  }

  /**
   * Show the documents of a topic, of a class, or of both.
   * @param {Picked} picked
   */
  pick({ topic = this.topic, group = this.group, taken = false }) {
    Object.assign(this, { topic, group, taken, chosen: true });
    this.shelf.leaveSearch();
    if (this.now) this.draw(this.now);
    this.shelf.load();
    if (this.reader.row !== null) this.reader.again();
  }

  /**
   * @param {number} row
   * @param {{ scroll?: boolean }} [options]
   */
  open(row, { scroll = true } = {}) {
    this.reader.open(row);
    if (scroll && this.docs.classList.contains("narrow")) find(this.root, ".reader").scrollIntoView({ block: "start", behavior: "smooth" });
  }

  /** @param {number} topic */
  colourOf(topic) {
    const palette = this.data.palette[this.theme];
    return palette[topic % palette.length];
  }

  /** @param {number} topic */
  titleOf(topic) { return this.now?.topics[topic]?.title ?? ""; }
}

/** @param {Topic[]} topics */
function heaviest(topics) {
  return topics.reduce((best, topic, index) => (topic.share > topics[best].share ? index : best), 0);
}

/**
 * @param {Pick<Overview, "labelled" | "ended">} now
 * @param {number} accuracy
 * @param {number | null} [before] the accuracy of the run before
 */
export function recognised({ labelled, ended }, accuracy, before) {
  const other = ended && typeof before === "number" && percent(before) !== percent(accuracy);
  return `${labelled} labelled; ${percent(accuracy)}${other ? ` (before: ${percent(before)})` : ""} of the others taken for what they are`;
}
