// Classes against topics: how much of each topic there is in the documents of each class.

import { element } from "./dom.js";
import { percent } from "./numbers.js";

/** @import { DocumentClass, DocumentsPage, Overview, Topic } from "./documents_types.js" */
/**
 * What a button or a square of the table stands for, and where it lies by row and column.
 * @typedef {object} Mark
 * @property {HTMLElement} element
 * @property {number} group the class
 * @property {number | null} topic null for a class as a whole
 * @property {boolean} taken whether documents taken for the class are meant
 */

const PAUSE = 400;
const WAYS = new Map([["ArrowLeft", [0, -1]], ["ArrowRight", [0, 1]], ["ArrowUp", [-1, 0]], ["ArrowDown", [1, 0]]]);

export class Classes {
  /** @type {Mark[]} all that can be pressed */
  marks = [];
  /** @type {Mark[][]} the squares of the table, row by row */
  squares = [];
  /** the square, by row and column, at which the keyboard enters the table */
  spot = [0, 0];
  /** @type {string | null} what was picked when the table was drawn */
  picked = null;
  drawnAt = 0;
  scroll = element("div", "scroll");
  note = element("p", "quiet");

  /**
   * @param {HTMLElement} root
   * @param {DocumentsPage} page
   */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    root.onclick = (event) => this.click(this.markOf(event.target));
    root.onpointerover = (event) => this.tell(this.markOf(event.target));
    root.addEventListener("focusin", (event) => this.tell(this.markOf(event.target)));
    root.onkeydown = (event) => this.key(event);
  }

  clear() {
    this.picked = null;
    this.marks = this.squares = [];
    this.root.replaceChildren();
  }

  /** @param {EventTarget | null} target */
  markOf(target) {
    return target instanceof Node ? this.marks.find(({ element }) => element.contains(target)) : undefined;
  }

  draw() {
    const { now, group, topic, taken } = this.page;
    if (!now) return;
    // A large table is much to make anew several times a second: while a run goes on it may lag a little.
    const picked = `${group} ${topic} ${taken}`, at = performance.now();
    if (!now.ended && picked === this.picked && at - this.drawnAt < PAUSE) return;
    Object.assign(this, { picked, drawnAt: at });
    const held = this.held(), { scrollLeft } = this.scroll;
    this.marks = [];
    this.squares = [];
    if (!now.classes.length) {
      this.root.replaceChildren(element("p", "quiet", "No classes are known. Tick documents below and give them one: the method then looks for more like them."));
      return;
    }
    this.scroll.replaceChildren(this.table(now));
    this.note.textContent = "The stronger the colour, the more of the topic in the documents of the class. Click a class, or a square.";
    this.root.replaceChildren(this.scroll, this.note);
    this.scroll.scrollLeft = scrollLeft;
    this.square()?.setAttribute("tabindex", "0");
    // What had the keyboard has been made anew with all else.
    this.marks.find((mark) => held && alike(mark, held))?.element.focus({ preventScroll: true });
  }

  /** The button or square that has the keyboard. */
  held() {
    const page = /** @type {Document | ShadowRoot} */ (this.root.getRootNode());
    return this.markOf(page.activeElement);
  }

  /** @param {Overview} now */
  table(now) {
    const { group, topic, taken } = this.page, { classes, topics } = now;
    const columns = topics.map((_, index) => index).sort((a, b) => peak(classes, a) - peak(classes, b) || a - b);
    const most = Math.max(...classes.flatMap((one) => one.profile), 1e-9);
    const table = element("table", "heat"), body = element("tbody"), head = element("tr"), top = element("thead");
    head.append(element("td"), countHead("labelled"), countHead("taken for it"), ...columns.map((index) => topicHead(topics[index], index === topic)));
    classes.forEach((one, code) => {
      const row = element("tr", code === group ? "picked" : ""), name = element("th"), button = element("button", "", one.name);
      name.scope = "row";
      button.setAttribute("aria-pressed", String(code === group && !taken));
      name.append(button);
      this.marks.push({ element: button, group: code, topic: null, taken: false });
      const squares = columns.map((index) => ({ element: cell(one, index, most, topics[index]), group: code, topic: index, taken: false }));
      this.marks.push(...squares);
      this.squares.push(squares);
      row.append(name, element("td", "count", `${one.told}${one.hand ? " ✎" : ""}`), this.takenFor(one, code, now), ...squares.map((mark) => mark.element));
      body.append(row);
    });
    top.append(head);
    table.append(top, body);
    return table;
  }

  /** The square at which the keyboard enters, kept inside of the table. */
  square() {
    const [row, column] = this.spot, last = this.squares.length - 1;
    this.spot = [Math.min(Math.max(row, 0), last), Math.min(Math.max(column, 0), (this.squares[0]?.length ?? 0) - 1)];
    return this.squares[this.spot[0]]?.[this.spot[1]]?.element;
  }

  /**
   * Among hundreds of squares the arrow keys lead, Tab goes on to what comes next.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const way = WAYS.get(event.key), mark = this.markOf(event.target);
    if (!mark || mark.topic === null || !(way || event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    if (!way) return this.click(mark);
    mark.element.removeAttribute("tabindex");
    this.spot = this.spot.map((place, axis) => place + way[axis]);
    const next = this.square();
    next?.setAttribute("tabindex", "0");
    next?.focus();
  }

  /**
   * How many documents without a label the method takes for a class, and how many more than before.
   * @param {DocumentClass} one
   * @param {number} code
   * @param {Overview} now
   */
  takenFor(one, code, now) {
    const place = element("td", "count"), button = element("button", "", String(one.taken));
    button.title = `Documents nobody labelled that are most like those of ${one.name}`;
    button.setAttribute("aria-pressed", String(code === this.page.group && this.page.taken));
    place.append(button);
    this.marks.push({ element: button, group: code, topic: null, taken: true });
    const before = this.page.before?.classes.find((other) => other.name === one.name);
    const more = now.ended && before ? one.taken - before.taken : 0;
    if (more) place.append(element("span", "change", ` ${more > 0 ? "+" : "−"}${Math.abs(more)}`));
    return place;
  }

  /** @param {Mark | undefined} mark */
  tell(mark) {
    const { now } = this.page;
    if (!mark || mark.topic === null || !now) return;
    const one = now.classes[mark.group];
    this.note.textContent = `${percent(one.profile[mark.topic])} of ${one.name} is “${now.topics[mark.topic].title}”.`;
  }

  /** @param {Mark | undefined} mark */
  click(mark) {
    if (!mark) return;
    const { topic, group, taken } = mark;
    this.tell(mark);
    if (topic !== null) this.page.pick({ topic, group });
    else if (group === this.page.group && taken === this.page.taken) this.page.pick({ group: null });
    else this.page.pick({ topic: null, group, taken });
  }
}

