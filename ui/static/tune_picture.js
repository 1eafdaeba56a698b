// The way of looking that is open, as a picture to take along.

import { element } from "./dom.js";
import { asPng, handOver } from "./download.js";

/**
 * A button that hands over what is drawn in the open section of `ways`.
 * @param {HTMLElement} ways
 * @param {() => string} name of the file, without its ending
 */
export function pictureButton(ways, name) {
  const button = element("button", "save", "Picture (PNG)");
  button.onclick = async () => handOver(await asPng(together(ways)), `${name()}.png`);
  return button;
}

/**
 * All canvases of the open section on one, as they lie on the page, on its background.
 * @param {HTMLElement} ways
 */
export function together(ways) {
  const drawn = [.../** @type {NodeListOf<HTMLCanvasElement>} */ (ways.querySelectorAll("section:not([hidden]) canvas"))]
    .filter((canvas) => canvas.width && canvas.height && canvas.getClientRects().length);
  const places = drawn.map((canvas) => canvas.getBoundingClientRect());
  const left = Math.min(...places.map((at) => at.left)), top = Math.min(...places.map((at) => at.top));
  const right = Math.max(...places.map((at) => at.right)), bottom = Math.max(...places.map((at) => at.bottom));
  const sharper = drawn.length ? drawn[0].width / places[0].width : 1;
  const whole = document.createElement("canvas"), g = whole.getContext("2d");
  whole.width = Math.max(1, Math.round((right - left) * sharper));
  whole.height = Math.max(1, Math.round((bottom - top) * sharper));
  if (!g || !drawn.length) return whole;
  g.fillStyle = getComputedStyle(ways).getPropertyValue("--st-background-color") || "#ffffff";
  g.fillRect(0, 0, whole.width, whole.height);
  for (const [at, canvas] of drawn.entries()) {
    const { left: x, top: y, width, height } = places[at];
    g.drawImage(canvas, (x - left) * sharper, (y - top) * sharper, width * sharper, height * sharper);
  }
  return whole;
}
