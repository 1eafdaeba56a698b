// A face with a patch over it: drag the patch, pull a corner, or use the keys. The picture follows
// the hand at once; whoever made the stage is told where the patch is now.

import { pen, resize } from "./canvas.js";
import { alike, dragged, fetched, holdAt, keyed, within } from "./patch_geometry.js";

/** @import { Pen } from "./canvas.js" */
/** @import { Hold, Place, Point, Shape } from "./patch_geometry.js" */

const MOUSE_REACH = 11, FINGER_REACH = 24; // how near to a corner counts as on it, in screen pixels

export class PatchStage {
  work = document.createElement("canvas");
  /** @type {Shape} */
  shape = [1, 1];
  /** @type {Place} */
  place = { left: 0, top: 0, size: 0 };
  /** @type {Hold & { pointer: number } | null} */
  grip = null;
  /** @type {ImageBitmap | null} */
  face = null;
  /** @type {ImageBitmap | null} */
  patch = null;
  whole = false;
  still = false;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(place: Place) => void} onchange
   */
  constructor(canvas, onchange) {
    this.canvas = canvas;
    this.onchange = onchange;
    canvas.onpointerdown = (event) => this.grab(event);
    canvas.onpointermove = (event) => this.move(event);
    canvas.onpointerup = canvas.onpointercancel = (event) => this.release(event);
    canvas.onkeydown = (event) => this.key(event);
  }

  get held() { return Boolean(this.grip); }

  /** @param {ImageBitmap} bitmap */
  setFace(bitmap) {
    this.face?.close();
    this.face = bitmap;
    this.draw();
  }

  /**
   * @param {ImageBitmap} bitmap
   * @param {boolean} whole the patch is painted smaller (an object) and not cut off (noise) when its size changes
   */
  setPatch(bitmap, whole) {
    this.patch?.close();
    this.patch = bitmap;
    this.whole = whole;
    this.draw();
  }

  /** @param {boolean} still nothing can be moved: what is on the face is all over it */
  setStill(still) {
    this.still = still;
    this.canvas.style.cursor = still ? "default" : "";
    this.canvas.tabIndex = still ? -1 : 0;
    this.draw();
  }

  /** @param {Place} place */
  setPlace(place) {
    this.place = within(place, this.shape);
    this.draw();
  }

  /** @param {Place} place */
  change(place) {
    const next = within(place, this.shape);
    if (alike(next, this.place)) return;
    this.place = next;
    this.draw();
    this.onchange(next);
  }

  /**
   * Where the pointer is, in pixels of the face, and how many of them a pixel of the screen spans.
   * @param {PointerEvent} event
   * @returns {Point & { unit: number }}
   */
  at(event) {
    const box = this.canvas.getBoundingClientRect(), unit = this.shape[1] / box.width;
    return { x: (event.clientX - box.left) * unit, y: (event.clientY - box.top) * unit, unit };
  }

  /** @param {PointerEvent} event */
  grab(event) {
    if (event.button || this.still) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    const at = this.at(event), reach = event.pointerType === "mouse" ? MOUSE_REACH : FINGER_REACH;
    let hold = holdAt(this.place, at, reach * at.unit);
    if (!hold) {
      const come = fetched(this.place, at, this.shape);
      hold = come.hold;
      this.grip = { ...hold, pointer: event.pointerId };
      this.change(come.place);
    }
    this.grip = { ...hold, pointer: event.pointerId };
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (this.still) return;
    const at = this.at(event);
    if (this.grip && event.pointerId === this.grip.pointer) this.change(dragged(this.place, this.grip, at, this.shape));
    else this.showGrip(at);
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (event.pointerId === this.grip?.pointer) this.grip = null;
  }

  /** @param {Point & { unit: number }} at */
  showGrip(at) {
    const hold = holdAt(this.place, at, MOUSE_REACH * at.unit), corner = hold?.corner;
    this.canvas.style.cursor = !hold ? "crosshair" : !corner ? "move" : corner[0] === corner[1] ? "nwse-resize" : "nesw-resize";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.still || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = keyed(this.place, event.key, event.shiftKey);
    if (!place) return;
    this.change(place);
    event.preventDefault();
  }

  draw() {
    if (!this.face) return;
    const [height, width] = this.shape, { left, top, size } = this.place, { work, canvas } = this;
    resize(work, width, height);
    const g = pen(work);
    g.imageSmoothingQuality = "high";
    g.drawImage(this.face, 0, 0, width, height);
    if (this.patch && size && !this.still) {
      const cut = this.whole ? this.patch.width : size;
      g.drawImage(this.patch, 0, 0, cut, cut, left, top, size, size);
    }
    const ratio = window.devicePixelRatio || 1, wide = Math.round(canvas.clientWidth * ratio);
    if (!wide) return;
    const high = Math.round((wide * height) / width);
    resize(canvas, wide, high);
    const c = pen(canvas);
    c.imageSmoothingEnabled = false; // every pixel is shown as the methods get it
    c.drawImage(work, 0, 0, wide, high);
    if (size && !this.still) this.frame(c, wide / width, ratio);
  }

  /**
   * @param {Pen} c
   * @param {number} unit how many pixels of the screen a pixel of the face spans
   * @param {number} ratio
   */
  frame(c, unit, ratio) {
    const { left, top, size } = this.place, [x, y, side] = [left * unit, top * unit, size * unit];
    for (const { colour, thick } of [{ colour: "rgba(0, 0, 0, 0.55)", thick: 3.5 }, { colour: "#fff", thick: 1.5 }]) {
      c.strokeStyle = c.fillStyle = colour;
      c.lineWidth = thick * ratio;
      c.strokeRect(x, y, side, side);
      const half = (3 + thick) * ratio * 0.8;
      for (const [i, j] of [[0, 0], [0, 1], [1, 0], [1, 1]])
        c.fillRect(x + i * side - half, y + j * side - half, 2 * half, 2 * half);
    }
  }
}
