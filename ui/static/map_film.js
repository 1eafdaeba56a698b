// A film on a map: the classes of all points at several moments, played, stepped through, begun again.

import { Player } from "./player.js";
import { WISHES, onWish } from "./wishes.js";

/** @import { Lifetime } from "./lifetime.js" */

const MOMENT = 420;

// Films of one group on a page are one film: they have the same player.
class Group {
  /** @type {Set<Film>} */
  films = new Set();

  constructor() {
    this.player = new Player({
      every: MOMENT,
      show: (at) => this.films.forEach((film) => film.draw(at)),
      said: (playing) => this.films.forEach((film) => film.mark(playing)),
    });
  }

  /** @param {Film} film */
  join(film) {
    this.films.add(film);
    // Whoever comes late would be a moment behind: all begin again.
    this.#count();
    this.player.stay(0);
  }

  /** @param {Film} film */
  leave(film) {
    this.films.delete(film);
    this.#count();
    if (!this.films.size) this.player.pause();
  }

  #count() {
    this.player.count = Math.max(0, ...[...this.films].map(({ captions }) => captions.length));
  }
}

/** @type {Map<string, Group>} */
const groups = new Map();

export class Film {
  /** @type {string[]} */
  captions = [];
  name = "";
  group = new Group();

  /**
   * @param {HTMLElement} bar
   * @param {(at: number) => void} show draws a moment
   * @param {Lifetime} lifetime
   */
  constructor(bar, show, lifetime) {
    this.bar = bar;
    this.show = show;
    bar.innerHTML = `
      <button class="play">Play</button><button class="step">Step</button><button class="reset">Reset</button>
      <input type="range" min="0" value="0" step="1" aria-label="Moment"><output aria-live="polite"></output>`;
    const [play, step, reset] = /** @type {NodeListOf<HTMLButtonElement>} */ (bar.querySelectorAll("button"));
    this.playButton = play;
    this.slider = /** @type {HTMLInputElement} */ (bar.querySelector("input"));
    this.output = /** @type {HTMLOutputElement} */ (bar.querySelector("output"));
    play.onclick = () => this.player.toggle();
    step.onclick = () => this.player.stay(this.player.at + 1);
    reset.onclick = () => this.player.stay(0);
    this.slider.oninput = () => this.player.stay(Number(this.slider.value));
    onWish(lifetime, WISHES.play, () => this.captions.length > 1 && this.player.toggle());
    onWish(lifetime, WISHES.walk, (by) => this.captions.length > 1 && this.player.stay(this.player.at + by));
  }

  get player() { return this.group.player; }

  /**
   * @param {string[]} captions
   * @param {string} group
   */
  set(captions, group) {
    this.leave();
    this.captions = captions;
    this.name = group;
    this.slider.max = String(Math.max(0, captions.length - 1));
    this.bar.hidden = !captions.length;
    this.group = (group && groups.get(group)) || new Group();
    if (group) groups.set(group, this.group);
    this.group.join(this);
  }

  leave() {
    this.group.leave(this);
    if (this.name && !this.group.films.size) groups.delete(this.name);
  }

  /** @param {number} moment of the longest film; a shorter one has ended by then */
  draw(moment) {
    if (!this.captions.length) return;
    const at = Math.min(this.captions.length - 1, moment);
    this.slider.value = String(at);
    this.output.textContent = this.captions[at];
    this.slider.setAttribute("aria-valuetext", this.captions[at]);
    this.bar.dataset.at = String(at);
    this.show(at);
  }

  /** @param {boolean} playing */
  mark(playing) {
    this.playButton.textContent = playing ? "Pause" : "Play";
  }
}
