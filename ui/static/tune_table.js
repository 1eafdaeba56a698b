// The best of the trials that are left over as a table: a row a trial, which can be pointed at and kept.

import { element } from "./dom.js";
import { ranks, valueText, written } from "./tune_values.js";

/** @import { Hands } from "./tune_map.js" */
/** @import { TrialColumn } from "./tune_types.js" */

const MOST = 60;

/**
 * @param {HTMLElement} table
 * @param {TrialColumn[]} columns the last one decides about the order
 * @param {Uint8Array} chosen
 * @param {Record<string, string>} problems
 * @param {Pick<Hands, "point" | "pin">} hands
 */
export function fillTable(table, columns, chosen, problems, hands) {
  const last = columns[columns.length - 1], places = ranks(last.values, last.better), far = (/** @type {number} */ trial) => places[trial] || Infinity;
  const left = [...chosen.keys()].filter((trial) => chosen[trial]).sort((a, b) => far(a) - far(b)).slice(0, MOST);
  const head = element("tr");
  head.append(...columns.map(({ title }) => element("th", "", title)));
  table.replaceChildren(head, ...left.map((trial) => {
    const row = element("tr");
    row.tabIndex = 0;
    row.append(...columns.map((column) => element("td", "", cellText(column, trial))));
    row.title = problems[trial] ?? "";
    row.onpointerenter = row.onfocus = () => hands.point(trial);
    row.onpointerleave = row.onblur = () => hands.point(null);
    row.onclick = () => hands.pin(trial);
    row.onkeydown = ({ key }) => { if (key === "Enter") hands.pin(trial); };
    return row;
  }));
}

/**
 * @param {TrialColumn} column
 * @param {number} trial
 */
function cellText(column, trial) {
  return column.better === null ? valueText(column.values[trial], column) : written(column.values[trial], column.unit);
}
