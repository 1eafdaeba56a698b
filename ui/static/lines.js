// Features of a sample as lines of figures with bars behind them.

// One feature: its name, and how much of it there is in the original, the sum, and what is left.
export function line([name, ...values]) {
  const row = document.createElement("div"), title = document.createElement("span");
  title.textContent = name;
  title.title = name;
  row.append(title);
  for (const { text, share } of values) {
    const bar = document.createElement("span");
    bar.textContent = text;
    bar.style.setProperty("--share", `${100 * Math.min(1, Math.abs(share))}%`);
    bar.classList.toggle("minus", share < 0);
    row.append(bar);
  }
  return row;
}
