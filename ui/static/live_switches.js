// The switches below the curve of a run: how its axes are, and what of it is seen. Only those are offered that have an effect.

import { FEW_STAGES } from "./curve.js";
import { find } from "./dom.js";

/** @import { Chart } from "./chart.js" */
/** @import { CurveOptions } from "./curve.js" */
/** @import { RunHeader } from "./server.js" */

const SWITCHES = /** @type {const} */ (["logY", "logX", "bySeconds"]);

export class Switches {
  /**
   * @param {HTMLElement} root of the whole view
   * @param {Chart} chart
   */
  constructor(root, chart) {
    this.root = root;
    for (const name of SWITCHES) {
      const button = find(root, `[data-switch=${name}]`), press = (/** @type {boolean} */ on) => button.setAttribute("aria-pressed", String(on));
      press(false);
      button.onclick = () => press(chart.toggle(/** @type {keyof CurveOptions} */ (name)));
    }
    find(root, "[data-zoom=in]").onclick = () => chart.zoomIn();
    find(root, "[data-zoom=out]").onclick = () => chart.zoom.clear();
  }

  /** @param {RunHeader} header */
  offer({ closed, iteration, shown }) {
    const { root } = this;
    find(root, ".switches").style.visibility = shown < 0 ? "hidden" : "";
    for (const name of ["[data-switch=logX]", "[data-switch=bySeconds]"]) find(root, name).hidden = closed;
    for (const name of ["[data-switch=logY]", "[data-zoom=in]"]) find(root, name).hidden = closed && iteration < FEW_STAGES;
  }
}
