"""Breast cancer: cell nuclei from biopsies, harmless or not."""

from __future__ import annotations

from datasets.dataset import Dataset
from datasets.schema import Card
from datasets.tables import SCALE, load_table

CARD = Card(
    id="breast_cancer",
    title="Breast cancer (Wisconsin)",
    summary="569 biopsies, harmless or malignant, by 30 measurements of their cell nuclei.",
    kind="table",
    source="scikit-learn, sklearn.datasets.load_breast_cancer",
    licence="CC BY 4.0",
    credit="W. Wolberg and others, Breast Cancer Wisconsin (Diagnostic), UCI Repository, 1993.",
    class_unit="diagnosis",
    options=(SCALE,),
)


def load(*, scale: bool) -> Dataset:
    """Load all samples."""
    # Imported here: it takes a second, which listing the catalogue should not cost.
    from sklearn.datasets import load_breast_cancer

    return load_table(CARD, load_breast_cancer, scale=scale)
