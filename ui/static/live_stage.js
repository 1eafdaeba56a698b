// The parts of a run: a montage (or cards of words), the discriminating ones marked, each with its tip.

import { pen } from "./canvas.js";
import { find } from "./dom.js";
import { decode, loadStyle, paint } from "./frame.js";
import { stepOf, tileAt, tileBox } from "./grid.js";
import { show as drawTiles } from "./tiles.js";
import { Words } from "./words.js";

/** @import { PartMenu } from "./part_menu.js" */
/** @import { Frame, Grid, LiveData, PicturesHeader } from "./server.js" */
/** @typedef {{ caption: string }} Captions what is said of the parts; {} stands for their number */

// Pictures of samples narrower than this are shown much larger than they are.
const FEW_PIXELS = 300;
const MARKED = " Marked: U¹, which tell classes apart. The others, U², help to rebuild.";

export class Stage {
  /** @type {Grid | null} */
  grid = null;
  /** @type {PicturesHeader | null} */
  header = null;
  /** @type {Words | null} */
  words = null;
  /** @type {number | null} the part that is pointed at */
  at = null;
  /** @type {LiveData["edits"]} what can be done to single parts */
  edits = null;
  /** @type {PartMenu | null} where that is chosen */
  menu = null;
  /** @type {[first: string, other: string]} what the parts that tell classes apart are for, and the others */
  kinds = ["", ""];

  /** @param {HTMLElement} root */
  constructor(root) {
    this.canvas = find(root, ".parts-canvas", HTMLCanvasElement);
    this.tip = find(root, ".part-tip");
    this.cards = find(root, ".cards");
    this.caption = find(root, ".caption");
    this.invitation = find(root, ".invitation");
    this.canvas.onpointermove = (event) => this.point(this.partAt(event));
    this.canvas.onpointerleave = () => this.point(null);
    this.canvas.onblur = () => this.point(null);
    this.canvas.onkeydown = (event) => this.walk(event);
    this.canvas.onclick = (event) => this.pick(this.partAt(event));
  }

  /**
   * @param {LiveData["edits"]} edits
   * @param {PartMenu} menu
   */
  offer(edits, menu) {
    if (!edits !== !this.edits && this.words) {
      this.words = null; // cards are buttons or they are not
      this.cards.replaceChildren();
    }
    Object.assign(this, { edits, menu });
    this.canvas.classList.toggle("picks", Boolean(edits));
  }

  /** What a click on a part does. */
  hint() { return this.edits ? ` ${this.edits.words.hint}` : ""; }

  /** @param {number | null} part */
  pick(part) {
    if (part === null || !this.grid) return;
    const box = this.canvas.getBoundingClientRect(), scale = box.width / this.grid.size[0];
    const [x, y, width, height] = tileBox(this.grid, part).map((value) => value * scale);
    this.choose(part, new DOMRect(box.left + x, box.top + y, width, height), this.canvas);
  }

  /** @param {number} part */
  pickCard(part) {
    const card = this.cards.children[part]?.firstElementChild;
    if (card instanceof HTMLElement) this.choose(part, card.getBoundingClientRect(), card);
  }

  /**
   * @param {number} part
   * @param {DOMRect} box
   * @param {HTMLElement} from
   */
  choose(part, box, from) {
    if (this.edits) this.menu?.open(part, box, this.edits, from);
  }

  /** @param {string} label */
  clear(label) {
    // The shape of most montages; setting it also clears the canvas.
    this.canvas.width = 658;
    this.canvas.height = 526;
    this.canvas.setAttribute("aria-label", label || "Parts");
    this.caption.textContent = "";
    this.grid = null;
    this.point(null);
    this.showWords(false);
  }

  /** @param {string} words */
  say(words) {
    this.invitation.hidden = !words;
    find(this.invitation, "span").textContent = words;
  }

  /** @param {ImageBitmap} picture */
  poster(picture) {
    this.canvas.style.imageRendering = picture.width < FEW_PIXELS ? "pixelated" : "";
    paint(this.canvas, picture);
    this.canvas.setAttribute("aria-label", "Some of the samples");
  }

  /**
   * Returns what draws a frame once its picture is decoded, so that several can be drawn at the same moment.
   * @param {Frame<PicturesHeader & { ended?: boolean }>} frame
   * @param {Captions} captions
   */
  async ready(frame, captions) {
    const parts = await decode(frame.parts), { header } = frame;
    return () => {
      this.header = header;
      if (header.words) this.drawWords(header, header.words, captions);
      else if (parts) this.drawParts(parts, header, captions);
      else if (header.ended) this.say("This method has no parts to show.");
    };
  }

  /**
   * @param {ImageBitmap} parts
   * @param {PicturesHeader} header
   * @param {Captions} captions
   */
  drawParts(parts, header, captions) {
    this.say("");
    this.showWords(false);
    this.canvas.style.imageRendering = "";
    this.grid = drawTiles(this.canvas, parts, header.parts);
    this.mark(this.grid, header.discriminative ?? 0);
    this.frame(this.grid);
    const caption = captions.caption.replace("{}", String(header.parts.count)) + weightsOf(header);
    const marked = header.discriminative && header.tips ? MARKED : "";
    this.caption.textContent = `${caption}${marked}${header.key ? ` ${header.key}` : ""}${this.hint()}`;
    this.canvas.setAttribute("aria-label", `Iteration ${header.shown}: ${caption}`);
    if (this.at !== null) this.point(this.at);
  }

