// What the pieces of the documents page share: elements that only ever hold text, and shares in words.

export function percent(share) { return `${Math.round(100 * share)} %`; }

export function element(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  if (name === "button") made.type = "button";
  return made;
}
