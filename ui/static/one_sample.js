// One sample beside the sum of its parts: two pictures, or the words that weigh most with both their weights.

import { decode, paint } from "./frame.js";
import { SMALL } from "./tiles.js";

export class OneSample {
  constructor(root) {
    this.root = root;
    this.canvas = root.querySelector("canvas");
    this.table = root.querySelector(".features");
    this.caption = root.querySelector(".who");
    this.bent = false;
  }

  // Returns what draws the sample once its picture is decoded.
  async ready(frame) {
    const picture = await decode(frame.sample), { features } = frame.header;
    return () => {
      // What is not there keeps its place, so that nothing jumps when it comes.
      this.root.style.visibility = picture || features?.length ? "" : "hidden";
      this.canvas.hidden = !picture;
      this.table.hidden = !features?.length;
      if (picture) {
        this.canvas.style.imageRendering = frame.header.sample.tile[0] < SMALL ? "pixelated" : "";
        paint(this.canvas, picture);
      }
      if (features?.length) this.fill(features);
      // The caption may have been written before the first frame came.
      if (this.bent !== Boolean(frame.header.bent)) this.describe(this.who, !this.bent);
    };
  }

  describe(who, bent = this.bent) {
    Object.assign(this, { who, bent });
    const places = this.table.hidden ? "left the picture itself, right" : "above the value itself, below";
    const near = bent ? ", which comes only near it: the method adds them up in a bent space" : "";
    const words = `${who || "One sample"}: ${places} the sum of its parts${near}`;
    if (this.caption.textContent !== words) this.caption.textContent = words;
    this.canvas.setAttribute("aria-label", words);
  }

  fill(features) {
    const most = Math.max(...features.flatMap(([, is, rebuilt]) => [Math.abs(is), Math.abs(rebuilt)]), 1e-12);
    this.table.replaceChildren(...features.map(([name, is, rebuilt]) => {
      const row = document.createElement("div"), word = document.createElement("span"), bars = document.createElement("span");
      word.textContent = name;
      bars.className = "bars";
      for (const value of [is, rebuilt]) {
        const bar = document.createElement("i");
        bar.style.width = `${(100 * Math.abs(value)) / most}%`;
        bars.append(bar);
      }
      row.title = `${name}: ${is}, rebuilt ${rebuilt}`;
      row.append(word, bars);
      return row;
    }));
  }
}
