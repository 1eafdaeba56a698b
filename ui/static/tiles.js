// Small pictures shown large: every pixel a clean square, the lines between pictures thin.

import { paint } from "./frame.js";

// Up to this height a picture is made of squares on the screen anyway.
export const SMALL = 24;
const UNSEEN = 640; // the width of a canvas that is not laid out yet

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
