// How a block of bytes from `ui/live/frames.py` is read: header, points, cloud, pictures.

export function unpack(buffer, start = 0) {
  const view = new DataView(buffer, start);
  const length = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, start + 4, length)));
  let offset = start + 4 + length;
  const [rows, columns] = header.points;
  const size = rows * columns * 4;
  const points = new Float32Array(buffer.slice(offset, offset + size));
  offset += size;
  const cloud = new Uint16Array(buffer.slice(offset, offset + 4 * (header.cloud || 0)));
  offset += 4 * (header.cloud || 0);
  const parts = new Uint8Array(buffer, offset, header.parts.bytes);
  offset += header.parts.bytes;
  return { header, points, cloud, parts, sample: new Uint8Array(buffer, offset, header.sample.bytes) };
}

export async function decode(bytes) {
  return bytes.length ? createImageBitmap(new Blob([bytes])) : null;
}

export function paint(canvas, bitmap) {
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
  }
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
}

const unstyled = new WeakMap(); // how many style sheets a root waits for

// Adds the style sheet beside the root; the root stays invisible until it is there, and any others it waits for.
export function loadStyle(root, name, then) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(name + new URL(import.meta.url).search, import.meta.url);
  root.style.visibility = "hidden";
  unstyled.set(root, (unstyled.get(root) ?? 0) + 1);
  link.onload = link.onerror = () => {
    unstyled.set(root, unstyled.get(root) - 1);
    if (!unstyled.get(root)) root.style.visibility = "";
    then?.();
  };
  root.before(link);
}

// "light" or "dark", told by the colour of the page.
export function themeOf(root) {
  const paper = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  return parseInt(paper.slice(1, 3), 16) < 128 ? "dark" : "light";
}
