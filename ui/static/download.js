// Files that the browser makes and hands over.

import { element } from "./dom.js";

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function handOver(blob, name) {
  const link = element("a"), address = URL.createObjectURL(blob);
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * The canvas as PNG.
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 */
export function asPng(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture cannot be made."))), "image/png");
  });
}
