// How points and edges look: a colour and a shape for each class, so that nobody needs to see every colour.

/** @import { Pen } from "./canvas.js" */
/** @import { SpotOf } from "./spots.js" */
/** @typedef {"circle" | "square" | "triangle" | "diamond"} Shape */
/**
 * @typedef {object} Edges
 * @property {number} count
 * @property {Int32Array} pairs the two points of each edge
 * @property {Float32Array} weights
 * @property {Uint8Array} crossing 1 for an edge between two classes
 */
/** @typedef {{ text: string, paper: string, accent: string, alarm: string, unknown: string }} Colours */
/**
 * What there is to paint of the points.
 * @typedef {object} Points
 * @property {number} count
 * @property {Uint8Array} marks 1 for a point that stands out, as its class was told
 * @property {Uint8Array} hints 1 for a point that somebody should look at
 * @property {boolean} anyMarks
 * @property {number | null} lit the class that is looked at, null for all
 * @property {string[]} palette
 * @property {Colours} colours
 * @property {number} radius
 * @property {SpotOf} place
 */

/** @type {Shape[]} */
const SHAPES = ["circle", "square", "triangle", "diamond"];

/**
 * @param {number} code
 * @param {string[]} palette
 * @returns {{ colour: string | null, shape: Shape }}
 */
export function look(code, palette) {
  if (code < 0) return { colour: null, shape: "circle" };
  return { colour: palette[code % palette.length], shape: SHAPES[Math.floor(code / palette.length) % SHAPES.length] };
}

/**
 * @param {Pen} g
 * @param {Shape} shape
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function trace(g, shape, x, y, r) {
  if (shape === "circle") { g.moveTo(x + r, y); g.arc(x, y, r, 0, 7); return; }
  if (shape === "square") { g.rect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r); return; }
  const corners = shape === "triangle"
    ? [[0, -1.2], [1.1, 0.85], [-1.1, 0.85]]
    : [[0, -1.3], [1.15, 0], [0, 1.3], [-1.15, 0]];
  corners.forEach(([dx, dy], index) => (index ? g.lineTo(x + dx * r, y + dy * r) : g.moveTo(x + dx * r, y + dy * r)));
  g.closePath();
}

/**
 * @param {Pen} g
 * @param {Edges} edges
 * @param {SpotOf} place
 * @param {Colours} colours
 * @param {number[] | null} [which] these alone, and strongly; all of them if left out
 */
export function paintEdges(g, edges, place, colours, which = null) {
  const count = which ? which.length : edges.count;
  const faint = which ? 0.9 : Math.min(0.55, Math.max(0.07, 260 / (count + 1)));
  // Lines of one kind and about the same weight are one path: thousands of strokes would take too long.
  for (const crossing of [0, 1]) {
    for (let step = 0; step < 3; step++) {
      g.beginPath();
      for (let k = 0; k < count; k++) {
        const e = which ? which[k] : k;
        if (edges.crossing[e] !== crossing || Math.min(2, Math.floor(edges.weights[e] * 3)) !== step) continue;
        const [x, y] = place(edges.pairs[2 * e]), [u, v] = place(edges.pairs[2 * e + 1]);
        g.moveTo(x, y);
        g.lineTo(u, v);
      }
      g.strokeStyle = crossing ? colours.alarm : colours.text;
      g.setLineDash(crossing ? [5, 3] : []);
      g.lineWidth = which ? 1.6 : 1;
      g.globalAlpha = faint * [0.35, 0.65, 1][step] * (crossing && !which ? 1.8 : 1);
      g.stroke();
    }
  }
  g.setLineDash([]);
  g.globalAlpha = 1;
}

/**
 * @param {Pen} g
 * @param {Points} points
 * @param {Int32Array} codes
 * @param {Uint8Array | null} strengths how sure each class is, null for all alike
 */
export function paintPoints(g, points, codes, strengths) {
  const { count, marks, hints, palette, radius: r, lit, anyMarks, colours, place } = points;
  for (let i = 0; i < count; i++) {
    const [x, y] = place(i), { colour, shape } = look(codes[i], palette), dimmed = lit !== null && codes[i] !== lit;
    g.beginPath();
    trace(g, shape, x, y, marks[i] ? r * 1.35 : r);
    g.globalAlpha = (dimmed ? 0.12 : 1) * (strengths ? 0.25 + 0.75 * (strengths[i] / 255) : marks[i] || !anyMarks ? 0.85 : 0.6);
    g.fillStyle = colour || colours.unknown;
    g.fill();
    if (marks[i] && !dimmed) {
      g.globalAlpha = 1;
      g.lineWidth = 1.6;
      g.strokeStyle = colours.text;
      g.stroke();
    }
    if (hints[i]) {
      g.globalAlpha = 1;
      g.setLineDash([3, 2]);
      ring(g, x, y, r + 6, colours.alarm, 2);
      g.setLineDash([]);
    }
  }
  g.globalAlpha = 1;
}

/**
 * @param {Pen} g
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} colour
 * @param {number} [width]
 */
export function ring(g, x, y, r, colour, width = 2) {
  g.beginPath();
  g.arc(x, y, r, 0, 7);
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.stroke();
}

/**
 * Whether a point lies inside a line drawn around some.
 * @param {[number, number][]} path
 * @param {number} x
 * @param {number} y
 */
export function inside(path, x, y) {
  let within = false;
  for (let i = 0, j = path.length - 1; i < path.length; j = i++) {
    const [xi, yi] = path[i], [xj, yj] = path[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) within = !within;
  }
  return within;
}
