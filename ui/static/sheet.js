// A sheet of pictures: point at one and it is explained, click one and somebody is told.

import { decode, loadStyle, unpack } from "./frame.js";
import { show as drawTiles, regrouped } from "./tiles.js";

const sheets = new WeakMap();

export function show(component) {
  const { parentElement: parent, data, setTriggerValue } = component;
  const root = parent.querySelector(".root");
  let sheet = sheets.get(parent);
  if (!sheet) {
    sheets.set(parent, (sheet = new Sheet(root)));
    loadStyle(root, "./sheet.css");
  }
  sheet.onPick = (index) => setTriggerValue("picked", index);
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const { header, parts } = unpack(bytes.buffer, bytes.byteOffset);
  sheet.take(header, parts);
}

export function leave(parent) {
  sheets.delete(parent);
}

const LAYOUT = `
  <div class="sheet">
    <canvas class="picture" role="img" tabindex="0" width="10" height="8"></canvas>
    <canvas class="marks" aria-hidden="true"></canvas>
    <div class="tip" role="status" hidden></div>
  </div>`;

// `header` says of a sheet: label, tips, marks (framed), dim (the others are paler), off (crossed out), picked.
export class Sheet {
  constructor(root, onPick = () => {}) {
    this.root = root;
    this.onPick = onPick;
    root.innerHTML = LAYOUT;
    this.picture = root.querySelector(".picture");
    this.overlay = root.querySelector(".marks");
    this.tip = root.querySelector(".tip");
    this.picture.onpointermove = (event) => this.point(this.under(event));
    this.picture.onpointerleave = this.picture.onblur = () => this.point(null);
    this.picture.onclick = (event) => this.pick(this.under(event));
    this.picture.onkeydown = (event) => this.walk(event);
  }

  // `current` may say that the picture has come too late to be shown.
  async take(header, bytes, current = () => true) {
    const bitmap = await decode(bytes);
    if (!bitmap || !current()) return false;
    this.header = header;
    this.picture.setAttribute("aria-label", header.label);
    this.grid = drawTiles(this.picture, ...regrouped(bitmap, header.parts, this.root.clientWidth));
    const [width, height] = this.grid.size;
    this.root.style.setProperty("--ratio", width / height);
    this.draw(null);
    return true;
  }

  under(event) {
    const { columns, tile, gap, count } = this.grid;
    const box = this.picture.getBoundingClientRect();
    const unit = this.grid.size[0] / box.width;
    const column = Math.floor(((event.clientX - box.left) * unit) / (tile[1] + gap));
    const row = Math.floor(((event.clientY - box.top) * unit) / (tile[0] + gap));
    const index = row * columns + column;
    return column >= 0 && column < columns && index >= 0 && index < count ? index : null;
  }

  walk(event) {
    if (!this.header) return;
    const { columns, count } = this.grid;
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      this.point(Math.min(count - 1, Math.max(0, (this.pointed ?? -by) + by)));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(this.pointed);
    }
  }

  point(index) {
    if (index === this.pointed || !this.header) return;
    this.pointed = index;
    this.draw(index);
    const text = index === null ? "" : this.header.tips[index];
    this.tip.hidden = !text;
    this.tip.textContent = text;
    if (!text) return;
    const [x, y, w, h] = this.boxOf(index), unit = this.picture.clientWidth / this.grid.size[0];
    const middle = (x + w / 2) * unit, below = (y + h) * unit + 6;
    this.tip.style.top = `${below}px`;
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(Math.min(middle, this.picture.clientWidth - half), half)}px`;
  }

  pick(index) {
    if (index !== null && index !== undefined) this.onPick(index);
  }

  boxOf(index) {
    const { columns, tile, gap } = this.grid;
    return [(index % columns) * (tile[1] + gap), Math.floor(index / columns) * (tile[0] + gap), tile[1], tile[0]];
  }

  draw(pointed = this.pointed) {
    const [width, height] = this.grid.size, { marks = [], off = [], dim, picked } = this.header;
    // Lines are as thick on the screen, however small the pictures are.
    const ratio = Math.max(1, Math.min(8, Math.round((2 * (this.picture.clientWidth || 320)) / width)));
    this.overlay.width = width * ratio;
    this.overlay.height = height * ratio;
    const g = this.overlay.getContext("2d");
    g.scale(ratio, ratio);
    const style = getComputedStyle(this.root), colour = (name) => style.getPropertyValue(`--st-${name}`);
    const line = (2 * width) / (this.picture.clientWidth || width);
    g.lineWidth = line;
    const frame = (index) => {
      const [x, y, w, h] = this.boxOf(index);
      g.strokeRect(x + line / 2, y + line / 2, w - line, h - line);
    };
    g.fillStyle = colour("background-color");
    for (let index = 0; index < this.grid.count; index++) {
      if (!(dim && !marks[index]) && !off[index]) continue;
      g.globalAlpha = off[index] ? 0.8 : 0.45;
      g.fillRect(...this.boxOf(index));
    }
    g.globalAlpha = 1;
    g.strokeStyle = colour("primary-color");
    marks.forEach((mark, index) => mark && frame(index));
    g.strokeStyle = colour("text-color");
    off.forEach((is, index) => {
      if (!is) return;
      const [x, y, w, h] = this.boxOf(index);
      g.beginPath();
      g.moveTo(x + w * 0.2, y + h * 0.8);
      g.lineTo(x + w * 0.8, y + h * 0.2);
      g.stroke();
    });
    for (const index of [picked, pointed]) if (index !== null && index !== undefined && index >= 0) frame(index);
  }
}
