// The list of documents of a topic, a class or a search: open one, or tick several and give them a class.

import { element, percent } from "./documents_dom.js";

export class Shelf {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.ticked = new Set();
    this.documents = [];
    this.total = 0;
    this.title = element("h3");
    this.list = element("ul", "documents");
    this.more = element("button", "more", "Show more");
    this.more.hidden = true;
    this.more.onclick = () => this.load(this.documents.length);
    root.append(this.title, this.labeller(), this.list, this.more);
  }

  // The bar that gives the ticked documents a class.
  labeller() {
    const bar = element("form", "labeller");
    this.all = element("input");
    Object.assign(this.all, { type: "checkbox" });
    this.all.setAttribute("aria-label", "Tick all documents shown");
    this.all.onchange = () => this.tickAll(this.all.checked);
    this.name = element("input");
    Object.assign(this.name, { type: "text", placeholder: "Class, known or new", maxLength: 100 });
    this.name.setAttribute("aria-label", "Class for the ticked documents");
    this.name.oninput = () => this.count();
    this.choices = element("datalist");
    this.choices.id = `classes-${Math.random().toString(36).slice(2)}`;
    this.name.setAttribute("list", this.choices.id);
    this.give = element("button", "primary");
    this.give.type = "submit";
    this.undo = element("button", "", "Undo");
    this.undo.onclick = () => this.page.tell("undone", Date.now());
    this.said = element("span", "quiet");
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
    for (const box of this.list.querySelectorAll("input")) box.checked = false;
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
      const of = group === null ? "" : taken ? `taken for ${now.classes[group]?.name}` : `of ${now.classes[group]?.name}`;
      const most = topic === null ? "" : `with most of “${now.topics[topic].title}”`;
      this.title.textContent = ["Documents", of, most].filter(Boolean).join(" ");
    }
  }

  leaveSearch() { this.found = null; }

  showFound(answer) {
    this.found = answer;
    this.headline();
    this.fill(answer.documents, answer.documents.length);
    this.root.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  async load(start = 0) {
    if (this.found) return;
    const { topic, group, taken } = this.page;
    const asked = (this.asked = { topic, class: group, taken: taken ? 1 : null, start });
    const answer = await this.page.ask("/documents", asked);
    if (!answer || asked !== this.asked || this.found) return;
    this.fill(start ? [...this.documents, ...answer.documents] : answer.documents, answer.total);
    this.headline();
    if (!start && this.page.now?.ended && this.page.reader.row === null && this.documents.length) this.page.open(this.documents[0].row, { scroll: false });
  }

  fill(documents, total) {
    Object.assign(this, { documents, total });
    this.more.hidden = documents.length >= total;
    this.all.checked = false;
    this.list.replaceChildren(...documents.map((one) => this.item(one)));
    if (!documents.length && this.page.now) this.list.append(element("li", "quiet", "There is none."));
    this.count();
    this.opened(this.page.reader.row);
  }

  item(one) {
    const item = element("li"), box = element("input"), button = element("button", "document");
    Object.assign(box, { type: "checkbox", checked: this.ticked.has(one.row) });
    box.setAttribute("aria-label", `Tick ${one.title}`);
    box.onchange = () => {
      if (box.checked) this.ticked.add(one.row);
      else this.ticked.delete(one.row);
      this.count();
    };
    const title = element("span", "document-title", one.title), facts = element("span", "quiet");
    const mark = one.hand ? " ✎" : one.told ? " ✓" : "";
    facts.textContent = `${one.class || "no class"}${mark} · ${percent(one.share)}`;
    facts.title = one.hand ? "Labelled by hand" : one.told ? "The method was told this class" : "The method was not told this class";
    button.append(title, facts);
    button.style.setProperty("--share", percent(one.share).replace(" ", ""));
    button.onclick = () => this.page.open(one.row);
    button.dataset.row = one.row;
    item.append(box, button);
    return item;
  }

  tickAll(on) {
    for (const one of this.documents) {
      if (on) this.ticked.add(one.row);
      else this.ticked.delete(one.row);
    }
    for (const box of this.list.querySelectorAll("input")) box.checked = on;
    this.count();
  }

  opened(row) {
    for (const button of this.list.querySelectorAll(".document")) button.setAttribute("aria-current", String(Number(button.dataset.row) === row));
  }
}
