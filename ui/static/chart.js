// The objective against iterations or seconds: its terms stacked, or, on a log scale, as lines.

const TERM_COLOURS = {
  light: ["#9db7b4", "#d58a4c", "#b5651d", "#5b8fb9", "#a77fb0", "#8a8f3c"],
  dark: ["#47605d", "#d98a3f", "#f5b56a", "#5a9fd0", "#c39ad0", "#b5bb5a"],
};
const MARGIN = { left: 52, right: 12, top: 10, bottom: 34 };

export class Chart {
  constructor(canvas, legend) {
    this.canvas = canvas;
    this.legend = legend;
    this.options = { logX: false, logY: false, bySeconds: false };
    this.mark = null;
    this.clear();
    canvas.onpointermove = (event) => { this.pointer = event.offsetX; this.draw(); };
    canvas.onpointerleave = () => { this.pointer = null; this.draw(); };
  }

  clear() {
    this.terms = [];
    this.rows = 0;
    this.pointer = null;
    this.draw();
  }

  set(terms, points, [rows, columns]) {
    Object.assign(this, { terms, points, rows, columns });
  }

  toggle(name) {
    this.options[name] = !this.options[name];
    this.draw();
    return this.options[name];
  }

  at(row, column) { return this.points[row * this.columns + column]; }

  last() {
    if (!this.rows) return null;
    return { objective: this.at(this.rows - 1, 1), seconds: this.at(this.rows - 1, 2) };
  }

  draw() {
    const { canvas } = this;
    const width = canvas.clientWidth, height = canvas.clientHeight, ratio = window.devicePixelRatio || 1;
    if (!width || !height) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const g = canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    const style = getComputedStyle(canvas);
    this.ink = style.color;
    g.font = `12px ${style.fontFamily}`;
    const dark = isLight(this.ink);
    this.colours = TERM_COLOURS[dark ? "dark" : "light"];
    this.box = { x: MARGIN.left, y: MARGIN.top, w: width - MARGIN.left - MARGIN.right, h: height - MARGIN.top - MARGIN.bottom };
    this.scales();
    this.axes(g);
    if (this.rows > 1) {
      g.save();
      g.beginPath();
      g.rect(this.box.x, this.box.y - 2, this.box.w + 2, this.box.h + 3);
      g.clip();
      if (this.options.logY || this.terms.length < 2) this.lines(g);
      else this.stack(g);
      this.curve(g, (row) => this.at(row, 1), this.colour || this.ink, 2);
      g.restore();
    }
    this.cursor(g);
  }

  xOf(row) { return this.options.bySeconds ? this.at(row, 2) : this.at(row, 0); }

  scales() {
    const { box, rows, options } = this;
    const xMax = rows > 1 ? this.xOf(rows - 1) : 1;
    const xMin = options.logX ? (options.bySeconds ? Math.max(1e-4, rows > 1 ? this.xOf(1) : 1e-3) : 1) : 0;
    let yMax = 0, yMin = Infinity;
    for (let row = 0; row < rows; row++) {
      const value = this.at(row, 1);
      if (Number.isFinite(value)) { yMax = Math.max(yMax, value); yMin = Math.min(yMin, value); }
    }
    // The first few steps tower over all that follows: a linear axis shows where the run has come to.
    if (!options.logY && rows > 12) {
      const tenth = this.at(Math.min(rows - 1, Math.max(2, Math.floor(rows * 0.03))), 1);
      yMax = Math.min(yMax, Math.max(tenth, yMin) * 1.15);
    }
    if (!(yMax > 0)) { yMax = 1; yMin = 0; }
    if (options.logY) {
      let least = yMin;
      for (let t = 0; t < this.terms.length; t++) {
        const value = rows ? this.at(rows - 1, 3 + t) : 0;
        if (value > yMax * 1e-5) least = Math.min(least, value);
      }
      yMin = Math.max(least * 0.8, yMax * 1e-6);
    } else yMin = 0;
    const fit = (value, low, high, log) =>
      log ? Math.log(Math.max(value, low) / low) / Math.log(high / low || 2) : (value - low) / (high - low || 1);
    this.range = { xMin, xMax: Math.max(xMax, xMin * 1.0001 + 1e-9), yMin, yMax };
    this.x = (value) => box.x + box.w * fit(value, xMin, this.range.xMax, options.logX);
    this.y = (value) => box.y + box.h * (1 - fit(value, yMin, yMax, options.logY));
  }

