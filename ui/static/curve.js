// The curve of a run: a row an iteration, with the objective, the seconds so far and the terms of the objective.

/** @typedef {{ iteration: number, objective: number, seconds: number }} Reading */
/** @typedef {{ low: number, high: number, early: number }} Extent */
/** @typedef {{ logX: boolean, logY: boolean, bySeconds: boolean }} CurveOptions */
/**
 * What a chart of the curve shows: the ends of both axes, and the ends at which the y axis leaves something out.
 * @typedef {object} Window
 * @property {[number, number]} x
 * @property {[number, number]} y
 * @property {boolean} logX
 * @property {boolean} logY
 * @property {boolean} signed whether something below zero is to be seen
 * @property {string} cut
 */

export const FEW_STAGES = 12;
const OBJECTIVE = 1, FIRST_TERM = 3;

export class Curve {
  /**
   * @param {Float32Array} points row by row
   * @param {[number, number]} shape rows and columns
   * @param {boolean} closed whether rows are stages of a closed form
   */
  constructor(points, [rows, columns], closed) {
    this.points = points;
    this.rows = rows;
    this.columns = columns;
    this.closed = closed;
  }

  /** How many terms the objective is a sum of. */
  get terms() { return Math.max(0, this.columns - FIRST_TERM); }

  /** Few stages are bars: no line leads from one to the next. */
  get bars() { return this.closed && this.rows <= FEW_STAGES; }

  /**
   * @param {number} row
   * @param {number} column
   */
  at(row, column) { return this.points[row * this.columns + column]; }

  /** @param {number} row */
  objective(row) { return this.at(row, OBJECTIVE); }

  /**
   * @param {number} row
   * @param {number} term
   */
  term(row, term) { return this.at(row, FIRST_TERM + term); }

  /**
   * @param {number} row
   * @param {boolean} bySeconds
   */
  xOf(row, bySeconds) { return this.at(row, bySeconds && !this.closed ? 2 : 0); }

  /**
   * @param {number} row
   * @returns {Reading}
   */
  read(row) { return { iteration: this.at(row, 0), objective: this.objective(row), seconds: this.at(row, 2) }; }

  /**
   * The row of an iteration (or of the next one that is in the curve), null if there is no row at all.
   * @param {number} iteration
   */
  rowOf(iteration) {
    for (let row = 0; row < this.rows; row++) if (this.at(row, 0) >= iteration) return row;
    return this.rows ? this.rows - 1 : null;
  }

  /**
   * The row whose place on the x axis is nearest.
   * @param {number} x
   * @param {(row: number) => number} placeOf
   */
  nearest(x, placeOf) {
    let best = 0;
    for (let row = 1; row < this.rows; row++)
      if (Math.abs(placeOf(row) - x) < Math.abs(placeOf(best) - x)) best = row;
    return best;
  }

  /** @param {number} row */
  isFinite(row) {
    for (let column = OBJECTIVE; column < this.columns; column++)
      if (column !== 2 && !Number.isFinite(this.at(row, column))) return false;
    return true;
  }

  /** The first row that is no number, null if all are: from there on the run has left every bound. */
  firstOff() {
    for (let row = 0; row < this.rows; row++) if (!this.isFinite(row)) return row;
    return null;
  }

  /**
   * What of the curve is to be seen, in a range of x or as a whole.
   * @param {CurveOptions} options
   * @param {[number, number] | null} range
   * @returns {Window}
   */
  window({ logX: wishX, logY: wishY, bySeconds }, range) {
    const { rows, bars } = this, logX = wishX && !this.closed && rows > 2;
    const end = Math.max(rows > 1 ? this.xOf(rows - 1, bySeconds) : 1, 1e-6);
    const [from, to] = range ?? [logX ? this.xOf(1, bySeconds) || 1e-4 : 0, end];
    const { low, high, early } = this.extent(from, to, bySeconds);
    const logY = wishY && low > 0 && !bars, cut = [];
    let least = logY ? Math.max(this.leastTerm(low) * 0.8, high * 1e-6) : Math.min(0, low), most = high;
    // Bars stand on zero, or hang from it.
    if (bars) most = Math.max(0, most);
    if (!logY && early < high && !range) { most = early; cut.push("top"); }
    if (!logY && range && low > 0) { least = low - 0.08 * (high - low); cut.push("bottom"); }
    if (!(most > least)) most = least + 1;
    const x = /** @type {[number, number]} */ (bars ? [-0.6, Math.max(rows - 1, 0) + 0.6] : [from, Math.max(to, from + 1e-9)]);
    return { x, y: [least, most], logX: logX && !bars, logY, signed: low < 0, cut: cut.join(" ") };
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {boolean} bySeconds
   * @returns {Extent}
   */
  extent(from, to, bySeconds) {
    let low = Infinity, high = -Infinity;
    for (let row = 0; row < this.rows; row++) {
      const x = this.xOf(row, bySeconds);
      if (!this.bars && (x < from || x > to)) continue;
      const terms = Array.from({ length: this.terms }, (_, t) => this.term(row, t));
      // Terms of either sign do not stack: each is a line and must be seen whole, those above the objective too.
      const values = [this.objective(row), ...(terms.some((term) => term < 0) ? terms : [])];
      for (const value of values)
        if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
    }
    if (low > high) return { low: 0, high: 1, early: Infinity };
    return { low, high: high + (low < 0 || this.bars ? 0.05 * (high - low) : 0), early: this.early(low) };
  }

  /**
   * The first few steps tower over all that follows: up to here a linear axis shows where the run has come to.
   * @param {number} low
   */
  early(low) {
    if (this.closed || this.rows <= 12) return Infinity;
    const value = Math.max(this.objective(Math.min(this.rows - 1, Math.max(2, Math.floor(this.rows * 0.03)))), low);
    return value + 0.15 * Math.abs(value);
  }

  /**
   * The least term at the end of the run that is worth seeing beside the objective.
   * @param {number} low
   */
  leastTerm(low) {
    let least = low;
    for (let t = 0; t < this.terms; t++) {
      const value = this.term(this.rows - 1, t);
      if (value > 0 && value > low * 1e-4) least = Math.min(least, value);
    }
    return least;
  }
}

export const NO_CURVE = new Curve(new Float32Array(), [0, FIRST_TERM], false);
