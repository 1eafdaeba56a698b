// The one way to ask an address again and again, until there is nothing new to come.

import { pauseAfter } from "./socket.js";

/**
 * @template Answer
 * @typedef {object} Questions
 * @property {number} every milliseconds between an answer and the next question
 * @property {(answer: Answer) => boolean} take draws an answer; returns whether to go on asking
 * @property {(words: string) => void} gone what was asked about is no longer there
 * @property {(words: string) => void} [refused] the server will not answer; in its words
 */

/** @template Answer */
export class Poller {
  /** @type {string | null} */
  #key = null;
  #turn = {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;

  /**
   * @param {Questions<Answer>} questions
   * @param {import("./lifetime.js").Lifetime} lifetime
   */
  constructor(questions, lifetime) {
    this.questions = questions;
    lifetime.atEnd(() => this.stop());
  }

  /**
   * Asks an address, begun anew unless it is the one that is asked (or has been answered) already.
   * @param {string} key what it is about
   * @param {(last: Answer | null) => string} [address] the address if it depends on the last answer
   */
  follow(key, address = () => key) {
    if (key === this.#key) return;
    this.stop();
    this.#key = key;
    const turn = (this.#turn = {});
    this.#ask(turn, address, null, 0);
  }

  stop() {
    clearTimeout(this.#next);
    this.#key = null;
    this.#turn = {};
  }

  /**
   * @param {object} turn
   * @param {(last: Answer | null) => string} address
   * @param {Answer | null} last
   * @param {number} tries
   */
  async #ask(turn, address, last, tries) {
    const answer = await fetch(address(last)).catch(() => null);
    if (turn !== this.#turn) return; // something else is asked by now
    if (answer && answer.status >= 400 && answer.status < 500) {
      const words = await answer.text();
      if (turn !== this.#turn) return;
      return answer.status === 404 ? this.questions.gone(words) : this.questions.refused?.(words);
    }
    /** @type {Answer | null} */
    const found = answer?.ok ? await answer.json().catch(() => null) : null;
    if (turn !== this.#turn) return;
    if (found !== null) {
      if (!this.questions.take(found)) return;
      if (turn !== this.#turn) return;
    }
    // Not reachable just now, or too busy: less and less often.
    const failed = found === null ? tries + 1 : 0;
    const pause = failed ? pauseAfter(failed + 1) : this.questions.every;
    this.#next = setTimeout(() => this.#ask(turn, address, found ?? last, failed), pause);
  }
}
