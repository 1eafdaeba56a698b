// The keys of a page: they press its buttons, or tell its views what is wished.

import { element } from "./dom.js";
import { usesArrows, usesLetters, usesSpace } from "./keys.js";
import { mounted } from "./mounted.js";
import { WISHES, wish } from "./wishes.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { Component } from "./mounted.js" */
/**
 * What Python says (`ui.keys`).
 * @typedef {object} Keys
 * @property {[key: string, words: string][]} keys what each does
 * @property {boolean} presenting whether the page is shown to a room
 * @property {number} heard the number of the last wish about it that Python knows of
 * @property {Record<"run" | "step", string[]>} buttons the places of the buttons that keys press, the first that can be pressed
 */

export const { show, leave } = mounted((_place, { data }, lifetime) => new PageKeys(lifetime, data));

export class PageKeys {
  /** @type {Keys} */
  data = { keys: [], presenting: false, heard: 0, buttons: { run: [], step: [] } };
  /** @type {Component<Keys>["setTriggerValue"]} */
  tell = () => {};
  /** How many wishes to present, or to end it, the page has been told of. */
  said = 0;

  /**
   * @param {Lifetime} lifetime
   * @param {Keys} data
   */
  constructor(lifetime, { heard }) {
    this.said = heard;
    // Within the app it has the colours of the theme (`ui/theme.py`).
    this.list = (document.querySelector(".stApp") ?? document.body).appendChild(element("dialog", "partwise-keys"));
    this.list.setAttribute("aria-label", "Keys");
    lifetime.listen(document, "keydown", (event) => this.press(/** @type {KeyboardEvent} */ (event)));
    lifetime.atEnd(() => this.list.remove());
    this.nameMenu();
    lifetime.mutated(document.body, { childList: true, subtree: true }, () => this.nameMenu());
  }

  /** @param {Component<Keys>} component */
  update({ data, setTriggerValue }) {
    // What the page says of it is old as long as it has not heard of the last wish.
    this.data = data.heard < this.said ? { ...data, presenting: this.data.presenting } : data;
    this.tell = setTriggerValue;
  }

  /** Streamlit puts the groups of its menu into a list where none may be: groups with a name say what is meant. */
  nameMenu() {
    const menu = document.querySelector("[data-testid=stSidebarNavItems]");
    if (!menu || menu.querySelectorAll("li:not([role])").length === 0) return;
    menu.setAttribute("role", "none");
    for (const item of menu.querySelectorAll("li")) item.setAttribute("role", "none");
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.defaultPrevented || event.altKey || this.list.open || usesLetters(event)) return;
    const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.shiftKey;
    if ((event.ctrlKey || event.metaKey) && !undo) return;
    if (undo ? clickButton("live_undo") : this.act(event)) event.preventDefault();
  }

  /**
   * Returns whether the key meant something here.
   * @param {KeyboardEvent} event
   */
  act(event) {
    const { key } = event, { buttons } = this.data;
    if (key === "?") return this.explain();
    if (key === "p" || key === "P") return this.present(!this.data.presenting);
    if (key === "d" || key === "D") return wish(WISHES.another);
    if (key === "s" || key === "S") return buttons.step.length ? buttons.step.some(clickButton) : wish(WISHES.walk, 1);
    if (key === " ") return !usesSpace(event) && (wish(WISHES.play) || buttons.run.some(clickButton));
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (!step || usesArrows(event) || document.querySelector(".st-key-lesson_guide")) return false;
    return wish(WISHES.walk, step);
  }

  /**
   * Wishes for presenter mode or for its end; pressed again before the page has followed, for the opposite.
   * @param {boolean} wished
   */
  present(wished) {
    this.data = { ...this.data, presenting: wished };
    this.said += 1;
    this.tell("present", { number: this.said, wished });
    return true;
  }

  explain() {
    const rows = this.data.keys.map(([key, words]) => {
      const row = element("p"), name = element("kbd", "", key);
      row.append(name, words);
      return row;
    });
    const close = element("button", "", "Close");
    close.onclick = () => this.list.close();
    this.list.replaceChildren(...rows, close);
    this.list.showModal();
    return true;
  }
}

/** @param {string} name of the place that Streamlit puts the button in */
function clickButton(name) {
  const button = document.querySelector(`.st-key-${name} button`);
  if (!(button instanceof HTMLButtonElement) || button.disabled) return false;
  button.click();
  return true;
}
