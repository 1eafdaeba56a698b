// Which parts of a cell come back from every start: framed in its picture; and how often samples belong together.

import { element, find, setText } from "./dom.js";
import { tileBox } from "./grid.js";

/** @import { Pen } from "./canvas.js" */
/** @import { Grid } from "./server.js" */
/** @import { TuneCell } from "./tune_types.js" */

const FRAME = "#e69f00", LAYOUT = `
  <p class="quiet said"></p>
  <details><summary>Which samples belong together, over all starts</summary><img alt=""><p class="quiet pairs"></p></details>`;

/**
 * The places of parts that come back from every start.
 * @param {number[]} shares
 */
export function everywhere(shares) { return shares.flatMap((share, part) => (share >= 1 ? [part] : [])); }

/**
 * Frames the parts that come back from every start.
 * @param {Pen} g
 * @param {Grid} grid
 * @param {number} times how many pixels of the canvas one of the grid takes
 * @param {number[]} shares
 */
export function frame(g, grid, times, shares) {
  g.strokeStyle = FRAME;
  g.lineWidth = Math.min(4, Math.max(2, times / 2));
  const inset = g.lineWidth / 2;
  for (const part of everywhere(shares.slice(0, grid.count))) {
    const [x, y, w, h] = tileBox(grid, part).map((value) => value * times);
    g.strokeRect(x + inset, y + inset, w - g.lineWidth, h - g.lineWidth);
  }
}

/** What is said of it below the picture, and the pairs, fetched when they are opened. */
export class Recurring {
  /** @type {TuneCell | null} */
  told = null;

  /**
   * @param {HTMLElement} root
   * @param {(cell: number) => string} address of the picture of the pairs
   */
  constructor(root, address) {
    this.root = root;
    this.address = address;
    root.innerHTML = LAYOUT;
    this.details = find(root, "details", HTMLDetailsElement);
    this.details.ontoggle = () => this.pairs();
  }

  /** @param {TuneCell | null} told */
  show(told) {
    this.told = told;
    this.root.hidden = !told?.recurring;
    setText(find(this.root, ".said"), told?.said ?? "");
    this.pairs();
  }

  pairs() {
    const { told } = this, picture = find(this.root, "img", HTMLImageElement);
    if (!told?.recurring || !this.details.open) return;
    const address = this.address(told.cell);
    if (picture.getAttribute("src") !== address) picture.src = address;
    picture.alt = told.pairs ?? "";
    setText(find(this.root, ".pairs"), told.pairs ?? "");
  }
}

/**
 * A topic's line, with how often it comes back.
 * @param {HTMLElement} line
 * @param {number | undefined} share
 */
export function mark(line, share) {
  if (share !== undefined) line.append(element("span", "quiet", share >= 1 ? " · always back" : ` · back in ${Math.round(100 * share)} %`));
}
