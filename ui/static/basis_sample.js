// A sample rebuilt from all parts of a method, and from those left on; and the samples that use a part most.

import { element, find, messageOf } from "./dom.js";
import { decode, paint } from "./frame.js";
import { line } from "./lines.js";

/** @import { BasesPage, RebuiltHeader, UsersHeader } from "./bases_types.js" */
/** @import { SheetOf } from "./server.js" */
/** @typedef {<Header>(what: string, query?: Record<string, string | number>) => Promise<SheetOf<Header>>} Ask */

export class RebuiltSample {
  stale = false;
  busy = false;

  /**
   * @param {HTMLElement} box
   * @param {BasesPage} page
   * @param {Ask} ask
   */
  constructor(box, page, ask) {
    this.box = box;
    this.page = page;
    this.ask = ask;
    this.canvas = find(box, ".picture-place canvas", HTMLCanvasElement);
    this.words = find(box, ".words-of");
    this.lines = find(box, ".lines");
  }

  clear() {
    this.words.textContent = "";
    this.lines.replaceChildren();
    delete this.box.dataset.error;
  }

  /**
   * Shows the sample of the page; one question is under way at a time, and the latest wins.
   * @param {() => Iterable<number>} off the parts that are off
   * @param {() => unknown} run what it is about; an answer about another one is dropped
   */
  async refresh(off, run) {
    this.stale = true;
    if (this.busy) return; // the one under way looks again when it is done
    this.busy = true;
    try {
      while (this.stale) {
        this.stale = false;
        const asked = run();
        /** @type {SheetOf<RebuiltHeader>} */
        const answer = await this.ask("rebuilt", { sample: this.page.sample, off: [...off()].join(",") });
        if (asked === run()) await this.show(answer);
      }
    } catch (problem) {
      this.words.textContent = messageOf(problem);
    } finally {
      this.busy = false;
    }
  }

  /** @param {SheetOf<RebuiltHeader>} answer */
  async show({ header, parts }) {
    const bitmap = await decode(parts), { canvas } = this;
    if (bitmap) paint(canvas, bitmap);
    canvas.hidden = !bitmap;
    canvas.setAttribute("aria-label", `${header.name}: original, all parts, parts left on. ${header.words}`);
    this.lines.replaceChildren(...(header.lines ?? []).map(line));
    this.words.textContent = header.words;
    this.box.dataset.error = header.left_error.toFixed(4); // read by tests
    this.page.name(header.name);
  }
}

export class PartUsers {
  /** @type {UsersHeader | null} */
  shown = null;

  /**
   * @param {HTMLElement} box
   * @param {BasesPage} page
   */
  constructor(box, page) {
    this.page = page;
    this.canvas = find(box, ".users-place canvas", HTMLCanvasElement);
    this.list = find(box, ".users-place ul");
    this.classes = find(box, ".by");
    this.canvas.onclick = (event) => this.pick(event);
  }

  clear() {
    this.classes.textContent = "";
    this.list.replaceChildren();
    this.canvas.hidden = true;
  }

  /**
   * @param {UsersHeader} users
   * @param {ImageBitmap | null} bitmap
   */
  show(users, bitmap) {
    const { canvas } = this;
    this.shown = users;
    canvas.hidden = !bitmap;
    if (bitmap) paint(canvas, bitmap);
    canvas.setAttribute("aria-label", `Used most by ${users.names.join(", ")}`);
    canvas.title = "Click one to see it rebuilt";
    this.classes.textContent = bitmap ? users.classes : "";
    this.list.replaceChildren(...(bitmap ? [] : users.names.map((name, at) => this.item(name, users.places[at]))));
  }

  /**
   * @param {string} name
   * @param {number} place
   */
  item(name, place) {
    const item = element("li"), button = element("button", "", name);
    button.onclick = () => this.page.choose(place);
    item.append(button);
    return item;
  }

  /** @param {MouseEvent} event */
  pick(event) {
    if (!this.shown) return;
    const box = this.canvas.getBoundingClientRect(), { parts, places } = this.shown;
    const place = places[Math.floor(((event.clientX - box.left) / box.width) * parts.columns)];
    if (place !== undefined) this.page.choose(place);
  }
}
