// Numbers as people read them.

/**
 * Three digits, large ones whole, very large and very small ones with their power of ten.
 * @param {number} value
 */
export function short(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e6 || (size < 1e-3 && size > 0)) return value.toExponential(2).replace("e+", "e");
  return size >= 100 ? Math.round(value).toLocaleString("en-US").replaceAll(",", "\u00a0") : String(Number(value.toPrecision(3)));
}

/** @param {number} share */
export function percent(share) { return `${Math.round(100 * share)} %`; }
