"""What comes back when a fit is begun anew, for a cell: a share for each part, and the pairs of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from experiments.trials.keepsake import Keepsake
from experiments.trials.recurring import Recurring
from ui.pictures import Theme, compressed, inked
from ui.words import counted


def described(keepsake: Keepsake, order: NDArray[np.int64]) -> dict[str, Any]:
    """Return the share of other starts that each part comes back in, in order, and both in words.

    Nothing if no measure has begun the fit anew.
    """
    again = keepsake.recurring
    if again is None:
        return {}
    return {
        "recurring": [round(float(share), 3) for share in again.parts[order]],
        "said": _sentence(again) + ("" if keepsake.features.size else " They are framed."),
        "pairs": _pairs(again),
    }


def pairs_picture(keepsake: Keepsake | None, theme: Theme) -> bytes:
    """Return how often two samples belong together as WebP; a ValueError says that nothing is kept."""
    if keepsake is None or keepsake.recurring is None:
        raise ValueError("Nothing is kept of how often samples belong together here.")
    return compressed(Image.fromarray(inked(keepsake.recurring.pairs / 255)), None)


def _sentence(again: Recurring) -> str:
    every, whole = int((again.parts >= 1).sum()), len(again.parts)
    return (
        f"{every} of {counted(whole, 'part')} {'comes' if every == 1 else 'come'} back from each of "
        f"{again.starts - 1} other starts."
    )


def _pairs(again: Recurring) -> str:
    agreement, cophenetic, dispersion, undecided = (float(value) for value in again.clearness)
    return (
        f"Strong: two samples use the same part most in all {again.starts} starts; empty: in none. They are "
        f"reordered into groups. Agreement {agreement:.3f}, cophenetic {cophenetic:.3f}, dispersion "
        f"{dispersion:.3f}, undecided pairs (PAC) {100 * undecided:.1f} %."
    )
