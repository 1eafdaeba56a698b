"""Who is still recognised behind a patch."""

from __future__ import annotations

from experiments.requests.corruption import KINDS
from ui.robustness import spoiling
from ui.robustness.options import Preset, SpoiledFace

_FIGURE_4 = Preset(
    "As in Figure 4, N²S²L",
    "The settings of Figure 4 of the N²S²L paper: ORL faces of 64×64 pixels, two labelled of each person, "
    "the others covered by patches of 0, 16, 20, 24 or 28 pixels; semi-supervised methods learn from these.",
    {
        "data": "orl", "data.orl.size": 64, "by": "number", "labelled": 2,
        "recognisers": ["pca", "nmf", "lnmf", "lda", "mfa", "smfa", "n2s2l"],
        "patch": "grey", "tested": "covered", "metric": "euclidean", "weights": "ridge",
    },
)  # fmt: skip

_SUBJECT = SpoiledFace(
    name="occlusion",
    kinds=KINDS,
    label="Patch",
    spoiled="covered",
    kind="patch",
    place="place",
    preset=_FIGURE_4,
)


def show() -> None:
    """Show the page."""
    spoiling.show(_SUBJECT)
