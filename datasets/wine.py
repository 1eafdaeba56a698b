"""Wine: what a laboratory finds in the wines of three growers."""

from __future__ import annotations

from datasets.dataset import Dataset
from datasets.schema import Card
from datasets.tables import SCALE, load_table

CARD = Card(
    id="wine",
    title="Italian wines",
    summary="178 wines of three growers from one region, by 13 chemical measurements.",
    kind="table",
    source="scikit-learn, sklearn.datasets.load_wine",
    licence="CC BY 4.0",
    credit="S. Aeberhard and M. Forina, Wine, UCI Machine Learning Repository, 1992.",
    class_unit="grower",
    options=(SCALE,),
)


def load(*, scale: bool) -> Dataset:
    """Load all samples."""
    # Imported here: it takes a second, which listing the catalogue should not cost.
    from sklearn.datasets import load_wine

    return load_table(CARD, load_wine, scale=scale)
