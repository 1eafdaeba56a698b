// Search while one types: words with their topics and neighbours, and documents.

import { element, percent } from "./documents_dom.js";

const AFTER = 90, SHOWN = 7;

export class Finder {
  constructor(root, page) {
    this.page = page;
    this.input = element("input");
    Object.assign(this.input, { type: "search", placeholder: "Find a word or a document", maxLength: 200 });
    this.input.setAttribute("aria-label", "Find a word or a document");
    this.box = element("div", "found");
    this.box.hidden = true;
    root.append(this.input, this.box);
    this.input.oninput = () => this.later();
    this.input.onfocus = () => { this.box.hidden = !this.input.value.trim(); };
    root.onkeydown = (event) => {
      if (event.key === "Escape") this.close();
      if (event.key === "Enter" && event.target === this.input && this.answer) this.list();
    };
    root.addEventListener("focusout", (event) => {
      if (!root.contains(event.relatedTarget)) this.box.hidden = true;
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
    this.timer = setTimeout(() => this.search(), AFTER);
  }

  async search() {
    const query = this.input.value.trim();
    if (!query) return this.close();
    const answer = await this.page.ask("/search", { q: query });
    if (!answer || query !== this.input.value.trim()) return undefined; // Typed on meanwhile.
    this.answer = { query, ...answer };
    this.draw();
    return undefined;
  }

  draw() {
    const { words, documents, query } = this.answer, rows = [];
    for (const word of words.slice(0, 4)) rows.push(this.word(word));
    if (documents.length) rows.push(element("h4", "", "Documents"));
    for (const one of documents.slice(0, SHOWN)) rows.push(this.document(one));
    if (documents.length > 1) {
      const all = element("button", "all", `List ${documents.length >= 40 ? "the first 40" : `all ${documents.length}`} to read or label them`);
      all.onclick = () => this.list();
      rows.push(all);
    }
    if (!rows.length) rows.push(element("p", "quiet", `Nothing holds “${query}”.`));
    this.box.replaceChildren(...rows);
    this.box.hidden = false;
  }

  word({ word, documents, topics, near }) {
    const row = element("div", "found-word"), head = element("div"), others = element("div", "near");
    head.append(element("b", "", word), element("span", "quiet", ` in ${documents} documents; `));
    topics.forEach(([topic, share]) => {
      const button = element("button", "chip", `${percent(share)} ${this.page.titleOf(topic)}`);
      button.style.setProperty("--bar", this.page.colourOf(topic));
      button.onclick = () => { this.close(); this.page.pick({ topic, group: null }); };
      head.append(button);
    });
    if (near.length) others.append(element("span", "quiet", "in the same topics: "));
    near.forEach((other) => {
      const button = element("button", "word-link", other);
      button.onclick = () => { this.input.value = other; this.search(); };
      others.append(button);
    });
    row.append(head, others);
    return row;
  }

  document(one) {
    const button = element("button", "found-document", one.title);
    if (one.class) button.append(element("span", "quiet", ` ${one.class}`));
    button.onclick = () => { this.box.hidden = true; this.page.open(one.row); };
    return button;
  }

  list() {
    this.box.hidden = true;
    this.page.shelf.showFound(this.answer);
  }
}
