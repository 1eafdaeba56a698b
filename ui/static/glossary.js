// Words of a page: pointing at one, reaching it by key, or a tap shows what it means.

import { element, find, rootOf, setText } from "./dom.js";
import { loadStyle } from "./frame.js";
import { mounted } from "./mounted.js";

/** @import { Component } from "./mounted.js" */
/** @typedef {{ words: [word: string, meaning: string][] }} GlossaryData what Python says (`ui.glossary`) */

export const { show, leave } = mounted((place) => new Glossary(rootOf(place)));

class Glossary {
  /** @type {string | null} the word that was pressed: its meaning stays */
  kept = null;
  said = "";

  /** @param {HTMLElement} root */
  constructor(root) {
    root.innerHTML = `<div class="glossary"><span class="title">Words on this page:</span> <span class="words"></span>
      <p class="meaning" role="status"></p></div>`;
    this.words = find(root, ".words");
    this.meaning = find(root, ".meaning");
    loadStyle(root, "./glossary.css");
  }

  /** @param {Component<GlossaryData>} component */
  update({ data: { words } }) {
    const said = JSON.stringify(words);
    if (said === this.said) return; // the keyboard keeps its place
    Object.assign(this, { said, kept: null });
    this.words.replaceChildren(...words.map(([word, meaning]) => this.button(word, `${word}: ${meaning}`)));
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
