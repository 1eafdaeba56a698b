// Buttons of which one is chosen at a time.

import { element } from "./dom.js";

/**
 * A button for each entry; the chosen one says so to screen readers, as a tab if it is one.
 * @template {string} Key
 * @param {[key: Key, title: string][]} entries
 * @param {Key} chosen
 * @param {(key: Key) => void} choose called when another is chosen
 * @param {{ tabs?: boolean }} [look]
 */
export function switches(entries, chosen, choose, { tabs = false } = {}) {
  const state = tabs ? "aria-selected" : "aria-pressed";
  const buttons = entries.map(([key, title]) => {
    const button = element("button", "", title);
    if (tabs) button.setAttribute("role", "tab");
    button.setAttribute(state, String(key === chosen));
    button.onclick = () => {
      for (const one of buttons) one.setAttribute(state, String(one === button));
      choose(key);
    };
    return button;
  });
  return buttons;
}
