// The parts of one method while they form, or while they follow a hand: frames come as on the live page.

import { unpack } from "./blocks.js";
import { find, setText } from "./dom.js";
import { Follower } from "./follower.js";
import { Line } from "./socket.js";

/** @import { Column } from "./basis.js" */
/** @import { Lifetime } from "./lifetime.js" */
/** @import { Frame, RunHeader, Turns } from "./server.js" */

/** @type {Turns} */
const NONE = { of: [], along: {} };

export class Forming {
  /**
   * @param {Column} column
   * @param {Lifetime} lifetime
   */
  constructor(column, lifetime) {
    this.column = column;
    this.line = new Line({
      question: () => "next",
      take: (buffer) => this.watch(unpack(buffer)).then(() => 0),
      gone: () => column.page.tell(`gone ${column.method?.run}`),
      refused: (words) => column.say(words, true),
      online: (there) => { if (!there && !column.header) column.say("The server is not reachable just now …"); },
    }, lifetime);
    this.follower = new Follower({
      address: () => this.address(),
      run: () => column.method?.run ?? null,
      turns: () => column.method?.turns ?? NONE,
      take: (frame) => this.follow(frame),
      back: () => this.back(),
      refused: (words) => { if (words) this.told(words); },
    }, lifetime);
  }

  address() {
    const { page, method, theme, view } = this.column, query = new URLSearchParams({ theme, ...(view ? { view } : {}) });
    return `${page.base}partwise/live/${method?.run}?${query}`;
  }

  connect() { this.line.open(() => this.address()); }

  /** @param {boolean} another whether the column shows another run from now on */
  drawn(another) {
    this.follower.drawn(another);
    if (another) {
      this.line.close();
      this.column.box.classList.remove("following");
    }
  }

  /** @param {Frame<RunHeader>} frame */
  async watch(frame) {
    const { column } = this, run = column.method?.run, { header } = frame;
    if (header.ended) {
      this.line.close();
      column.load();
      return column.page.tell(`ended ${run}`);
    }
    if (this.follower.holding) return;
    await this.paint(frame, `Parts of ${column.method?.title} forming`, () => run === column.method?.run && !column.header);
    if (!column.header) this.told(`forming: iteration ${header.iteration}`);
  }

  /** @param {Frame<RunHeader>} frame of the fit that follows a hand */
  async follow(frame) {
    const { column } = this;
    await this.paint(frame, `Parts of ${column.method?.title}, following your hand`, () => this.follower.holding);
    if (!this.follower.holding) return;
    column.box.classList.add("following");
    column.box.dataset.followed = String(frame.header.turned); // for tests
    this.told(`iteration ${frame.header.iteration}`);
    this.explain(column.page.data.following);
  }

  /**
   * @param {Frame<RunHeader>} frame
   * @param {string} label
   * @param {() => boolean} current
   */
  async paint({ header, parts }, label, current) {
    const { column } = this;
    if (header.words) {
      column.asWords().show(header.words);
      column.say("");
    } else if (column.page.data.kind === "images" && parts.length) {
      if (await column.asSheet().take({ parts: header.parts, label, tips: [] }, parts, current)) column.say("");
    } else if (!column.header) column.say(`forming … iteration ${header.iteration}`);
  }

  /** The hand has let go without moving anything: the parts are as they were. */
  back() {
    const { column } = this;
    column.box.classList.remove("following");
    this.explain("");
    if (column.header) column.load();
  }

  /** @param {string} words in the place of facts of the parts that are not on show just now */
  explain(words) { setText(find(this.column.box, ".facts"), words); }

  /** @param {string} words */
  told(words) { find(this.column.box, ".mean").textContent = words; }
}
