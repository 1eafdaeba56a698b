// A prediction that is drawn: the curve somebody expects, and beside it the one that came.

import { element, find, findAll, rootOf } from "./dom.js";
import { loadStyle } from "./frame.js";
import { mounted } from "./mounted.js";
import { bent, stepped } from "./sketch_line.js";

/** @import { Component } from "./mounted.js" */
/** @typedef {{ axes: [string, string], places: string[], said: number[] | null, truth: number[] | null, words: Record<"point" | "done" | "yours" | "came", string> }} SketchData what Python says (`ui.teaching.guide`) */

const WIDTH = 260, HEIGHT = 140, LAYOUT = `
  <svg viewBox="-10 -10 ${WIDTH + 20} ${HEIGHT + 20}"><rect width="${WIDTH}" height="${HEIGHT}"></rect>
    <polyline class="truth"></polyline><polyline class="yours"></polyline><g></g></svg>
  <div class="axes"><span></span><span></span></div><p class="legend" hidden></p><button type="button"></button>`;

export const { show, leave } = mounted((place) => new Sketch(rootOf(place)));

class Sketch {
  /** @type {number[]} */
  heights = [];
  /** @type {{ x: number, y: number } | null} where a hand was last */
  before = null;
  touched = false;
  /** @type {Component<SketchData>["setStateValue"]} */
  tell = () => {};

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    root.classList.add("sketch");
    root.innerHTML = LAYOUT;
    loadStyle(root, "./sketch.css");
    const sheet = /** @type {SVGSVGElement} */ (root.querySelector("svg"));
    sheet.onpointerdown = (event) => { sheet.setPointerCapture(event.pointerId); this.draw(this.placeOf(sheet, event)); };
    sheet.onpointermove = (event) => { if (sheet.hasPointerCapture(event.pointerId)) this.draw(this.placeOf(sheet, event)); };
    sheet.onpointerup = () => { this.before = null; };
    find(root, "button").onclick = () => this.tell("said", this.heights.map((height) => Math.round(100 * height)));
  }

  /** @param {Component<SketchData>} component */
  update({ data, setStateValue }) {
    const { root } = this, [x, y] = findAll(root, ".axes span"), button = find(root, "button", HTMLButtonElement);
    this.data = data;
    this.tell = setStateValue;
    [y.textContent, x.textContent] = [data.axes[0], data.axes[1]];
    button.textContent = data.words.done;
    button.hidden = data.said !== null;
    if (data.said) this.heights = data.said.map((height) => height / 100);
    else if (this.heights.length !== data.places.length) this.heights = data.places.map(() => 0.5);
    const legend = find(root, ".legend");
    legend.hidden = data.truth === null;
    legend.replaceChildren(element("span", "yours", data.words.yours), element("span", "truth", data.words.came));
    this.redraw();
  }

  /**
   * @param {SVGSVGElement} sheet
   * @param {PointerEvent} event
   */
  placeOf(sheet, event) {
    const { left, top, width, height } = sheet.getBoundingClientRect(), edge = 10 / (WIDTH + 20), rim = 10 / (HEIGHT + 20);
    return { x: ((event.clientX - left) / width - edge) / (1 - 2 * edge), y: 1 - ((event.clientY - top) / height - rim) / (1 - 2 * rim) };
  }

  /** @param {{ x: number, y: number }} at where a hand is */
  draw(at) {
    if (!this.data || this.data.said) return;
    this.heights = bent(this.heights, this.before ?? at, at);
    this.before = at;
    this.touched = true;
    this.redraw();
  }

  redraw() {
    const { root, data, heights } = this;
    if (!data) return;
    line(root, ".yours", heights);
    line(root, ".truth", (data.truth ?? []).map((height) => height / 100));
    find(root, "button", HTMLButtonElement).disabled = !this.touched;
    const points = /** @type {SVGGElement} */ (root.querySelector("g"));
    while (points.children.length < heights.length) points.append(this.point(points.children.length));
    heights.forEach((height, at) => {
      const point = points.children[at];
      point.setAttribute("cx", String(placeOf(at, heights.length)));
      point.setAttribute("cy", String((1 - height) * HEIGHT));
      point.setAttribute("aria-label", data.words.point.replace("{}", data.places[at]));
      point.setAttribute("aria-valuenow", String(Math.round(100 * height)));
      point.setAttribute("aria-disabled", String(data.said !== null));
    });
  }

  /** @param {number} at */
  point(at) {
    const point = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of Object.entries({ r: 6, role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": 100 }))
      point.setAttribute(name, String(value));
    point.onkeydown = (event) => {
      const next = this.data?.said ? null : stepped(this.heights, at, event.key);
      if (!next) return;
      event.preventDefault();
      this.heights = next;
      this.touched = true;
      this.redraw();
    };
    return point;
  }
}

/**
 * @param {HTMLElement} root
 * @param {string} name
 * @param {number[]} heights
 */
function line(root, name, heights) {
  const points = heights.map((height, at) => `${placeOf(at, heights.length)},${(1 - height) * HEIGHT}`);
  root.querySelector(`polyline${name}`)?.setAttribute("points", points.join(" "));
}

/**
 * @param {number} at
 * @param {number} count
 */
function placeOf(at, count) { return (at / (count - 1)) * WIDTH; }
