// Which part of a picture matters to which method: a map a method, the share recognised behind a patch at each place.

// Colour-blind-safe and even in lightness, from what matters most (dark) to what does not matter.
const RAMP = [[38, 12, 81], [84, 39, 143], [158, 68, 132], [222, 106, 89], [248, 166, 81], [246, 233, 154]];

export class Places {
  // holder: where the maps go; scale: where the colours are explained; face(): the picture to lie beneath, if any.
  constructor(holder, scale, face) {
    Object.assign(this, { holder, scale, face, maps: [], size: 0, shape: [1, 1] });
  }

  // maps: [{title, colour, shares, tops, lefts, message}, …], shares row by row, null where not yet known.
  set(maps, size, shape) {
    Object.assign(this, { maps, size, shape });
    const known = maps.flatMap(({ shares }) => shares.filter((share) => share !== null));
    this.low = known.length ? Math.min(...known) : 0;
    this.high = known.length ? Math.max(...known) : 1;
    while (this.holder.children.length > maps.length) this.holder.lastChild.remove();
    while (this.holder.children.length < maps.length) this.holder.append(this.figure());
    this.redraw();
    this.explain(known.length > 0);
  }

  redraw() {
    this.maps.forEach((map, index) => this.draw(this.holder.children[index], map));
  }

  figure() {
    const figure = document.createElement("figure"), canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.onpointermove = (event) => this.point(figure, event);
    canvas.onpointerleave = () => { figure.querySelector("output").textContent = ""; };
    figure.append(canvas, document.createElement("figcaption"), document.createElement("output"));
    return figure;
  }

  draw(figure, { title, colour, shares, lefts, tops, message }) {
    const canvas = figure.querySelector("canvas"), [height, width] = this.shape;
    const wide = 216, high = Math.round((wide * height) / width);
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    const g = canvas.getContext("2d");
    g.clearRect(0, 0, wide, high);
    const caption = figure.querySelector("figcaption");
    caption.textContent = message || title;
    caption.style.setProperty("--method", colour);
    const face = this.face();
    g.globalAlpha = 1;
    if (face) g.drawImage(face, 0, 0, wide, high);
    if (!lefts) return canvas.setAttribute("aria-label", `${title}: nothing known yet`);
    const columns = lefts.length;
    g.globalAlpha = 0.72;
    shares.forEach((share, index) => {
      if (share === null) return;
      g.fillStyle = this.colour(share);
      const cell = this.cell(lefts, tops, index % columns, Math.floor(index / columns)), unit = wide / width;
      g.fillRect(cell.x * unit, cell.y * unit, cell.w * unit + 0.5, cell.h * unit + 0.5);
    });
    canvas.setAttribute("aria-label", this.told(title, shares, columns));
  }

  // Where a place is painted: around the middle of the patch when it is there.
  cell(lefts, tops, column, row) {
    const edges = (places, index) => {
      const low = index ? (places[index - 1] + places[index]) / 2 : places[0] - (places[1] - places[0] || 1) / 2;
      const last = index === places.length - 1;
      const high = last ? 2 * places[index] - low : (places[index] + places[index + 1]) / 2;
      return [low + this.size / 2, high - low];
    };
    const [x, w] = edges(lefts, column), [y, h] = edges(tops, row);
    return { x, y, w, h };
  }

  told(title, shares, columns) {
    const known = shares.filter((share) => share !== null);
    if (!known.length) return `${title}: nothing known yet`;
    const worst = shares.indexOf(Math.min(...known)), rows = shares.length / columns;
    const third = (at, of, names) => names[Math.min(2, Math.floor((3 * at) / of))];
    const where = `${third(Math.floor(worst / columns), rows, ["top", "middle", "bottom"])} ` +
      third(worst % columns, columns, ["left", "centre", "right"]);
    return `${title}: between ${percent(Math.min(...known))} and ${percent(Math.max(...known))} recognised; ` +
      `fewest with the patch at the ${where}`;
  }

  point(figure, event) {
    const map = this.maps[[...this.holder.children].indexOf(figure)];
    if (!map?.lefts) return;
    const box = event.target.getBoundingClientRect(), unit = this.shape[1] / box.width;
    const nearest = (places, at) => places.reduce((best, place, index) =>
      Math.abs(place - at) < Math.abs(places[best] - at) ? index : best, 0);
    const x = nearest(map.lefts, (event.clientX - box.left) * unit - this.size / 2);
    const y = nearest(map.tops, (event.clientY - box.top) * unit - this.size / 2), columns = map.lefts.length;
    const share = map.shares[y * columns + x];
    figure.querySelector("output").textContent = share === null || share === undefined ? ""
      : `${percent(share)} with the patch ${map.lefts[x]} from the left, ${map.tops[y]} from the top`;
  }

  colour(share) {
    const at = ((share - this.low) / (this.high - this.low || 1)) * (RAMP.length - 1), index = Math.min(RAMP.length - 2, Math.floor(at));
    const [from, to] = [RAMP[index], RAMP[index + 1]];
    return `rgb(${from.map((value, channel) => Math.round(value + (to[channel] - value) * (at - index))).join(" ")})`;
  }

  explain(known) {
    const stops = RAMP.map((colour) => `rgb(${colour.join(" ")})`).join(", ");
    this.scale.querySelector("i").style.background = `linear-gradient(to right, ${stops})`;
    const [low, high] = this.scale.querySelectorAll("span");
    low.textContent = known ? percent(this.low) : "";
    high.textContent = known ? percent(this.high) : "";
  }
}

function percent(share) { return `${(100 * share).toFixed(0)} %`; }
