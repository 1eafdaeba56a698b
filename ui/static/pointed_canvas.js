// A canvas with an overlay, on which what is pointed at is marked without drawing the rest again.

import { element } from "./dom.js";

/**
 * A canvas that can be reached by keyboard, and an overlay above it, added to an element.
 * @param {HTMLElement} root
 * @param {string} className of the canvas
 */
export function layers(root, className) {
  const canvas = element("canvas", className), overlay = element("canvas", "overlay");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  overlay.setAttribute("aria-hidden", "true");
  root.append(canvas, overlay);
  return { canvas, overlay };
}

/** @template {{ point: (at: number | null) => void }} Hands */
export class PointedCanvas {
  /** @type {number | null} the cell or trial that is pointed at */
  pointed = null;

  /**
   * @param {{ canvas: HTMLCanvasElement, overlay: HTMLCanvasElement }} layers
   * @param {Hands} hands told what is pointed at
   */
  constructor({ canvas, overlay }, hands) {
    this.canvas = canvas;
    this.overlay = overlay;
    this.hands = hands;
  }

  /** @param {number | null} at */
  point(at) {
    if (at === this.pointed) return;
    this.pointed = at;
    this.mark();
    this.hands.point(at);
  }

  /** Marks what is pointed at on the overlay. */
  mark() {}
}
