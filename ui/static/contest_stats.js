// What several splits come to: their mean, their spread, and where an axis of shares may begin.

/** @typedef {{ values: number[], mean: number, deviation: number, least: number }} Stats */

/**
 * Mean and standard deviation, null where there is nothing yet.
 * @param {number[]} values
 * @returns {Stats | null}
 */
export function statsOf(values) {
  if (!values.length) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return { values, mean, deviation, least: Math.min(...values) };
}

/**
 * Where the axis begins: a little before the weakest, or differences between good ones could not be seen.
 * @param {Stats[]} stats
 */
export function axisFrom(stats) {
  return stats.length ? Math.max(0, Math.floor(10 * Math.min(...stats.map(({ least }) => least)) - 0.2) / 10) : 0;
}
