// Zooming a chart: drag across what is to be seen larger, double-click for the whole again.

/** @import { Pen } from "./canvas.js" */
/** @import { Scale } from "./scales.js" */
/** @import { Box } from "./axes.js" */

const LEAST_DRAG = 8;

export class Zoom {
  /** @type {[number, number] | null} the values at the ends of what is seen, null for the whole */
  range = null;
  /** @type {[number, number] | null} where the pointer went down and where it is */
  drag = null;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {() => Scale | null} scaleOf the chart's x scale
   * @param {() => void} changed called whenever there is something to draw anew
   */
  constructor(canvas, scaleOf, changed) {
    this.changed = changed;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && event.pointerType !== "touch") this.drag = [event.offsetX, event.offsetX];
      if (this.drag) canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => { if (this.drag) this.drag[1] = event.offsetX; });
    canvas.addEventListener("pointerup", () => {
      const drag = this.drag, x = scaleOf();
      this.drag = null;
      if (!drag || !x || Math.abs(drag[1] - drag[0]) < LEAST_DRAG) return;
      const ends = drag.map((at) => Math.min(Math.max(x.back(at), x.low), x.high));
      this.to(Math.min(...ends), Math.max(...ends));
    });
    canvas.addEventListener("dblclick", () => this.clear());
  }

  /**
   * @param {number} low
   * @param {number} high
   */
  to(low, high) {
    if (high > low) this.range = [low, high];
    this.changed();
  }

  clear() {
    this.range = null;
    this.changed();
  }

  /**
   * @param {Pen} g
   * @param {Box} box
   * @param {string} ink
   */
  draw(g, box, ink) {
    if (!this.drag) return;
    g.fillStyle = ink;
    g.globalAlpha = 0.12;
    g.fillRect(Math.min(...this.drag), box.y, Math.abs(this.drag[1] - this.drag[0]), box.h);
    g.globalAlpha = 1;
  }
}
