// Words of a page: underlined where they stand first (`word_marks.js`), and listed at its foot, where pointing at one,
// reaching it by key, or a tap shows what it means.

import { element, find, rootOf, setText } from "./dom.js";
import { loadStyle } from "./frame.js";
import { mounted } from "./mounted.js";
import { WordMarks } from "./word_marks.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/** @import { Explained } from "./word_marks.js" */
/** @typedef {{ words: Explained[], listed: boolean }} GlossaryData what Python says (`ui.glossary`) */

export const { show, leave } = mounted((place, _component, lifetime) => new Glossary(rootOf(place), lifetime));

class Glossary {
  /** @type {string | null} the word that was pressed: its meaning stays */
  kept = null;
  said = "";

  /**
   * @param {HTMLElement} root
   * @param {Lifetime} lifetime
   */
  constructor(root, lifetime) {
    root.innerHTML = `<div class="glossary"><span class="title">Words on this page:</span> <span class="words"></span>
      <p class="meaning" role="status"></p></div>`;
    this.list = find(root, ".glossary");
    this.words = find(root, ".words");
    this.meaning = find(root, ".meaning");
    this.marks = new WordMarks(root, lifetime);
    loadStyle(root, "./glossary.css");
  }

  /** @param {Component<GlossaryData>} component */
  update({ data: { words, listed } }) {
    const said = JSON.stringify(words);
    this.list.hidden = !listed;
    if (said === this.said) return; // the keyboard keeps its place
    Object.assign(this, { said, kept: null });
    this.marks.show(words);
    this.words.replaceChildren(...words.map(({ word, meaning }) => this.button(word, `${word}: ${meaning}`)));
  }

  /**
   * @param {string} word
   * @param {string} meaning
   */
  button(word, meaning) {
    const button = element("button", "", word);
    button.setAttribute("aria-pressed", "false");
    button.onpointerenter = button.onfocus = () => setText(this.meaning, meaning);
    button.onpointerleave = button.onblur = () => setText(this.meaning, this.kept ?? "");
    button.onclick = () => {
      this.kept = this.kept === meaning ? null : meaning;
      for (const other of this.words.children) other.setAttribute("aria-pressed", String(other === button && this.kept !== null));
      setText(this.meaning, this.kept ?? "");
    };
    return button;
  }
}
