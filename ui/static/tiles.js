// Small pictures shown large: every pixel a clean square, the lines between pictures thin.

import { pen, resize } from "./canvas.js";
import { paint } from "./frame.js";
import { enlarged, fewerColumns, rowsOf, tileBox } from "./grid.js";

/** @import { Grid } from "./server.js" */

// Up to this height a picture is made of squares on the screen anyway.
export const SMALL = 24;
const UNSEEN = 640; // the width of a canvas that is not laid out yet

// Narrower on the screen than this, a picture is neither recognised nor touched.
const NARROWEST = 24;

/**
 * Returns a sheet with fewer columns, as bitmap and grid, where those it has are too narrow for a screen.
 * @param {ImageBitmap} bitmap
 * @param {Grid} grid
 * @param {number} screenWidth
 * @returns {[ImageBitmap, Grid]}
 */
export function regrouped(bitmap, grid, screenWidth) {
  const fewer = fewerColumns(grid, screenWidth, NARROWEST);
  if (fewer === grid) return [bitmap, grid];
  const { count, tile: [height, width], gap, size } = fewer, sent = bitmap.width / grid.size[0];
  const canvas = new OffscreenCanvas(size[0] * sent, size[1] * sent);
  const g = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  for (let index = 0; index < count; index++) {
    const [x, y] = tileBox(fewer, index).map((value) => value * sent), [fromX, fromY] = tileBox(grid, index).map((value) => value * sent);
    // The line beside the first picture is of the colour of all lines.
    if (gap) g.drawImage(bitmap, width * sent, 0, gap * sent, 1, x, y, (width + gap) * sent, (height + gap) * sent);
    g.drawImage(bitmap, fromX, fromY, width * sent, height * sent, x, y, width * sent, height * sent);
  }
  bitmap.close();
  return [canvas.transferToImageBitmap(), fewer];
}

/**
 * Draws a sheet, one of small pictures enlarged, and returns where the pictures now are.
 * @param {HTMLCanvasElement} canvas
 * @param {ImageBitmap} bitmap
 * @param {Grid} grid
 */
export function show(canvas, bitmap, grid) {
  if (grid.tile[0] < SMALL) return enlarge(canvas, bitmap, grid);
  paint(canvas, bitmap);
  return grid;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {ImageBitmap} bitmap
 * @param {Grid} from
 */
function enlarge(canvas, bitmap, from) {
  const ratio = window.devicePixelRatio || 1, line = Math.max(1, Math.round(ratio));
  const grid = enlarged(from, (canvas.clientWidth || UNSEEN) * ratio, line);
  const { columns, tile: [height, width], gap } = from, [high, wide] = grid.tile, rows = rowsOf(from);
  resize(canvas, ...grid.size);
  const g = pen(canvas), sent = bitmap.width / from.size[0]; // large ones are sent more coarsely
  g.imageSmoothingEnabled = false;
  /**
   * @param {number[]} source left, top, width and height in the sheet that was sent
   * @param {[number, number, number, number]} target
   */
  const copy = ([x, y, w, h], target) => g.drawImage(bitmap, x * sent, y * sent, w * sent, h * sent, ...target);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [x, y] = tileBox(from, row * columns + column), [toX, toY] = tileBox(grid, row * columns + column);
      copy([x, y, width, height], [toX, toY, wide, high]);
      if (column + 1 < columns) copy([x + width, y, gap, height], [toX + wide, toY, line, high + line]);
      if (row + 1 < rows) copy([x, y + height, width, gap], [toX, toY + high, wide, line]);
    }
  bitmap.close();
  return grid;
}