  axes(g) {
    const { box, range, options } = this;
    g.strokeStyle = g.fillStyle = this.ink;
    g.lineWidth = 1;
    g.textBaseline = "middle";
    for (const value of ticks(range.yMin, range.yMax, options.logY, 4)) {
      const y = this.y(value);
      g.globalAlpha = 0.12;
      g.beginPath(); g.moveTo(box.x, y); g.lineTo(box.x + box.w, y); g.stroke();
      g.globalAlpha = 0.75;
      g.textAlign = "right";
      if (this.rows > 1) g.fillText(label(value), box.x - 6, y);
    }
    g.textBaseline = "top";
    g.textAlign = "center";
    for (const value of ticks(range.xMin, range.xMax, options.logX, 5)) {
      g.globalAlpha = 0.75;
      if (this.rows > 1) g.fillText(label(value), this.x(value), box.y + box.h + 5);
    }
    g.globalAlpha = 0.75;
    g.textAlign = "right";
    g.fillText(options.bySeconds ? "seconds" : "iteration", box.x + box.w, box.y + box.h + 20);
    g.textAlign = "left";
    g.fillText("objective", box.x, box.y + box.h + 20);
    g.globalAlpha = 0.35;
    g.beginPath(); g.moveTo(box.x, box.y + box.h); g.lineTo(box.x + box.w, box.y + box.h); g.stroke();
    g.globalAlpha = 1;
  }

  curve(g, value, colour, width) {
    g.strokeStyle = colour;
    g.lineWidth = width;
    g.lineJoin = "round";
    g.beginPath();
    let drawing = false;
    for (let row = this.options.logX ? 1 : 0; row < this.rows; row++) {
      const v = value(row);
      if (!Number.isFinite(v)) { drawing = false; continue; }
      const x = this.x(this.xOf(row)), y = this.y(v);
      if (drawing) g.lineTo(x, y); else g.moveTo(x, y);
      drawing = true;
    }
    g.stroke();
  }

  lines(g) {
    this.terms.forEach((_, t) => {
      if (this.terms.length > 1) this.curve(g, (row) => this.at(row, 3 + t), this.colours[t % this.colours.length], 1.5);
    });
  }

  stack(g) {
    const low = new Float64Array(this.rows);
    this.terms.forEach((_, t) => {
      g.fillStyle = this.colours[t % this.colours.length];
      g.globalAlpha = 0.8;
      g.beginPath();
      for (let row = 0; row < this.rows; row++) g.lineTo(this.x(this.xOf(row)), this.y(low[row] + this.at(row, 3 + t)));
      for (let row = this.rows - 1; row >= 0; row--) g.lineTo(this.x(this.xOf(row)), this.y(low[row]));
      g.fill();
      for (let row = 0; row < this.rows; row++) low[row] += this.at(row, 3 + t);
    });
    g.globalAlpha = 1;
  }

  cursor(g) {
    let row = this.rows - 1;
    const looking = this.pointer !== null && this.rows > 1;
    if (looking || this.mark !== null) {
      const target = looking ? this.pointer : this.x(this.rowOf(this.mark) === null ? 0 : this.xOf(this.rowOf(this.mark)));
      let best = Infinity;
      for (let r = 0; r < this.rows; r++) {
        const distance = Math.abs(this.x(this.xOf(r)) - target);
        if (distance < best) { best = distance; row = r; }
      }
      if (this.rows) {
        const x = this.x(this.xOf(row));
        g.strokeStyle = this.ink;
        g.globalAlpha = 0.6;
        g.lineWidth = 1;
        g.beginPath(); g.moveTo(x, this.box.y); g.lineTo(x, this.box.y + this.box.h); g.stroke();
        g.globalAlpha = 1;
      }
    }
    this.describe(row, looking || this.mark !== null);
  }

  rowOf(iteration) {
    for (let row = 0; row < this.rows; row++) if (this.at(row, 0) >= iteration) return row;
    return this.rows ? this.rows - 1 : null;
  }

  describe(row, chosen) {
    if (row < 0 || !this.rows) { this.legend.replaceChildren(); return; }
    const entries = [];
    if (chosen) entries.push(["", `at ${this.at(row, 0)}`]);
    entries.push([this.colour || this.ink, `objective ${label(this.at(row, 1))}`]);
    if (this.terms.length > 1)
      this.terms.forEach((name, t) => entries.push([this.colours[t % this.colours.length], `${name} ${label(this.at(row, 3 + t))}`]));
    this.legend.replaceChildren(...entries.map(([colour, text]) => {
      const entry = document.createElement("span");
      if (colour) { const dot = document.createElement("i"); dot.style.background = colour; entry.append(dot); }
      entry.append(text);
      return entry;
    }));
  }
}

function isLight(colour) {
  const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
  return (r + g + b) / 3 > 128;
}

function ticks(low, high, log, count) {
  const found = [];
  if (log) {
    const decades = Math.log10(high / low);
    const steps = decades > 2.5 ? [1] : decades > 1 ? [1, 3] : [1, 2, 3, 5, 7];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
      for (const step of steps) {
        const value = step * 10 ** power;
        if (value >= low && value <= high) found.push(value);
      }
    return found;
  }
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  for (let value = Math.ceil(low / step) * step; value <= high * 1.0001; value += step) found.push(value);
  return found;
}

function label(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))} k`;
  if (size >= 100 || value === 0) return String(Math.round(value));
  if (size < 1e-3) return value.toExponential(1);
  return String(Number(value.toPrecision(3)));
}
