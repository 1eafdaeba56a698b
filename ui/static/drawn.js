// What is drawn in a place of the page as one SVG: charts as lines, pictures as pictures, words as words.

import { drawWith } from "./canvas.js";
import { asPen, escaped, fitted, fontOf, round, SvgPen } from "./svg_pen.js";

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

// What is pressed or filled in is no part of a figure.
const LEFT_OUT = new Set(["BUTTON", "INPUT", "SELECT", "TEXTAREA", "SCRIPT", "STYLE", "LINK", "NOSCRIPT"]);
const FRAME = 10, CLEAR = /^(transparent|rgba\(.*, 0\))$/, SIDES = ["Top", "Right", "Bottom", "Left"];

/**
 * The elements of a place; a canvas is drawn anew by who draws it, if that is known.
 * @param {Element} place
 * @returns {string} nothing if nothing is drawn there
 */
export function svgOf(place) {
  const drawing = new Drawing();
  drawing.take(place);
  return drawing.svg(getComputedStyle(place).getPropertyValue("--st-background-color").trim() || backgroundOf(place));
}

class Drawing {
  /** @type {string[]} */
  parts = [];
  left = Infinity;
  top = Infinity;
  right = -Infinity;
  bottom = -Infinity;

  /** @param {string} background */
  svg(background) {
    if (!this.parts.length) return "";
    const [x, y] = [this.left - FRAME, this.top - FRAME].map(Math.floor);
    const width = Math.ceil(this.right + FRAME) - x, height = Math.ceil(this.bottom + FRAME) - y;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">`
      + `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${escaped(background)}"/>${this.parts.join("")}</svg>`;
  }

  /**
   * @param {string} text
   * @param {Box} box
   */
  add(text, { x, y, width, height }) {
    this.parts.push(text);
    this.left = Math.min(this.left, x);
    this.top = Math.min(this.top, y);
    this.right = Math.max(this.right, x + width);
    this.bottom = Math.max(this.bottom, y + height);
  }

  /** @param {Element} element */
  take(element) {
    if (LEFT_OUT.has(element.tagName)) return;
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
    if (element instanceof SVGSVGElement) return this.drawing(element, box, style);
    if (element instanceof HTMLCanvasElement) return this.canvas(element, box);
    if (element instanceof HTMLImageElement) return this.picture(element, box);
    // What only screen readers are to find is cut to nothing.
    if (box.width <= 1 && box.height <= 1 && style.overflow === "hidden") return;
    this.paper(style, box);
    for (const node of (element.shadowRoot ?? element).childNodes)
      if (node instanceof Element) this.take(node);
      else if (node instanceof Text && node.data.trim()) this.words(node, style);
  }

  /**
   * @param {SVGSVGElement} element
   * @param {Box} box
   * @param {CSSStyleDeclaration} style
   */
  drawing(element, box, style) {
    if (!box.width || !box.height || !element.childElementCount) return;
    const copy = /** @type {SVGSVGElement} */ (element.cloneNode(true));
    for (const name of /** @type {const} */ (["x", "y", "width", "height"])) copy.setAttribute(name, String(round(box[name])));
    copy.setAttribute("style", `color:${style.color};font-family:${style.fontFamily};font-size:${style.fontSize}`);
    this.add(new XMLSerializer().serializeToString(copy), box);
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Box} box
   */
  canvas(canvas, box) {
    if (!box.width || !box.height || !canvas.width || !canvas.height) return;
    const place = placed(box), note = new SvgPen(helpOf(canvas));
    if (drawWith(canvas, asPen(note)))
      this.add(`<svg ${place} viewBox="0 0 ${canvas.width} ${canvas.height}" preserveAspectRatio="none">${note.svg()}</svg>`, box);
    else this.add(`<image ${place} preserveAspectRatio="none" style="image-rendering:pixelated" href="${canvas.toDataURL()}"/>`, box);
  }

  /**
   * @param {HTMLImageElement} image
   * @param {Box} box
   */
  picture(image, box) {
    if (!box.width || !image.naturalWidth) return;
    const copy = document.createElement("canvas");
    Object.assign(copy, { width: image.naturalWidth, height: image.naturalHeight });
    copy.getContext("2d")?.drawImage(image, 0, 0);
    this.canvas(copy, box);
  }

  /**
   * Backgrounds and the lines between rows of a table.
   * @param {CSSStyleDeclaration} style
   * @param {Box} box
   */
  paper(style, box) {
    const { x, y, width, height } = box;
    if (!width || !height) return;
    if (!CLEAR.test(style.backgroundColor)) {
      const curve = Math.min(parseFloat(style.borderRadius) || 0, width / 2), half = style.borderRadius.includes("%");
      this.add(`<rect ${placed(box)} rx="${round(half ? width / 2 : curve)}" fill="${escaped(style.backgroundColor)}"/>`, box);
    }
    const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height], [x, y]].map((corner) => corner.map(round));
    for (const [index, side] of SIDES.entries()) {
      // Of borders that cells share only one is drawn.
      if (style.borderCollapse === "collapse" && side !== "Bottom") continue;
      const [line, colour] = [style.getPropertyValue(`border-${side.toLowerCase()}-width`), style.getPropertyValue(`border-${side.toLowerCase()}-color`)];
      if (!parseFloat(line) || CLEAR.test(colour)) continue;
      this.add(`<path d="M${corners[index].join(" ")}L${corners[index + 1].join(" ")}" stroke="${escaped(colour)}" stroke-width="${parseFloat(line)}"/>`, box);
    }
  }

  /**
   * @param {Text} node
   * @param {CSSStyleDeclaration} style
   */
  words(node, style) {
    for (const { text, box } of linesOf(node)) {
      const size = parseFloat(style.fontSize), look = fontOf(`${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`);
      const at = `x="${round(box.x)}" y="${round(box.y + box.height / 2)}" dy="${round(0.34 * size)}"`;
      this.add(`<text ${at} fill="${escaped(style.color)}"${look}${fitted(box.width)}>${escaped(text)}</text>`, box);
    }
  }
}

/**
 * The lines that a text is broken into.
 * @param {Text} node
 */
function linesOf(node) {
  /** @type {{ text: string, box: Box }[]} */
  const lines = [];
  const range = document.createRange();
  for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const box = range.getClientRects()[0], last = lines.at(-1);
    if (!box?.width) continue;
    if (last && Math.abs(last.box.y - box.y) < 2) {
      last.text += ` ${word}`;
      last.box.width = box.right - last.box.x;
    } else lines.push({ text: word, box: { x: box.x, y: box.y, width: box.width, height: box.height } });
  }
  return lines;
}

/** @param {Box} box */
function placed({ x, y, width, height }) {
  return `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
}

/** @param {HTMLCanvasElement} canvas */
function helpOf(canvas) {
  const own = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  return {
    measure: (/** @type {string} */ text, /** @type {string} */ font) => {
      own.font = font;
      return own.measureText(text);
    },
    colour: (/** @type {string} */ colour) => {
      const before = own.fillStyle;
      own.fillStyle = colour;
      const plain = String(own.fillStyle);
      own.fillStyle = before;
      return plain;
    },
  };
}

/**
 * The colour behind an element.
 * @param {Element | null} element
 * @returns {string}
 */
function backgroundOf(element) {
  if (!element) return "#ffffff";
  const { backgroundColor } = getComputedStyle(element);
  return CLEAR.test(backgroundColor) ? backgroundOf(element.parentElement) : backgroundColor;
}
