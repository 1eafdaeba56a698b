// The parts of one method: forming, then to be explored and switched off one by one.

import { unpack } from "./blocks.js";
import { decode, paint } from "./frame.js";
import { Lifetime } from "./lifetime.js";
import { line } from "./lines.js";
import { Sheet } from "./sheet.js";
import { Line } from "./socket.js";
import { Words } from "./words.js";

const LAYOUT = `
  <h4><i></i><span class="title"></span> <span class="mean quiet"></span></h4>
  <div class="stage"><div class="place"></div><div class="note" role="status"></div></div>
  <p class="facts quiet"></p>
  <div class="switches"></div>
  <div class="rebuilt">
    <div class="heads"><span>original</span><span>all parts</span><span>parts left on</span></div>
    <div class="picture-place"><canvas role="img"></canvas><div class="lines"></div></div>
    <p class="words-of" role="status"></p>
  </div>
  <div class="part">
    <div class="head"><b></b><button type="button" class="toggle" hidden></button></div>
    <p class="quiet who"></p>
    <div class="users-place"><canvas role="img" tabindex="-1" hidden></canvas><ul></ul></div>
    <p class="quiet by"></p>
  </div>`;

export class Column {
  constructor(page) {
    this.page = page;
    this.box = document.createElement("section");
    this.box.className = "basis";
    this.box.innerHTML = LAYOUT;
    this.find = (selector) => this.box.querySelector(selector);
    this.off = new Set();
    this.lifetime = new Lifetime();
    this.line = new Line({
      question: () => "next",
      take: (buffer) => this.watch(buffer).then(() => 0),
      gone: () => page.tell(`gone ${this.method.run}`),
      refused: (words) => this.say(words, true),
      online: (there) => there || this.header || this.say("The server is not reachable just now …"),
    }, this.lifetime);
    this.find(".toggle").onclick = () => this.toggle(this.picked);
    this.find(".users-place canvas").onclick = (event) => this.pickUser(event);
  }

  // `off` says which parts are off when the data are others than before; null leaves it to the hand.
  update(method, off) {
    const { theme, data } = this.page;
    const before = this.method, other = before?.run !== method.run;
    const reload = other || theme !== this.theme || data.order !== this.order || data.view !== this.view;
    Object.assign(this, { method, theme, order: data.order, view: data.view });
    this.box.style.setProperty("--method", method.colour[theme]);
    this.box.style.setProperty("--shape", data.shape ? data.shape[1] / data.shape[0] : 1);
    this.box.classList.toggle("wordy", data.kind === "words");
    this.find(".title").textContent = method.title;
    if (off) this.off = new Set(off);
    else if (before && other) this.off = new Set();
    if (other) this.clear();
    if (method.refusal) this.say(method.refusal, method.wrong);
    else if (reload) this.header && !other ? this.load() : this.connect();
  }

  clear() {
    this.header = null;
    this.picked = null;
    this.sheet = this.words = null;
    this.find(".place").replaceChildren();
    for (const name of [".mean", ".facts", ".words-of", ".who", ".by", ".head b"]) this.find(name).textContent = "";
    this.find(".switches").replaceChildren();
    this.find(".lines").replaceChildren();
    this.find(".users-place ul").replaceChildren();
    this.find(".users-place canvas").hidden = true;
    this.box.dataset.state = "forming";
    delete this.box.dataset.error;
    this.line.close();
    if (!this.method.refusal) this.say("getting ready …");
  }

  say(words, wrong = false) {
    const note = this.find(".note");
    note.textContent = words;
    note.hidden = !words;
    note.classList.toggle("wrong", wrong);
    note.setAttribute("role", wrong ? "alert" : "status");
    if (wrong || this.method.refusal || this.header?.none) this.box.dataset.state = wrong ? "refused" : "none";
  }

