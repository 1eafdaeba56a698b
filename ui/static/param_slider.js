// The slider of a parameter: by mouse, touch, keys or a typed number; views hear of it while it moves.

import { find, rootOf, setText } from "./dom.js";
import { loadStyle, themeOf } from "./frame.js";
import { mounted } from "./mounted.js";
import { SliderScale, told } from "./slider_scale.js";
import { WISHES } from "./wishes.js";

/** @import { Component } from "./mounted.js" */
/** @import { SliderData } from "./server.js" */
/** @import { Turned } from "./wishes.js" */

const LAYOUT = `
  <div class="top"><span class="label"></span><button type="button" class="about" aria-expanded="false"></button>
    <input class="number" inputmode="decimal" autocomplete="off" spellcheck="false"></div>
  <div class="slide" role="slider" tabindex="0"><div class="rail"><i class="fill"></i><i class="mark" hidden></i></div>
    <i class="thumb"></i></div>
  <p class="problem" role="status" hidden></p>
  <p class="meaning" hidden></p>`;

export const { show, leave } = mounted((place, { data }) => new ParamSlider(rootOf(place), data));

class ParamSlider {
  value = 0;
  /** @type {number | null} where it was when it was taken, null while nobody holds it */
  taken = null;
  /** @type {number} how many moves the page has been told of */
  said = 0;
  /** @type {Component<SliderData>["setStateValue"]} */
  tell = () => {};

  /**
   * @param {HTMLElement} root
   * @param {SliderData} data
   */
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.said = data.heard;
    root.classList.add("param-slider");
    root.innerHTML = LAYOUT;
    this.scale = new SliderScale(data);
    this.slide = find(root, ".slide");
    this.number = find(root, ".number", HTMLInputElement);
    this.problem = find(root, ".problem");
    loadStyle(root, "./param_slider.css");
    this.listen();
  }

  listen() {
    const { slide, number } = this, about = find(this.root, ".about"), meaning = find(this.root, ".meaning");
    slide.onpointerdown = (event) => this.take(event);
    slide.onpointermove = (event) => { if (slide.hasPointerCapture(event.pointerId)) this.move(this.scale.at(this.placeOf(event))); };
    slide.onpointerup = () => this.release();
    slide.onpointercancel = () => this.goBack();
    slide.onkeydown = (event) => this.press(event);
    slide.onkeyup = () => this.release();
    slide.onblur = () => this.release();
    number.onchange = () => this.typed();
    number.onfocus = () => number.select();
    number.onkeydown = (event) => { if (event.key === "Escape") this.draw(); };
    about.onclick = () => {
      meaning.hidden = !meaning.hidden;
      about.setAttribute("aria-expanded", String(!meaning.hidden));
    };
  }

  /** @param {Component<SliderData>} component */
  update({ data, setStateValue }) {
    this.data = data;
    this.tell = setStateValue;
    this.scale = new SliderScale(data);
    this.root.classList.toggle("dark", themeOf(this.root) === "dark");
    find(this.root, ".label").textContent = data.label;
    find(this.root, ".meaning").textContent = data.meaning;
    find(this.root, ".about").setAttribute("aria-label", this.inWords("about"));
    find(this.root, ".about").title = data.meaning;
    this.number.setAttribute("aria-label", this.inWords("typed"));
    const { slide } = this, mark = find(this.root, ".mark");
    slide.setAttribute("aria-label", data.label);
    slide.setAttribute("aria-valuemin", String(data.zero ? 0 : data.low));
    slide.setAttribute("aria-valuemax", String(data.high));
    mark.hidden = data.mark === null;
    if (data.mark !== null) {
      mark.style.left = `${100 * this.scale.place(data.mark)}%`;
      mark.title = this.inWords("marked", data.mark);
    }
    // What the page says is old as long as it has not heard of the last move.
    if (this.taken === null && data.heard >= this.said) this.value = data.value;
    this.draw();
  }

  draw() {
    const { slide, value, data } = this, place = `${100 * this.scale.place(value)}%`;
    find(this.root, ".thumb").style.left = find(this.root, ".fill").style.width = place;
    this.number.value = told(value);
    slide.setAttribute("aria-valuenow", String(value));
    const words = value === 0 && data.zero ? this.inWords("off", value) : value === data.mark ? this.inWords("marked", value) : told(value);
    slide.setAttribute("aria-valuetext", words);
  }

  /**
   * @param {keyof SliderData["words"]} name
   * @param {number} [value]
   */
  inWords(name, value = 0) {
    const { label, low, high, words } = this.data;
    const given = { label, value: told(value), low: told(low), high: told(high) };
    return words[name].replace(/\{(\w+)\}/g, (_, key) => given[/** @type {keyof typeof given} */ (key)] ?? "");
  }

  /** @param {PointerEvent} event */
  placeOf(event) {
    const { left, width } = find(this.root, ".rail").getBoundingClientRect();
    return Math.min(Math.max((event.clientX - left) / (width || 1), 0), 1);
  }

  /** @param {PointerEvent} event */
  take(event) {
    if (event.button !== 0) return;
    this.slide.setPointerCapture(event.pointerId);
    this.slide.focus({ preventScroll: true });
    this.move(this.scale.at(this.placeOf(event)));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key === "Escape" && this.taken !== null) return this.goBack();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = this.scale.step(this.value, event.key);
    if (next === null) return;
    event.preventDefault();
    this.move(next);
  }

  /** @param {number} value where a hand holds it now */
  move(value) {
    if (value === this.value) return;
    this.taken ??= this.value;
    this.value = value;
    this.refuse("");
    this.draw();
    this.turned("held");
  }

  release() {
    const { taken } = this;
    this.taken = null;
    if (taken === null) return;
    if (taken === this.value) return this.turned("back");
    this.turned("released");
    this.say();
  }

  goBack() {
    if (this.taken === null) return;
    this.value = this.taken;
    this.taken = null;
    this.draw();
    this.turned("back");
  }

  typed() {
    const value = this.scale.read(this.number.value);
    this.refuse(value === null ? this.inWords(this.data.zero ? "refused_but_off" : "refused") : "");
    if (value === null || value === this.value) return this.draw();
    this.value = value;
    this.draw();
    this.say();
  }

  /** Tells the page, which keeps the value and begins a run with it. */
  say() {
    this.said += 1;
    this.tell("moved", { number: this.said, value: this.value, start: this.data.start });
  }

  /** @param {string} words */
  refuse(words) {
    setText(this.problem, words);
    this.problem.hidden = !words;
  }

  /** @param {Turned["hand"]} hand */
  turned(hand) {
    /** @type {Turned} */
    const detail = { of: this.data.of, param: this.data.param, value: this.value, hand };
    document.dispatchEvent(new CustomEvent(WISHES.turn, { detail }));
  }
}
