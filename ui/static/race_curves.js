// The curves of several runs in one chart: what is drawn of each, and the ends of its axes.

/** @typedef {[iteration: number, seconds: number | null, recognised: number | null, error: number | null]} KeptScores */
/** @typedef {{ points: Float32Array, kept: KeptScores[] }} RunCurve rows of iteration, objective and seconds */
/** @typedef {{ axis: "iterations" | "seconds", by: "objective" | "recognised" | "error" }} Wish */
/** @typedef {[x: number, y: number]} Pair */

/**
 * The curve of a run as pairs of what it is drawn against and what is measured.
 * @param {RunCurve} run
 * @param {Wish} wish
 */
export function pairsOf({ points, kept }, { axis, by }) {
  const seconds = axis === "seconds";
  /** @type {Pair[]} */
  const pairs = [];
  if (by === "objective")
    for (let row = 0; row < points.length / 3; row++) pairs.push([points[3 * row + (seconds ? 2 : 0)], points[3 * row + 1]]);
  else
    for (const [iteration, spent, recognised, error] of kept) {
      const value = by === "recognised" ? recognised : error;
      if (value !== null && spent !== null) pairs.push([seconds ? spent : iteration, value]);
    }
  return pairs.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
}

/**
 * The ends of both axes; a logarithmic one begins at the least value that has a logarithm.
 * @param {Pair[]} pairs at least one
 * @param {{ logX: boolean, logY: boolean }} options
 * @param {boolean} share whether values are shares of a whole
 * @returns {{ x: Pair, y: Pair, logX: boolean, logY: boolean }}
 */
export function endsOf(pairs, options, share) {
  const xs = pairs.map(([x]) => x), ys = pairs.map(([, y]) => y), most = Math.max(...xs);
  const logX = options.logX && most > 0, logY = options.logY && Math.min(...ys) > 0;
  const highest = Math.max(...ys), high = share && !logY ? 1 : highest + 0.04 * Math.abs(highest);
  const low = logY ? Math.min(...ys) * 0.9 : Math.min(0, ...ys);
  return { x: [logX ? Math.min(...xs.filter((x) => x > 0)) : 0, Math.max(most, 1e-6)], y: [low, high], logX, logY };
}
