"""A small in-process cache of expensive results, keyed by the content of the arrays they came from."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import ref

import numpy as np

from methods.typing import Array

T = TypeVar("T")
# Arrays that nothing writes to, by identity, and the hash of their content once it has been needed.
_unchanging: dict[int, tuple[ref[Array], list[str]]] = {}


def content_key(array: Array, *settings: Any) -> str:
    """Return a hash of the whole array (shape, type and every byte) and of the settings."""
    cached, hashes = _unchanging.get(id(array), (None, []))
    if cached is None or cached() is not array:
        hashes = []
    if not hashes:
        hashes.append(_hash(array))
    return hashlib.blake2b(f"{hashes[0]} {settings!r}".encode(), digest_size=32).hexdigest()


def hash_once(array: Array) -> None:
    """Note that nothing will write to an array: its content is hashed once, and not for every question.

    A slider that is moved asks for the neighbours of the same rows ten times a second.
    """
    place = id(array)
    if place not in _unchanging:
        _unchanging[place] = ref(array, lambda _: _unchanging.pop(place, None)), []


def _hash(array: Array) -> str:
    content = np.ascontiguousarray(array)
    digest = hashlib.blake2b(repr((content.shape, content.dtype.str)).encode(), digest_size=32)
    digest.update(content.data)
    return digest.hexdigest()


class ContentCache(Generic[T]):
    """Keeps the results used last, up to a number of bytes; safe to share between threads.

    Threads that ask for the same result at the same time wait for one of them to compute it.
    """

    def __init__(self, max_bytes: int, size: Callable[[T], int]) -> None:
        self.max_bytes = max_bytes
        self._size = size
        self._lock = Lock()
        self._entries: OrderedDict[str, Future[T]] = OrderedDict()

    def get(self, key: str, compute: Callable[[], T]) -> T:
        """Return the result cached under `key`, computing it if there is none."""
        while True:
            with self._lock:
                entry = self._entries.get(key)
                if entry is None:
                    mine = self._entries[key] = Future()
                    break
                self._entries.move_to_end(key)
            try:
                return entry.result()
            except CancelledError:
                continue  # whoever computed it failed: try it ourselves, and fail in our own name
        return self._computed(key, mine, compute)

    def clear(self) -> None:
        """Drop every entry that is not being computed at this moment."""
        with self._lock:
            for key in [key for key, entry in self._entries.items() if entry.done()]:
                del self._entries[key]

    def _computed(self, key: str, mine: Future[T], compute: Callable[[], T]) -> T:
        try:
            value = compute()
        except BaseException:
            with self._lock:
                del self._entries[key]
            mine.cancel()
            raise
        mine.set_result(value)
        self._forget_the_oldest()
        return value

    def _forget_the_oldest(self) -> None:
        with self._lock:
            sizes = [
                (key, self._size(entry.result())) for key, entry in self._entries.items() if entry.done()
            ]
            total = sum(size for _, size in sizes)
            for key, size in sizes:
                if total <= self.max_bytes:
                    return
                del self._entries[key]
                total -= size
