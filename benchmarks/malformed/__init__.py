"""The makers of malformed uploads, each from a random generator: one a kind of trouble."""

from __future__ import annotations

import random
from collections.abc import Callable

from benchmarks.malformed import costly, extremes, troubles
from benchmarks.malformed.real import real_files
from benchmarks.malformed.sound import sound_files

# Files that are the same whatever the generator says: it chooses one.
COSTLY = "costly"
Make = Callable[[random.Random], tuple[str, bytes, bool]]
TROUBLES: tuple[tuple[str, Make], ...] = (
    ("cut short", troubles.cut_short),
    ("bytes changed", troubles.bytes_changed),
    ("wrong magic", troubles.wrong_magic),
    ("absurd header", extremes.absurd_header),
    ("bomb", extremes.bomb),
    ("path tricks", troubles.path_tricks),
    ("pickle", troubles.pickled),
    ("not numbers", troubles.not_numbers),
    ("negative", troubles.negative),
    ("mixed sizes", troubles.mixed_sizes),
    ("nothing in it", troubles.nothing),
    ("a million entries", extremes.million),
    ("pieces shuffled", troubles.shuffled),
    (COSTLY, costly.costly),
    ("grown", troubles.grown),
)


def prepare() -> None:
    """Make what many cases share, so that none is charged for it."""
    sound_files()
    real_files()
    for _, make, _ in costly.CASES:
        make()
    extremes.deflated_zeros()
    extremes.million_zip()
    extremes.million_tar()
