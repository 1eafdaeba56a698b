// What a view must let go of when it is closed: observers, and listeners on what is not its own.

export class Lifetime {
  /** @type {(() => void)[]} */
  #releases = [];

  /**
   * Calls `act` whenever one of the elements changes its size, and once at the beginning.
   * @param {() => void} act
   * @param {...Element} elements
   */
  resized(act, ...elements) {
    const observer = new ResizeObserver(() => act());
    for (const element of elements) observer.observe(element);
    this.#releases.push(() => observer.disconnect());
  }

  /**
   * @param {Node} target
   * @param {MutationObserverInit} options
   * @param {() => void} act
   */
  mutated(target, options, act) {
    const observer = new MutationObserver(() => act());
    observer.observe(target, options);
    this.#releases.push(() => observer.disconnect());
  }

  /**
   * @template {Event} E
   * @param {EventTarget} target
   * @param {string} type
   * @param {(event: E) => void} act
   */
  listen(target, type, act) {
    const listener = /** @type {(event: Event) => void} */ (act);
    target.addEventListener(type, listener);
    this.#releases.push(() => target.removeEventListener(type, listener));
  }

  /**
   * Anything else that must be undone at the end.
   * @param {() => void} release
   */
  atEnd(release) {
    this.#releases.push(release);
  }

  end() {
    for (const release of this.#releases.splice(0)) release();
  }
}
