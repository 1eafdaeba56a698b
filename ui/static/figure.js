// A figure to take along: one that the server draws, or what the page has drawn in a place.

import { rootOf } from "./dom.js";
import { svgOf } from "./drawn.js";
import { figureButtons } from "./figure_buttons.js";
import { loadStyle } from "./frame.js";
import { mounted } from "./mounted.js";

/** @import { Component } from "./mounted.js" */
/**
 * The figure, the address below `/partwise/` to ask for it, or the key of the element that shows it and the part of it.
 * @typedef {{ name: string, svg: string, address: string, place: string, part: string }} FigureData
 */

export const { show, leave } = mounted((place) => new Figure(rootOf(place)));

class Figure {
  base = "";
  /** @type {FigureData} */
  data = { name: "", svg: "", address: "", place: "", part: "" };

  /** @param {HTMLElement} root */
  constructor(root) {
    root.replaceChildren(figureButtons(() => this.text(), () => this.data.name));
    loadStyle(root, "./figure.css");
  }

  /** @param {Component<FigureData>} component */
  update({ data, base }) {
    this.data = data;
    this.base = base;
  }

  async text() {
    const { svg, address, place, part } = this.data;
    if (svg) return svg;
    if (!address) return inside(document, classOf(place)).flatMap((shown) => (part ? inside(shown, part) : [shown])).map(svgOf).find(Boolean) ?? "";
    const answer = await fetch(`${this.base}partwise/${address}`);
    return answer.ok ? answer.text() : "";
  }
}

/**
 * All elements that a selector names, in the shadows too.
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {Element[]}
 */
function inside(root, selector) {
  const shadows = [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? inside(shadowRoot, selector) : []));
  return [...root.querySelectorAll(selector), ...shadows];
}

/**
 * The class that Streamlit gives to the element with a key.
 * @param {string} key
 */
function classOf(key) { return `.st-key-${CSS.escape(key.trim().replace(/[^a-zA-Z0-9_-]/g, "-"))}`; }
