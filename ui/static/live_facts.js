// The line above a run: how far it is, what it has reached, whether it still hears from the server.

import { short } from "./numbers.js";

export class Facts {
  constructor(root) {
    this.root = root;
    this.line = root.querySelector(".facts");
    this.state = root.querySelector(".state");
    this.warning = root.querySelector(".warning");
    this.online = true;
  }

  clear() {
    this.line.textContent = this.warning.textContent = "";
    this.say("");
  }

  say(words) {
    // Read out by screen readers: only when it changes.
    if (this.state.textContent !== words) this.state.textContent = words;
  }

  // `reading` is what the curve says of the iteration shown, `scores` what was found there.
  show(header, reading, scores, back) {
    const words = [], unit = header.closed ? "stage" : "iteration";
    if (reading) {
      const at = back ?? header.iteration;
      words.push(`${unit} <b>${at}</b>${header.limit && !header.closed ? ` of ${header.limit}` : ""}`);
      words.push(`objective <b>${short(reading.objective)}</b>`);
      if (at > 0 && !header.closed) words.push(`${short((1000 * reading.seconds) / at)} ms each`);
      const found = scores?.accuracy_euclidean;
      if (found !== undefined) words.push(`recognised <b>${(100 * found).toFixed(0)} %</b>`);
    }
    this.line.innerHTML = words.map((word) => `<span>${word}</span>`).join(" · ");
    this.warning.textContent = header.flags?.join(" ") ?? "";
    this.say(this.stateOf(header));
  }

  stateOf(header) {
    return this.online ? header?.state ?? "" : "no connection to the server, trying again …";
  }

  setOnline(online, header) {
    this.online = online;
    this.root.classList.toggle("offline", !online);
    if (header || !online) this.say(this.stateOf(header));
  }
}
