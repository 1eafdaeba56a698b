// A card for each method: what it rebuilds of the face in hand, who is nearest, and whether that is right.

const CARD = `
  <h3><i></i><span></span></h3>
  <div class="pair">
    <figure><canvas role="img"></canvas><figcaption>rebuilt</figcaption></figure>
    <figure><canvas role="img"></canvas><figcaption></figcaption></figure>
  </div>
  <p class="verdict"></p>`;

export class Verdicts {
  // changed(): a method has become ready, or has failed.
  constructor(holder, changed) {
    Object.assign(this, { holder, changed });
  }

  // Cards for these runs; those that are there already stay as they are.
  set({ runs, shape: [height, width] }, theme) {
    const kept = new Map([...this.holder.children].map((card) => [card.dataset.run, card]));
    this.holder.replaceChildren(...runs.map(({ id, method, title, colour }) => {
      const card = kept.get(id) || document.createElement("article");
      if (!kept.has(id)) {
        card.className = "card";
        card.innerHTML = CARD;
        Object.assign(card.dataset, { run: id, method, state: "" });
        // As large as the pictures to come, so that nothing jumps.
        for (const canvas of card.querySelectorAll("canvas")) Object.assign(canvas, { width, height });
        card.querySelector(".verdict").textContent = "…";
      }
      card.querySelector("h3 span").textContent = title;
      card.style.setProperty("--method", colour[theme]);
      return card;
    }));
  }

  // `own`: the face belongs to somebody no method can know.
  say(entry, pictures, grid, own) {
    const card = this.holder.querySelector(`[data-run="${entry.id}"]`);
    if (!card) return;
    const verdict = card.querySelector(".verdict");
    const before = card.dataset.state;
    card.dataset.state = entry.state;
    if (before !== entry.state) this.changed();
    if (entry.state === "fitting")
      verdict.textContent = entry.iteration === undefined ? "getting ready …" : `fitting, iteration ${entry.iteration} …`;
    if (entry.state === "failed") verdict.textContent = entry.message;
    if (entry.state === "ready") this.show(card, entry, pictures, grid, own);
  }

  show(card, entry, pictures, grid, own) {
    const [rebuilt, nearest] = card.querySelectorAll("canvas"), [made, found] = card.querySelectorAll("figcaption");
    const title = card.querySelector("h3 span").textContent, verdict = card.querySelector(".verdict");
    if (entry.rebuilt) cut(rebuilt, pictures, grid, entry.tile);
    else rebuilt.getContext("2d").clearRect(0, 0, rebuilt.width, rebuilt.height);
    made.textContent = entry.rebuilt ? "rebuilt" : "not rebuilt";
    rebuilt.setAttribute("aria-label", entry.rebuilt ? `What ${title} rebuilds of it` : `${title} rebuilds nothing`);
    card.classList.toggle("own", own);
    if (own) {
      for (const name of ["row", "person", "right", "margin"]) delete card.dataset[name];
      verdict.textContent = entry.rebuilt ? "only rebuilt" : "can only recognise";
      return;
    }
    cut(nearest, pictures, grid, entry.tile + 1);
    found.textContent = entry.name;
    nearest.setAttribute("aria-label", `Nearest picture for ${title}: ${entry.name}`);
    Object.assign(card.dataset, { row: entry.row, person: entry.name, right: entry.right, margin: entry.margin ?? "" });
    const margin = entry.margin === null ? "" : ` · margin ${(100 * entry.margin).toFixed(entry.margin < 0.1 ? 1 : 0)} %`;
    verdict.textContent = `${entry.right ? "✓ right" : "✗ wrong"}${margin}`;
  }
}

// What all of them say, in one sentence; `own`: what a picture of one's own is called, if it is in hand.
export function headline(entries, name, own) {
  const ready = entries.filter(({ state }) => state === "ready");
  if (!ready.length) return "The methods are being fitted …";
  if (own) return `Your ${own}, made of what the methods have learnt from others.`;
  const right = ready.filter((entry) => entry.right).length, coming = entries.filter(({ state }) => state === "fitting").length;
  const recognise = `still recognise${right === 1 ? "s" : ""} ${name}`;
  if (coming && ready.length === 1) return `The first that is ready ${right ? "still recognises" : "does not recognise"} ${name}; ${coming} to come …`;
  if (coming) return `${right} of the ${ready.length} that are ready ${recognise}; ${coming} to come …`;
  if (right === entries.length) return `${right === 1 ? "The method still recognises" : `All ${right} still recognise`} ${name}.`;
  return `${right} of ${ready.length} ${recognise}.`;
}

function cut(canvas, pictures, { columns, tile: [height, width], gap }, index) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const x = (index % columns) * (width + gap), y = Math.floor(index / columns) * (height + gap);
  canvas.getContext("2d").drawImage(pictures, x, y, width, height, 0, 0, width, height);
}
