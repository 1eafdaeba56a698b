// Keeps the keyboard where it was: a button that is switched off or replaced by its own click hands the focus on.

import { closest } from "./dom.js";

/** @import { Lifetime } from "./lifetime.js" */
/** @typedef {Record<string, string[]>} TakesOver the words on buttons, by the words on the one that had the focus */

/**
 * Streamlit's own buttons lie beside our view, so the document is watched, for as long as the view is there.
 * @param {Lifetime} lifetime
 * @param {() => TakesOver} takesOver
 */
export function keepFocus(lifetime, takesOver) {
  /** @type {string | null} the words on the button that was used last, null if it was anything else */
  let holder = null;
  const note = (/** @type {Event} */ { target }) => {
    const words = closest(target, "button")?.textContent.trim() ?? "";
    holder = words in takesOver() ? words : null;
  };
  lifetime.listen(document, "focusin", note);
  lifetime.listen(document, "pointerdown", note);
  // Streamlit makes a button anew when its help changes, and removes the old one somewhat later.
  const changes = { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] };
  lifetime.mutated(document.body, changes, () => setTimeout(() => handOn(holder === null ? [] : takesOver()[holder]), 0));
}

/** @param {string[]} next the words on the buttons that may take over, the best first */
function handOn(next) {
  const active = document.activeElement;
  const lost = active === document.body || (active instanceof HTMLButtonElement && active.disabled);
  if (!next.length || !lost) return;
  const usable = [...document.querySelectorAll("button")].filter((button) => !button.disabled);
  for (const words of next) {
    const button = usable.find((one) => one.textContent.trim() === words);
    if (button) return button.focus({ preventScroll: true });
  }
}
