// A sample rebuilt from all parts of a method, and from those left on; and the samples that use a part most.

import { element, find, messageOf } from "./dom.js";
import { paint } from "./frame.js";
import { line } from "./lines.js";
import { StripAsker } from "./strip_asker.js";
import { Strip } from "./strip.js";

/** @import { BasesPage, RebuiltHeader, UsersHeader } from "./bases_types.js" */
/** @import { SheetOf } from "./server.js" */
/** @typedef {<Header>(what: string, query?: Record<string, string | number>) => Promise<SheetOf<Header>>} Ask */

const MOST = 5;

export class RebuiltSample {
  stale = false;
  busy = false;

  /**
   * @param {HTMLElement} box
   * @param {BasesPage} page
   * @param {Ask} ask
   * @param {(part: number, out: boolean) => void} put a part was taken out of the strip, or put back
   */
  constructor(box, page, ask, put) {
    this.box = box;
    this.page = page;
    this.ask = ask;
    this.strip = new Strip(find(box, ".strip-place"), MOST, { onPart: put, plain: true });
    this.taking = new StripAsker((apart) => this.strip.show(apart, page.data.kind === "images" ? "picture" : "sample"));
    this.words = find(box, ".words-of");
    this.lines = find(box, ".lines");
  }

  clear() {
    this.words.textContent = "";
    this.lines.replaceChildren();
    this.taking.forget();
    this.strip.show(null);
    delete this.box.dataset.error;
  }

  /**
   * Shows the sample of the page; one question is under way at a time, and the latest wins.
   * @param {() => Iterable<number>} off the parts that are off
   * @param {() => unknown} run what it is about; an answer about another one is dropped
   * @param {string | null} view of the data
   */
  async refresh(off, run, view) {
    this.stale = true;
    this.takeApart(new Set([...off()].map(String)), run(), view);
    if (this.busy) return; // the one under way looks again when it is done
    this.busy = true;
    try {
      while (this.stale) {
        this.stale = false;
        const asked = run();
        /** @type {SheetOf<RebuiltHeader>} */
        const answer = await this.ask("rebuilt", { sample: this.page.sample, off: [...off()].join(",") });
        if (asked === run()) this.show(answer);
      }
    } catch (problem) {
      this.words.textContent = messageOf(problem);
    } finally {
      this.busy = false;
    }
  }

  /**
   * @param {Set<string>} off
   * @param {unknown} run
   * @param {string | null} view
   */
  takeApart(off, run, view) {
    if (this.strip.off.has("rest")) off.add("rest");
    if (this.strip.off.has("mean")) off.add("mean");
    this.strip.off = off;
    const parts = [...off].filter((id) => !isNaN(Number(id))).join(",");
    const query = new URLSearchParams({ sample: String(this.page.sample), most: String(MOST), off: parts, ...(view ? { view } : {}) });
    this.taking.ask(`${this.page.base}partwise/strip/${run}?${query}`);
  }

  /** @param {SheetOf<RebuiltHeader>} answer */
  show({ header }) {
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
