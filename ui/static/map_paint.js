// How points and edges look: a colour and a shape for each class, so that nobody needs to see every colour.

const SHAPES = ["circle", "square", "triangle", "diamond"];

export function look(code, palette) {
  if (code < 0) return { colour: null, shape: "circle" };
  return { colour: palette[code % palette.length], shape: SHAPES[Math.floor(code / palette.length) % SHAPES.length] };
}

export function trace(g, shape, x, y, r) {
  if (shape === "circle") { g.moveTo(x + r, y); g.arc(x, y, r, 0, 7); return; }
  if (shape === "square") { g.rect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r); return; }
  const corners = shape === "triangle"
    ? [[0, -1.2], [1.1, 0.85], [-1.1, 0.85]]
    : [[0, -1.3], [1.15, 0], [0, 1.3], [-1.15, 0]];
  corners.forEach(([dx, dy], index) => (index ? g.lineTo(x + dx * r, y + dy * r) : g.moveTo(x + dx * r, y + dy * r)));
  g.closePath();
}

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

export function paintPoints(g, map, codes, strengths) {
  const { count, marks, hints } = map, palette = map.palette, r = map.radius;
  for (let i = 0; i < count; i++) {
    const [x, y] = map.place(i), { colour, shape } = look(codes[i], palette);
    const dimmed = map.lit !== null && codes[i] !== map.lit;
    g.beginPath();
    trace(g, shape, x, y, marks[i] ? r * 1.35 : r);
    g.globalAlpha = (dimmed ? 0.12 : 1) * (strengths ? 0.25 + 0.75 * (strengths[i] / 255) : marks[i] || !map.anyMarks ? 0.85 : 0.6);
    g.fillStyle = colour || map.colours.unknown;
    g.fill();
    if (marks[i] && !dimmed) {
      g.globalAlpha = 1;
      g.lineWidth = 1.6;
      g.strokeStyle = map.colours.text;
      g.stroke();
    }
    if (hints[i]) {
      g.globalAlpha = 1;
      g.lineWidth = 2;
      g.strokeStyle = map.colours.alarm;
      g.setLineDash([3, 2]);
      g.beginPath();
      g.arc(x, y, r + 6, 0, 7);
      g.stroke();
      g.setLineDash([]);
    }
  }
  g.globalAlpha = 1;
}

export function ring(g, x, y, r, colour, width = 2) {
  g.beginPath();
  g.arc(x, y, r, 0, 7);
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.stroke();
}

// Whether a point lies inside a line drawn around some.
export function inside(path, x, y) {
  let within = false;
  for (let i = 0, j = path.length - 1; i < path.length; j = i++) {
    const [xi, yi] = path[i], [xj, yj] = path[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) within = !within;
  }
  return within;
}
