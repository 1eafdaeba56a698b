// A film on a map: the classes of all points at several moments, played, stepped through, begun again.

const groups = new Map();
const MOMENT = 420;

export class Film {
  // `show(index)` draws a moment; films of one group go together.
  constructor(bar, show) {
    Object.assign(this, { bar, show, at: 0, count: 0, group: "", timer: null, playing: false });
    bar.innerHTML = `
      <button class="play">Play</button><button class="step">Step</button><button class="reset">Reset</button>
      <input type="range" min="0" value="0" step="1" aria-label="Moment"><output aria-live="polite"></output>`;
    [this.playButton, this.stepButton, this.resetButton] = bar.querySelectorAll("button");
    this.slider = bar.querySelector("input");
    this.output = bar.querySelector("output");
    this.playButton.onclick = () => (this.playing ? this.pause() : this.play());
    this.stepButton.onclick = () => { this.pause(); this.together(this.at + 1); };
    this.resetButton.onclick = () => { this.pause(); this.together(0); };
    this.slider.oninput = () => { this.pause(); this.together(Number(this.slider.value)); };
  }

  set(captions, group) {
    this.leave();
    Object.assign(this, { captions, count: captions.length, group });
    this.slider.max = Math.max(0, this.count - 1);
    this.bar.hidden = this.count === 0;
    if (group) groups.set(group, (groups.get(group) || new Set()).add(this));
    // Whoever comes late would be a moment behind: all begin again.
    this.pause();
    this.together(0);
  }

  // Whoever keeps the time for a group takes it along.
  leave() {
    if (this.timer !== null) this.pause();
    groups.get(this.group)?.delete(this);
  }

  everybody(act) {
    const all = groups.get(this.group);
    (all && all.size ? [...all] : [this]).forEach(act);
  }

  together(at) { this.everybody((film) => film.go(at)); }

  go(at) {
    if (!this.count) return;
    this.at = Math.min(this.count - 1, Math.max(0, at));
    this.slider.value = this.at;
    this.output.textContent = this.captions[this.at];
    this.slider.setAttribute("aria-valuetext", this.captions[this.at]);
    this.bar.dataset.at = this.at;
    this.show(this.at);
  }

  play() {
    if (this.at >= this.last()) this.together(0);
    this.everybody((film) => film.mark(true));
    this.timer = setInterval(() => {
      if (!this.bar.isConnected) { this.leave(); return; }
      if (this.at >= this.last()) this.pause();
      else this.together(this.at + 1);
    }, MOMENT);
  }

  pause() {
    this.everybody((film) => {
      clearInterval(film.timer);
      film.timer = null;
      film.mark(false);
    });
  }

  mark(playing) {
    this.playing = playing;
    this.playButton.textContent = playing ? "Pause" : "Play";
  }

  last() {
    let last = 0;
    this.everybody((film) => { last = Math.max(last, film.count - 1); });
    return last;
  }
}