  // While the run is under way its frames come as on the live page.
  connect() {
    const { method, view, theme } = this;
    const query = new URLSearchParams({ theme, ...(view ? { view } : {}) });
    this.line.open(() => `${this.page.base}partwise/live/${method.run}?${query}`);
  }

  async watch(buffer) {
    const run = this.method.run, { header, parts } = unpack(buffer);
    if (header.ended) {
      this.line.close();
      this.load();
      return this.page.tell(`ended ${run}`);
    }
    if (header.words) {
      this.lay(header);
      this.words.show(header.words);
      this.say("");
    } else if (this.page.data.kind === "images" && parts.length) {
      this.sheet ??= new Sheet(this.find(".place"));
      const shown = { ...header, label: `Parts of ${this.method.title} forming`, tips: [] };
      if (await this.sheet.take(shown, parts, () => run === this.method.run && !this.header)) this.say("");
    } else this.say(`forming … iteration ${header.iteration}`);
    if (!this.header) this.find(".mean").textContent = `forming: iteration ${header.iteration}`;
  }

  async ask(what, query = {}) {
    const address = new URL(`${this.page.base}partwise/basis/${this.method.run}/${what}`);
    const all = { theme: this.theme, ...(this.view ? { view: this.view } : {}), ...query };
    for (const [name, value] of Object.entries(all)) address.searchParams.set(name, value);
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(await answer.text());
    return unpack(await answer.arrayBuffer());
  }

  async load() {
    const mine = (this.loading = {}), run = this.method.run;
    try {
      const { header, parts } = await this.ask("parts", { order: this.order });
      if (mine !== this.loading || run !== this.method.run) return;
      header.tips ??= [];
      this.header = header;
      if (header.none) return this.say(header.none, header.wrong);
      this.say("");
      await this.lay(header, parts);
      this.find(".mean").textContent = header.mean;
      this.find(".facts").textContent = header.facts;
      this.makeSwitches();
      this.box.dataset.state = "done";
      this.redraw();
      this.rebuild();
      this.describe();
    } catch (problem) {
      if (mine === this.loading) this.say(problem.message || "Not reachable just now: reload the page.", true);
    }
  }

  lay(header, parts) {
    if (header.words) {
      if (!this.words) {
        this.sheet = null;
        this.find(".place").replaceChildren();
        this.words = new Words(this.find(".place"), { onPick: (index) => this.pick(index) });
      }
      return;
    }
    this.sheet ??= new Sheet(this.find(".place"));
    this.sheet.onPick = (index) => this.pick(index);
    return this.sheet.take(header, parts);
  }

  redraw() {
    if (!this.header || this.header.none) return;
    const numbers = this.header.numbers, place = numbers.indexOf(this.picked);
    const off = numbers.map((number) => this.off.has(number));
    if (this.words) {
      const { words, tips, marks } = this.header;
      const titles = numbers.map((number) => `part ${number + 1}`);
      this.words.show(words, { titles, notes: tips.map((tip) => tip.split(" · ").slice(1).join(" · ")), marks, picked: place });
      this.words.cards.forEach(({ box }, index) => box.classList.toggle("off", off[index]));
    } else if (this.sheet?.header) {
      Object.assign(this.sheet.header, { off, picked: place });
      this.sheet.draw();
    }
  }

  // The first click chooses a part, the next one on the same part switches it off or on.
  pick(index) {
    const number = this.header.numbers[index];
    if (number === this.picked) return this.toggle(number);
    this.picked = number;
    this.redraw();
    this.describe();
  }

  toggle(number) {
    if (number === null || !this.header?.rebuilds) return;
    if (!this.off.delete(number)) this.off.add(number);
    this.switched();
  }

  switched() {
    this.redraw();
    this.nameToggle();
    this.rebuild();
    this.page.remember();
  }

