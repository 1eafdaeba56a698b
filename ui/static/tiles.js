// Small pictures shown large: every pixel a clean square, the lines between pictures thin.

import { paint } from "./frame.js";

// Up to this height a picture is made of squares on the screen anyway.
export const SMALL = 24;
const UNSEEN = 640; // the width of a canvas that is not laid out yet

// Narrower on the screen than this, a picture is neither recognised nor touched.
const NARROWEST = 24;

// Returns a montage with fewer columns, as bitmap and grid, where those it has are too narrow for a screen.
export function regrouped(bitmap, grid, screenWidth) {
  const { count, tile: [height, width], gap } = grid, columns = Math.floor(screenWidth / NARROWEST);
  if (columns < 1 || columns >= grid.columns) return [bitmap, grid];
  const rows = Math.ceil(count / columns), size = [columns * (width + gap) - gap, rows * (height + gap) - gap];
  const sent = bitmap.width / grid.size[0], canvas = new OffscreenCanvas(size[0] * sent, size[1] * sent);
  const g = canvas.getContext("2d");
  const place = (index, of) => [(index % of) * (width + gap) * sent, Math.floor(index / of) * (height + gap) * sent];
  for (let index = 0; index < count; index++) {
    const [x, y] = place(index, columns), whole = [(width + gap) * sent, (height + gap) * sent];
    // The line beside the first picture is of the colour of all lines.
    if (gap) g.drawImage(bitmap, width * sent, 0, gap * sent, 1, x, y, ...whole);
    g.drawImage(bitmap, ...place(index, grid.columns), width * sent, height * sent, x, y, width * sent, height * sent);
  }
  bitmap.close();
  return [canvas.transferToImageBitmap(), { ...grid, columns, rows, size }];
}

// Draws a montage, a small one enlarged, and returns where the tiles now are.
export function show(canvas, bitmap, grid) {
  if (grid.tile[0] < SMALL) return enlarge(canvas, bitmap, grid);
  paint(canvas, bitmap);
  return grid;
}

// Draws a montage of small tiles enlarged and returns where the tiles now are.
function enlarge(canvas, bitmap, { columns, count, tile: [height, width], gap, size }) {
  // Hardly larger than on the screen: scaled down by much, thin lines would get lost.
  const ratio = window.devicePixelRatio || 1, line = Math.max(1, Math.round(ratio));
  const times = Math.ceil(((canvas.clientWidth || UNSEEN) * ratio) / size[0]), rows = Math.round((size[1] + gap) / (height + gap));
  const [high, wide] = [height * times, width * times];
  const grid = { columns, count, tile: [high, wide], gap: line, size: [columns * (wide + line) - line, rows * (high + line) - line] };
  if (canvas.width !== grid.size[0] || canvas.height !== grid.size[1]) [canvas.width, canvas.height] = grid.size;
  const g = canvas.getContext("2d"), sent = bitmap.width / size[0]; // large ones are sent more coarsely
  g.imageSmoothingEnabled = false;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const from = [column * (width + gap), row * (height + gap)], to = [column * (wide + line), row * (high + line)];
      const copy = (x, y, w, h, toX, toY, toW, toH) => g.drawImage(bitmap, x * sent, y * sent, w * sent, h * sent, toX, toY, toW, toH);
      copy(...from, width, height, ...to, wide, high);
      if (column + 1 < columns) copy(from[0] + width, from[1], gap, height, to[0] + wide, to[1], line, high + line);
      if (row + 1 < rows) copy(from[0], from[1] + height, width, gap, to[0], to[1] + high, wide, line);
    }
  bitmap.close();
  return grid;
}
