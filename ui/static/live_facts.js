// The line above a run: how far it is, what it has reached, whether it still hears from the server.

import { element, find, setText } from "./dom.js";
import { OFFLINE } from "./messages.js";
import { short } from "./numbers.js";

/** @import { Reading } from "./curve.js" */
/** @import { PicturesHeader, RunHeader } from "./server.js" */
/** @typedef {[before: string, value: string, after?: string]} Fact the value is set off */

export class Facts {
  online = true;
  /** @type {{ place: HTMLElement, before: Text, value: HTMLElement, after: Text }[]} words stay, numbers change */
  shown = [];

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.line = find(root, ".facts");
    this.state = find(root, ".state");
    this.warning = find(root, ".warning");
  }

  clear() {
    this.shown = [];
    this.line.textContent = this.warning.textContent = "";
    this.say("");
  }

  /** @param {string} words read out by screen readers */
  say(words) { setText(this.state, words); }

  /**
   * @param {RunHeader} header
   * @param {Reading | null} reading what the curve says of the iteration shown
   * @param {PicturesHeader["scores"] | null} scores what the method has reached there
   * @param {number | null} back the iteration that is gone back to
   */
  show(header, reading, scores, back) {
    const facts = reading ? factsOf(header, reading, scores, back ?? header.iteration) : [];
    while (this.shown.length < facts.length) this.shown.push(this.another());
    for (const { place } of this.shown.splice(facts.length)) place.remove();
    facts.forEach(([before, value, after = ""], index) => {
      const fact = this.shown[index];
      setText(fact.before, before);
      setText(fact.value, value);
      setText(fact.after, after);
    });
    this.warning.textContent = header.flags.join(" ");
    this.say(this.stateOf(header));
  }

  /** A place for one more fact. */
  another() {
    const place = element("span"), before = new Text(), value = element("b"), after = new Text();
    place.append(this.shown.length ? " · " : "", before, value, after);
    this.line.append(place);
    return { place, before, value, after };
  }

  /** @param {RunHeader | null} header */
  stateOf(header) {
    return this.online ? header?.state ?? "" : OFFLINE;
  }

  /**
   * @param {boolean} online
   * @param {RunHeader | null} header
   */
  setOnline(online, header) {
    this.online = online;
    this.root.classList.toggle("offline", !online);
    if (header || !online) this.say(this.stateOf(header));
  }
}

/**
 * @param {Pick<RunHeader, "closed" | "limit">} run
 * @param {Reading} reading
 * @param {PicturesHeader["scores"] | null} scores
 * @param {number} at
 * @returns {Fact[]}
 */
export function factsOf({ closed, limit }, reading, scores, at) {
  /** @type {Fact[]} */
  const facts = [
    [`${closed ? "stage" : "iteration"} `, String(at), limit && !closed ? ` of ${limit}` : ""],
    ["objective ", short(reading.objective)],
  ];
  if (at > 0 && !closed) facts.push([`${short((1000 * reading.seconds) / at)} ms each`, ""]);
  const recognised = scores?.accuracy_euclidean;
  if (recognised !== undefined) facts.push(["recognised ", `${(100 * recognised).toFixed(0)} %`, at === 0 && !closed ? " before any step" : ""]);
  return facts;
}
