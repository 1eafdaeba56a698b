// A canvas without a browser: it notes what is drawn on it. As little of a page as a chart needs comes with it.

/** @typedef {[name: string, ...values: unknown[]]} Call a method with its arguments, or "=name" with the value set */

class FakeElement extends EventTarget {
  /** @type {(FakeElement | string)[]} */
  children = [];
  style = {};
  className = "";
  textContent = "";
  clientWidth = 600;
  clientHeight = 300;
  offsetHeight = 18;
  width = 10;
  height = 10;

  /** @param {Call[]} calls */
  constructor(calls) {
    super();
    this.pen = new Proxy({}, {
      get: (_, name) => (/** @type {unknown[]} */ ...values) => { calls.push([String(name), ...values]); },
      set: (_, name, value) => { calls.push([`=${String(name)}`, value]); return true; },
    });
  }

  getContext() { return this.pen; }
  setPointerCapture() {}
  /** @param {(FakeElement | string)[]} children */
  append(...children) { this.children.push(...children); }
  /** @param {(FakeElement | string)[]} children */
  replaceChildren(...children) { this.children = children; }
  /** @returns {string} */
  get words() { return this.textContent + this.children.map((child) => (typeof child === "string" ? child : child.words)).join(" "); }
}

/** Puts a page into place for charts; returns a canvas, an element beside it, and what is drawn. */
export function fakePage() {
  /** @type {Call[]} */
  const calls = [];
  const make = () => new FakeElement(calls);
  Object.assign(globalThis, {
    window: { devicePixelRatio: 1 },
    document: { createElement: make },
    HTMLButtonElement: class {},
    getComputedStyle: () => ({ fontFamily: "serif", color: "rgb(0, 0, 0)" }),
  });
  const canvas = /** @type {HTMLCanvasElement} */ (/** @type {unknown} */ (make())), beside = make();
  return { canvas, calls, legend: /** @type {HTMLElement} */ (/** @type {unknown} */ (beside)), words: () => beside.words };
}
