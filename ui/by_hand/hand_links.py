"""Labels and pairs given by hand, in the address: who opens the link has the same ones.

The value of a choice names the data, how many samples they have, and then, class by class, which rows are
called so: `orl*400*3.17*s1*5*s2`. Pairs are written alike, two rows each: `orl*400*3-17*must`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote

from experiments.requests.by_hand import Label, Pair, checked_labels, checked_pairs
from ui import state
from ui.address import Refusal
from ui.by_hand import hand_labels, hand_pairs, set_aside

_LABELS, _PAIRS = "labels", "pairs"
_TOO_MANY = "_labels left out"


def keep(dataset: str, of: int) -> None:
    """Read labels and pairs of these samples from the address, once; from then on write them there."""
    _take_over(_LABELS, "Labels given by hand", dataset, of)
    _take_over(_PAIRS, "Pairs given by hand", dataset, of)
    texts = {
        _LABELS: labels_as_text(dataset, of, set_aside.given(dataset, of)),
        _PAIRS: pairs_as_text(dataset, of, hand_pairs.given(dataset, of)),
    }
    for name, text in texts.items():
        state.put(name, text if len(text) <= state.MOST_LENGTH else "", "")
    state.put(_TOO_MANY, any(len(text) > state.MOST_LENGTH for text in texts.values()))


def too_many() -> bool:
    """Return whether there are more labels or pairs than an address can hold."""
    return bool(state.get(_TOO_MANY))


def _take_over(name: str, label: str, dataset: str, of: int) -> None:
    text = state.unread(name)
    if not text:
        return
    try:
        about, groups = _read(text, of)
        if about != dataset:
            return
        if name == _LABELS:
            _take_labels(dataset, of, groups)
        else:
            _take_pairs(dataset, of, groups)
    except ValueError:
        state.refuse(Refusal(name, label, text, ""))


def _take_labels(dataset: str, of: int, groups: Mapping[str, list[str]]) -> None:
    labels = checked_labels((_row(row, of), name) for name, rows in groups.items() for row in rows)
    # A page loaded again: its address may hold the labels of an earlier turn.
    if not hand_labels.was_given(dataset, labels, of):
        hand_labels.replace(dataset, labels, of)


def _take_pairs(dataset: str, of: int, groups: Mapping[str, list[str]]) -> None:
    read_pairs = []
    for side, pairs in groups.items():
        for pair in pairs:
            first, _, second = pair.partition("-")
            read_pairs.append((_row(first, of), _row(second, of), side))
    hand_pairs.replace(dataset, of, checked_pairs(read_pairs))


def labels_as_text(dataset: str, of: int, labels: Iterable[Label]) -> str:
    """Return labels as the address has them; an empty text for no labels."""
    groups: dict[str, list[str]] = {}
    for row, name in labels:
        groups.setdefault(name, []).append(str(row))
    return _written(dataset, of, groups)


def pairs_as_text(dataset: str, of: int, pairs: Iterable[Pair]) -> str:
    """Return pairs as the address has them; an empty text for no pairs."""
    groups: dict[str, list[str]] = {}
    for first, second, side in pairs:
        groups.setdefault(side, []).append(f"{first}-{second}")
    return _written(dataset, of, groups)


def _written(dataset: str, of: int, groups: Mapping[str, list[str]]) -> str:
    if not groups:
        return ""
    parts = (part for name, rows in groups.items() for part in (".".join(rows), _plain(name)))
    return "*".join((_plain(dataset), str(of), *parts))


def _read(text: str, of: int) -> tuple[str, dict[str, list[str]]]:
    """Return the data and the rows by name; a ValueError if it is not that, or of other samples."""
    dataset, count, *parts = text.split("*")
    if _row(count) != of or len(parts) % 2 or not parts:
        raise ValueError(f"not said of {of} samples: {text!r}")
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return _name(dataset), {_name(name): rows.split(".") for rows, name in pairs}


def _row(text: str, below: int | None = None) -> int:
    if not (text.isascii() and text.isdecimal()) or (below is not None and int(text) >= below):
        raise ValueError(f"{text!r} is no row.")
    return int(text)


def _plain(name: str) -> str:
    # An address writes these signs as they are, a space or a tilde as three each.
    return quote(name, safe=" ").replace("_", "%5F").replace("~", "%7E").replace(" ", "_")


def _name(text: str) -> str:
    return unquote(text.replace("_", " "))
