// Features of a sample as lines of figures with bars behind them.

import { element } from "./dom.js";

/** @typedef {{ text: string, share: number }} Amount */

/**
 * One feature: its name, and how much of it there is in the original, the sum, and what is left.
 * @param {[string, ...Amount[]]} feature
 */
export function line([name, ...amounts]) {
  const row = element("div"), title = element("span", "", name);
  title.title = name;
  row.append(title);
  for (const { text, share } of amounts) {
    const bar = element("span", "", text);
    bar.style.setProperty("--share", `${100 * Math.min(1, Math.abs(share))}%`);
    bar.classList.toggle("minus", share < 0);
    row.append(bar);
  }
  return row;
}
