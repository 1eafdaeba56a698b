// The parts of one method: forming, then to be explored and switched off one by one.

import { Forming } from "./basis_forming.js";
import { PartUsers, RebuiltSample } from "./basis_sample.js";
import { unpack } from "./blocks.js";
import { element, find, messageOf } from "./dom.js";
import { decode } from "./frame.js";
import { Lifetime } from "./lifetime.js";
import { Sheet } from "./sheet.js";
import { Words } from "./words.js";

/** @import { BasesPage, BasisMethod, PartsHeader, UsersHeader } from "./bases_types.js" */
/** @import { SheetOf, Theme } from "./server.js" */

const LAYOUT = `
  <h2><i></i><span class="title"></span> <span class="mean quiet"></span></h2>
  <div class="stage"><div class="place"></div><div class="note" role="status"></div></div>
  <p class="facts quiet"></p>
  <div class="switches"></div>
  <div class="rebuilt">
    <div class="heads"><span>original</span><span>all parts</span><span>parts left on</span></div>
    <div class="lines"></div>
    <div class="strip-place"></div>
    <p class="words-of" role="status"></p>
  </div>
  <div class="part">
    <div class="head"><b></b><button type="button" class="toggle" hidden></button></div>
    <p class="quiet who"></p>
    <div class="users-place"><canvas role="img" aria-label="Nobody is shown yet" tabindex="-1" hidden></canvas><ul></ul></div>
    <p class="quiet by"></p>
  </div>`;

export class Column {
  box = element("section", "basis");
  /** @type {Set<number>} the parts that are off */
  off = new Set();
  lifetime = new Lifetime();
  /** @type {BasisMethod | null} */
  method = null;
  /** @type {Theme} */
  theme = "light";
  order = "";
  /** @type {string | null} */
  view = null;
  /** @type {PartsHeader | null} once the run has ended */
  header = null;
  /** @type {number | null} the part that is looked at */
  picked = null;
  /** @type {Sheet | null} */
  sheet = null;
  /** @type {Words | null} */
  words = null;
  loading = {};

  /** @param {BasesPage} page */
  constructor(page) {
    this.page = page;
    this.box.innerHTML = LAYOUT;
    this.place = find(this.box, ".place");
    this.note = find(this.box, ".note");
    this.who = find(this.box, ".who");
    this.rebuilt = new RebuiltSample(this.box, page, (what, query) => this.ask(what, query), (part, out) => this.put(part, out));
    this.users = new PartUsers(this.box, page);
    this.forming = new Forming(this, this.lifetime);
    find(this.box, ".toggle").onclick = () => this.toggle(this.picked);
  }

  /**
   * @param {BasisMethod} method
   * @param {number[] | null} off the parts that are off when the data are others than before; null leaves it to the hand
   */
  update(method, off) {
    const { theme, data } = this.page, before = this.method, other = before?.run !== method.run;
    const reload = other || theme !== this.theme || data.order !== this.order || data.view !== this.view;
    Object.assign(this, { method, theme, order: data.order, view: data.view });
    this.box.style.setProperty("--method", method.colour[theme]);
    this.box.style.setProperty("--shape", String(data.shape ? data.shape[1] / data.shape[0] : 1));
    this.box.classList.toggle("wordy", data.kind === "words");
    find(this.box, ".title").textContent = method.title;
    if (off) this.off = new Set(off);
    else if (before && other) this.off = new Set();
    this.forming.drawn(other);
    if (other) this.clear(method);
    if (method.refusal) this.say(method.refusal, method.wrong);
    else if (reload && this.header && !other) this.load();
    else if (reload) this.forming.connect();
  }

  /** @param {BasisMethod} method */
  clear(method) {
    this.header = this.picked = this.sheet = this.words = null;
    this.place.replaceChildren();
    for (const name of [".mean", ".facts", ".who", ".head b"]) find(this.box, name).textContent = "";
    find(this.box, ".switches").replaceChildren();
    this.rebuilt.clear();
    this.users.clear();
    this.box.dataset.state = "forming"; // read by tests, and by the style
    if (!method.refusal) this.say(this.page.data.preparing);
  }

  /** @param {string} words */
  say(words, wrong = false) {
    const { note } = this;
    note.textContent = words;
    note.hidden = !words;
    note.classList.toggle("wrong", wrong);
    note.setAttribute("role", wrong ? "alert" : "status");
    if (wrong || this.method?.refusal || this.header?.none) this.box.dataset.state = wrong ? "refused" : "none";
  }

  /**
   * @template Header
   * @param {string} what
   * @param {Record<string, string | number>} [query]
   * @returns {Promise<SheetOf<Header>>}
   */
  async ask(what, query = {}) {
    const address = new URL(`${this.page.base}partwise/basis/${this.method?.run}/${what}`);
    const all = { theme: this.theme, ...(this.view ? { view: this.view } : {}), ...query };
    for (const [name, value] of Object.entries(all)) address.searchParams.set(name, String(value));
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(await answer.text());
    return unpack(await answer.arrayBuffer());
  }

