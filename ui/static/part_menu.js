// What can be done to the part of a run that was clicked: it is kept as it is, let go again, or taken away.

import { element, find } from "./dom.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @import { LiveData } from "./server.js" */
/** @typedef {"keep" | "free" | "erase"} What */
/** @typedef {NonNullable<LiveData["edits"]>} Edits */

export class PartMenu {
  /** @type {number | null} */
  part = null;
  /** @type {HTMLElement | null} what had the keyboard before the menu was opened */
  before = null;

  /**
   * @param {HTMLElement} root
   * @param {Lifetime} lifetime
   * @param {(part: number, what: What) => void} onEdit
   */
  constructor(root, lifetime, onEdit) {
    this.root = root;
    this.onEdit = onEdit;
    root.onkeydown = (event) => { if (event.key === "Escape") this.close(true); };
    lifetime.listen(document, "pointerdown", (/** @type {PointerEvent} */ event) => {
      if (!event.composedPath().includes(root)) this.close();
    });
  }

  /**
   * @param {number} part
   * @param {DOMRect} box where the part is on the screen
   * @param {Edits} edits
   * @param {HTMLElement} before
   */
  open(part, box, { kept, words }, before) {
    Object.assign(this, { part, before });
    const others = part < kept ? "free" : "keep";
    this.root.replaceChildren(element("span", "", words.part.replace("{}", String(part + 1))), ...[others, "erase"].map((name) => {
      const what = /** @type {What} */ (name), button = element("button", "", words[what]);
      button.dataset.edit = what;
      button.onclick = () => {
        this.close(true);
        this.onEdit(part, what);
      };
      return button;
    }));
    this.root.hidden = false;
    const stage = /** @type {HTMLElement} */ (this.root.offsetParent), around = stage.getBoundingClientRect();
    const left = Math.max(0, Math.min(box.left - around.left, stage.clientWidth - this.root.offsetWidth));
    this.root.style.left = `${left}px`;
    this.root.style.top = `${box.bottom - around.top + 4}px`;
    find(this.root, "button").focus();
  }

  /** @param {boolean} [back] whether the keyboard goes back to where it was */
  close(back = false) {
    if (this.root.hidden) return;
    this.root.hidden = true;
    if (back) this.before?.focus();
  }
}
