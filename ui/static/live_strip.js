// The strip below a run: the sample that is chosen as weight × part + … + rest, some times a second.

import { StripAsker } from "./strip_asker.js";
import { Strip } from "./strip.js";

const MOST = 7, PAUSE_MS = 250;

export class LiveStrip {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.strip = new Strip(place, MOST);
    this.asker = new StripAsker((apart) => this.strip.show(apart, apart?.shape ? "picture" : "sample"), PAUSE_MS);
    this.clear();
  }

  /** Nothing is shown until there is something of another run. */
  clear() {
    this.asker.forget();
    this.strip.off.clear();
    this.strip.show(null);
  }

  /**
   * @param {string} address of the run
   * @param {URLSearchParams} looks how its pictures are wanted
   * @param {number | null} back the iteration that is gone back to
   */
  ask(address, looks, back) {
    if (!this.place.offsetParent) return; // before a room, or where only parts are shown
    const query = new URLSearchParams({ ...Object.fromEntries(looks), most: String(MOST) });
    if (back !== null) query.set("iteration", String(back));
    this.asker.ask(`${address}?${query}`);
  }
}
