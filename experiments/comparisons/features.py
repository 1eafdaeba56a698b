"""Which features a comparison classifies samples by, and whether they differ between methods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from experiments.measures.recognition import TestSamples
from methods import Spec

# Found for a new sample from its entries; learnt together with all samples; none, for it names classes.
Source = Literal["new", "learnt", "named"]


def source(spec: Spec, test_samples: TestSamples) -> Source:
    """Return where the features come from that a method is compared by."""
    if spec.recognition == "predict":
        return "named"
    return "learnt" if test_samples == "seen" and spec.recognition == "embedding" else "new"


def described(spec: Spec, test_samples: TestSamples) -> str:
    """Return a short description of the features that a method is compared by."""
    origin = source(spec, test_samples)
    if origin == "named":
        return "names classes itself"
    if origin == "learnt":
        return (
            "V¹, learnt with the samples"
            if spec.has("n_discriminative")
            else "coefficients learnt with the samples"
        )
    if spec.weighs_parts:
        return "least squares onto all parts"
    return "projection" if spec.projects else "its transform of a sample"


def unlike(specs: Iterable[Spec], test_samples: TestSamples) -> bool:
    """Return whether some rows of a table look at features that were learnt, and others do not."""
    return unlike_sources(source(spec, test_samples) for spec in specs)


def unlike_sources(sources: Iterable[Source]) -> bool:
    """Return whether some features were learnt and others were not; methods that name classes have none."""
    return len(set(sources) - {"named"}) > 1
