// The one player of films: a number of moments, shown one after the other, stepped through, begun again.

/**
 * @typedef {object} Film
 * @property {number} every milliseconds from moment to moment
 * @property {(at: number) => void | Promise<unknown>} show shows a moment; the next waits until it is there
 * @property {(playing: boolean) => void} said whether it is playing now
 * @property {() => void} [over] it has come to its end by itself
 * @property {number} [last] milliseconds that the last moment stays, where it is played more than once
 * @property {number} [times] how often it is played
 */

export class Player {
  at = 0;
  count = 0;
  playing = false;
  #left = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Film} film */
  constructor(film) {
    this.film = film;
  }

  get end() { return Math.max(0, this.count - 1); }

  /**
   * Shows a moment and stays there.
   * @param {number} at
   */
  stay(at) {
    this.pause();
    return this.go(at);
  }

  /** @param {number} at */
  go(at) {
    if (!this.count) return undefined;
    this.at = Math.min(this.end, Math.max(0, at));
    return this.film.show(this.at);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** @param {number} from */
  play(from = this.at >= this.end ? 0 : this.at) {
    clearTimeout(this.#timer);
    this.playing = true;
    this.#left = this.film.times ?? 1;
    this.film.said(true);
    this.#run(from);
  }

  pause() {
    clearTimeout(this.#timer);
    this.playing = false;
    this.film.said(false);
  }

  /** @param {number} at */
  async #run(at) {
    const begun = performance.now();
    const timer = (this.#timer = undefined);
    await this.go(at);
    if (!this.playing || this.#timer !== timer || this.at !== at) return;
    const last = at >= this.end;
    if (last && --this.#left <= 0) {
      this.pause();
      return this.film.over?.();
    }
    const pause = (last && this.film.last) || this.film.every;
    this.#timer = setTimeout(() => this.#run(last ? 0 : at + 1), Math.max(0, pause - (performance.now() - begun)));
  }
}
