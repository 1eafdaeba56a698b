// The map of topics: every document a dot among its topics. Point at one for its topic, click to read it;
// or go from dot to dot by the arrow keys, and Enter reads.

import { begin, drawnBy } from "./canvas.js";
import { element } from "./dom.js";
import { nearestSpot, nextSpot, wayOf } from "./spots.js";

/** @import { Pen } from "./canvas.js" */
/** @import { DocumentsPage, MapOfDocuments, Overview } from "./documents_types.js" */
/** @typedef {[left: number, top: number, right: number, bottom: number]} Label */

const REACH = 14, RATIO = 0.72, EDGE = 8, WHOLE = 1000;
const MANY = 1500; // from so many dots on they are smaller

export class TopicMap {
  canvas = element("canvas");
  tip = element("div", "tip");
  caption = element("p", "quiet");
  /** @type {number | null} the dot at which the keyboard is */
  chosen = null;
  width = 0;
  height = 0;

  /**
   * @param {HTMLElement} place
   * @param {DocumentsPage} page
   */
  constructor(place, page) {
    this.page = page;
    this.place = place;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "Map of documents");
    this.tip.setAttribute("role", "status");
    this.tip.hidden = true;
    drawnBy(this.canvas, () => this.draw());
    place.append(this.canvas, this.tip, this.caption);
    this.canvas.onpointermove = (event) => this.point(event);
    this.canvas.onpointerleave = () => { this.tip.hidden = true; };
    this.canvas.onclick = (event) => this.read(this.under(event));
    this.canvas.tabIndex = 0;
    this.canvas.onkeydown = (event) => this.key(event);
    this.canvas.onfocus = () => this.draw();
    this.canvas.onblur = () => this.leave();
  }

  clear() {
    this.chosen = null;
    this.canvas.width = 0;
    this.canvas.style.height = "0";
    this.caption.textContent = "";
    this.tip.hidden = true;
  }

  draw() {
    const { now, topic, group } = this.page, width = this.place.clientWidth;
    if (!now?.map || !width) return;
    const height = Math.round(width * RATIO);
    Object.assign(this, { width, height });
    this.canvas.style.height = `${height}px`;
    const g = begin(this.canvas, width, height), { map } = now;
    const size = map.rows.length > MANY ? 2.2 : 3;
    const lit = (/** @type {number} */ index) => (topic === null || map.topic[index] === topic) && (group === null || map.class[index] === group);
    for (const late of [false, true]) {
      for (let index = 0; index < map.rows.length; index += 1) {
        if (lit(index) !== late) continue;
        g.globalAlpha = late ? 0.8 : 0.2;
        g.fillStyle = map.topic[index] < 0 ? "#888" : this.page.colourOf(map.topic[index]);
        const [x, y] = this.spot(map, index);
        g.fillRect(x - size / 2, y - size / 2, size, size);
      }
    }
    g.globalAlpha = 1;
    this.names(g, now);
    this.ring(g, map);
    this.describe(now);
  }

  /**
   * Names of topics, the weighty ones first; one that would cover another is left out.
   * @param {Pen} g
   * @param {Overview} now
   */
  names(g, now) {
    const { topic } = this.page, style = getComputedStyle(this.canvas);
    g.font = `600 12.5px ${style.fontFamily}`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.lineWidth = 3.5;
    g.lineJoin = "round";
    g.strokeStyle = style.getPropertyValue("--st-background-color");
    g.fillStyle = style.getPropertyValue("--st-text-color");
    const order = now.topics.map((_, index) => index);
    order.sort((a, b) => Number(b === topic) - Number(a === topic) || now.topics[b].share - now.topics[a].share);
    /** @type {Label[]} */
    const written = [];
    for (const index of order) {
      const text = now.topics[index].words.slice(0, 2).map(([word]) => word).join(", "), half = g.measureText(text).width / 2;
      const [at, y] = this.at(...now.map.topics[index]), x = Math.min(Math.max(at, half + 2), this.width - half - 2);
      /** @type {Label} */
      const label = [x - half - 3, y - 9, x + half + 3, y + 9];
      if (written.some((other) => covers(label, other))) continue;
      written.push(label);
      g.strokeText(text, x, y);
      g.fillText(text, x, y);
    }
  }

  /** @param {Overview} now */
  describe(now) {
    const shown = now.map.rows.length, part = shown < now.documents ? `${shown} of the ${now.documents} documents` : "All documents";
    this.canvas.setAttribute("aria-label", `Map of ${shown} documents among ${now.topics.length} topics; topics that share words lie near each other`);
    this.caption.textContent = `${part}, each among its topics. Topics that share words lie near each other. Click a dot to read it, or choose one with the arrow keys and press Enter.`;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {[number, number]}
   */
  at(x, y) {
    return [EDGE + (x / WHOLE) * (this.width - 2 * EDGE), EDGE + (y / WHOLE) * (this.height - 2 * EDGE)];
  }

  /**
   * @param {MapOfDocuments} map
   * @param {number} index
   */
  spot(map, index) { return this.at(map.x[index], map.y[index]); }

  /** @param {MouseEvent} event */
  under(event) {
    const map = this.page.now?.map;
    if (!map) return null;
    const box = this.canvas.getBoundingClientRect();
    return nearestSpot(map.rows.length, (index) => this.spot(map, index), [event.clientX - box.left, event.clientY - box.top], REACH);
  }

  /**
   * @param {Pen} g
   * @param {MapOfDocuments} map
   */
  ring(g, map) {
    if (this.chosen === null || this.chosen >= map.rows.length) return;
    g.beginPath();
    g.arc(...this.spot(map, this.chosen), 8, 0, 7);
    g.lineWidth = 2;
    g.strokeStyle = getComputedStyle(this.canvas).getPropertyValue("--st-text-color");
    g.stroke();
  }

  /**
   * To the nearest dot that lies more or less in the direction of the key.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const map = this.page.now?.map, way = wayOf(event.key);
    if (!map?.rows.length || !(way || event.key === "Enter")) return;
    event.preventDefault();
    if (!way) return this.read(this.chosen);
    /** @type {[number, number]} */
    const from = this.chosen === null ? [this.width / 2, this.height / 2] : this.spot(map, this.chosen);
    this.chosen = nextSpot(map.rows.length, (index) => this.spot(map, index), from, way, 1) ?? this.chosen ?? 0;
    this.draw();
    return this.tell(this.chosen);
  }

  leave() {
    this.chosen = null;
    this.tip.hidden = true;
    this.draw();
  }

  /** @param {PointerEvent} event */
  point(event) {
    const index = this.under(event);
    this.canvas.style.cursor = index === null ? "" : "pointer";
    this.tell(index);
  }

  /** @param {number | null} index */
  tell(index) {
    const { now } = this.page;
    this.tip.hidden = index === null || !now;
    if (index === null || !now) return;
    const group = now.classes[now.map.class[index]]?.name, title = this.page.titleOf(now.map.topic[index]) || "no words";
    this.tip.textContent = group ? `${title} — ${group}` : title;
    const [x, y] = this.spot(now.map, index), half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.min(Math.max(x, half), Math.max(half, this.width - half))}px`;
    this.tip.style.top = `${y + 10}px`;
  }

  /** @param {number | null} index */
  read(index) {
    const map = this.page.now?.map;
    if (index === null || !map) return;
    if (map.topic[index] >= 0) this.page.pick({ topic: map.topic[index], group: null });
    this.page.open(map.rows[index]);
  }
}

/**
 * @param {Label} one
 * @param {Label} other
 */
function covers(one, other) {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}