  async load() {
    const mine = (this.loading = {}), run = this.method?.run;
    try {
      /** @type {SheetOf<PartsHeader>} */
      const { header, parts } = await this.ask("parts", { order: this.order });
      if (mine !== this.loading || run !== this.method?.run) return;
      this.header = header;
      if (header.none) return this.say(header.none, header.wrong);
      this.say("");
      if (header.words) this.asWords();
      else await this.asSheet().take(header, parts);
      find(this.box, ".mean").textContent = header.mean;
      find(this.box, ".facts").textContent = header.facts;
      this.makeSwitches(header);
      this.box.dataset.state = "done";
      this.redraw();
      this.rebuild();
      this.describe();
    } catch (problem) {
      if (mine === this.loading) this.say(messageOf(problem) || "Not reachable just now: reload the page.", true);
    }
  }

  asWords() {
    if (this.words) return this.words;
    this.sheet = null;
    this.place.replaceChildren();
    return (this.words = new Words(this.place, { onPick: (index) => this.pick(index) }));
  }

  asSheet() {
    this.sheet ??= new Sheet(this.place);
    this.sheet.onPick = (index) => this.pick(index);
    return this.sheet;
  }

  redraw() {
    if (!this.header || this.header.none) return;
    const { numbers, words, tips, marks } = this.header, picked = this.picked === null ? -1 : numbers.indexOf(this.picked);
    const off = numbers.map((number) => this.off.has(number));
    if (this.words && words) {
      const titles = numbers.map((number) => `part ${number + 1}`);
      this.words.show(words, { titles, notes: tips.map(withoutNumber), marks: marks.map(Boolean), picked });
      this.words.cards.forEach(({ box }, index) => box.classList.toggle("off", off[index]));
    } else if (this.sheet?.header) {
      Object.assign(this.sheet.header, { off, picked });
      this.sheet.draw();
    }
  }

  /**
   * The first click chooses a part, the next one on the same part switches it off or on.
   * @param {number} index
   */
  pick(index) {
    if (!this.header) return;
    const number = this.header.numbers[index];
    if (number === this.picked) return this.toggle(number);
    this.picked = number;
    this.redraw();
    this.describe();
  }

  /** @param {number | null} number */
  toggle(number) {
    if (number === null || !this.header?.rebuilds) return;
    if (!this.off.delete(number)) this.off.add(number);
    this.switched();
  }

  /**
   * @param {number} part
   * @param {boolean} out whether it was taken out of the strip
   */
  put(part, out) {
    if (out) this.off.add(part);
    else this.off.delete(part);
    this.switched();
  }

  switched() {
    this.redraw();
    this.nameToggle();
    this.rebuild();
    this.page.remember();
  }

  /** @param {PartsHeader} header */
  makeSwitches({ count, rebuilds, discriminative: q }) {
    const all = [...Array(count).keys()], sets = new Map([["All on", []], ["All off", all]]);
    if (q && q < count) sets.set("Only U¹", all.slice(q)).set("Only U²", all.slice(0, q));
    const buttons = [...(rebuilds ? sets : [])].map(([words, off]) => {
      const button = element("button", "", words);
      button.onclick = () => { this.off = new Set(off); this.switched(); };
      return button;
    });
    find(this.box, ".switches").replaceChildren(...buttons);
  }

  nameToggle() {
    const button = find(this.box, ".toggle"), off = this.picked !== null && this.off.has(this.picked);
    button.hidden = this.picked === null || !this.header?.rebuilds;
    button.textContent = off ? "Switch on" : "Switch off";
    button.setAttribute("aria-pressed", String(off));
  }

  rebuild() {
    if (!this.header || this.header.none) return;
    const { rebuilds, obstacle } = this.header;
    this.box.classList.toggle("sumless", !rebuilds);
    if (rebuilds) this.rebuilt.refresh(() => this.off, () => this.method?.run, this.view);
    else find(this.box, ".words-of").textContent = obstacle;
  }

  async describe() {
    const { picked, header, who } = this;
    this.nameToggle();
    this.box.classList.toggle("asked", picked !== null);
    if (!header) return;
    if (picked === null) {
      who.textContent = `Click a part to see who uses it most${header.rebuilds ? "; click it again to switch it off" : ""}.`;
      return;
    }
    find(this.box, ".head b").textContent = `Part ${picked + 1}`;
    who.textContent = `${withoutNumber(header.tips[header.numbers.indexOf(picked)])}. Used most by, one by one:`;
    try {
      /** @type {SheetOf<UsersHeader>} */
      const users = await this.ask("users", { part: picked }), bitmap = await decode(users.parts);
      if (picked === this.picked) this.users.show(users.header, bitmap);
    } catch (problem) {
      who.textContent = messageOf(problem);
    }
  }

  close() {
    this.lifetime.end();
    this.box.remove();
  }
}

/** @param {string} tip what is said of a part, its number first */
function withoutNumber(tip) { return tip.split(" · ").slice(1).join(" · "); }
