// One sample beside the sum of its parts: two pictures, or the words that weigh most with both their weights.

import { element, find, setText } from "./dom.js";
import { decode, paint } from "./frame.js";
import { SMALL } from "./tiles.js";

/** @import { Feature, Frame, PicturesHeader } from "./server.js" */

export class OneSample {
  who = "";
  bent = false;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.canvas = find(root, "canvas", HTMLCanvasElement);
    this.table = find(root, ".features");
    this.caption = find(root, ".who");
  }

  /**
   * Returns what draws the sample once its picture is decoded.
   * @param {Frame<PicturesHeader>} frame
   */
  async ready(frame) {
    const picture = await decode(frame.sample), { features, bent, sample } = frame.header;
    return () => {
      // What is not there keeps its place, so that nothing jumps when it comes.
      this.root.style.visibility = picture || features.length ? "" : "hidden";
      this.canvas.hidden = !picture;
      this.table.hidden = !features.length;
      if (picture) {
        this.canvas.style.imageRendering = sample.tile[0] < SMALL ? "pixelated" : "";
        paint(this.canvas, picture);
      }
      if (features.length) this.fill(features);
      // The caption may have been written before the first frame came.
      if (this.bent !== bent) this.describe(this.who, bent);
    };
  }

  /** @param {string} who */
  describe(who, bent = this.bent) {
    Object.assign(this, { who, bent });
    const places = this.table.hidden ? "left the picture itself, right" : "above the value itself, below";
    const near = bent ? ", which comes only near it: the method adds them up in a bent space" : "";
    const words = `${who || "One sample"}: ${places} the sum of its parts${near}`;
    setText(this.caption, words);
    this.canvas.setAttribute("aria-label", words);
  }

  /** @param {Feature[]} features */
  fill(features) {
    const most = Math.max(...features.flatMap(([, is, rebuilt]) => [Math.abs(is), Math.abs(rebuilt)]), 1e-12);
    this.table.replaceChildren(...features.map(([name, is, rebuilt]) => {
      const row = element("div"), bars = element("span", "bars");
      for (const value of [is, rebuilt]) {
        const bar = element("i");
        bar.style.width = `${(100 * Math.abs(value)) / most}%`;
        bars.append(bar);
      }
      row.title = `${name}: ${is}, rebuilt ${rebuilt}`;
      row.append(element("span", "", name), bars);
      return row;
    }));
  }
}
