"""How methods look: one colour each, the same everywhere."""

from __future__ import annotations

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
# Chosen so that methods often seen side by side differ: those of the faces, those for several views, kernels
# beside NMF and LNMF, tensors beside NMF.
_CHOSEN = {
    "n2s2l": 0, "nmf": 1, "pca": 2, "lnmf": 3, "lda": 4, "smfa": 5, "mfa": 6, "ndtf_3d": 7, "nge": 8,
    "sulf": 8, "cnmf": 4, "sgnmf": 6, "cca": 7, "pcsc": 3, "cotraining": 9,
    "poly_nmf": 6, "poly_kernel_nmf": 8, "gaussian_nmf": 9, "kernel_pca": 7,
    "ntf": 9, "ndtf_2d": 6, "hgf": 3, "hgf_cmn": 6, "lnp": 7,
}  # fmt: skip


def colour(method: str, theme: Literal["light", "dark"]) -> str:
    """Return the colour of a method."""
    palette = _PALETTE[theme]
    # Methods without a colour of their own still keep the one they get, whatever is added later.
    index = _CHOSEN.get(method, int(sha256(method.encode()).hexdigest(), 16))
    return palette[index % len(palette)]


def classes(theme: Literal["light", "dark"]) -> list[str]:
    """Return the colours of classes on a map, in turn; beyond them shapes tell classes apart."""
    return list(_PALETTE[theme])
