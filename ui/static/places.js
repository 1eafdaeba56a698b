// Which part of a picture matters to which method: a map a method, the share recognised behind a patch at each place.

import { pen, resize } from "./canvas.js";
import { element, find, findAll } from "./dom.js";
import { RAMP, colourOf, inWords, nearest, percent, span } from "./place_maps.js";

/**
 * @typedef {object} PlaceMap
 * @property {string} title
 * @property {string} colour
 * @property {(number | null)[]} shares row by row, null where they are not known yet
 * @property {number[]} [tops]
 * @property {number[]} [lefts] none while nothing is known
 * @property {string} [message] why there is no map
 */

const WIDE = 216;

export class Places {
  /** @type {PlaceMap[]} */
  maps = [];
  size = 0;
  /** @type {[number, number]} height and width of the pictures */
  shape = [1, 1];
  range = { low: 0, high: 1 };

  /**
   * @param {HTMLElement} holder where the maps go
   * @param {HTMLElement} scale where the colours are explained
   * @param {() => ImageBitmap | null} face the picture to lie beneath, if any
   */
  constructor(holder, scale, face) {
    this.holder = holder;
    this.scale = scale;
    this.face = face;
  }

  /**
   * @param {PlaceMap[]} maps
   * @param {number} size of the patch
   * @param {[number, number]} shape
   */
  set(maps, size, shape) {
    Object.assign(this, { maps, size, shape });
    const known = maps.flatMap(({ shares }) => shares.filter((share) => share !== null));
    this.range = known.length ? { low: Math.min(...known), high: Math.max(...known) } : { low: 0, high: 1 };
    while (this.holder.children.length > maps.length) this.holder.lastChild?.remove();
    while (this.holder.children.length < maps.length) this.holder.append(this.figure());
    this.redraw();
    this.explain(known.length > 0);
  }

  redraw() {
    const figures = findAll(this.holder, "figure");
    this.maps.forEach((map, index) => this.draw(figures[index], map));
  }

  figure() {
    const figure = element("figure"), canvas = element("canvas");
    canvas.setAttribute("role", "img");
    canvas.onpointermove = (event) => this.point(figure, event);
    canvas.onpointerleave = () => { find(figure, "output").textContent = ""; };
    figure.append(canvas, element("figcaption"), element("output"));
    return figure;
  }

  /**
   * @param {HTMLElement} figure
   * @param {PlaceMap} map
   */
  draw(figure, { title, colour, shares, lefts, tops, message }) {
    const canvas = find(figure, "canvas", HTMLCanvasElement), [height, width] = this.shape;
    const high = Math.round((WIDE * height) / width), unit = WIDE / width, face = this.face();
    resize(canvas, WIDE, high);
    const g = pen(canvas), caption = find(figure, "figcaption");
    g.clearRect(0, 0, WIDE, high);
    caption.textContent = message || title;
    caption.style.setProperty("--method", colour);
    g.globalAlpha = 1;
    if (face) g.drawImage(face, 0, 0, WIDE, high);
    canvas.setAttribute("aria-label", inWords(title, lefts ? shares : [], lefts?.length ?? 0));
    if (!lefts || !tops) return;
    g.globalAlpha = 0.72;
    shares.forEach((share, index) => {
      if (share === null) return;
      g.fillStyle = colourOf(share, this.range);
      const [x, w] = span(lefts, index % lefts.length, this.size), [y, h] = span(tops, Math.floor(index / lefts.length), this.size);
      g.fillRect(x * unit, y * unit, w * unit + 0.5, h * unit + 0.5);
    });
  }

  /**
   * @param {HTMLElement} figure
   * @param {PointerEvent} event
   */
  point(figure, event) {
    const map = this.maps[[...this.holder.children].indexOf(figure)];
    if (!map?.lefts || !map.tops) return;
    const box = find(figure, "canvas").getBoundingClientRect(), unit = this.shape[1] / box.width;
    const column = nearest(map.lefts, (event.clientX - box.left) * unit - this.size / 2);
    const row = nearest(map.tops, (event.clientY - box.top) * unit - this.size / 2);
    const share = map.shares[row * map.lefts.length + column] ?? null;
    find(figure, "output").textContent = share === null ? ""
      : `${percent(share)} with the patch ${map.lefts[column]} from the left, ${map.tops[row]} from the top`;
  }

  /** @param {boolean} known whether there is anything to explain */
  explain(known) {
    const stops = RAMP.map((colour) => `rgb(${colour.join(" ")})`).join(", ");
    find(this.scale, "i").style.background = `linear-gradient(to right, ${stops})`;
    const [low, high] = findAll(this.scale, "span");
    low.textContent = known ? percent(this.range.low) : "";
    high.textContent = known ? percent(this.range.high) : "";
  }
}
