// Where words stand first in the texts of a page: in running text, and only failing that on a button.

/** @typedef {{ word: string, spellings: string[] }} Wanted */
/**
 * A text of the page, in reading order.
 * @template Node
 * @typedef {{ node: Node, text: string, pressed: () => boolean, seen: () => boolean }} Text `pressed`: whether it is on a button
 */
/**
 * @template Node
 * @typedef {{ node: Node, start: number, end: number }} Place
 */

/** Words of documents are theirs, not ours: "weights" in a topic are no weights of a part. */
export const OF_THE_DATA = ".word-name, .topic-title, .document-title, .reader .text";

/**
 * Finds a word and its plural, standing alone, in any of its spellings.
 * @param {string[]} spellings
 */
export function patternOf(spellings) {
  const either = spellings.map((spelling) => spelling.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${either})s?(?![\\p{L}\\p{N}])`, "iu");
}

/**
 * Where each word stands first; of a word that stands nowhere nothing is said.
 * @template Node
 * @param {Iterable<Text<Node>>} texts
 * @param {Wanted[]} wanted
 * @returns {Map<string, Place<Node>>}
 */
export function firstPlaces(texts, wanted) {
  const patterns = wanted.map(({ word, spellings }) => ({ word, pattern: patternOf(spellings) }));
  /** @type {Map<string, Place<Node>>} */
  const running = new Map(), onButtons = new Map();
  for (const { node, text, pressed, seen } of texts) {
    for (const { word, pattern } of patterns) {
      const found = running.has(word) ? null : pattern.exec(text);
      if (!found || !seen()) continue;
      const places = pressed() ? onButtons : running;
      if (!places.has(word)) places.set(word, { node, start: found.index, end: found.index + found[0].length });
    }
    if (running.size === wanted.length) break;
  }
  return new Map([...onButtons, ...running]);
}
