// Search while one types: words with their topics and neighbours, and documents.

import { element } from "./dom.js";
import { percent } from "./numbers.js";

/** @import { DocumentsPage, ListedDocument, Search, SearchAnswer, WordAnswer } from "./documents_types.js" */

const AFTER = 90, SHOWN = 7, WORDS = 4, MOST_LISTED = 40;

export class Finder {
  input = element("input");
  box = element("div", "found");
  /** @type {Search | null} */
  answer = null;
  timer = 0;

  /**
   * @param {HTMLElement} root
   * @param {DocumentsPage} page
   */
  constructor(root, page) {
    this.page = page;
    Object.assign(this.input, { type: "search", placeholder: "Find a word or a document", maxLength: 200 });
    this.input.setAttribute("aria-label", "Find a word or a document");
    this.box.hidden = true;
    root.append(this.input, this.box);
    this.input.oninput = () => this.later();
    this.input.onfocus = () => { this.box.hidden = !this.input.value.trim(); };
    root.onkeydown = (event) => {
      if (event.key === "Escape") this.close();
      if (event.key === "Enter" && event.target === this.input) this.list();
    };
    root.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) this.box.hidden = true;
    });
    // Pressing on something in the box must not take the focus first, or the box would be gone.
    this.box.onpointerdown = (event) => event.preventDefault();
  }

  clear() {
    this.input.value = "";
    this.close();
  }

  close() {
    this.box.hidden = true;
    this.answer = null;
  }

  later() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.search(), AFTER);
  }

  async search() {
    const query = this.input.value.trim();
    if (!query) return this.close();
    /** @type {SearchAnswer | null} */
    const answer = await this.page.ask("/search", { q: query });
    if (!answer || query !== this.input.value.trim()) return; // Typed on meanwhile.
    this.answer = { query, ...answer };
    this.draw(this.answer);
  }

  /** @param {Search} answer */
  draw({ words, documents, query }) {
    const rows = words.slice(0, WORDS).map((word) => this.word(word));
    if (documents.length) rows.push(element("h3", "", "Documents"));
    for (const one of documents.slice(0, SHOWN)) rows.push(this.document(one));
    if (documents.length > 1) {
      const many = documents.length >= MOST_LISTED ? `the first ${MOST_LISTED}` : `all ${documents.length}`;
      const all = element("button", "all", `List ${many} to read or label them`);
      all.onclick = () => this.list();
      rows.push(all);
    }
    if (!rows.length) rows.push(element("p", "quiet", `Nothing holds “${query}”.`));
    this.box.replaceChildren(...rows);
    this.box.hidden = false;
  }

  /**
   * @param {WordAnswer} answer
   * @returns {HTMLElement}
   */
  word({ word, documents, topics, near }) {
    const row = element("div", "found-word"), head = element("div"), others = element("div", "near");
    head.append(element("b", "", word), element("span", "quiet", ` in ${documents} documents; `));
    for (const [topic, share] of topics) {
      const button = element("button", "chip", `${percent(share)} ${this.page.titleOf(topic)}`);
      button.style.setProperty("--bar", this.page.colourOf(topic));
      button.onclick = () => { this.close(); this.page.pick({ topic, group: null }); };
      head.append(button);
    }
    if (near.length) others.append(element("span", "quiet", "in the same topics: "));
    for (const other of near) {
      const button = element("button", "word-link", other);
      button.onclick = () => { this.input.value = other; this.search(); };
      others.append(button);
    }
    row.append(head, others);
    return row;
  }

  /** @param {ListedDocument} one */
  document(one) {
    const button = element("button", "found-document", one.title);
    if (one.class) button.append(element("span", "quiet", ` ${one.class}`));
    button.onclick = () => { this.box.hidden = true; this.page.open(one.row); };
    return button;
  }

  list() {
    if (!this.answer) return;
    this.box.hidden = true;
    this.page.shelf.showFound(this.answer);
  }
}
