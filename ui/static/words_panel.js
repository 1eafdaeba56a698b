// A grid of topics by itself: what `ui/word_sheet.py` puts on a page.

import { loadStyle } from "./frame.js";
import { Words } from "./words.js";

const panels = new WeakMap();

export function show({ parentElement, data }) {
  let panel = panels.get(parentElement);
  if (!panel) panels.set(parentElement, (panel = begin(parentElement)));
  panel.root.setAttribute("aria-label", data.label);
  panel.words.show(data.parts, {
    titles: data.parts.map((words, index) => nameOf(words, data.numbers[index])),
    notes: data.tips,
    marks: data.marks,
    colours: data.parts.map(() => data.colour),
  });
  panel.left.textContent = data.left ? `${data.left} more are not shown.` : "";
}

export function leave(parent) {
  panels.delete(parent);
}

function begin(parent) {
  const root = parent.querySelector(".root"), grid = document.createElement("div"), left = document.createElement("p");
  left.className = "words-left";
  root.setAttribute("role", "group");
  root.append(grid, left);
  loadStyle(root, "./words.css");
  return { root, left, words: new Words(grid) };
}

function nameOf(words, number) {
  return words.length ? words.slice(0, 2).map(([word]) => word).join(", ") : `part ${number}`;
}
