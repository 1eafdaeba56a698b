// The parts of a run: a montage (or cards of words), the discriminating ones marked, each with its tip.

import { decode, loadStyle, paint } from "./frame.js";
import { show as drawTiles } from "./tiles.js";
import { Words } from "./words.js";

// Pictures of samples narrower than this are shown much larger than they are.
const FEW_PIXELS = 300;
const MARKED = " Marked: U¹, which tell classes apart. The others, U², help to rebuild.";

export class Stage {
  constructor(root) {
    this.find = (selector) => root.querySelector(selector);
    this.canvas = this.find(".parts-canvas");
    this.tip = this.find(".part-tip");
    this.cards = this.find(".cards");
    this.at = null;
    this.canvas.onpointermove = (event) => this.point(this.partAt(event));
    this.canvas.onpointerleave = () => this.point(null);
    this.canvas.onblur = () => this.point(null);
    this.canvas.onkeydown = (event) => this.walk(event);
  }

  clear(label) {
    // The shape of most montages; setting it also clears the canvas.
    this.canvas.width = 658;
    this.canvas.height = 526;
    this.canvas.setAttribute("aria-label", label || "Parts");
    this.find(".caption").textContent = "";
    this.grid = null;
    this.point(null);
    this.showWords(false);
  }

  say(words) {
    this.find(".invitation").hidden = !words;
    this.find(".invitation span").textContent = words;
  }

  poster(picture) {
    this.canvas.style.imageRendering = picture.width < FEW_PIXELS ? "pixelated" : "";
    paint(this.canvas, picture);
    this.canvas.setAttribute("aria-label", "Some of the samples");
  }

  // Returns what draws a frame once its picture is decoded, so that several can be drawn at the same moment.
  async ready(frame, data) {
    const parts = await decode(frame.parts), { header } = frame;
    return () => {
      this.header = header;
      if (header.words) this.drawWords(header, data);
      else if (parts) this.drawParts(parts, header, data);
      else if (header.ended) this.say("This method has no parts to show.");
    };
  }

  drawParts(parts, header, data) {
    this.say("");
    this.showWords(false);
    this.canvas.style.imageRendering = "";
    this.grid = drawTiles(this.canvas, parts, header.parts);
    this.mark(header.discriminative);
    const caption = data.caption.replace("{}", header.parts.count) + weightsOf(header);
    this.find(".caption").textContent = caption + (header.discriminative && header.tips ? MARKED : "");
    this.canvas.setAttribute("aria-label", `Iteration ${header.shown}: ${caption}`);
    if (this.at !== null) this.point(this.at);
  }

  drawWords(header, data) {
    this.say("");
    this.showWords(true);
    const first = header.discriminative || 0;
    this.words.show(header.words, {
      marks: header.words.map((_, part) => part < first),
      notes: header.words.map((_, part) => (header.tips?.[part] ? `${label(header.tips[part][0])} %` : "")),
    });
    const left = header.topics - header.words.length;
    this.find(".caption").textContent = data.caption.replace("{}", header.topics) + weightsOf(header) +
      (left > 0 ? ` The first ${header.words.length} are shown.` : "") + (first ? MARKED : "");
  }

  showWords(shown) {
    if (shown && !this.words) {
      loadStyle(this.cards, "./words.css");
      this.words = new Words(this.cards);
    }
    this.cards.hidden = !shown;
    this.canvas.hidden = shown;
  }

  // A corner on each of the first parts: those that must tell classes apart.
  mark(count) {
    const { columns, tile, gap, size, count: all } = this.grid;
    if (!count || all < 2) return;
    const g = this.canvas.getContext("2d"), scale = this.canvas.width / size[0];
    const [height, width] = tile, pixel = this.canvas.width / (this.canvas.clientWidth || this.canvas.width);
    // Large enough to be seen, small enough to hide nothing.
    const corner = Math.max(5 * pixel, Math.min(height, width) * 0.12 * scale);
    g.fillStyle = getComputedStyle(this.canvas).getPropertyValue("--method");
    for (let part = 0; part < Math.min(count, all); part++) {
      const x = (part % columns) * (width + gap) * scale, y = Math.floor(part / columns) * (height + gap) * scale;
      g.beginPath();
      g.moveTo(x, y);
      g.lineTo(x + corner, y);
      g.lineTo(x, y + corner);
      g.fill();
    }
  }

  partAt(event) {
    if (!this.grid || this.grid.count < 2) return null;
    const { columns, tile, gap, size, count } = this.grid, scale = size[0] / this.canvas.clientWidth;
    const column = Math.floor((event.offsetX * scale) / (tile[1] + gap)), row = Math.floor((event.offsetY * scale) / (tile[0] + gap));
    const part = row * columns + column;
    return column < columns && part < count ? part : null;
  }

  walk(event) {
    if (!this.grid || this.grid.count < 2) return;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.grid.columns, ArrowUp: -this.grid.columns }[event.key];
    if (!step) return;
    event.preventDefault();
    this.point(Math.min(Math.max((this.at ?? -1) + step, 0), this.grid.count - 1));
  }

  point(part) {
    this.at = part;
    this.tip.hidden = part === null;
    if (part === null || !this.grid) return;
    const { columns, tile, gap, size } = this.grid, scale = this.canvas.clientWidth / size[0];
    const words = [`part ${part + 1} of ${this.grid.count}`], about = this.header.tips?.[part], first = this.header.discriminative;
    if (first) words.push(part < first ? "U¹: tells classes apart" : "U²: helps to rebuild");
    if (about) words.push(`${label(about[0])} % of what is rebuilt`, `sparsity ${about[1].toFixed(2)}`);
    this.tip.textContent = words.join(" · ");
    const x = (part % columns) * (tile[1] + gap) * scale, y = Math.floor(part / columns) * (tile[0] + gap) * scale;
    this.tip.style.left = `${Math.min(x, Math.max(0, this.canvas.clientWidth - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${y + tile[0] * scale + 4}px`;
  }
}

function label(value) {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}

// How much each view counts, for methods that weigh them.
function weightsOf({ weights }) {
  return !weights ? "" : ` Views count: ${weights.map(([view, weight]) => `${view} ${(100 * weight).toFixed(0)} %`).join(", ")}.`;
}
