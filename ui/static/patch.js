// A face with a patch over it: drag the patch, pull a corner, or use the keys. The picture follows
// the hand at once; whoever made the stage is told where the patch is now.

const MOUSE_REACH = 11, FINGER_REACH = 24; // how near to a corner counts as on it, in screen pixels
const FAR = 5; // pixels a key moves the patch with Shift held

export class Stage {
  constructor(canvas, onchange) {
    this.canvas = canvas;
    this.onchange = onchange;
    this.work = document.createElement("canvas");
    this.shape = [1, 1];
    this.place = { left: 0, top: 0, size: 0 };
    canvas.onpointerdown = (event) => this.grab(event);
    canvas.onpointermove = (event) => this.move(event);
    canvas.onpointerup = canvas.onpointercancel = (event) => this.release(event);
    canvas.onkeydown = (event) => this.key(event);
  }

  get held() { return Boolean(this.grip); }

  setFace(bitmap) {
    this.face?.close();
    this.face = bitmap;
    this.draw();
  }

  // `whole`: the patch is painted smaller (an object) and not cut off (noise) when its size changes.
  setPatch(bitmap, whole) {
    this.patch?.close();
    Object.assign(this, { patch: bitmap, whole });
    this.draw();
  }

  // Nothing can be moved: what is on the face is all over it.
  setStill(still) {
    this.still = still;
    this.canvas.style.cursor = still ? "default" : "";
    this.canvas.tabIndex = still ? -1 : 0;
    this.draw();
  }

  setPlace(place) {
    this.place = this.within(place);
    this.draw();
  }

  within({ left, top, size }) {
    const [height, width] = this.shape;
    const side = Math.round(Math.min(Math.max(size, 0), height, width));
    const clamp = (value, most) => Math.round(Math.min(Math.max(value, 0), most));
    return { left: clamp(left, width - side), top: clamp(top, height - side), size: side };
  }

  change(place) {
    const next = this.within(place), now = this.place;
    if (next.left === now.left && next.top === now.top && next.size === now.size) return;
    this.place = next;
    this.draw();
    this.onchange(next);
  }

  // Where the pointer is, in pixels of the face, and how many of them a pixel of the screen spans.
  at(event) {
    const box = this.canvas.getBoundingClientRect(), unit = this.shape[1] / box.width;
    return { x: (event.clientX - box.left) * unit, y: (event.clientY - box.top) * unit, unit };
  }

  // What is under the pointer: a corner (the opposite one stays), the patch itself, or nothing.
  under({ x, y, unit }, reach) {
    const { left, top, size } = this.place;
    const inside = x >= left && x < left + size && y >= top && y < top + size;
    // Of a small patch the middle must stay free to be dragged by.
    const near = inside ? Math.min(reach * unit, size / 3) : reach * unit;
    for (const [right, bottom] of [[1, 1], [0, 1], [1, 0], [0, 0]]) {
      const dx = x - (left + right * size), dy = y - (top + bottom * size);
      if (Math.max(Math.abs(dx), Math.abs(dy)) <= near) return { corner: [right, bottom], dx, dy };
    }
    return inside ? { dx: x - left, dy: y - top } : null;
  }

  grab(event) {
    if (event.button || this.still) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    const at = this.at(event), { size } = this.place;
    this.grip = this.under(at, event.pointerType === "mouse" ? MOUSE_REACH : FINGER_REACH);
    if (!this.grip) {
      // Beside the patch: it comes to the pointer, large enough to be seen.
      const side = Math.max(size, Math.round(Math.min(...this.shape) / 8));
      this.grip = { dx: side / 2, dy: side / 2 };
      this.change({ left: at.x - side / 2, top: at.y - side / 2, size: side });
    }
    this.grip.pointer = event.pointerId;
    if (this.grip.corner) {
      const [right, bottom] = this.grip.corner, { left, top } = this.place;
      this.grip.fixed = [right ? left : left + size, bottom ? top : top + size];
    }
    event.preventDefault();
  }

  move(event) {
    if (this.still) return;
    const at = this.at(event);
    if (!this.grip || event.pointerId !== this.grip.pointer) return this.showGrip(at);
    const { corner, dx, dy } = this.grip;
    if (!corner) return this.change({ left: at.x - dx, top: at.y - dy, size: this.place.size });
    const [right, bottom] = corner, [x, y] = this.grip.fixed, [height, width] = this.shape;
    const across = right ? at.x - dx - x : x - (at.x - dx), down = bottom ? at.y - dy - y : y - (at.y - dy);
    const room = Math.min(right ? width - x : x, bottom ? height - y : y);
    const size = Math.round(Math.min(Math.max(across, down, 2), room));
    this.change({ left: right ? x : x - size, top: bottom ? y : y - size, size });
  }

  release(event) {
    if (event.pointerId === this.grip?.pointer) this.grip = null;
  }

  showGrip(at) {
    const found = this.under(at, MOUSE_REACH);
    const [right, bottom] = found?.corner || [];
    this.canvas.style.cursor = !found ? "crosshair" : !found.corner ? "move" : right === bottom ? "nwse-resize" : "nesw-resize";
  }

  key(event) {
    if (this.still || event.ctrlKey || event.metaKey || event.altKey) return;
    const { left, top, size } = this.place, by = event.shiftKey ? FAR : 1;
    const shift = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key];
    const growth = { "+": 1, "=": 1, "-": -1, "−": -1, _: -1 }[event.key];
    if (shift) this.change({ left: left + shift[0], top: top + shift[1], size });
    else if (growth) {
      // The middle stays where it is: what cannot be halved goes to the right and below, then to the left and above.
      const toTheLeft = growth > 0 ? size % 2 : (size + 1) % 2;
      this.change({ left: left - growth * toTheLeft, top: top - growth * toTheLeft, size: size + growth });
    } else return;
    event.preventDefault();
  }

  draw() {
    if (!this.face) return;
    const [height, width] = this.shape, { left, top, size } = this.place, { work, canvas } = this;
    if (work.width !== width || work.height !== height) Object.assign(work, { width, height });
    const g = work.getContext("2d");
    g.imageSmoothingQuality = "high";
    g.drawImage(this.face, 0, 0, width, height);
    if (this.patch && size && !this.still) {
      const cut = this.whole ? this.patch.width : size;
      g.drawImage(this.patch, 0, 0, cut, cut, left, top, size, size);
    }
    const ratio = window.devicePixelRatio || 1, wide = Math.round(canvas.clientWidth * ratio);
    if (!wide) return;
    const high = Math.round((wide * height) / width);
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    const c = canvas.getContext("2d");
    c.imageSmoothingEnabled = false; // every pixel is shown as the methods get it
    c.drawImage(work, 0, 0, wide, high);
    if (size && !this.still) this.frame(c, wide / width, ratio);
  }

  frame(c, unit, ratio) {
    const { left, top, size } = this.place, [x, y, side] = [left * unit, top * unit, size * unit];
    for (const [colour, thick] of [["rgba(0, 0, 0, 0.55)", 3.5], ["#fff", 1.5]]) {
      c.strokeStyle = c.fillStyle = colour;
      c.lineWidth = thick * ratio;
      c.strokeRect(x, y, side, side);
      const half = (3 + thick) * ratio * 0.8;
      for (const [i, j] of [[0, 0], [0, 1], [1, 0], [1, 1]])
        c.fillRect(x + i * side - half, y + j * side - half, 2 * half, 2 * half);
    }
  }
}
