// What the views of a run of several views have in common: they ask about it until it has ended, and about the fit
// that is on show while a hand holds its sliders.

import { themeOf } from "./frame.js";
import { Poller } from "./poller.js";
import { Teller } from "./teller.js";
import { WISHES } from "./wishes.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Themed, Turns, WeighedWord } from "./server.js" */
/** @import { Followed, Turned } from "./wishes.js" */
/**
 * What Python says of the run (`ui.views.page`).
 * @typedef {object} ViewsData
 * @property {string} run
 * @property {string} preparing what is said of a run that gets ready
 * @property {string[]} views
 * @property {Themed<string[]>} palette
 * @property {string[]} words the views whose words are shown; none for the course of weights
 * @property {boolean} ended for which state of the run the page was drawn
 * @property {boolean} printed whether the run goes by the rule as it was printed
 * @property {Turns} turns the sliders it follows by itself, none where another view of the page does
 * @property {string} following what is said while a fit that follows a hand is on show
 */
/**
 * How the run is doing, a row an iteration that was kept (`ui.views.answers`).
 * @typedef {object} Course
 * @property {string} id
 * @property {string} status
 * @property {string} state the status in words
 * @property {boolean} ended
 * @property {string[]} flags
 * @property {string[]} views
 * @property {number[]} iterations
 * @property {number[][]} weights
 * @property {(number | null)[][]} errors null where one is no number
 * @property {Record<string, WeighedWord[][]>} words
 * @property {number | null} limit
 * @property {number | null} score
 * @property {number | null} turning
 */

export class Asking {
  /** @type {Course | null} */
  told = null;
  /** @type {string | null} a run that is no longer kept */
  lost = null;
  /** @type {string | null} the fit that is on show while a hand holds the sliders of the run */
  by = null;
  base = "";
  /** @type {string[]} */
  colours = [];
  /** @type {Component<ViewsData>["setTriggerValue"]} */
  setTriggerValue = () => {};

  /**
   * @param {HTMLElement} root
   * @param {ViewsData} data
   * @param {Lifetime} lifetime
   * @param {number} every milliseconds between an answer and the next question
   */
  constructor(root, data, lifetime, every) {
    this.root = root;
    this.data = data;
    this.teller = new Teller(() => this.news(), (news) => this.setTriggerValue("changed", news), lifetime);
    /** @type {Poller<Course>} */
    this.poller = new Poller({
      every,
      take: (told) => this.take(told),
      gone: () => this.gone(),
      refused: (words) => { root.textContent = words; },
    }, lifetime);
    lifetime.listen(document, WISHES.followed, (/** @type {CustomEvent<Followed>} */ { detail }) => {
      if (detail.of === this.data.run) this.watch(detail.by);
    });
    lifetime.listen(document, WISHES.turn, (/** @type {CustomEvent<Turned>} */ { detail }) => {
      if (detail.hand === "back") this.watch(null);
    });
  }

  /** @param {Component<ViewsData>} component */
  update({ data, base, setTriggerValue }) {
    Object.assign(this, { data, base, setTriggerValue, colours: data.palette[themeOf(this.root)] });
    if (this.told) this.draw(this.told);
    this.watch(null);
  }

  /** @param {string | null} by the fit to be shown in place of the run */
  watch(by) {
    this.by = by;
    const query = new URLSearchParams(this.data.words.map((view) => ["words", view]));
    this.poller.follow(`${this.base}partwise/views/${by ?? this.data.run}?${query}`);
  }

  gone() {
    if (this.by) return this.watch(null);
    this.lost = this.data.run;
    this.teller.look();
  }

  /** @param {Course} told */
  take(told) {
    this.told = told;
    this.draw(told);
    Object.assign(this.root.dataset, { run: told.id, by: this.by ?? "", status: told.status, iteration: told.iterations.at(-1) ?? -1 }); // for tests
    this.teller.look();
    return !told.ended;
  }

  /**
   * @abstract
   * @param {Course} _told
   */
  draw(_told) { throw new Error("Each view draws what it shows."); }

  /** The page was drawn for a run that had ended or had not; when it is otherwise, the page must know. */
  news() {
    const { data, lost, told } = this;
    if (lost === data.run) return lost;
    return told?.id === data.run && told.ended !== data.ended && `${told.id} ${told.status}`;
  }
}
