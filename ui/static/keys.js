// Whether a key belongs to what has the focus, and not to the page.

const OF_ARROWS = "input, textarea, select, [role=slider], [role=radio], [role=tab], [role=listbox], [role=combobox], [contenteditable], canvas[tabindex]";
const OF_LETTERS = "input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";

/**
 * The innermost element an event happened in, within components too.
 * @param {Event} event
 */
function targetOf(event) {
  const [target] = event.composedPath();
  return target instanceof Element ? target : null;
}

/** @param {Event} event */
export function usesArrows(event) { return Boolean(targetOf(event)?.closest(OF_ARROWS)); }

/** @param {Event} event */
export function usesLetters(event) { return Boolean(targetOf(event)?.closest(OF_LETTERS)); }

/** @param {Event} event */
export function usesSpace(event) {
  return Boolean(targetOf(event)?.closest("button, a, summary, input, select, textarea, [role=button], [role=option], [role=slider], [role=switch], canvas[tabindex]"));
}
