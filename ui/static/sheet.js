// A sheet of pictures: point at one and it is explained, click one and somebody is told.

import { unpack } from "./blocks.js";
import { pen } from "./canvas.js";
import { find, rootOf } from "./dom.js";
import { decode, loadStyle } from "./frame.js";
import { stepOf, tileAt, tileBox } from "./grid.js";
import { mounted } from "./mounted.js";
import { show as drawTiles, regrouped } from "./tiles.js";

/** @import { Component } from "./mounted.js" */
/** @import { Grid, SheetOf } from "./server.js" */
/**
 * What is said of a sheet, a list with an entry a picture.
 * @typedef {object} SheetHeader
 * @property {Grid} parts
 * @property {string} label
 * @property {string[]} tips
 * @property {(boolean | 0 | 1)[]} [marks] framed ones
 * @property {boolean} [dim] whether all but the framed ones are paler
 * @property {boolean[]} [off] crossed out ones
 * @property {number | null} [picked]
 */

const LAYOUT = `
  <div class="sheet">
    <canvas class="picture" role="img" aria-label="A sheet of pictures" tabindex="0" width="10" height="8"></canvas>
    <canvas class="marks" aria-hidden="true"></canvas>
    <div class="tip" role="status" hidden></div>
  </div>`;

export const { show, leave } = mounted((place) => new SheetView(rootOf(place)));

class SheetView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.sheet = new Sheet(root);
    loadStyle(root, "./sheet.css");
  }

  /** @param {Component<Uint8Array<ArrayBuffer> | ArrayBuffer>} component */
  update({ data, setTriggerValue }) {
    this.sheet.onPick = (index) => setTriggerValue("picked", index);
    const { header, parts } = /** @type {SheetOf<SheetHeader>} */ (unpack(data));
    this.sheet.take(header, parts);
  }
}

export class Sheet {
  /** @type {SheetHeader | null} */
  header = null;
  /** @type {Grid | null} */
  grid = null;
  /** @type {number | null} */
  pointed = null;
  /** @type {(index: number) => void} */
  onPick = () => {};

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    root.innerHTML = LAYOUT;
    this.picture = find(root, ".picture", HTMLCanvasElement);
    this.overlay = find(root, ".marks", HTMLCanvasElement);
    this.tip = find(root, ".tip");
    this.picture.onpointermove = (event) => this.point(this.under(event));
    this.picture.onpointerleave = this.picture.onblur = () => this.point(null);
    this.picture.onclick = (event) => this.pick(this.under(event));
    this.picture.onkeydown = (event) => this.walk(event);
  }

  /**
   * Shows a sheet; returns false if there is no picture, or if `current` says that it has come too late.
   * @param {SheetHeader} header
   * @param {Uint8Array<ArrayBuffer>} bytes
   */
  async take(header, bytes, current = () => true) {
    const bitmap = await decode(bytes);
    if (!bitmap || !current()) return false;
    this.header = header;
    this.picture.setAttribute("aria-label", header.label);
    this.grid = drawTiles(this.picture, ...regrouped(bitmap, header.parts, this.root.clientWidth));
    const [width, height] = this.grid.size;
    this.root.style.setProperty("--ratio", String(width / height));
    this.draw(null);
    return true;
  }

  /** @param {MouseEvent} event */
  under(event) {
    if (!this.grid) return null;
    const box = this.picture.getBoundingClientRect(), unit = this.grid.size[0] / box.width;
    return tileAt(this.grid, (event.clientX - box.left) * unit, (event.clientY - box.top) * unit);
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    if (!this.grid) return;
    const by = stepOf(this.grid, event.key);
    if (by !== undefined) {
      event.preventDefault();
      this.point(Math.min(this.grid.count - 1, Math.max(0, (this.pointed ?? -by) + by)));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(this.pointed);
    }
  }

  /** @param {number | null} index */
  point(index) {
    if (index === this.pointed || !this.header || !this.grid) return;
    this.pointed = index;
    this.draw(index);
    const text = index === null ? "" : this.header.tips[index];
    this.tip.hidden = !text;
    this.tip.textContent = text;
    if (index === null || !text) return;
    const [x, y, w, h] = tileBox(this.grid, index), unit = this.picture.clientWidth / this.grid.size[0];
    const middle = (x + w / 2) * unit, below = (y + h) * unit + 6;
    this.tip.style.top = `${below}px`;
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(Math.min(middle, this.picture.clientWidth - half), half)}px`;
  }

  /** @param {number | null} index */
  pick(index) {
    if (index !== null) this.onPick(index);
  }

  draw(pointed = this.pointed) {
    if (!this.grid || !this.header) return;
    const { grid, overlay } = this, [width, height] = grid.size, { marks = [], off = [], dim, picked } = this.header;
    // Lines are as thick on the screen, however small the pictures are.
    const ratio = Math.max(1, Math.min(8, Math.round((2 * (this.picture.clientWidth || 320)) / width)));
    overlay.width = width * ratio;
    overlay.height = height * ratio;
    const g = pen(overlay), style = getComputedStyle(this.root);
    g.scale(ratio, ratio);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--st-${name}`);
    const line = (2 * width) / (this.picture.clientWidth || width);
    g.lineWidth = line;
    const frame = (/** @type {number} */ index) => {
      const [x, y, w, h] = tileBox(grid, index);
      g.strokeRect(x + line / 2, y + line / 2, w - line, h - line);
    };
    g.fillStyle = colour("background-color");
    for (let index = 0; index < grid.count; index++) {
      if (!(dim && !marks[index]) && !off[index]) continue;
      g.globalAlpha = off[index] ? 0.8 : 0.45;
      g.fillRect(...tileBox(grid, index));
    }
    g.globalAlpha = 1;
    g.strokeStyle = colour("primary-color");
    marks.forEach((mark, index) => mark && frame(index));
    g.strokeStyle = colour("text-color");
    off.forEach((is, index) => {
      if (!is) return;
      const [x, y, w, h] = tileBox(grid, index);
      g.beginPath();
      g.moveTo(x + w * 0.2, y + h * 0.8);
      g.lineTo(x + w * 0.8, y + h * 0.2);
      g.stroke();
    });
    for (const index of [picked, pointed]) if (index !== null && index !== undefined && index >= 0) frame(index);
  }
}
