// ← and → go back and on in a lesson, unless something that has the focus needs them itself.

import { mounted } from "./mounted.js";
import { usesArrows } from "./keys.js";

/** @import { Lifetime } from "./lifetime.js" */

const BUTTONS = new Map([["ArrowLeft", "lesson_back"], ["ArrowRight", "lesson_next"]]);

export const { show, leave } = mounted((_place, _component, lifetime) => new LessonKeys(lifetime));

class LessonKeys {
  /** @param {Lifetime} lifetime */
  constructor(lifetime) {
    lifetime.listen(document, "keydown", (event) => this.press(/** @type {KeyboardEvent} */ (event)));
  }

  update() {}

  /** @param {KeyboardEvent} event */
  press(event) {
    const name = BUTTONS.get(event.key);
    if (!name || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || usesArrows(event)) return;
    const button = document.querySelector(`.st-key-${name} button`);
    if (!(button instanceof HTMLButtonElement) || button.disabled) return;
    event.preventDefault();
    button.click();
  }
}
