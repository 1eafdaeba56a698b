// One document: its mix of topics, and its text with the words of the topic lit up.

import { element } from "./dom.js";
import { percent } from "./numbers.js";

/** @import { DocumentsPage, OpenDocument, TextOfDocument } from "./documents_types.js" */

const MOST_SHARES = 6;

export class Reader {
  /** @type {number | null} the document that is open */
  row = null;

  /**
   * @param {HTMLElement} root
   * @param {DocumentsPage} page
   */
  constructor(root, page) {
    this.root = root;
    this.page = page;
  }

  clear() {
    this.row = null;
    this.root.replaceChildren();
  }

  /** @param {number} row */
  open(row) {
    this.row = row;
    this.page.shelf.opened(row);
    this.again();
  }

  async again() {
    const { row } = this, { topic } = this.page;
    if (row === null) return;
    /** @type {OpenDocument | null} */
    const one = await this.page.ask(`/document/${row}`, { topic });
    if (one && row === this.row && topic === this.page.topic) this.draw(one);
  }

  /** @param {OpenDocument} one */
  draw(one) {
    const texts = element("div", one.texts.length > 1 ? "texts two" : "texts");
    for (const text of one.texts) texts.append(this.text(text, one.texts.length > 1));
    this.root.replaceChildren(element("h2", "", one.title), element("p", "quiet", factsOf(one)), this.mix(one), texts);
  }

  /** @param {OpenDocument} document */
  mix({ mix, topic }) {
    const bars = element("div", "mix");
    for (const [index, share] of mix.slice(0, MOST_SHARES)) {
      const bar = element("button", "mix-bar");
      bar.append(element("span", "", this.page.titleOf(index)), element("span", "", percent(share)));
      bar.style.setProperty("--share", `${100 * share}%`);
      bar.style.setProperty("--bar", this.page.colourOf(index));
      bar.setAttribute("aria-pressed", String(index === topic));
      bar.title = "Show this topic, and its words in the text";
      bar.onclick = () => this.page.pick({ topic: index, group: null });
      bars.append(bar);
    }
    if (!mix.length) bars.append(element("p", "quiet", "This document has no words that are in the vocabulary."));
    return bars;
  }

  /**
   * @param {TextOfDocument} text
   * @param {boolean} named whether the view must be named, as there are others
   */
  text({ view, pieces, cut, words }, named) {
    const place = element("div", "text");
    place.tabIndex = 0;
    place.setAttribute("role", "region");
    place.setAttribute("aria-label", `Text of the document (${view})`);
    if (named || words) place.append(element("p", "quiet", words ? "Its words, the weightiest first (the text itself is not kept):" : view));
    for (const [text, weight] of pieces) {
      if (!weight) place.append(text);
      else {
        const mark = element("mark", "", text);
        mark.style.setProperty("--weight", `${Math.round(22 + 58 * weight)}%`);
        place.append(mark);
      }
    }
    if (!pieces.length) place.append(element("span", "quiet", "There is no text here."));
    if (cut) place.append(element("p", "quiet", "… and so on."));
    place.style.setProperty("--bar", this.page.topic === null ? "" : this.page.colourOf(this.page.topic));
    return place;
  }
}

/** @param {OpenDocument} one */
function factsOf(one) {
  const known = one.hand ? "labelled by hand" : one.told ? "the method was told" : "the method was not told";
  const facts = [one.class ? `${one.class} (${known})` : "no class"];
  if (one.taken && !one.told) facts.push(`taken for ${one.taken}`);
  return facts.join(" · ");
}
