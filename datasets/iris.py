"""Iris: three kinds of flowers and four lengths, the oldest small table there is."""

from __future__ import annotations

from datasets.dataset import Dataset
from datasets.schema import Card
from datasets.tables import SCALE, load_table

CARD = Card(
    id="iris",
    title="Iris flowers",
    summary="150 flowers of three species, measured in centimetres: petals and sepals, length and width.",
    kind="table",
    source="scikit-learn, sklearn.datasets.load_iris",
    licence="CC BY 4.0",
    credit="R. A. Fisher, The use of multiple measurements in taxonomic problems, Annals of Eugenics, 1936.",
    class_unit="species",
    options=(SCALE,),
)


def load(*, scale: bool) -> Dataset:
    """Load all samples."""
    # Imported here: it takes a second, which listing the catalogue should not cost.
    from sklearn.datasets import load_iris

    return load_table(CARD, load_iris, scale=scale)
