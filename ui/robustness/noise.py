"""Who is still recognised through noise."""

from __future__ import annotations

from experiments.requests.noise import NOISES
from ui.robustness import spoiling
from ui.robustness.options import Preset, SpoiledFace

_FIGURE_3 = Preset(
    "As in Figure 3, kernel NMF",
    "After Figure 3 of the kernel NMF paper: NMF, LNMF, polynomial and Gaussian kernel NMF, half of the "
    "pictures labelled, salt and pepper on the others. The paper has AR faces of 16×12; these are ORL.",
    {
        "data": "orl", "data.orl.size": 16, "by": "number", "labelled": 5,
        "recognisers": ["nmf", "lnmf", "poly_nmf", "gaussian_nmf"],
        "noise.kind": "salt and pepper", "tested": "held", "metric": "euclidean", "weights": "ridge",
    },
)  # fmt: skip

_SUBJECT = SpoiledFace(
    name="noise", kinds=NOISES, label="Noise", spoiled="noisy", kind="noise.kind", place="noise.place",
    preset=_FIGURE_3,
)  # fmt: skip


def show() -> None:
    """Show the page."""
    spoiling.show(_SUBJECT)
