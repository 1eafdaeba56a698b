// A pen that notes what is drawn with it as SVG: what a view draws on its canvas becomes lines that stay sharp.

/** @import { Pen } from "./canvas.js" */
/** @typedef {[a: number, b: number, c: number, d: number, e: number, f: number]} Matrix */
/**
 * What only a canvas knows.
 * @typedef {object} CanvasHelp
 * @property {(text: string, font: string) => TextMetrics} measure
 * @property {(colour: string) => string} colour as every program reads it
 */

const KEPT = /** @type {const} */ (["fillStyle", "strokeStyle", "lineWidth", "lineJoin", "lineCap", "globalAlpha", "font", "textAlign",
  "textBaseline", "dashes", "matrix", "clipped"]);
const ANCHORS = new Map([["center", "middle"], ["right", "end"], ["end", "end"]]);
const DROPS = new Map([["top", 0.8], ["hanging", 0.8], ["middle", 0.35], ["bottom", -0.2]]);
/** @type {Matrix} */
const UNMOVED = [1, 0, 0, 1, 0, 0];
let clips = 0;

export class SvgPen {
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  lineJoin = "miter";
  lineCap = "butt";
  globalAlpha = 1;
  font = "10px sans-serif";
  textAlign = "start";
  textBaseline = "alphabetic";
  /** @type {number[]} */
  dashes = [];
  matrix = UNMOVED;
  clipped = ""; // the id of what it is clipped to
  /** @type {{ matrix: Matrix, clipped: string, text: string }[]} */
  marks = [];
  /** @type {string[]} */
  definitions = [];
  /** @type {Partial<SvgPen>[]} */
  saved = [];
  path = "";

  /** @param {CanvasHelp} help */
  constructor(help) { this.help = help; }

  /** What was drawn, for use inside of an SVG with the canvas' pixels as units. */
  svg() {
    let text = this.definitions.length ? `<defs>${this.definitions.join("")}</defs>` : "";
    for (let first = 0, next = 0; first < this.marks.length; first = next) {
      const { matrix, clipped } = this.marks[first];
      const same = (/** @type {number} */ at) => this.marks[at]?.clipped === clipped && String(this.marks[at].matrix) === String(matrix);
      while (same(next)) next++;
      const inside = this.marks.slice(first, next).map((mark) => mark.text).join("");
      const moved = String(matrix) === String(UNMOVED) ? inside : `<g transform="matrix(${matrix.map(round).join(" ")})">${inside}</g>`;
      text += clipped ? `<g clip-path="url(#${clipped})">${moved}</g>` : moved;
    }
    return text;
  }

  save() { this.saved.push(Object.fromEntries(KEPT.map((name) => [name, this[name]]))); }
  restore() { Object.assign(this, this.saved.pop()); }

  /** @param {Matrix} matrix */
  setTransform(...matrix) { this.matrix = matrix; }

