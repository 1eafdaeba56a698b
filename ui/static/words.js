// Topics as cards of words: a grid of cards, each word with a bar as long as its weight.
//
// `new Words(root)` once, then `show(parts, options)` as often as there is something new: cards and
// rows stay where they are and change in place, so nothing jumps while a run goes on. Texts come
// from documents of strangers: they are only ever set as text, never as HTML.

export class Words {
  // `onPick(index)` makes the cards buttons.
  constructor(root, { onPick = null } = {}) {
    this.root = root;
    this.onPick = onPick;
    root.classList.add("words");
    root.setAttribute("role", "list");
    this.cards = [];
  }

  // parts: for each topic a list of [word, weight]. titles, notes, marks: one entry a topic, or none.
  // `beside` holds the words of the same topics in a second view; `heads` names the two views.
  show(parts, { titles = [], notes = [], marks = [], picked = null, colours = [], beside = null, heads = [] } = {}) {
    this.root.classList.toggle("two", Boolean(beside));
    while (this.cards.length < parts.length) this.cards.push(this.card(this.cards.length));
    while (this.cards.length > parts.length) this.cards.pop().place.remove();
    parts.forEach((words, index) => {
      const card = this.cards[index];
      setText(card.title, titles[index] ?? `part ${index + 1}`);
      setText(card.note, notes[index] ?? "");
      card.box.classList.toggle("marked", Boolean(marks[index]));
      card.box.style.setProperty("--bar", colours[index] || "");
      if (this.onPick) card.box.setAttribute("aria-pressed", String(index === picked));
      fill(card.first, words, beside ? heads[0] : "");
      fill(card.second, beside ? beside[index] || [] : [], beside ? heads[1] : "");
    });
  }

  card(index) {
    const place = document.createElement("div"), box = document.createElement(this.onPick ? "button" : "div");
    place.setAttribute("role", "listitem");
    box.className = "topic";
    if (this.onPick) {
      box.type = "button";
      box.onclick = () => this.onPick(index);
    }
    const title = add(box, "topic-title"), note = add(box, "topic-note"), both = add(box, "topic-both");
    const first = column(both), second = column(both);
    place.append(box);
    this.root.append(place);
    return { place, box, title, note, first, second };
  }
}

function column(both) {
  const rows = add(both, "topic-rows");
  return { rows, head: add(rows, "topic-head"), lines: [] };
}

function fill({ rows, head, lines }, words, name) {
  const most = Math.max(...words.map(([, weight]) => Math.abs(weight)), 1e-12);
  setText(head, name);
  while (lines.length < words.length) lines.push(line(rows));
  while (lines.length > words.length) lines.pop().row.remove();
  words.forEach(([word, weight], index) => {
    const { row, text, share } = lines[index];
    setText(text, word);
    setText(share, `${(100 * weight).toFixed(1)} %`);
    row.style.setProperty("--share", `${(100 * Math.abs(weight)) / most}%`);
    row.classList.toggle("minus", weight < 0);
    row.title = `${word}: ${(100 * weight).toFixed(2)} % of the weight of this topic`;
  });
}

function line(rows) {
  const row = add(rows, "word");
  return { row, text: add(row, "word-name"), share: add(row, "word-share") };
}

function add(parent, name) {
  const part = document.createElement("span");
  part.className = name;
  parent.append(part);
  return part;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
