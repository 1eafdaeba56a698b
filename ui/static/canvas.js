// Canvases: their context, their size, and how they are as sharp as the screen is.

/** @typedef {CanvasRenderingContext2D} Pen */

/** @type {WeakMap<HTMLCanvasElement, () => void>} how it is drawn again */
const redrawn = new WeakMap();
/** @type {WeakMap<HTMLCanvasElement, Pen>} what is drawn with instead, while that is noted */
const noting = new WeakMap();

/**
 * The context of a canvas; there always is one, as none of ours was ever asked for another kind.
 * @param {HTMLCanvasElement} canvas
 */
export function pen(canvas) {
  return noting.get(canvas) ?? /** @type {Pen} */ (canvas.getContext("2d"));
}

/**
 * Tells how a canvas is drawn as a whole, so that it can be had as lines, too.
 * @param {HTMLCanvasElement} canvas
 * @param {() => void} draw
 */
export function drawnBy(canvas, draw) { redrawn.set(canvas, draw); }

/**
 * Draws a canvas with another pen; returns false if nothing tells how.
 * @param {HTMLCanvasElement} canvas
 * @param {Pen} instead
 */
export function drawWith(canvas, instead) {
  const draw = redrawn.get(canvas);
  if (!draw) return false;
  noting.set(canvas, instead);
  try {
    draw();
  } finally {
    noting.delete(canvas);
  }
  return true;
}

/**
 * Gives a canvas this many pixels; setting even the same number would clear it.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function resize(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}

/**
 * Gets a canvas ready to be drawn on in units of the page, as sharp as the screen is.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function begin(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  resize(canvas, Math.round(width * ratio), Math.round(height * ratio));
  const g = pen(canvas);
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  return g;
}
