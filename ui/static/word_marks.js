// Words are underlined where they stand first on a page, without a change to what they stand in; pointing at one, or
// a tap, opens what it means. By keys and for screen readers the list at the foot of the page says the same.

import { element } from "./dom.js";
import { OF_THE_DATA, firstPlaces } from "./first_words.js";

/** @import { Text as Found, Wanted } from "./first_words.js" */
/** @import { Lifetime } from "./lifetime.js" */
/** @typedef {Wanted & { meaning: string }} Explained */

const NAME = "partwise-words", SOON = 700, AGAIN = 2500, LINGER = 250; // milliseconds
const NO_TEXT = `${OF_THE_DATA}, h1, script, style, code, pre, input, textarea, select, a, canvas, svg, .katex, .glossary, .word-note, [data-testid=stMultiSelect], [data-testid=stSelectbox]`;
const BUTTONS = "button, [role=radio], [role=tab], [role=option]";
const STYLE = `::highlight(${NAME}) { text-decoration: underline dotted; text-underline-offset: 3px; }`;

export class WordMarks {
  /** @type {Explained[]} */
  words = [];
  /** @type {Map<string, Range>} */
  ranges = new Map();
  /** @type {WeakSet<Node>} */
  watched = new WeakSet();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  next;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  closing;
  sheet = new CSSStyleSheet();

  /**
   * @param {HTMLElement} root where the note is
   * @param {Lifetime} lifetime
   */
  constructor(root, lifetime) {
    this.lifetime = lifetime;
    this.sheet.replaceSync(STYLE);
    this.note = root.appendChild(element("div", "word-note"));
    this.note.setAttribute("role", "tooltip");
    this.note.hidden = true;
    lifetime.listen(document, "pointermove", (/** @type {PointerEvent} */ event) => this.point(event));
    lifetime.listen(document, "click", (/** @type {MouseEvent} */ event) => this.tap(event));
    lifetime.listen(document, "keydown", (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") this.close(); });
    // It does not move with what it stands beside.
    for (const moved of ["wheel", "touchmove"]) lifetime.listen(document, moved, () => this.close());
    lifetime.atEnd(() => this.end());
    this.watch(document.body, document);
    // Of a component that comes later nothing outside of it tells.
    this.round = setInterval(() => { if (!document.hidden) this.look(); }, AGAIN);
  }

  /** @param {Explained[]} words */
  show(words) {
    this.words = words;
    this.look();
  }

  end() {
    clearInterval(this.round);
    clearTimeout(this.next);
    clearTimeout(this.closing);
    CSS.highlights?.delete(NAME);
  }

  /**
   * Looks again, a little later, whenever something changes there.
   * @param {Node} target
   * @param {Document | ShadowRoot} root
   */
  watch(target, root) {
    if (this.watched.has(root)) return;
    this.watched.add(root);
    this.lifetime.mutated(target, { childList: true, characterData: true, subtree: true }, () => {
      this.next ??= setTimeout(() => this.look(), SOON);
    });
  }

  look() {
    clearTimeout(this.next);
    this.next = undefined;
    const main = document.querySelector("[data-testid=stMain]");
    if (!main || !CSS.highlights) return;
    this.ranges.clear();
    for (const [word, { node, start, end }] of firstPlaces(this.texts(main), this.words)) {
      const range = document.createRange(), root = /** @type {Document | ShadowRoot} */ (node.getRootNode());
      range.setStart(node, start);
      range.setEnd(node, end);
      this.ranges.set(word, range);
      if (!root.adoptedStyleSheets.includes(this.sheet)) root.adoptedStyleSheets.push(this.sheet);
    }
    CSS.highlights.set(NAME, new Highlight(...this.ranges.values()));
  }

  /**
   * The texts below an element, in components, too.
   * @param {Element | ShadowRoot} above
   * @returns {Generator<Found<Node>>}
   */
  *texts(above) {
    const skip = (/** @type {Node} */ node) => (node instanceof Element && node.matches(NO_TEXT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    const walker = document.createTreeWalker(above, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, skip);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: box } = node;
      if (node instanceof Element) {
        if (!node.shadowRoot) continue;
        this.watch(node.shadowRoot, node.shadowRoot);
        yield* this.texts(node.shadowRoot);
      } else if (box && node.nodeValue?.trim()) {
        yield { node, text: node.nodeValue, pressed: () => Boolean(box.closest(BUTTONS)), seen: () => box.checkVisibility({ visibilityProperty: true }) };
      }
    }
  }

  /**
   * The word at a place of the screen, and where it stands.
   * @param {{ clientX: number, clientY: number }} place
   */
  at({ clientX, clientY }) {
    for (const explained of this.words) {
      for (const box of this.ranges.get(explained.word)?.getClientRects() ?? [])
        if (clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom) return { explained, box };
    }
    return null;
  }

  /** @param {PointerEvent} event */
  point(event) {
    if (event.pointerType !== "mouse" || event.buttons) return;
    const found = this.at(event);
    if (found) return this.open(found);
    // On the way to the note it stays open.
    if (this.note.hidden || event.composedPath().includes(this.note)) return;
    this.closing ??= setTimeout(() => this.close(), LINGER);
  }

  /** @param {MouseEvent} event */
  tap(event) {
    const found = this.at(event);
    if (found) this.open(found);
    else this.close();
  }

  /** @param {{ explained: Explained, box: DOMRect }} found */
  open({ explained, box }) {
    const { note } = this;
    clearTimeout(this.closing);
    this.closing = undefined;
    if (!note.hidden && note.dataset.word === explained.word) return;
    note.dataset.word = explained.word;
    note.replaceChildren(element("b", "", explained.word), ` ${explained.meaning}`);
    note.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = note;
    note.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
    note.style.top = `${box.bottom + height + 12 < innerHeight ? box.bottom + 6 : Math.max(4, box.top - height - 6)}px`;
  }

  close() {
    clearTimeout(this.closing);
    this.closing = undefined;
    this.note.hidden = true;
  }
}
