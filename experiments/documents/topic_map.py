"""A map of topics: those that share words lie near each other, and every document lies among its topics."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
_ROUNDS = 150
_STEP = 0.2
# Documents that are all of one topic would lie on one point: they fill a disc about it, of at most this
# part of the way to the nearest other topic.
_DISC = 0.42
_GOLDEN = np.pi * (3 - 5**0.5)
# A document leans towards its strongest topics more than its shares say, or all would meet in the middle.
_LEAN = 2.0


def topic_places(components: Array) -> Array:
    """Return a place in the unit square for each topic; topics with words in common lie together.

    The differences between topics (one minus the cosine of their words) are kept as well as a plane
    allows. Every call starts from the same circle, so a run that goes on moves its topics little by little.
    """
    k = len(components)
    if k == 1:
        return np.full((1, 2), 0.5)
    angle = 2 * np.pi * np.arange(k) / k
    places = np.column_stack([np.cos(angle), np.sin(angle)])
    target = _differences(components)
    weight = 1 / np.maximum(target, 0.1) ** 2
    np.fill_diagonal(weight, 0)
    for _ in range(_ROUNDS):
        apart = places[:, None] - places[None]
        distance = np.sqrt(np.square(apart).sum(axis=2))
        pull = weight * (distance - target) / np.maximum(distance, 1e-9)
        places = places - _STEP * (pull[..., None] * apart).sum(axis=1) / weight.sum(axis=1, keepdims=True)
    return _into_square(places)


def document_places(mix: Array, places: Array) -> Array:
    """Return a place for each document: between its topics, nearest to those it has most of."""
    pull = np.power(mix, _LEAN)
    total = pull.sum(axis=1, keepdims=True)
    middle = places.mean(axis=0)
    among = np.where(total > 0, pull @ places / np.where(total > 0, total, 1), middle)
    main = mix.argmax(axis=1)
    number = np.empty(len(mix), np.int64)
    radius = _radii(places)
    for topic in range(len(places)):
        own = np.flatnonzero(main == topic)
        number[own] = np.arange(own.size)
        # Evenly over the disc, whatever the number of documents.
        radius_here = radius[topic] * np.sqrt((np.arange(own.size) + 0.5) / max(own.size, 1))
        angle = number[own] * _GOLDEN
        among[own] += radius_here[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return np.clip(among, 0, 1)


def _differences(components: Array) -> Array:
    length = np.sqrt(np.square(components, dtype=np.float64).sum(axis=1))
    unit = components / np.where(length > 0, length, 1)[:, None]
    return np.asarray(np.sqrt(np.maximum(2 - 2 * (unit @ unit.T), 0.02)), np.float64)


def _into_square(places: Array) -> Array:
    low, high = places.min(axis=0), places.max(axis=0)
    span = np.where(high > low, high - low, 1)
    return np.asarray(0.1 + 0.8 * (places - low) / span)


def _radii(places: Array) -> Array:
    apart = np.sqrt(np.square(places[:, None] - places[None]).sum(axis=2))
    np.fill_diagonal(apart, np.inf)
    return np.asarray(_DISC * np.minimum(apart.min(axis=1), 0.3))
