// Classes against topics: how much of each topic there is in the documents of each class.

import { element, percent } from "./documents_dom.js";

const PAUSE = 400;
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class Classes {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    root.onclick = (event) => this.click(event.target.closest("[data-class]"));
    root.onpointerover = (event) => this.tell(event.target.closest("td[data-topic]"));
    root.addEventListener("focusin", (event) => this.tell(event.target.closest("td[data-topic]")));
    root.onkeydown = (event) => this.key(event);
    this.spot = [0, 0]; // the square, by row and column, at which the keyboard enters the table
  }

  clear() {
    this.picked = null;
    this.root.replaceChildren();
  }

  draw() {
    const { now, group, topic, taken } = this.page, { classes } = now;
    // A large table is much to make anew several times a second: while a run goes on it may lag a little.
    const picked = `${group} ${topic} ${taken}`, at = performance.now();
    if (!now.ended && picked === this.picked && at - this.at < PAUSE) return;
    Object.assign(this, { picked, at });
    if (!classes.length) {
      this.root.replaceChildren(element("p", "quiet", "No classes are known. Tick documents below and give them one: the method then looks for more like them."));
      return;
    }
    const columns = now.topics.map((_, index) => index).sort((a, b) => peak(classes, a) - peak(classes, b) || a - b);
    const most = Math.max(...classes.flatMap((one) => one.profile), 1e-9);
    const table = element("table", "heat"), body = element("tbody"), head = element("tr");
    head.append(element("th"), countHead("labelled"), countHead("taken for it"), ...columns.map((index) => topicHead(now.topics[index], index === topic)));
    classes.forEach((one, code) => {
      const row = element("tr", code === group ? "picked" : ""), name = element("th"), button = element("button", "", one.name);
      name.scope = "row";
      Object.assign(button.dataset, { class: code });
      button.setAttribute("aria-pressed", String(code === group && !taken));
      name.append(button);
      const told = element("td", "count", `${one.told}${one.hand ? " ✎" : ""}`);
      row.append(name, told, this.takenFor(one, code), ...columns.map((index) => cell(one, code, index, most, now.topics[index])));
      body.append(row);
    });
    const top = element("thead");
    top.append(head);
    table.append(top, body);
    const scroll = element("div", "scroll");
    scroll.append(table);
    this.note = element("p", "quiet", "The stronger the colour, the more of the topic in the documents of the class. Click a class, or a square.");
    const left = this.root.querySelector(".scroll")?.scrollLeft || 0, held = holder(this.root);
    this.root.replaceChildren(scroll, this.note);
    scroll.scrollLeft = left;
    this.square()?.setAttribute("tabindex", 0);
    // What had the keyboard has been made anew with all else.
    if (held) this.root.querySelector(held)?.focus({ preventScroll: true });
  }

  square() {
    const rows = [...this.root.querySelectorAll("tbody tr")].map((row) => row.querySelectorAll("td[data-topic]"));
    this.spot[0] = Math.min(Math.max(this.spot[0], 0), rows.length - 1);
    this.spot[1] = Math.min(Math.max(this.spot[1], 0), (rows[0]?.length ?? 0) - 1);
    return rows[this.spot[0]]?.[this.spot[1]];
  }

  // Among hundreds of squares the arrow keys lead, Tab goes on to what comes next.
  key(event) {
    const way = ARROWS[event.key], square = event.target.closest("td[data-topic]");
    if (!square || !(way || event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    if (!way) return this.click(square);
    square.removeAttribute("tabindex");
    this.spot = this.spot.map((place, axis) => place + way[axis]);
    const next = this.square();
    next.setAttribute("tabindex", 0);
    next.focus();
  }

  // How many documents without a label the method takes for a class, and how many more than before.
  takenFor(one, code) {
    const place = element("td", "count"), button = element("button", "", String(one.taken));
    Object.assign(button.dataset, { class: code, taken: 1 });
    button.title = `Documents nobody labelled that are most like those of ${one.name}`;
    button.setAttribute("aria-pressed", String(code === this.page.group && this.page.taken));
    place.append(button);
    const before = this.page.before?.classes.find((other) => other.name === one.name);
    const more = this.page.now.ended && before ? one.taken - before.taken : 0;
    if (more) place.append(element("span", "change", ` ${more > 0 ? "+" : "−"}${Math.abs(more)}`));
    return place;
  }

  tell(square) {
    if (!square || !this.note) return;
    const { now } = this.page, one = now.classes[square.dataset.class], index = Number(square.dataset.topic);
    this.note.textContent = `${percent(one.profile[index])} of ${one.name} is “${now.topics[index].title}”.`;
  }

  click(target) {
    if (!target) return;
    const group = Number(target.dataset.class), taken = Boolean(target.dataset.taken);
    this.tell(target.closest("td[data-topic]"));
    if (target.dataset.topic !== undefined) this.page.pick({ topic: Number(target.dataset.topic), group });
    else if (group === this.page.group && taken === this.page.taken) this.page.pick({ group: null });
    else this.page.pick({ topic: null, group, taken });
  }
}

// How to find the button or square again that has the keyboard.
function holder(root) {
  const active = root.getRootNode().activeElement, dataset = root.contains(active) && active.dataset;
  return dataset?.class && `[data-class="${dataset.class}"]` + (dataset.topic ? `[data-topic="${dataset.topic}"]` : dataset.taken ? "[data-taken]" : "");
}

function peak(classes, topic) {
  return classes.reduce((best, one, code) => (one.profile[topic] > classes[best].profile[topic] ? code : best), 0);
}

function topicHead(topic, picked) {
  const head = element("th", picked ? "turned picked" : "turned"), name = element("span", "", topic.words[0]?.[0] ?? topic.title);
  head.scope = "col";
  head.title = topic.title;
  head.append(name);
  return head;
}

function countHead(text) {
  const head = element("th", "turned");
  head.scope = "col";
  head.append(element("span", "", text));
  return head;
}

function cell(one, code, index, most, topic) {
  const place = element("td"), share = one.profile[index];
  Object.assign(place.dataset, { class: code, topic: index });
  place.style.setProperty("--share", `${Math.round((100 * share) / most)}%`);
  place.title = `${one.name}: ${percent(share)} is “${topic.title}”`;
  place.setAttribute("aria-label", place.title);
  return place;
}
