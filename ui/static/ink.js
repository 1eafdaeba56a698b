// How values become shades, the same everywhere and in both themes (`ui/pictures.py` says the same): light adds
// brightness. Where something may also be taken away, nothing is grey, and what takes away is dark orange.

import { pen, resize } from "./canvas.js";

export const DARK = 18, LIGHT = 250;
/** @typedef {[red: number, green: number, blue: number]} Colour */
/** @type {Record<"takes" | "nothing" | "adds", Colour>} */
export const SIGNED = { takes: [122, 52, 0], nothing: [128, 130, 132], adds: [232, 246, 255] };

/**
 * @param {number} value from 0 to 1, or from -1 if signed
 * @param {boolean} signed
 * @returns {Colour}
 */
export function shade(value, signed) {
  const size = Math.min(1, Math.abs(value));
  if (!signed) {
    const grey = DARK + (LIGHT - DARK) * (value > 0 ? size : 0);
    return [grey, grey, grey];
  }
  const [from, to] = [SIGNED.nothing, value < 0 ? SIGNED.takes : SIGNED.adds];
  return [mixed(from[0], to[0], size), mixed(from[1], to[1], size), mixed(from[2], to[2], size)];
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} share
 */
function mixed(from, to, share) { return from + (to - from) * share; }

/**
 * What a key to the shades says, nothing where there are none: tables and texts are bars and words.
 * @param {boolean} signed
 * @param {boolean} pictured
 */
export function keyWords(signed, pictured) {
  if (!pictured) return [];
  return signed ? ["takes away", "nothing", "adds brightness"] : ["nothing", "adds brightness"];
}

/**
 * Draws values as a picture. With a `mark`, where it is bright is drawn in full, the rest paler.
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} values
 * @param {[height: number, width: number]} shape
 * @param {{ signed?: boolean, most?: number, mark?: ArrayLike<number> | null, accent?: Colour }} [how] `most` is drawn
 *   as light as can be
 */
export function ink(canvas, values, [height, width], { signed = false, most = 1, mark = null, accent = [45, 212, 191] } = {}) {
  resize(canvas, width, height);
  const g = pen(canvas), image = g.createImageData(width, height), scale = most ? 1 / most : 0;
  for (let at = 0; at < width * height; at++) {
    const colour = shade(values[at] * scale, signed), strength = mark ? Math.min(1, Math.abs(mark[at])) : 0;
    for (let part = 0; part < 3; part++) {
      const plain = mark ? colour[part] * 0.45 : colour[part];
      image.data[4 * at + part] = mixed(plain, accent[part], strength);
    }
    image.data[4 * at + 3] = 255;
  }
  g.putImageData(image, 0, 0);
}
