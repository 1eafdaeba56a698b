// A figure to take along: the SVG that the server draws, as it is or painted as PNG by the browser.

import { element, rootOf } from "./dom.js";
import { asPng, handOver } from "./download.js";
import { loadStyle } from "./frame.js";
import { mounted } from "./mounted.js";

/** @import { Component } from "./mounted.js" */
/** @typedef {{ name: string, svg?: string, address?: string }} FigureData the figure, or the address below `/partwise/` to ask for it */

const SHARPER = 2, REFUSED = "The figure cannot be had just now.";

export const { show, leave } = mounted((place) => new Figure(rootOf(place)));

class Figure {
  base = "";
  /** @type {FigureData} */
  data = { name: "" };

  /** @param {HTMLElement} root */
  constructor(root) {
    const row = element("div", "figure-downloads"), svg = element("button", "", "Download (SVG)");
    const png = element("button", "", "Download (PNG)");
    this.note = element("span", "", "");
    this.note.setAttribute("role", "status");
    svg.onclick = () => this.take("svg", async (text) => new Blob([text], { type: "image/svg+xml" }));
    png.onclick = () => this.take("png", painted);
    row.append(svg, png, this.note);
    root.replaceChildren(row);
    loadStyle(root, "./figure.css");
  }

  /** @param {Component<FigureData>} component */
  update({ data, base }) {
    this.data = data;
    this.base = base;
  }

  /**
   * @param {string} kind
   * @param {(text: string) => Promise<Blob>} make
   */
  async take(kind, make) {
    this.note.textContent = "";
    try {
      handOver(await make(await this.text()), `${this.data.name}.${kind}`);
    } catch {
      this.note.textContent = REFUSED;
    }
  }

  async text() {
    if (this.data.svg) return this.data.svg;
    const answer = await fetch(`${this.base}partwise/${this.data.address}`);
    if (!answer.ok) throw new Error(REFUSED);
    return answer.text();
  }
}

/**
 * The figure as PNG, twice as fine as it is on the screen.
 * @param {string} text
 * @returns {Promise<Blob>}
 */
async function painted(text) {
  const picture = new Image(), canvas = document.createElement("canvas"), g = canvas.getContext("2d");
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await picture.decode();
  canvas.width = SHARPER * picture.naturalWidth;
  canvas.height = SHARPER * picture.naturalHeight;
  g?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return asPng(canvas);
}
