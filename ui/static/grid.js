// Where the pictures of a sheet lie.

/** @import { Grid } from "./server.js" */

/**
 * Left, top, width and height of one picture, in pixels of the sheet.
 * @param {Grid} grid
 * @param {number} index
 * @returns {[number, number, number, number]}
 */
export function tileBox({ columns, tile: [height, width], gap }, index) {
  return [(index % columns) * (width + gap), Math.floor(index / columns) * (height + gap), width, height];
}

/**
 * The picture at a point of the sheet (the line beside a picture belongs to it), null beyond the last one.
 * @param {Grid} grid
 * @param {number} x
 * @param {number} y
 */
export function tileAt({ columns, tile: [height, width], gap, count }, x, y) {
  const column = Math.floor(x / (width + gap)), row = Math.floor(y / (height + gap)), index = row * columns + column;
  return column >= 0 && column < columns && row >= 0 && index < count ? index : null;
}

/**
 * By how many pictures an arrow key goes on, undefined for other keys.
 * @param {Grid} grid
 * @param {string} key
 * @returns {number | undefined}
 */
export function stepOf({ columns }, key) {
  return new Map([["ArrowRight", 1], ["ArrowLeft", -1], ["ArrowDown", columns], ["ArrowUp", -columns]]).get(key);
}

/**
 * The same pictures in fewer columns, where those there are would be narrower on the screen than `narrowest`.
 * @param {Grid} grid
 * @param {number} screenWidth
 * @param {number} narrowest
 * @returns {Grid}
 */
export function fewerColumns(grid, screenWidth, narrowest) {
  const { count, tile: [height, width], gap } = grid, columns = Math.floor(screenWidth / narrowest);
  if (columns < 1 || columns >= grid.columns) return grid;
  const rows = Math.ceil(count / columns);
  return { ...grid, columns, size: [columns * (width + gap) - gap, rows * (height + gap) - gap] };
}

/**
 * The same pictures a whole number of times as large, with lines of `line` pixels between them: hardly larger than
 * on the screen, as thin lines would get lost when they are scaled down by much.
 * @param {Grid} grid
 * @param {number} screenWidth in pixels of the screen itself
 * @param {number} line
 * @returns {Grid}
 */
export function enlarged({ columns, count, tile: [height, width], gap, size }, screenWidth, line) {
  const times = Math.ceil(screenWidth / size[0]), rows = rowsOf({ tile: [height, width], gap, size });
  const [high, wide] = [height * times, width * times];
  return { columns, count, tile: [high, wide], gap: line, size: [columns * (wide + line) - line, rows * (high + line) - line] };
}

/** @param {Pick<Grid, "tile" | "gap" | "size">} grid */
export function rowsOf({ tile, gap, size }) { return Math.round((size[1] + gap) / (tile[0] + gap)); }
