// The classes on a map, by colour and shape; pointing at one lights its points.

import { find } from "./dom.js";
import { look } from "./map_paint.js";

/** @import { Shape } from "./map_paint.js" */
/** @import { MapHeader } from "./server.js" */

const SVG = "http://www.w3.org/2000/svg";
/** @type {Record<Shape, string>} */
const SIGNS = {
  circle: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",
  square: "M-4.5 -4.5h9v9h-9z",
  triangle: "M0 -5.5L5.2 4.2H-5.2z",
  diamond: "M0 -6L5.2 0L0 6L-5.2 0z",
};

export class Legend {
  open = false; // whether all of it is shown

  /**
   * @param {HTMLElement} root
   * @param {(code: number | null) => void} light lights the points of a class, or all of them
   */
  constructor(root, light) {
    this.light = light;
    this.entries = find(root, ".legend");
    this.all = find(root, ".all");
    this.all.onclick = () => {
      this.open = !this.open;
      this.entries.classList.toggle("open", this.open);
      this.offerAll();
    };
  }

  /**
   * @param {MapHeader} header
   * @param {Int32Array} codes
   * @param {string[]} palette
   */
  show({ names, legend }, codes, palette) {
    const present = [...new Set(codes)].filter((code) => code >= 0).sort((a, b) => a - b);
    this.entries.hidden = !legend || !present.length || !names.length;
    this.entries.replaceChildren(...present.map((code) => this.entry(code, names[code] ?? String(code), palette)));
    this.offerAll();
  }

  /**
   * @param {number} code
   * @param {string} name
   * @param {string[]} palette
   */
  entry(code, name, palette) {
    const entry = document.createElement("button"), { colour, shape } = look(code, palette);
    const picture = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
    picture.setAttribute("viewBox", "-7 -7 14 14");
    picture.setAttribute("aria-hidden", "true");
    path.setAttribute("fill", colour ?? "none");
    path.setAttribute("d", SIGNS[shape]);
    picture.append(path);
    entry.append(picture, name);
    entry.onpointerenter = entry.onfocus = () => this.light(code);
    entry.onpointerleave = entry.onblur = () => this.light(null);
    return entry;
  }

  /** A long legend shows its first rows, and says that there are more. */
  offerAll() {
    const { scrollHeight, clientHeight } = this.entries;
    this.all.hidden = this.entries.hidden || (!this.open && scrollHeight <= clientHeight);
    this.all.textContent = this.open ? "Show fewer" : `Show all ${this.entries.children.length}`;
    this.all.setAttribute("aria-expanded", String(this.open));
  }
}
