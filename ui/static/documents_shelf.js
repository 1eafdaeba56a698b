// The list of documents of a topic, a class or a search: open one, or tick several and give them a class.

import { element } from "./dom.js";
import { percent } from "./numbers.js";

/** @import { DocumentsPage, ListedDocument, Listing, Query, Search } from "./documents_types.js" */
/** @typedef {{ row: number, box: HTMLInputElement, button: HTMLButtonElement }} Item */

export class Shelf {
  /** @type {Set<number>} rows of the data */
  ticked = new Set();
  /** @type {ListedDocument[]} */
  documents = [];
  /** @type {Item[]} */
  items = [];
  total = 0;
  /** @type {Search | null} the search whose answer is listed, null for a topic or a class */
  found = null;
  /** @type {Query | null} what the server was asked last */
  asked = null;
  title = element("h2");
  list = element("ul", "documents");
  more = element("button", "more", "Show more");
  all = element("input");
  name = element("input");
  choices = element("datalist");
  give = element("button", "primary");
  undo = element("button", "", "Undo");
  said = element("span", "quiet");

  /**
   * @param {HTMLElement} root
   * @param {DocumentsPage} page
   */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.more.hidden = true;
    this.more.onclick = () => this.load(this.documents.length);
    root.append(this.title, this.labeller(), this.list, this.more);
  }

  /** The bar that gives the ticked documents a class. */
  labeller() {
    const bar = element("form", "labeller");
    this.all.type = "checkbox";
    this.all.setAttribute("aria-label", "Tick all documents shown");
    this.all.onchange = () => this.tickAll(this.all.checked);
    Object.assign(this.name, { type: "text", placeholder: "Class, known or new", maxLength: 100 });
    this.name.setAttribute("aria-label", "Class for the ticked documents");
    this.name.oninput = () => this.count();
    this.choices.id = `classes-${Math.random().toString(36).slice(2)}`;
    this.name.setAttribute("list", this.choices.id);
    this.give.type = "submit";
    this.undo.onclick = () => this.page.tell("undone", Date.now());
    this.said.setAttribute("role", "status");
    bar.append(this.all, this.name, this.choices, this.give, this.undo, this.said);
    bar.onsubmit = (event) => { event.preventDefault(); this.assign(); };
    return bar;
  }

  update() {
    const { data } = this.page;
    this.choices.replaceChildren(...data.classes.map((name) => Object.assign(element("option"), { value: name })));
    this.undo.hidden = !data.undo;
    this.said.textContent = data.problem || [data.given ? `${data.given} labelled by hand.` : "", data.hint].filter(Boolean).join(" ");
    this.said.classList.toggle("wrong", Boolean(data.problem));
    this.count();
  }

  clear() {
    this.ticked.clear();
    this.found = null;
    this.fill([], 0);
    this.title.textContent = "";
  }

  assign() {
    const name = this.name.value.trim();
    if (!name || !this.ticked.size) return;
    this.page.tell("said", { rows: [...this.ticked], name, at: Date.now() });
    this.ticked.clear();
    this.all.checked = false;
    for (const { box } of this.items) box.checked = false;
    this.count();
  }

  count() {
    const many = this.ticked.size;
    this.give.textContent = many > 1 ? `Give ${many} documents this class` : many ? "Give 1 document this class" : "Give the ticked ones this class";
    this.give.disabled = !many || !this.name.value.trim();
  }

  headline() {
    const { now, topic, group, taken } = this.page;
    if (this.found) this.title.textContent = `Found: “${this.found.query}”`;
    else if (now) {
      const name = group === null ? "" : now.classes[group]?.name, of = group === null ? "" : `${taken ? "taken for" : "of"} ${name}`;
      const most = topic === null ? "" : `with most of “${now.topics[topic].title}”`;
      this.title.textContent = ["Documents", of, most].filter(Boolean).join(" ");
    }
  }

  leaveSearch() { this.found = null; }

  /** @param {Search} answer */
  showFound(answer) {
    this.found = answer;
    this.headline();
    this.fill(answer.documents, answer.documents.length);
    this.root.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  async load(start = 0) {
    if (this.found) return;
    const { topic, group, taken } = this.page, asked = { topic, class: group, taken: taken ? 1 : null, start };
    this.asked = asked;
    /** @type {Listing | null} */
    const answer = await this.page.ask("/documents", asked);
    if (!answer || asked !== this.asked || this.found) return;
    this.fill(start ? [...this.documents, ...answer.documents] : answer.documents, answer.total);
    this.headline();
    if (!start && this.page.now?.ended && this.page.reader.row === null && this.documents.length) this.page.open(this.documents[0].row, { scroll: false });
  }

  /**
   * @param {ListedDocument[]} documents
   * @param {number} total
   */
  fill(documents, total) {
    Object.assign(this, { documents, total });
    this.more.hidden = documents.length >= total;
    this.all.checked = false;
    this.items = [];
    this.list.replaceChildren(...documents.map((one) => this.item(one)));
    if (!documents.length && this.page.now) this.list.append(element("li", "quiet", "There is none."));
    this.count();
    this.opened(this.page.reader.row);
  }

  /** @param {ListedDocument} one */
  item(one) {
    const item = element("li"), box = element("input"), button = element("button", "document");
    Object.assign(box, { type: "checkbox", checked: this.ticked.has(one.row) });
    box.setAttribute("aria-label", `Tick ${one.title}`);
    box.onchange = () => { this.tick(one.row, box.checked); this.count(); };
    const title = element("span", "document-title", one.title), facts = element("span", "quiet");
    const mark = one.hand ? " ✎" : one.told ? " ✓" : "";
    facts.textContent = `${one.class || "no class"}${mark} · ${percent(one.share)}`;
    facts.title = one.hand ? "Labelled by hand" : one.told ? "The method was told this class" : "The method was not told this class";
    button.append(title, facts);
    button.style.setProperty("--share", percent(one.share).replace(" ", ""));
    button.onclick = () => this.page.open(one.row);
    button.dataset.row = String(one.row); // tests find a document by its row
    item.append(box, button);
    this.items.push({ row: one.row, box, button });
    return item;
  }

  /**
   * @param {number} row
   * @param {boolean} on
   */
  tick(row, on) {
    if (on) this.ticked.add(row);
    else this.ticked.delete(row);
  }

  /** @param {boolean} on */
  tickAll(on) {
    for (const { row, box } of this.items) {
      this.tick(row, on);
      box.checked = on;
    }
    this.count();
  }

  /** @param {number | null} row */
  opened(row) {
    for (const item of this.items) item.button.setAttribute("aria-current", String(item.row === row));
  }
}