/**
 * @param {Mark} one
 * @param {Mark} other
 */
function alike(one, other) {
  return one.group === other.group && one.topic === other.topic && one.taken === other.taken;
}

/**
 * The class that has most of a topic.
 * @param {DocumentClass[]} classes
 * @param {number} topic
 */
function peak(classes, topic) {
  return classes.reduce((best, one, code) => (one.profile[topic] > classes[best].profile[topic] ? code : best), 0);
}

/**
 * @param {Topic} topic
 * @param {boolean} picked
 */
function topicHead(topic, picked) {
  const head = countHead(topic.words[0]?.[0] ?? topic.title);
  if (picked) head.classList.add("picked");
  head.title = topic.title;
  return head;
}

/** @param {string} text */
function countHead(text) {
  const head = element("th", "turned");
  head.scope = "col";
  head.append(element("span", "", text));
  return head;
}

/**
 * @param {DocumentClass} one
 * @param {number} index
 * @param {number} most
 * @param {Topic} topic
 */
function cell(one, index, most, topic) {
  const place = element("td"), share = one.profile[index];
  place.dataset.topic = String(index); // the style of squares, and how tests find them
  place.style.setProperty("--share", `${Math.round((100 * share) / most)}%`);
  place.title = `${one.name}: ${percent(share)} is “${topic.title}”`;
  place.setAttribute("aria-label", place.title);
  return place;
}