  makeSwitches() {
    const { count, rebuilds, discriminative: q } = this.header, all = [...Array(count).keys()];
    const sets = { "All on": [], "All off": all };
    if (q && q < count) {
      sets["Only U¹"] = all.slice(q);
      sets["Only U²"] = all.slice(0, q);
    }
    const buttons = Object.entries(rebuilds ? sets : {}).map(([words, off]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = words;
      button.onclick = () => { this.off = new Set(off); this.switched(); };
      return button;
    });
    this.find(".switches").replaceChildren(...buttons);
  }

  nameToggle() {
    const button = this.find(".toggle"), off = this.off.has(this.picked);
    button.hidden = this.picked === null || !this.header?.rebuilds;
    button.textContent = off ? "Switch on" : "Switch off";
    button.setAttribute("aria-pressed", String(off));
  }

  async rebuild() {
    if (!this.header || this.header.none) return;
    if (!this.header.rebuilds) {
      this.find(".words-of").textContent = this.header.obstacle;
      this.box.classList.add("sumless");
      return;
    }
    this.box.classList.remove("sumless");
    this.stale = true;
    if (this.rebuilding) return; // the one under way looks again when it is done
    this.rebuilding = true;
    try {
      while (this.stale) {
        this.stale = false;
        const run = this.method.run;
        const found = await this.ask("rebuilt", { sample: this.page.sample, off: [...this.off].join(",") });
        if (run === this.method.run) await this.showRebuilt(found);
      }
    } catch (problem) {
      this.find(".words-of").textContent = problem.message;
    } finally {
      this.rebuilding = false;
    }
  }

  async showRebuilt({ header, parts }) {
    const bitmap = await decode(parts);
    if (bitmap) paint(this.find(".picture-place canvas"), bitmap);
    this.find(".picture-place canvas").hidden = !bitmap;
    this.find(".picture-place canvas").setAttribute("aria-label", `${header.name}: original, all parts, parts left on. ${header.words}`);
    this.find(".lines").replaceChildren(...(header.lines ?? []).map(line));
    this.find(".words-of").textContent = header.words;
    this.box.dataset.error = header.left_error.toFixed(4);
    this.page.name(header.name);
  }

  async describe() {
    this.nameToggle();
    this.box.classList.toggle("asked", this.picked !== null);
    if (this.picked === null) {
      const how = this.header.rebuilds ? "; click it again to switch it off" : "";
      this.find(".who").textContent = `Click a part to see who uses it most${how}.`;
      return;
    }
    const picked = this.picked;
    this.find(".head b").textContent = `Part ${picked + 1}`;
    const facts = this.header.tips[this.header.numbers.indexOf(picked)].split(" · ").slice(1).join(" · ");
    this.find(".who").textContent = `${facts}. Used most by, one by one:`;
    try {
      const { header, parts } = await this.ask("users", { part: picked });
      const bitmap = await decode(parts);
      if (picked !== this.picked) return;
      this.users = header;
      const canvas = this.find(".users-place canvas");
      canvas.hidden = !bitmap;
      if (bitmap) paint(canvas, bitmap);
      canvas.setAttribute("aria-label", `Used most by ${header.names.join(", ")}`);
      canvas.title = "Click one to see it rebuilt";
      this.find(".by").textContent = bitmap ? header.classes : "";
      this.find(".users-place ul").replaceChildren(...(bitmap ? [] : header.names.map((name, at) => this.user(name, at))));
    } catch (problem) {
      this.find(".who").textContent = problem.message;
    }
  }

  user(name, at) {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.onclick = () => this.page.choose(this.users.places[at]);
    item.append(button);
    return item;
  }

  pickUser(event) {
    if (!this.users) return;
    const canvas = event.currentTarget.getBoundingClientRect(), { columns } = this.users.parts;
    const place = this.users.places[Math.floor(((event.clientX - canvas.left) / canvas.width) * columns)];
    if (place !== undefined) this.page.choose(place);
  }

  close() {
    this.lifetime.end();
    this.box.remove();
  }
}
