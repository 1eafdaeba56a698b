// The map of topics: every document a dot among its topics. Point at one for its topic, click to read it;
// or go from dot to dot by the arrow keys, and Enter reads.

import { begin } from "./canvas.js";

const REACH = 14, RATIO = 0.72;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class TopicMap {
  constructor(place, page) {
    this.page = page;
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.tip = document.createElement("div");
    this.tip.className = "tip";
    this.tip.setAttribute("role", "status");
    this.tip.hidden = true;
    this.caption = document.createElement("p");
    this.caption.className = "quiet";
    place.append(this.canvas, this.tip, this.caption);
    this.place = place;
    this.canvas.onpointermove = (event) => this.point(event);
    this.canvas.onpointerleave = () => { this.tip.hidden = true; };
    this.canvas.onclick = (event) => this.read(this.under(event));
    this.canvas.tabIndex = 0;
    this.canvas.onkeydown = (event) => this.key(event);
    this.canvas.onfocus = () => this.draw();
    this.canvas.onblur = () => this.leave();
    this.chosen = null; // the dot at which the keyboard is
  }

  clear() {
    this.chosen = null;
    this.canvas.width = 0;
    this.canvas.style.height = "0";
    this.caption.textContent = "";
    this.tip.hidden = true;
  }

  draw() {
    const { now, topic, group } = this.page;
    const width = this.place.clientWidth;
    if (!now?.map || !width) return;
    const height = Math.round(width * RATIO);
    Object.assign(this, { width, height });
    this.canvas.style.height = `${height}px`;
    const g = begin(this.canvas, width, height), { map } = now;
    const size = map.rows.length > 1500 ? 2.2 : 3;
    const lit = (index) => (topic === null || map.topic[index] === topic) && (group === null || map.class[index] === group);
    for (const late of [false, true]) {
      for (let index = 0; index < map.rows.length; index += 1) {
        if (lit(index) !== late) continue;
        g.globalAlpha = late ? 0.8 : 0.2;
        g.fillStyle = map.topic[index] < 0 ? "#888" : this.page.colourOf(map.topic[index]);
        const [x, y] = this.spot(index);
        g.fillRect(x - size / 2, y - size / 2, size, size);
      }
    }
    g.globalAlpha = 1;
    this.names(g);
    this.ring(g);
    this.describe();
  }

  // Names of topics, the weighty ones first; one that would cover another is left out.
  names(g) {
    const { now, topic } = this.page, style = getComputedStyle(this.canvas);
    g.font = `600 12.5px ${style.fontFamily}`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.lineWidth = 3.5;
    g.lineJoin = "round";
    g.strokeStyle = style.getPropertyValue("--st-background-color");
    g.fillStyle = style.getPropertyValue("--st-text-color");
    const taken = [], order = now.topics.map((_, index) => index);
    order.sort((a, b) => (b === topic) - (a === topic) || now.topics[b].share - now.topics[a].share);
    for (const index of order) {
      const text = now.topics[index].words.slice(0, 2).map(([word]) => word).join(", ");
      const half = g.measureText(text).width / 2;
      let [x, y] = this.at(...now.map.topics[index]);
      x = Math.min(Math.max(x, half + 2), this.width - half - 2);
      const box = [x - half - 3, y - 9, x + half + 3, y + 9];
      if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
      taken.push(box);
      g.strokeText(text, x, y);
      g.fillText(text, x, y);
    }
  }

  describe() {
    const { now } = this.page, shown = now.map.rows.length;
    this.canvas.setAttribute("aria-label", `Map of ${shown} documents among ${now.topics.length} topics; topics that share words lie near each other`);
    const part = shown < now.documents ? `${shown} of the ${now.documents} documents` : "All documents";
    this.caption.textContent = `${part}, each among its topics. Topics that share words lie near each other. Click a dot to read it, or choose one with the arrow keys and press Enter.`;
  }

  at(x, y) {
    const edge = 8;
    return [edge + (x / 1000) * (this.width - 2 * edge), edge + (y / 1000) * (this.height - 2 * edge)];
  }

  under(event) {
    const { now } = this.page;
    if (!now?.map) return null;
    const box = this.canvas.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
    let best = null, least = REACH * REACH;
    now.map.rows.forEach((_, index) => {
      const [x, y] = this.spot(index), apart = (x - px) ** 2 + (y - py) ** 2;
      if (apart < least) [best, least] = [index, apart];
    });
    return best;
  }

  ring(g) {
    if (this.chosen === null || this.chosen >= this.page.now.map.rows.length) return;
    g.beginPath();
    g.arc(...this.spot(this.chosen), 8, 0, 7);
    g.lineWidth = 2;
    g.strokeStyle = getComputedStyle(this.canvas).getPropertyValue("--st-text-color");
    g.stroke();
  }

  spot(index) {
    const { map } = this.page.now;
    return this.at(map.x[index], map.y[index]);
  }

  // To the nearest dot that lies more or less in the direction of the key.
  key(event) {
    const { now } = this.page, way = ARROWS[event.key];
    if (!now?.map?.rows.length || !(way || event.key === "Enter")) return;
    event.preventDefault();
    if (!way) return this.read(this.chosen);
    const from = this.chosen === null ? [this.width / 2, this.height / 2] : this.spot(this.chosen);
    let best = this.chosen, least = Infinity;
    now.map.rows.forEach((_, index) => {
      const [x, y] = this.spot(index), along = (x - from[0]) * way[0] + (y - from[1]) * way[1];
      const beside = Math.abs((x - from[0]) * way[1]) + Math.abs((y - from[1]) * way[0]);
      if (along > 0 && beside <= along && along + 2 * beside < least) [best, least] = [index, along + 2 * beside];
    });
    this.chosen = best ?? 0;
    this.draw();
    this.tell(this.chosen);
  }

  leave() {
    this.chosen = null;
    this.tip.hidden = true;
    this.draw();
  }

  point(event) {
    const index = this.under(event);
    this.canvas.style.cursor = index === null ? "" : "pointer";
    this.tell(index);
  }

  tell(index) {
    const { now } = this.page;
    this.tip.hidden = index === null;
    if (index === null) return;
    const group = now.classes[now.map.class[index]]?.name, title = this.page.titleOf(now.map.topic[index]) || "no words";
    this.tip.textContent = group ? `${title} — ${group}` : title;
    const [x, y] = this.spot(index), half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.min(Math.max(x, half), Math.max(half, this.width - half))}px`;
    this.tip.style.top = `${y + 10}px`;
  }

  read(index) {
    if (index === null) return;
    const { map } = this.page.now;
    if (map.topic[index] >= 0) this.page.pick({ topic: map.topic[index], group: null });
    this.page.open(map.rows[index]);
  }
}
