"""Words that are not everybody's, each explained in a sentence, and where they are used."""

from __future__ import annotations

from ui import keys
from ui.assets import component

_VIEW = component("glossary", "glossary")
MEANINGS = {
    "part": "What a method has found to occur in many samples; samples are put together from parts.",
    "weight": "How much of a part is in a sample.",
    "objective": "The number that a method makes as small as it can, step by step.",
    "reconstruction": "The term of the objective for what the sum of the parts lacks of the samples.",
    "separability": "The term for classes lying apart: small where samples of one class are near each other "
    "and those of different classes far.",
    "penalty": "The term for strangers: samples of different classes that lie near each other cost.",
    "smoothness": "The term for neighbours: small where samples that are alike have like weights.",
    "recognised": "The share of samples without a label whose class is told rightly.",
    "U¹ and U²": "U¹ are the parts that must tell classes apart; U², the others, only help to rebuild.",
    "sparsity": "How much of a part is nothing: 0 if all its pixels are alike, 1 if a single one is lit.",
    "concentration": "How close together the lit pixels of a part lie: 1 in one spot, 0 all over.",
    "margin": "How much farther off the nearest of another class is: the larger, the surer.",
    "seed": "A number that decides all that is left to chance. Same seed, same result.",
    "labelled": "A sample whose class a method may know. All others it sees without.",
    "p-NN graph": "Each sample is joined to the p samples that are nearest to it.",
    "ℓ1 graph": "Each sample is joined to the few that together rebuild it best.",
    "HGF": "Harmonic Gaussian fields: labels flow on until each sample is the mean of its neighbours.",
    "LNP": "Linear neighbourhood propagation: like HGF; edges say how neighbours rebuild each other.",
    "island": "Samples from which no edge leads to a label: nothing can reach them.",
    "split": "Which samples are labelled, and which are kept to test on. Another split, another number.",
    "topic": "A part made of words: those that occur together in many documents.",
    "view": "One way of describing the same samples: another camera, another language, other features.",
}
# How they stand on the pages, where that is not how they are listed; a plural is found by itself.
_SPELLINGS = {
    "U¹ and U²": ("U¹", "U²"),
    "p-NN graph": ("p-NN",),
    "ℓ1 graph": ("ℓ1",),
}
_OF_PAGES = {
    "start": ("part", "weight", "objective", "recognised", "U¹ and U²"),
    "live": (
        "part", "weight", "objective", "reconstruction", "separability", "penalty", "smoothness",
        "recognised", "U¹ and U²",
    ),
    "bases": ("part", "weight", "sparsity", "concentration", "U¹ and U²", "recognised"),
    "graphs": ("p-NN graph", "ℓ1 graph", "HGF", "LNP", "island", "labelled"),
    "occlusion": ("part", "margin", "labelled", "recognised"),
    "noise": ("part", "margin", "labelled", "recognised"),
    "recognition": ("labelled", "recognised", "split", "seed"),
    "documents": ("topic", "weight", "labelled", "view"),
    "views": ("view", "weight", "labelled", "recognised"),
    "runs": ("objective", "recognised", "seed"),
    "data": ("labelled", "view", "p-NN graph", "ℓ1 graph"),
    "papers": ("split", "ℓ1 graph", "p-NN graph", "labelled"),
    "tune": ("objective", "recognised", "split", "seed"),
}  # fmt: skip


def words_of(page: str) -> dict[str, str]:
    """Return the words of a page that are explained there, with what they mean."""
    return {word: MEANINGS[word] for word in _OF_PAGES.get(page, ())}


def show(page: str) -> None:
    """Explain the words of a page: where they stand first, and in a list at its foot but before a room."""
    words = [
        {"word": word, "meaning": meaning, "spellings": _SPELLINGS.get(word, (word,))}
        for word, meaning in words_of(page).items()
    ]
    if words:
        _VIEW(key="glossary", data={"words": words, "listed": not keys.presenting()})
