// One object for each place on a page: made when it is first shown, told of every change, closed when it is left.

import { Lifetime } from "./lifetime.js";

/**
 * What Streamlit and our loader (`ui/assets.py`) hand to a component.
 * @template Data
 * @typedef {object} Component
 * @property {HTMLElement} parentElement
 * @property {Data} data
 * @property {string} base address of the app, with a slash at its end
 * @property {(name: string, value: unknown) => void} setStateValue
 * @property {(name: string, value: unknown) => void} setTriggerValue
 */

/**
 * @template Data
 * @typedef {{ update(component: Component<Data>): void, close?(): void }} View
 */

/**
 * @template Data
 * @param {(place: HTMLElement, component: Component<Data>, lifetime: Lifetime) => View<Data>} make `lifetime` ends when
 *   the place is left
 */
export function mounted(make) {
  /** @type {WeakMap<HTMLElement, { view: View<Data>, lifetime: Lifetime }>} */
  const views = new WeakMap();
  return {
    /** @param {Component<Data>} component */
    show(component) {
      const place = component.parentElement;
      let there = views.get(place);
      if (!there) {
        const lifetime = new Lifetime();
        views.set(place, (there = { view: make(place, component, lifetime), lifetime }));
      }
      there.view.update(component);
    },
    /** @param {HTMLElement} place */
    leave(place) {
      const there = views.get(place);
      views.delete(place);
      there?.view.close?.();
      there?.lifetime.end();
    },
  };
}
