"""The catalogue: discovery by file, checked options, a bounded cache; and what holds for every data set."""

import importlib
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import datasets
from datasets import catalogue

PLANTED = """
import time
import numpy as np
from datasets import Card, Dataset, Option

CARD = Card("planted", "Planted", "For a test.", "table", "here", "none", "nobody",
            options=(Option("rows", "int", 3, low=1), Option("broken", "bool", False)))
calls = []

def load(*, rows, broken):
    calls.append(rows)
    time.sleep(0.02)
    if broken:
        raise RuntimeError("the file is damaged")
    return Dataset("planted", "Planted", {"a": np.ones((rows, 2))}, options={"rows": rows})
"""


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """A data set module added as a file; yields the list of its calls of `load`."""
    (tmp_path / "planted.py").write_text(PLANTED)
    (tmp_path / "helper.py").write_text('"""No CARD: not a data set."""')
    monkeypatch.setattr(datasets, "__path__", [*datasets.__path__, str(tmp_path)])
    # A cache of its own: what one test loaded must not be found by the next.
    monkeypatch.setattr(catalogue, "_cache", catalogue._Cache(catalogue.CACHED_DATASETS))
    importlib.invalidate_caches()
    yield importlib.import_module("datasets.planted").calls
    for name in ("planted", "helper"):
        sys.modules.pop(f"datasets.{name}", None)
        vars(datasets).pop(name, None)


def test_adding_a_file_adds_a_data_set(planted: list[int]) -> None:
    assert "planted" in datasets.names()
    assert "helper" not in datasets.names()
    assert datasets.card("planted") in datasets.cards()
    assert datasets.load("planted").n_samples == 3
    assert planted == [3]


def test_what_is_known_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page asks hundreds of times."""
    known = datasets.card("iris")
    monkeypatch.setattr(catalogue, "_modules", lambda: pytest.fail("the folders are looked at again"))
    assert datasets.card("iris") is known
    assert datasets.load("iris").n_samples == 150


def test_the_file_gone_the_data_set_is_gone() -> None:
    assert "planted" not in datasets.names()


@pytest.mark.usefixtures("planted")
def test_a_card_under_another_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(PLANTED)
    importlib.invalidate_caches()
    try:
        with pytest.raises(ValueError, match=r"datasets.other has a card with id 'planted'"):
            datasets.load("other")
    finally:
        (tmp_path / "other.py").unlink()
        importlib.invalidate_caches()
        sys.modules.pop("datasets.other")


def test_equal_requests_share_one_object(planted: list[int]) -> None:
    first = datasets.load("planted", rows=5)
    assert datasets.load("planted", rows=np.int64(5)) is first
    assert datasets.load("planted", broken=False, rows=5) is first
    assert datasets.load("planted", rows=6) is not first
    assert planted == [5, 6]


def test_only_the_most_recent_are_kept(planted: list[int]) -> None:
    for rows in range(1, catalogue.CACHED_DATASETS + 1):
        datasets.load("planted", rows=rows)
    datasets.load("planted", rows=1)  # used again, so 2 is now the oldest
    datasets.load("planted", rows=catalogue.CACHED_DATASETS + 1)
    planted.clear()
    datasets.load("planted", rows=1)
    assert planted == []
    datasets.load("planted", rows=2)
    assert planted == [2]


def test_threads_asking_for_one_data_set_load_it_once(planted: list[int]) -> None:
    barrier = threading.Barrier(8)

    def ask(_: int) -> datasets.Dataset:
        barrier.wait()
        return datasets.load("planted", rows=7)

    with ThreadPoolExecutor(8) as pool:
        loaded = list(pool.map(ask, range(8)))
    assert planted == [7]
    assert all(ds is loaded[0] for ds in loaded)


def test_a_failed_load_is_tried_again(planted: list[int]) -> None:
    for _ in range(2):
        with pytest.raises(RuntimeError, match="damaged"):
            datasets.load("planted", broken=True)
    assert planted == [3, 3]


def test_unknown_ids_and_options_are_refused_with_the_choices() -> None:
    choices = ", ".join(datasets.names())
    for ask in (datasets.load, datasets.card):
        with pytest.raises(ValueError, match=f"unknown data set 'faces'; choose one of {choices}"):
            ask("faces")
    with pytest.raises(ValueError, match="'orl' has no option 'width'"):
        datasets.load("orl", width=64)
    with pytest.raises(ValueError, match="size must be an integer from 8 to 112, not 4"):
        datasets.load("orl", size=4)


@pytest.mark.parametrize("id", datasets.names())
def test_every_card_is_complete(id: str) -> None:
    card = datasets.card(id)
    for fact in (card.title, card.summary, card.source, card.licence, card.credit, card.class_unit):
        assert fact.strip()
    assert all(option.meaning for option in card.options)


# What has to be fetched is tested in test_fetched_sets.py.
COME_ALONG = [card.id for card in datasets.cards() if card.wheel is None]


@pytest.mark.parametrize("id", COME_ALONG)
def test_every_data_set_keeps_the_common_promises(id: str) -> None:
    card = datasets.card(id)
    ds = datasets.load(id)
    assert (ds.id, ds.title, ds.card) == (id, card.title, card)
    assert ds.options == card.resolve({})
    for view in ds.views.values():
        values = view if isinstance(view, np.ndarray) else view.data
        assert np.isfinite(values).all()
    if card.kind == "images":
        assert ds.image_shape is not None
        assert ds.X.dtype == np.float32
        assert ds.X.min() >= 0
        assert ds.X.max() <= 1
    if ds.y is not None:
        assert set(np.unique(ds.y)) - {-1} == set(range(ds.n_classes))