  /**
   * @param {number} across
   * @param {number} up
   */
  scale(across, up) {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a * across, b * across, c * up, d * up, e, f];
  }

  /** @param {number[]} dashes */
  setLineDash(dashes) { this.dashes = [...dashes]; }

  /** Everything is cleared before it is drawn again. */
  clearRect() { this.marks = []; }

  /** @param {string} text */
  measureText(text) { return this.help.measure(text, this.font); }

  beginPath() { this.path = ""; }
  closePath() { if (this.path) this.path += "Z"; }

  /**
   * @param {number} x
   * @param {number} y
   */
  moveTo(x, y) { this.path += `M${round(x)} ${round(y)}`; }

  /**
   * @param {number} x
   * @param {number} y
   */
  lineTo(x, y) { this.path += `${this.path ? "L" : "M"}${round(x)} ${round(y)}`; }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   */
  rect(x, y, w, h) { this.path += boxed(x, y, w, h); }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} r
   * @param {number} from
   * @param {number} to
   */
  arc(x, y, r, from, to) {
    const whole = to - from >= 2 * Math.PI - 1e-9, end = whole ? from + 2 * Math.PI : to;
    const at = (/** @type {number} */ angle) => `${round(x + r * Math.cos(angle))} ${round(y + r * Math.sin(angle))}`;
    const leg = (/** @type {number} */ angle) => `A${round(r)} ${round(r)} 0 0 1 ${at(angle)}`;
    // Half by half, as the two ends of a whole circle are one point.
    this.path += `${this.path && !whole ? "L" : "M"}${at(from)}${leg((from + end) / 2)}${leg(end)}`;
  }

  fill() { this.note(`<path d="${this.path}"${this.filled()}/>`); }
  stroke() { if (this.path) this.note(`<path d="${this.path}"${this.stroked()}/>`); }

  clip() {
    this.clipped = `clip${clips++}`;
    this.definitions.push(`<clipPath id="${this.clipped}"><path d="${this.path}" transform="matrix(${this.matrix.join(" ")})"/></clipPath>`);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   */
  fillRect(x, y, w, h) { this.note(`<path d="${boxed(x, y, w, h)}"${this.filled()}/>`); }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   */
  strokeRect(x, y, w, h) { this.note(`<path d="${boxed(x, y, w, h)}"${this.stroked()}/>`); }

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   */
  fillText(text, x, y) { this.note(this.text(text, x, y, this.filled())); }

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   */
  strokeText(text, x, y) { this.note(this.text(text, x, y, this.stroked())); }

  /** @param {string} text */
  note(text) { this.marks.push({ matrix: this.matrix, clipped: this.clipped, text }); }

  filled() { return ` fill="${escaped(this.help.colour(this.fillStyle))}"${this.faint("fill")}`; }

  stroked() {
    const dashes = this.dashes.length ? ` stroke-dasharray="${this.dashes.join(" ")}"` : "";
    const look = ` stroke-width="${round(this.lineWidth)}" stroke-linejoin="${this.lineJoin}" stroke-linecap="${this.lineCap}"`;
    return ` fill="none" stroke="${escaped(this.help.colour(this.strokeStyle))}"${this.faint("stroke")}${look}${dashes}`;
  }

  /** @param {"fill" | "stroke"} what */
  faint(what) { return this.globalAlpha < 1 ? ` ${what}-opacity="${round(this.globalAlpha)}"` : ""; }

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {string} look
   */
  text(text, x, y, look) {
    const drop = DROPS.get(this.textBaseline) ?? 0, anchor = ANCHORS.get(this.textAlign) ?? "start", { width } = this.measureText(text);
    return `<text x="${round(x)}" y="${round(y)}" dy="${drop}em" text-anchor="${anchor}"${fitted(width)}${fontOf(this.font)}${look}>${escaped(text)}</text>`;
  }
}

/** @param {SvgPen} pen as what views draw with: all that they use of a canvas is here */
export function asPen(pen) { return /** @type {Pen} */ (/** @type {unknown} */ (pen)); }

/**
 * As wide as on the page, where a program that shows it lacks the font.
 * @param {number} width
 */
export function fitted(width) { return width ? ` textLength="${round(width)}" lengthAdjust="spacingAndGlyphs"` : ""; }

/** @param {string} font as a canvas and a computed style write it */
export function fontOf(font) {
  const [, before, size, family] = /^(.*?)([\d.]+)px(?:\/\S+)?\s+(.*)$/.exec(font) ?? ["", "", "", "10", "sans-serif"];
  const weight = /\b(\d{3}|bold)\b/.exec(before)?.[1], slant = before.includes("italic") ? ' font-style="italic"' : "";
  return ` font-size="${size}" font-family="${escaped(family)}"${weight ? ` font-weight="${weight}"` : ""}${slant}`;
}

/**
 * @param {string} text
 * @returns {string} as it stands in an SVG
 */
export function escaped(text) {
  return text.replace(/\p{Cc}/gu, (sign) => "\t\n\r".includes(sign) ? sign : "").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** @param {number} value */
export function round(value) { return Math.round(100 * value) / 100; }

/**
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 */
function boxed(x, y, w, h) { return `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}Z`; }
