// A sheet of pictures: point at one and it is explained, click one and the page is told.

import { decode, loadStyle, paint, unpack } from "./frame.js";

const sheets = new WeakMap();

export function show(component) {
  let sheet = sheets.get(component.parentElement);
  if (!sheet) sheets.set(component.parentElement, (sheet = new Sheet(component.parentElement)));
  sheet.update(component);
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

class Sheet {
  constructor(parent) {
    this.root = parent.querySelector(".root");
    this.root.innerHTML = LAYOUT;
    loadStyle(this.root, "./sheet.css");
    this.picture = this.root.querySelector(".picture");
    this.overlay = this.root.querySelector(".marks");
    this.tip = this.root.querySelector(".tip");
    this.picture.onpointermove = (event) => this.point(this.under(event));
    this.picture.onpointerleave = this.picture.onblur = () => this.point(null);
    this.picture.onclick = (event) => this.pick(this.under(event));
    this.picture.onkeydown = (event) => this.walk(event);
  }

  async update({ data, setTriggerValue }) {
    this.setTriggerValue = setTriggerValue;
    const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
    const { header, parts } = unpack(bytes.buffer, bytes.byteOffset);
    this.header = header;
    this.picture.setAttribute("aria-label", header.label);
    paint(this.picture, await decode(parts));
    const small = header.parts.tile[0] < 24;
    this.picture.style.imageRendering = small ? "pixelated" : "";
    this.draw(null);
  }

  get scale() { return this.picture.width / (this.header.parts.size[0] || 1); }

  under(event) {
    const { columns, tile, gap, count } = this.header.parts;
    const box = this.picture.getBoundingClientRect();
    const unit = this.header.parts.size[0] / box.width;
    const column = Math.floor(((event.clientX - box.left) * unit) / (tile[1] + gap));
    const row = Math.floor(((event.clientY - box.top) * unit) / (tile[0] + gap));
    const index = row * columns + column;
    return column >= 0 && column < columns && index >= 0 && index < count ? index : null;
  }

  walk(event) {
    const { columns, count } = this.header.parts;
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      this.point(Math.min(count - 1, Math.max(0, (this.pointed ?? -by) + by)));
    } else if (event.key === "Enter") this.pick(this.pointed);
  }

  point(index) {
    if (index === this.pointed) return;
    this.pointed = index;
    this.draw(index);
    const text = index === null ? "" : this.header.tips[index];
    this.tip.hidden = !text;
    this.tip.textContent = text;
    if (!text) return;
    const [x, y, w, h] = this.boxOf(index), unit = this.picture.clientWidth / this.header.parts.size[0];
    const middle = (x + w / 2) * unit, below = (y + h) * unit + 6;
    this.tip.style.top = `${below}px`;
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.min(Math.max(middle, half), this.picture.clientWidth - half)}px`;
  }

  pick(index) {
    if (index !== null && index !== undefined) this.setTriggerValue("picked", index);
  }

  boxOf(index) {
    const { columns, tile, gap } = this.header.parts;
    return [(index % columns) * (tile[1] + gap), Math.floor(index / columns) * (tile[0] + gap), tile[1], tile[0]];
  }

  draw(pointed) {
    const [width, height] = this.header.parts.size, ratio = 2;
    this.overlay.width = width * ratio;
    this.overlay.height = height * ratio;
    const g = this.overlay.getContext("2d");
    g.scale(ratio, ratio);
    const style = getComputedStyle(this.root);
    g.strokeStyle = style.getPropertyValue("--st-primary-color");
    g.lineWidth = Math.max(2, width / 320);
    // Marked pictures are framed; where marks divide the sheet in two, the others step back a little.
    g.fillStyle = style.getPropertyValue("--st-background-color");
    g.globalAlpha = 0.45;
    (this.header.marks || []).forEach((mark, index) => {
      if (!mark && this.header.dim) g.fillRect(...this.boxOf(index));
    });
    g.globalAlpha = 1;
    (this.header.marks || []).forEach((mark, index) => {
      if (mark) { const [x, y, w, h] = this.boxOf(index); g.strokeRect(x + 1, y + 1, w - 2, h - 2); }
    });
    if (pointed === null || pointed === undefined) return;
    g.strokeStyle = style.getPropertyValue("--st-text-color");
    const [x, y, w, h] = this.boxOf(pointed);
    g.strokeRect(x + 1, y + 1, w - 2, h - 2);
  }
}
