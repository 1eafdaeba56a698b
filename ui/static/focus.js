// Keeps the keyboard where it was: a button that is switched off or replaced by its own click hands the focus on.

const NEXT = { Run: ["Run", "Pause"], Pause: ["Pause", "Run"], Step: ["Step", "Run"], Stop: ["Stop", "Run"], Reset: ["Reset", "Run"] };

let holder = null, watchers = 0;

const observer = new MutationObserver(() => setTimeout(handOn, 0));

export function keepFocus() {
  if (watchers++) return;
  document.addEventListener("focusin", note);
  document.addEventListener("pointerdown", note);
  // Streamlit makes a button anew when its help changes, and removes the old one somewhat later.
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
}

export function letFocusGo() {
  if (--watchers) return;
  document.removeEventListener("focusin", note);
  document.removeEventListener("pointerdown", note);
  observer.disconnect();
}

function note({ target }) {
  const name = target.closest?.("button")?.textContent.trim();
  holder = name in NEXT ? name : null;
}

function handOn() {
  const lost = document.activeElement === document.body || document.activeElement?.disabled;
  if (!holder || !lost) return;
  const buttons = [...document.querySelectorAll("button")];
  for (const name of NEXT[holder]) {
    const button = buttons.find((one) => one.textContent.trim() === name && !one.disabled);
    if (button) return button.focus({ preventScroll: true });
  }
}
