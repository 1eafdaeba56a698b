// Words are explained where they stand first: found whole, in any spelling, in running text before buttons.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { OF_THE_DATA, firstPlaces } from "../../ui/static/first_words.js";

const WANTED = [
  { word: "part", spellings: ["part"] }, { word: "U¹ and U²", spellings: ["U¹", "U²"] },
  { word: "p-NN graph", spellings: ["p-NN"] }, { word: "ℓ1 graph", spellings: ["ℓ1"] },
];

/**
 * What stands at the places that were found, and in which text.
 * @param {(string | [string])[]} texts a list of one is on a button
 */
function found(...texts) {
  const given = texts.map((text, node) => (
    { node, text: String(text), pressed: () => Array.isArray(text), seen: () => text !== "hidden parts" }));
  const places = firstPlaces(given, WANTED);
  return Object.fromEntries([...places].map(([word, { node, start, end }]) => [word, [node, String(texts[node]).slice(start, end)]]));
}

test("a word is found whole, first place first, its plural too", () => {
  assert.deepEqual(found("Apart, partial, Partwise", "hidden parts", "78 Parts.", "a part"), { part: [2, "Parts"] });
});

test("signs and figures belong to words, too", () => {
  assert.deepEqual(found("nearest (p-NN), mixture (ℓ1)", "Marked: U¹, not U¹2"), {
    "p-NN graph": [0, "p-NN"], "ℓ1 graph": [0, "ℓ1"], "U¹ and U²": [1, "U¹"],
  });
});

test("a button is for pressing: a word on one is explained there only if it stands nowhere else", () => {
  assert.deepEqual(found(["mixture (ℓ1)"], ["part"], "a part"), { "ℓ1 graph": [0, "ℓ1"], part: [2, "part"] });
});

test("words of documents are left alone, by the names that their places have", () => {
  const drawn = ["words", "documents", "documents_shelf", "documents_reader"].map((name) =>
    readFileSync(new URL(`../../ui/static/${name}.js`, import.meta.url), "utf8")).join("");
  for (const name of OF_THE_DATA.match(/[a-z-]+/g) ?? []) assert.match(drawn, new RegExp(`["' ]${name}["' ]`), name);
});
