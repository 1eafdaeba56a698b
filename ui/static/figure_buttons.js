// The two buttons that hand over a figure: the SVG as it is, and the same painted as PNG.

import { element } from "./dom.js";
import { asPng, handOver } from "./download.js";

const SHARPER = 2, REFUSED = "The figure cannot be had just now.";

/**
 * @param {() => string | Promise<string>} figure its SVG; nothing if nothing is drawn
 * @param {() => string} name of the file, without its ending
 */
export function figureButtons(figure, name) {
  const row = element("div", "figure-downloads"), note = element("span", "", "");
  note.setAttribute("role", "status");
  /**
   * @param {string} kind
   * @param {(text: string) => Blob | Promise<Blob>} make
   */
  const button = (kind, make) => {
    const made = element("button", "", `Figure (${kind.toUpperCase()})`);
    made.onclick = async () => {
      note.textContent = "";
      try {
        const text = await figure();
        if (!text) throw new Error(REFUSED);
        handOver(await make(text), `${name()}.${kind}`);
      } catch {
        note.textContent = REFUSED;
      }
    };
    return made;
  };
  row.append(button("svg", (text) => new Blob([text], { type: "image/svg+xml" })), button("png", painted), note);
  return row;
}

/**
 * A figure as PNG, twice as fine as it is on the screen.
 * @param {string} text
 * @returns {Promise<Blob>}
 */
async function painted(text) {
  const picture = new Image(), canvas = document.createElement("canvas"), g = canvas.getContext("2d");
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await picture.decode();
  canvas.width = SHARPER * picture.naturalWidth;
  canvas.height = SHARPER * picture.naturalHeight;
  g?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return asPng(canvas);
}