  /**
   * @param {PicturesHeader} header
   * @param {NonNullable<PicturesHeader["words"]>} words
   * @param {Captions} captions
   */
  drawWords(header, words, captions) {
    this.say("");
    const cards = this.showWords(true), first = header.discriminative || 0, topics = header.topics ?? words.length;
    cards?.show(words, {
      marks: words.map((_, part) => part < first),
      notes: words.map((_, part) => (header.tips?.[part] ? `${label(header.tips[part][0])} %` : "")),
    });
    this.caption.textContent = captions.caption.replace("{}", String(topics)) + weightsOf(header) +
      (topics > words.length ? ` The first ${words.length} are shown.` : "") + (first ? MARKED : "") + this.hint();
  }

  /** @param {boolean} shown whether parts are words and not pictures */
  showWords(shown) {
    if (shown && !this.words) {
      loadStyle(this.cards, "./words.css");
      this.words = new Words(this.cards, { onPick: this.edits ? (part) => this.pickCard(part) : null });
    }
    this.cards.hidden = !shown;
    this.canvas.hidden = shown;
    return this.words;
  }

  /**
   * A corner on each of the first parts: those that must tell classes apart.
   * @param {Grid} grid
   * @param {number} first how many they are
   */
  mark(grid, first) {
    if (!first || grid.count < 2) return;
    const { canvas } = this, g = pen(canvas), scale = canvas.width / grid.size[0];
    const pixel = canvas.width / (canvas.clientWidth || canvas.width);
    // Large enough to be seen, small enough to hide nothing.
    const corner = Math.max(5 * pixel, Math.min(...grid.tile) * 0.12 * scale);
    g.fillStyle = getComputedStyle(canvas).getPropertyValue("--method");
    for (let part = 0; part < Math.min(first, grid.count); part++) {
      const [x, y] = tileBox(grid, part).map((value) => value * scale);
      g.beginPath();
      g.moveTo(x, y);
      g.lineTo(x + corner, y);
      g.lineTo(x, y + corner);
      g.fill();
    }
  }

  /**
   * A frame around each of the parts that stay as they are.
   * @param {Grid} grid
   */
  frame(grid) {
    const { canvas } = this, g = pen(canvas), scale = canvas.width / grid.size[0];
    g.strokeStyle = getComputedStyle(canvas).getPropertyValue("--method");
    g.lineWidth = (3 * canvas.width) / (canvas.clientWidth || canvas.width);
    for (let part = 0; part < Math.min(this.edits?.kept ?? 0, grid.count); part++) {
      const [x, y, width, height] = tileBox(grid, part).map((value) => value * scale);
      g.strokeRect(x + g.lineWidth / 2, y + g.lineWidth / 2, width - g.lineWidth, height - g.lineWidth);
    }
  }

  /** @param {MouseEvent} event */
  partAt(event) {
    if (!this.grid || this.grid.count < 2) return null;
    const scale = this.grid.size[0] / this.canvas.clientWidth;
    return tileAt(this.grid, event.offsetX * scale, event.offsetY * scale);
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    if (!this.grid || this.grid.count < 2) return;
    if (this.edits && event.key === "Enter") {
      event.preventDefault(); // else it would press the button that has the keyboard from now on
      return this.pick(this.at);
    }
    const step = stepOf(this.grid, event.key);
    if (!step) return;
    event.preventDefault();
    this.point(Math.min(Math.max((this.at ?? -1) + step, 0), this.grid.count - 1));
  }

  /** @param {number | null} part */
  point(part) {
    this.at = part;
    this.tip.hidden = part === null;
    if (part === null || !this.grid || !this.header) return;
    this.tip.textContent = partInWords(part, this.grid.count, this.header, this.kinds);
    const scale = this.canvas.clientWidth / this.grid.size[0], [x, y, , height] = tileBox(this.grid, part);
    this.tip.style.left = `${Math.min(x * scale, Math.max(0, this.canvas.clientWidth - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${y * scale + height * scale + 4}px`;
  }
}

/**
 * @param {number} part
 * @param {number} count
 * @param {Pick<PicturesHeader, "tips" | "discriminative">} header
 * @param {[first: string, other: string]} kinds what the parts that tell classes apart are for, and the others
 */
export function partInWords(part, count, { tips, discriminative }, kinds) {
  const words = [`part ${part + 1} of ${count}`], about = tips?.[part];
  if (discriminative) words.push(kinds[part < discriminative ? 0 : 1]);
  if (about) words.push(`${label(about[0])} % of what is rebuilt`, `sparsity ${about[1].toFixed(2)}`);
  return words.join(" · ");
}

/** @param {number} value */
function label(value) {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}

/**
 * How much each view counts, for methods that weigh them.
 * @param {Pick<PicturesHeader, "weights">} header
 */
function weightsOf({ weights }) {
  return !weights ? "" : ` Views count: ${weights.map(([view, weight]) => `${view} ${(100 * weight).toFixed(0)} %`).join(", ")}.`;
}
