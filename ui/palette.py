"""How methods look: one colour each, the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

# Okabe and Ito's colours, darkened on paper and lightened on black where they would be too faint.
_PALETTE = {
    "light": (
        "#0f766e",
        "#0072b2",
        "#b34e00",
        "#8f4f77",
        "#a87400",
        "#2f7fb0",
        "#4d6b00",
        "#6a51a3",
        "#a33b3b",
        "#5c5c5c",
    ),
    "dark": (
        "#2dd4bf",
        "#4aa8e0",
        "#f08a45",
        "#e0a0c4",
        "#f0b429",
        "#8fd0f5",
        "#a8cc4a",
        "#b3a1e6",
        "#f08a8a",
        "#b8b8b8",
    ),
}
# The sixth of the methods is a second blue: too near to the first where points are small.
_SIXTH_CLASS = {"light": "#b0128a", "dark": "#ff6fd0"}
# Chosen so that methods often seen side by side differ: those of the faces, those for several views, kernels
# beside NMF and LNMF, tensors beside NMF.
_CHOSEN = {
    "n2s2l": 0, "nmf": 1, "pca": 2, "lnmf": 3, "lda": 4, "smfa": 5, "mfa": 6, "ndtf_3d": 7, "nge": 8,
    "sulf": 8, "cnmf": 4, "sgnmf": 6, "cca": 7, "pcsc": 3, "cotraining": 9,
    "poly_nmf": 6, "poly_kernel_nmf": 8, "gaussian_nmf": 9, "kernel_pca": 7,
    "semi_nmf": 7, "ntf": 9, "ndtf_2d": 6, "hgf": 3, "hgf_cmn": 6, "lnp": 7,
}  # fmt: skip


def colour(method: str, theme: Literal["light", "dark"]) -> str:
    """Return the colour of a method."""
    palette = _PALETTE[theme]
    # Methods without a colour of their own still keep the one they get, whatever is added later.
    index = _CHOSEN.get(method, int(sha256(method.encode()).hexdigest(), 16))
    return palette[index % len(palette)]


def side_by_side(methods: Sequence[str], theme: Literal["light", "dark"]) -> list[str]:
    """Return a colour for each of several lines, its method's own where no line before it has that.

    >>> len(set(side_by_side(["sulf", "sulf", "sgnmf", "sgnmf"], "light")))
    4
    """
    own, made = [colour(method, theme) for method in methods], list[str]()
    for one in own:
        free = (other for other in _PALETTE[theme] if other not in own and other not in made)
        made.append(next(free, one) if one in made else one)
    return made


def classes(theme: Literal["light", "dark"]) -> list[str]:
    """Return the colours of classes on a map, in turn; beyond them shapes tell classes apart."""
    return [*_PALETTE[theme][:5], _SIXTH_CLASS[theme], *_PALETTE[theme][6:]]


# A term of an objective has the same colour whatever method it is of.
_TERM_PALETTE = {
    "light": ("#9db7b4", "#d58a4c", "#b5651d", "#5b8fb9", "#a77fb0", "#8a8f3c"),
    "dark": ("#47605d", "#d98a3f", "#f5b56a", "#5a9fd0", "#c39ad0", "#b5bb5a"),
}
_TERM_PLACES = {
    "reconstruction": 0, "divergence": 0, "loss": 0, "total": 0, "left out": 0, "correlation_left": 0,
    "separability": 1, "sparsity": 1, "between": 1, "classification": 1, "penalty": 2, "error": 2,
    "smoothness": 3, "within": 3, "cut": 3, "class_spread": 4, "disagreement": 4, "evenness": 4,
    "fit": 5, "complexity": 5, "ridge": 5, "row_sparsity": 5,
}  # fmt: skip


def terms(names: Sequence[str]) -> list[dict[str, str]]:
    """Return title and colours of the terms of an objective; up to six of them share no colour."""
    count = len(_TERM_PALETTE["light"])
    places = {name: _TERM_PLACES[name] for name in names if name in _TERM_PLACES}
    free = [place for place in range(count) if place not in places.values()] or list(range(count))
    # A term without a colour of its own takes one that the objective has left.
    for index, name in enumerate(name for name in names if name not in places):
        places[name] = free[index % len(free)]
    return [
        {"title": name.replace("_", " ")} | {theme: of[places[name]] for theme, of in _TERM_PALETTE.items()}
        for name in names
    ]
