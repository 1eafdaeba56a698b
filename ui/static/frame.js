// Pictures on canvases, style sheets, and whether the page is light or dark.

/**
 * @param {Uint8Array<ArrayBuffer> | undefined} bytes
 * @returns {Promise<ImageBitmap | null>} null if there is no picture
 */
export async function decode(bytes) {
  return bytes?.length ? createImageBitmap(new Blob([bytes])) : null;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {ImageBitmap} bitmap of which nothing is left
 */
export function paint(canvas, bitmap) {
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
  }
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
}

/** @type {WeakMap<HTMLElement, number>} how many style sheets a root waits for */
const unstyled = new WeakMap();

/**
 * Adds the style sheet beside the root; the root stays invisible until it is there, and any others it waits for.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {() => void} [then]
 */
export function loadStyle(root, name, then) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(name, import.meta.url).href;
  root.style.visibility = "hidden";
  unstyled.set(root, (unstyled.get(root) ?? 0) + 1);
  link.onload = link.onerror = () => {
    const left = (unstyled.get(root) ?? 1) - 1;
    unstyled.set(root, left);
    if (!left) root.style.visibility = "";
    then?.();
  };
  root.before(link);
}

/**
 * Told by the colour of the page.
 * @param {Element} root
 * @returns {"light" | "dark"}
 */
export function themeOf(root) {
  const paper = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  return parseInt(paper.slice(1, 3), 16) < 128 ? "dark" : "light";
}
