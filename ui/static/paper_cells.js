// The page of the papers: whoever clicks a cell of a table or an item of a paper is heard, whatever draws them.

import { mounted } from "./mounted.js";

/** @import { Component } from "./mounted.js" */
/** @import { Lifetime } from "./lifetime.js" */

export const { show, leave } = mounted((_place, _component, lifetime) => new Clicks(lifetime));

class Clicks {
  /** @type {(name: string, value: unknown) => void} */
  tell = () => {};

  /** @param {Lifetime} lifetime */
  constructor(lifetime) {
    lifetime.listen(document, "click", ({ target }) => {
      const hit = target instanceof Element ? target.closest(".papers [data-cell], .papers [data-item]") : null;
      const [cell, item] = ["data-cell", "data-item"].map((name) => hit?.getAttribute(name) ?? null);
      if (cell !== null) this.tell("cell", Number(cell));
      if (item === null) return;
      this.tell("item", item);
      document.querySelector(".st-key-paper_item")?.scrollIntoView({ block: "start" });
    });
  }

  /** @param {Component<object>} component */
  update({ setTriggerValue }) {
    this.tell = setTriggerValue;
  }
}
