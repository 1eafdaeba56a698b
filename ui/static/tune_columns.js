// The columns of the views of all trials.

/** @import { TrialColumn, TuneAnswer, TuneData, TuneMeasure } from "./tune_types.js" */

/**
 * A column for each parameter and each measure, what is shown last; what took how long lies between.
 * @param {TuneData} data
 * @param {TuneAnswer} told
 * @param {TuneMeasure} measure
 * @returns {TrialColumn[]}
 */
export function columnsOf(data, told, measure) {
  const params = data.axes.map(({ name, symbol, label, log, texts }) => ({
    name, title: symbol || label, values: Float64Array.from(told.params[name] ?? []), log, unit: /** @type {const} */ (""), better: null, texts,
  }));
  const taken = [["iterations", "Iterations", ""], ["seconds", "Seconds", ""]].filter(([name]) => !data.measures.some((one) => one.name === name));
  const costs = taken.map(([name, title]) => ({
    name, title, values: Float64Array.from(name === "seconds" ? told.seconds : told.iterations, (value, cell) => (told.counts[cell] ? value : NaN)),
    log: true, unit: /** @type {const} */ (""), better: /** @type {const} */ ("low"), texts: null,
  }));
  const measures = [...data.measures].sort((a, b) => Number(a === measure) - Number(b === measure)).map(({ name, title, unit, better }) => ({
    name, title, values: Float64Array.from(told.means[name] ?? [], (value) => value ?? NaN), log: false, unit, better, texts: null,
  }));
  return [...params, ...costs, ...measures];
}
