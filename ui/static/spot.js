// A prediction by a click on a picture: nine places, one of which somebody means.

import { element, find, rootOf } from "./dom.js";
import { loadStyle } from "./frame.js";
import { mounted } from "./mounted.js";

/** @import { Component } from "./mounted.js" */
/**
 * What Python says (`ui.teaching.guide`).
 * @typedef {object} SpotData
 * @property {string} title what the picture is
 * @property {[height: number, width: number]} shape
 * @property {number[]} pixels from 0 to 255, row by row
 * @property {string[]} places what the nine are called, row by row
 * @property {number | null} said
 * @property {number[]} truth those that come true, once that may be shown
 * @property {Record<"yours" | "came", string>} words
 */

export const { show, leave } = mounted((place) => new Spot(rootOf(place)));

class Spot {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    root.innerHTML = `<div class="spot"><canvas role="img" aria-label="A picture"></canvas><div class="places"></div></div>
      <p class="legend" hidden><span class="yours"></span><span class="came"></span></p>`;
    loadStyle(root, "./spot.css");
  }

  /** @param {Component<SpotData>} component */
  update({ data, setStateValue }) {
    const { root } = this;
    this.paint(data);
    find(root, ".legend").hidden = !data.truth.length;
    find(root, ".legend .yours").textContent = data.words.yours;
    find(root, ".legend .came").textContent = data.words.came;
    find(root, ".places").replaceChildren(...data.places.map((name, at) => {
      const place = element("button", [at === data.said ? "yours" : "", data.truth.includes(at) ? "came" : ""].join(" ").trim());
      place.setAttribute("aria-label", name);
      place.setAttribute("aria-pressed", String(at === data.said));
      place.title = name;
      place.disabled = data.said !== null;
      place.onclick = () => setStateValue("said", at);
      return place;
    }));
  }

  /** @param {SpotData} data */
  paint({ title, shape: [height, width], pixels }) {
    const canvas = find(this.root, "canvas", HTMLCanvasElement), g = canvas.getContext("2d"), image = new ImageData(width, height);
    canvas.setAttribute("aria-label", title);
    Object.assign(canvas, { width, height });
    pixels.forEach((grey, at) => image.data.set([grey, grey, grey, 255], 4 * at));
    g?.putImageData(image, 0, 0);
  }
}
