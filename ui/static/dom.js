// Elements: found by their selector with the kind they are of, and made to hold nothing but text.

/**
 * The element a selector names inside of a view's own markup; its absence is our own mistake.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => E} [Kind]
 * @returns {E}
 */
export function find(root, selector, Kind) {
  const element = root.querySelector(selector);
  if (!(element instanceof (Kind ?? HTMLElement))) throw new Error(`There is no such element: ${selector}`);
  return /** @type {E} */ (element);
}

/**
 * All elements of a kind that a selector names.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => E} [Kind]
 * @returns {E[]}
 */
export function findAll(root, selector, Kind) {
  const elements = [...root.querySelectorAll(selector)];
  return /** @type {E[]} */ (elements.filter((element) => element instanceof (Kind ?? HTMLElement)));
}

/**
 * Where a component draws.
 * @param {HTMLElement} place
 */
export function rootOf(place) { return find(place, ".root"); }

/**
 * A new element that holds text and nothing else: names and texts are strangers'.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  if (made instanceof HTMLButtonElement) made.type = "button";
  return made;
}

/**
 * Sets a text only where it differs: screen readers read out what is set, and a selection would be lost.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * The element an event happened in, if it lies in one that a selector names.
 * @param {EventTarget | null} target
 * @param {string} selector
 */
export function closest(target, selector) {
  const element = target instanceof Element ? target.closest(selector) : null;
  return element instanceof HTMLElement ? element : null;
}

/**
 * What a problem says for itself.
 * @param {unknown} problem
 */
export function messageOf(problem) { return problem instanceof Error ? problem.message : String(problem); }
