// Topics as cards of words: a grid of cards, each word with a bar as long as its weight.
//
// `new Words(root)` once, then `show(topics, options)` as often as there is something new: cards and
// rows stay where they are and change in place, so nothing jumps while a run goes on. Texts come
// from documents of strangers: they are only ever set as text, never as HTML.

import { element, setText } from "./dom.js";

/** @import { WeighedWord } from "./server.js" */
/** @typedef {{ row: HTMLElement, text: HTMLElement, share: HTMLElement }} Line */
/** @typedef {{ rows: HTMLElement, head: HTMLElement, lines: Line[] }} Column */
/** @typedef {{ place: HTMLElement, box: HTMLElement, title: HTMLElement, note: HTMLElement, first: Column, second: Column }} Card */
/**
 * Lists hold an entry a topic, or none at all.
 * @typedef {object} WordsOptions
 * @property {string[]} [titles]
 * @property {string[]} [notes]
 * @property {boolean[]} [marks]
 * @property {number | null} [picked]
 * @property {string[]} [colours]
 * @property {WeighedWord[][] | null} [beside] the words of the same topics in a second view
 * @property {string[]} [heads] the names of the two views
 */

export class Words {
  /** @type {Card[]} */
  cards = [];

  /**
   * @param {HTMLElement} root
   * @param {{ onPick?: ((index: number) => void) | null }} [told] `onPick` makes the cards buttons
   */
  constructor(root, { onPick = null } = {}) {
    this.root = root;
    this.onPick = onPick;
    root.classList.add("words");
    root.setAttribute("role", "list");
  }

  /**
   * @param {WeighedWord[][]} topics
   * @param {WordsOptions} [options]
   */
  show(topics, { titles = [], notes = [], marks = [], picked = null, colours = [], beside = null, heads = [] } = {}) {
    this.root.classList.toggle("two", Boolean(beside));
    while (this.cards.length < topics.length) this.cards.push(this.card(this.cards.length));
    for (const { place } of this.cards.splice(topics.length)) place.remove();
    topics.forEach((words, index) => {
      const card = this.cards[index];
      setText(card.title, titles[index] ?? `part ${index + 1}`);
      setText(card.note, notes[index] ?? "");
      card.box.classList.toggle("marked", Boolean(marks[index]));
      card.box.style.setProperty("--bar", colours[index] || "");
      if (this.onPick) card.box.setAttribute("aria-pressed", String(index === picked));
      fill(card.first, words, beside ? heads[0] : "");
      fill(card.second, beside?.[index] ?? [], beside ? heads[1] : "");
    });
  }

  /**
   * @param {number} index
   * @returns {Card}
   */
  card(index) {
    const { onPick } = this, place = element("div"), box = element(onPick ? "button" : "div", "topic");
    place.setAttribute("role", "listitem");
    if (onPick) box.onclick = () => onPick(index);
    const title = add(box, "topic-title"), note = add(box, "topic-note"), both = add(box, "topic-both");
    const first = column(both), second = column(both);
    place.append(box);
    this.root.append(place);
    return { place, box, title, note, first, second };
  }
}

/**
 * @param {HTMLElement} both
 * @returns {Column}
 */
function column(both) {
  const rows = add(both, "topic-rows");
  return { rows, head: add(rows, "topic-head"), lines: [] };
}

/**
 * @param {Column} column
 * @param {WeighedWord[]} words
 * @param {string} name
 */
function fill({ rows, head, lines }, words, name) {
  const most = Math.max(...words.map(([, weight]) => Math.abs(weight)), 1e-12);
  setText(head, name);
  while (lines.length < words.length) lines.push(line(rows));
  for (const { row } of lines.splice(words.length)) row.remove();
  words.forEach(([word, weight], index) => {
    const { row, text, share } = lines[index];
    setText(text, word);
    setText(share, `${(100 * weight).toFixed(1)} %`);
    row.style.setProperty("--share", `${(100 * Math.abs(weight)) / most}%`);
    row.classList.toggle("minus", weight < 0);
    row.title = `${word}: ${(100 * weight).toFixed(2)} % of the weight of this topic`;
  });
}

/**
 * @param {HTMLElement} rows
 * @returns {Line}
 */
function line(rows) {
  const row = add(rows, "word");
  return { row, text: add(row, "word-name"), share: add(row, "word-share") };
}

/**
 * @param {HTMLElement} parent
 * @param {string} name
 */
function add(parent, name) {
  const part = element("span", name);
  parent.append(part);
  return part;
}
