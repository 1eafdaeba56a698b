// Going back in a run: a slider over the iterations that were kept, and a button that plays them one by one.

import { Player } from "./player.js";

const FILM_STEP = 160;

export class Timeline {
  /** @type {number[]} */
  kept = [];
  /** @type {number | null} the kept iteration that is looked at, or null for the present */
  back = null;
  /** @type {number | null} where the run stood still when it was last heard of, null while it runs */
  rested = null;
  fetching = false;

  /**
   * @param {HTMLElement} root
   * @param {{ onGo: (iteration: number) => Promise<boolean>, onLive: () => void }} on `onGo` shows a kept iteration,
   *   `onLive` goes back to the present
   */
  constructor(root, { onGo, onLive }) {
    this.root = root;
    this.onGo = onGo;
    this.onLive = onLive;
    this.slider = /** @type {HTMLInputElement} */ (root.querySelector("input"));
    this.output = /** @type {HTMLOutputElement} */ (root.querySelector("output"));
    const [film, live] = /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("button"));
    this.film = film;
    this.live = live;
    this.player = new Player({
      every: FILM_STEP,
      show: (at) => { this.slider.value = String(at); return this.go(this.kept[at]); },
      said: (playing) => {
        this.film.textContent = playing ? "Hold" : "Replay";
        this.film.setAttribute("aria-pressed", String(playing));
      },
      over: () => this.toPresent(),
    });
    this.slider.oninput = () => this.player.stay(Number(this.slider.value));
    this.film.onclick = () => (this.player.playing ? this.player.pause() : this.play());
    this.live.onclick = () => { this.stop(); this.toPresent(); };
  }

  reset() {
    this.stop();
    this.back = this.rested = null;
    this.set([]);
  }

  /** @param {number[]} kept */
  set(kept) {
    this.kept = kept;
    this.player.count = kept.length;
    this.root.style.visibility = kept.length < 2 ? "hidden" : "";
    this.slider.max = String(Math.max(0, kept.length - 1));
    if (this.back === null) this.slider.value = this.slider.max;
  }

  /**
   * Who has a resting run step or go on wants to see that, wherever the slider stands.
   * @param {{ status: string, iteration: number }} news
   */
  heard({ status, iteration }) {
    if (this.back !== null && this.rested !== null && iteration > this.rested) {
      this.stop();
      this.toPresent();
    }
    if (status === "paused") this.rested = iteration;
    else if (this.back === null) this.rested = null;
  }

  /**
   * @param {number} iteration
   * @param {string} unit
   */
  describe(iteration, unit) {
    const at = this.back === null ? iteration : this.back;
    this.output.textContent = `${unit} ${at}`;
    this.slider.setAttribute("aria-valuetext", `${unit} ${at}`);
    this.live.setAttribute("aria-pressed", String(this.back === null));
  }

  /**
   * Shows an iteration; while one is on its way only the latest wish counts.
   * @param {number | undefined} iteration
   */
  async go(iteration) {
    if (iteration === undefined) return;
    this.back = iteration;
    if (this.fetching) return;
    this.fetching = true;
    try {
      let shown = null;
      while (this.back !== null && this.back !== shown) {
        shown = this.back;
        if (!(await this.onGo(shown))) break;
      }
    } catch {
      this.output.textContent = "not reachable just now";
    } finally {
      this.fetching = false;
    }
    if (this.back === null) this.onLive();
  }

  /** @param {number} by how many kept iterations on */
  walk(by) {
    if (this.kept.length < 2) return;
    const place = Math.min(Math.max(Number(this.slider.value) + by, 0), this.kept.length - 1);
    this.slider.value = String(place);
    this.player.stay(place);
  }

  toPresent() {
    this.back = null;
    this.slider.value = this.slider.max;
    this.onLive();
  }

  /**
   * From the iteration that is looked at; from the first if that is the present or the last.
   * @param {number} [every] milliseconds from moment to moment
   */
  play(every = FILM_STEP) {
    this.player.film.every = every;
    const place = Number(this.slider.value);
    this.player.play(this.back === null || place >= this.kept.length - 1 ? 0 : place + 1);
  }

  stop() {
    this.player.pause();
  }
}
