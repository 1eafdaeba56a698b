// Where a square patch may lie on a picture, what a pointer grips of it, and where it goes by hand or by key.

/** @typedef {{ left: number, top: number, size: number }} Place in pixels of the picture */
/** @typedef {[height: number, width: number]} Shape */
/** @typedef {{ x: number, y: number }} Point */
/** @typedef {[right: 0 | 1, bottom: 0 | 1]} Corner */
/**
 * What is held: a corner or the patch itself, and how far from it the pointer is.
 * @typedef {object} Hold
 * @property {Corner | null} corner
 * @property {number} dx
 * @property {number} dy
 * @property {[number, number]} fixed the corner that stays where it is
 */

/** @type {Corner[]} */
const CORNERS = [[1, 1], [0, 1], [1, 0], [0, 0]];
const FAR = 5; // pixels a key moves the patch with Shift held
const LEAST_PULLED = 2;

/**
 * The nearest place that lies inside of the picture, in whole pixels.
 * @param {Place} place
 * @param {Shape} shape
 * @returns {Place}
 */
export function within({ left, top, size }, [height, width]) {
  const side = Math.round(Math.min(Math.max(size, 0), height, width));
  const clamp = (/** @type {number} */ value, /** @type {number} */ most) => Math.round(Math.min(Math.max(value, 0), most));
  return { left: clamp(left, width - side), top: clamp(top, height - side), size: side };
}

/**
 * @param {Place} one
 * @param {Place} other
 */
export function alike(one, other) {
  return one.left === other.left && one.top === other.top && one.size === other.size;
}

/**
 * What is under a point: a corner (the opposite one stays), the patch itself, or nothing.
 * @param {Place} place
 * @param {Point} at
 * @param {number} reach how near to a corner counts as on it
 * @returns {Hold | null}
 */
export function holdAt({ left, top, size }, { x, y }, reach) {
  const inside = x >= left && x < left + size && y >= top && y < top + size;
  // Of a small patch the middle must stay free to be dragged by.
  const near = inside ? Math.min(reach, size / 3) : reach;
  for (const corner of CORNERS) {
    const [right, bottom] = corner, dx = x - (left + right * size), dy = y - (top + bottom * size);
    if (Math.max(Math.abs(dx), Math.abs(dy)) <= near)
      return { corner, dx, dy, fixed: [right ? left : left + size, bottom ? top : top + size] };
  }
  return inside ? { corner: null, dx: x - left, dy: y - top, fixed: [left, top] } : null;
}

/**
 * Where the patch comes to when somebody presses beside it: to the pointer, and large enough to be seen.
 * @param {Place} place
 * @param {Point} at
 * @param {Shape} shape
 * @returns {{ place: Place, hold: Hold }}
 */
export function fetched({ size }, { x, y }, shape) {
  const side = Math.max(size, Math.round(Math.min(...shape) / 8)), half = side / 2;
  return {
    place: { left: x - half, top: y - half, size: side },
    hold: { corner: null, dx: half, dy: half, fixed: [x - half, y - half] },
  };
}

/**
 * Where the patch is when what is held of it has come to a point.
 * @param {Place} place
 * @param {Hold} hold
 * @param {Point} at
 * @param {Shape} shape
 * @returns {Place}
 */
export function dragged({ size }, { corner, dx, dy, fixed: [x, y] }, at, [height, width]) {
  if (!corner) return { left: at.x - dx, top: at.y - dy, size };
  const [right, bottom] = corner;
  const across = right ? at.x - dx - x : x - (at.x - dx), down = bottom ? at.y - dy - y : y - (at.y - dy);
  const room = Math.min(right ? width - x : x, bottom ? height - y : y);
  const side = Math.round(Math.min(Math.max(across, down, LEAST_PULLED), room));
  return { left: right ? x : x - side, top: bottom ? y : y - side, size: side };
}

/**
 * Where a key moves the patch, or how large it makes it; null for other keys.
 * @param {Place} place
 * @param {string} key
 * @param {boolean} far
 * @returns {Place | null}
 */
export function keyed({ left, top, size }, key, far) {
  const by = far ? FAR : 1;
  const shift = new Map([["ArrowLeft", [-by, 0]], ["ArrowRight", [by, 0]], ["ArrowUp", [0, -by]], ["ArrowDown", [0, by]]]).get(key);
  if (shift) return { left: left + shift[0], top: top + shift[1], size };
  const growth = new Map([["+", 1], ["=", 1], ["-", -1], ["−", -1], ["_", -1]]).get(key);
  if (!growth) return null;
  // The middle stays where it is: what cannot be halved goes to the right and below, then to the left and above.
  const toTheLeft = growth > 0 ? size % 2 : (size + 1) % 2;
  return { left: left - growth * toTheLeft, top: top - growth * toTheLeft, size: size + growth };
}
