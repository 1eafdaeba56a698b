// Going back in a run: a slider over the iterations that were kept, and a button that plays them one by one.

const FILM_STEP = 160;

export class Timeline {
  // `onGo` shows a kept iteration (a promise), `onLive` goes back to the present.
  constructor(root, { onGo, onLive }) {
    Object.assign(this, { root, onGo, onLive });
    this.kept = [];
    this.back = null; // the kept iteration that is looked at, or null for the present
    this.rested = null; // where the run stood still when it was last heard of, null while it runs
    this.slider = root.querySelector("input");
    this.output = root.querySelector("output");
    [this.film, this.live] = root.querySelectorAll("button");
    this.slider.oninput = () => { this.stop(); this.go(this.kept[Number(this.slider.value)]); };
    this.film.onclick = () => (this.playing ? this.stop() : this.play());
    this.live.onclick = () => { this.stop(); this.toPresent(); };
  }

  reset() {
    this.stop();
    this.back = this.rested = null;
    this.set([]);
  }

  set(kept) {
    this.kept = kept;
    this.root.style.visibility = kept.length < 2 ? "hidden" : "";
    this.slider.max = Math.max(0, kept.length - 1);
    if (this.back === null) this.slider.value = this.slider.max;
  }

  // Who has a resting run step or go on wants to see that, wherever the slider stands.
  heard({ status, iteration }) {
    if (this.back !== null && this.rested !== null && iteration > this.rested) {
      this.stop();
      this.toPresent();
    }
    if (status === "paused") this.rested = iteration;
    else if (this.back === null) this.rested = null;
  }

  describe(iteration, unit) {
    const at = this.back === null ? iteration : this.back;
    this.output.textContent = `${unit} ${at}`;
    this.slider.setAttribute("aria-valuetext", `${unit} ${at}`);
    this.live.setAttribute("aria-pressed", String(this.back === null));
  }

  // Shows an iteration; while one is on its way only the latest wish counts.
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

  toPresent() {
    this.back = null;
    this.slider.value = this.slider.max;
    this.onLive();
  }

  play() {
    let place = Number(this.slider.value);
    if (this.back === null || place >= this.kept.length - 1) place = -1;
    this.say(true);
    const step = async () => {
      place += 1;
      if (place >= this.kept.length) { this.stop(); return this.toPresent(); }
      this.slider.value = place;
      const begun = performance.now();
      await this.go(this.kept[place]);
      if (this.playing) this.playing = setTimeout(step, Math.max(0, FILM_STEP - (performance.now() - begun)));
    };
    this.playing = setTimeout(step, 0);
  }

  stop() {
    clearTimeout(this.playing);
    this.say(false);
  }

  say(playing) {
    this.playing = playing;
    this.film.textContent = playing ? "Hold" : "Replay";
    this.film.setAttribute("aria-pressed", String(playing));
  }
}
