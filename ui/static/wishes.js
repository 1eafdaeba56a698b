// What keys of a page ask its views for.

export const WISHES = { another: "partwise-another", walk: "partwise-walk" };

/**
 * Another place than the present one, of so many.
 * @param {number} present
 * @param {number} count
 * @param {() => number} random
 */
export function another(present, count, random = Math.random) {
  if (count < 2) return present;
  return (present + 1 + Math.floor(random() * (count - 1))) % count;
}
