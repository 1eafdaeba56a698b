// The samples as points: near each other if the method makes the same of them, coloured by class.
//
// Classes share colours when there are many, so shapes differ too; the labelled ones have a ring. A click,
// or the arrow keys, chooses the sample that is shown rebuilt.

import { prepare } from "./axes.js";

const SHAPES = ["round", "square", "triangle", "diamond"];
const NEAR = 14;

export class Cloud {
  constructor(canvas, tip, { onPick }) {
    Object.assign(this, { canvas, tip, onPick });
    this.points = new Uint16Array();
    this.cast = null;
    this.chosen = 0; // a place among the training samples
    canvas.onpointermove = (event) => this.look(this.nearest(event));
    canvas.onpointerleave = () => this.look(null);
    canvas.onclick = (event) => this.pick(this.nearest(event));
    canvas.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step || !this.cast) return;
      event.preventDefault();
      const now = this.cast.places.indexOf(this.chosen);
      this.pick(Math.min(Math.max(now + step, 0), this.cast.places.length - 1));
      this.look(this.cast.places.indexOf(this.chosen));
    };
  }

  set(points, palette) {
    Object.assign(this, { points, palette });
    this.draw();
  }

  who(index) {
    const { cast } = this, code = cast.codes[index];
    const words = [cast.names[index] || `sample ${cast.places[index] + 1}`];
    if (cast.classes.length) words.push(code < 0 ? "class unknown" : this.className(code));
    words.push(cast.labelled[index] ? "labelled" : "unlabelled");
    return words.join(" · ");
  }

  // A bare number says what it is a number of: digit 1.
  className(code) {
    const name = this.cast.classes[code] ?? "a new class";
    return /^\d+$/.test(name) ? `${this.cast.unit ?? "class"} ${name}` : name;
  }

  chosenInWords() {
    const index = this.cast?.places.indexOf(this.chosen) ?? -1;
    return index < 0 ? "" : this.who(index);
  }

  draw() {
    const sheet = prepare(this.canvas);
    if (!sheet || !this.cast) return;
    const { g, ink } = sheet, { cast } = this, count = Math.min(this.points.length / 2, cast.places.length);
    const size = count > 500 ? 2.6 : 3.6;
    this.spots = new Float32Array(2 * count);
    const width = this.canvas.clientWidth - 20, height = this.canvas.clientHeight - 20;
    for (const labelled of [0, 1])
      for (let i = 0; i < count; i++) {
        const x = (this.spots[2 * i] = 10 + (this.points[2 * i] / 65535) * width);
        const y = (this.spots[2 * i + 1] = 10 + (1 - this.points[2 * i + 1] / 65535) * height);
        if (cast.labelled[i] !== labelled) continue;
        g.globalAlpha = labelled ? 1 : 0.55;
        const code = cast.codes[i];
        g.fillStyle = code < 0 ? ink : this.palette[code % this.palette.length];
        spot(g, x, y, labelled ? size * 1.35 : size, SHAPES[code < 0 ? 0 : Math.floor(code / this.palette.length) % SHAPES.length]);
        if (labelled) { g.strokeStyle = ink; g.lineWidth = 1; g.stroke(); }
      }
    g.globalAlpha = 1;
    const index = cast.places.indexOf(this.chosen);
    if (index >= 0 && index < count) {
      g.strokeStyle = ink;
      g.lineWidth = 2;
      g.beginPath();
      g.arc(this.spots[2 * index], this.spots[2 * index + 1], 9, 0, 2 * Math.PI);
      g.stroke();
    }
  }

  nearest(event) {
    let best = NEAR ** 2, found = null;
    for (let i = 0; i < (this.spots?.length ?? 0) / 2; i++) {
      const distance = (this.spots[2 * i] - event.offsetX) ** 2 + (this.spots[2 * i + 1] - event.offsetY) ** 2;
      if (distance < best) { best = distance; found = i; }
    }
    return found;
  }

  look(index) {
    this.tip.hidden = index === null;
    this.canvas.style.cursor = index === null ? "" : "pointer";
    if (index === null) return;
    this.tip.textContent = this.who(index);
    const room = this.canvas.clientWidth - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(this.spots[2 * index] - 20, room))}px`;
    this.tip.style.top = `${this.spots[2 * index + 1] + 12}px`;
  }

  pick(index) {
    if (index === null) return;
    this.chosen = this.cast.places[index];
    this.draw();
    this.onPick(this.chosen);
  }
}

function spot(g, x, y, size, shape) {
  g.beginPath();
  if (shape === "round") g.arc(x, y, size, 0, 2 * Math.PI);
  else if (shape === "square") g.rect(x - size * 0.85, y - size * 0.85, size * 1.7, size * 1.7);
  else if (shape === "triangle") { g.moveTo(x, y - size * 1.2); g.lineTo(x + size * 1.1, y + size * 0.8); g.lineTo(x - size * 1.1, y + size * 0.8); g.closePath(); }
  else { g.moveTo(x, y - size * 1.25); g.lineTo(x + size * 1.1, y); g.lineTo(x, y + size * 1.25); g.lineTo(x - size * 1.1, y); g.closePath(); }
  g.fill();
}
