"""What to run, as plain data: two requests that mean the same have the same canonical form and key."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from numbers import Real
from typing import Any, Self

import datasets
import methods
from datasets.uploads import is_from_file
from experiments.requests.by_hand import Label, Pair, checked_labels, checked_pairs
from experiments.requests.corruption import KINDS, is_noise, occlude
from experiments.requests.edits import Edit, checked_edits
from experiments.requests.noise import NOISES, add_noise
from experiments.requests.splits import check_request, split
from methods import Param

_LARGEST_SEED = 2**32 - 1
_WHOLE = ("labelled_per_class", "held_out_per_class", "size")


@dataclass(frozen=True)
class RunRequest:
    """A data set, what is done to it, and the method that is run on it.

    `split` holds the keywords of `experiments.split` but for the seed, `corruption` those of
    `experiments.occlude` or, if its kind is a noise, of `experiments.requests.noise.add_noise`. `seed` drives
    the split, the corruption and the start of the method.
    `view` is the name of a view or a list of names; left out, a method for several views gets all
    of them and any other the first. A method for one matrix gets named views side by side.
    `labels` and `pairs` are set by hand for single rows: see `experiments.requests.by_hand`; `edits` are what
    is done to single parts on the way: see `experiments.requests.edits`.

    >>> a = RunRequest("orl", "n2s2l", {"alpha": 10})
    >>> b = RunRequest("orl", "n2s2l", dataset_options={"size": 64}, split={"labelled_per_class": 2})
    >>> a.key == b.key
    True
    """

    dataset: str
    method: str
    params: Mapping[str, Any] = field(default_factory=dict)
    dataset_options: Mapping[str, Any] = field(default_factory=dict)
    view: str | Sequence[str] | None = None
    split: Mapping[str, Any] = field(default_factory=dict)
    corruption: Mapping[str, Any] | None = None
    seed: int = 0
    labels: tuple[Label, ...] = ()
    pairs: tuple[Pair, ...] = ()
    edits: tuple[Edit, ...] = ()

    def __post_init__(self) -> None:
        """Check what is set by hand, labels and pairs in order; a data set is named, not held."""
        if isinstance(self.dataset, datasets.Dataset):
            raise ValueError(
                "RunRequest takes the id of a data set: RunRequest(datasets.keep(data), ...) keeps yours "
                "under one and passes that on."
            )
        object.__setattr__(self, "labels", checked_labels(self.labels))
        object.__setattr__(self, "pairs", checked_pairs(self.pairs))
        object.__setattr__(self, "edits", checked_edits(self.edits))

    def canonical(self) -> str:
        """Return the request as JSON with every default written out and every name in order.

        Raises a ValueError that names what is unknown or out of range.
        """
        plain: dict[str, Any] = {
            "dataset": self.dataset,
            "method": self.method,
            "params": self.every_param(),
            "dataset_options": self._every_option(),
            "view": self.view_settings(),
            "split": self.split_settings(),
            "corruption": self.corruption_settings(),
            "seed": self._seed(),
        }
        if self.edits and "parts" not in methods.spec(self.method).takes:
            title = methods.spec(self.method).title
            raise ValueError(f"{title} cannot keep parts as they are, or go on without them.")
        # Left out while empty, so that requests without them keep their keys.
        plain |= {name: entries for name in ("labels", "pairs", "edits") if (entries := getattr(self, name))}
        return json.dumps(plain, sort_keys=True, allow_nan=False)

    @cached_property
    def key(self) -> str:
        """A hash of everything that decides the result; cached, because runs are looked up by it."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()[:16]

    def as_given(self) -> str:
        """Return the request as JSON just as it is; nothing is checked, and no method is loaded for it."""
        return json.dumps({item.name: getattr(self, item.name) for item in fields(self)}, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the request that `canonical` or `as_given` was made from."""
        return cls(**json.loads(text))

    def of_split(self, split: int) -> Self:
        """Return the request of another split of the same data: the seeds of splits count on from this one.

        >>> [RunRequest("orl", "pca", seed=2**32 - 2).of_split(split).seed for split in range(3)]
        [4294967294, 4294967295, 0]
        """
        return replace(self, seed=(self.seed + split) % (_LARGEST_SEED + 1)) if split else self

    def _every_option(self) -> dict[str, Any]:
        if is_from_file(self.dataset) and not datasets.is_here(self.dataset):
            # The file is gone: runs on it may still be shown, under the same key.
            return dict(self.dataset_options)
        return datasets.card(self.dataset).resolve(self.dataset_options)

    def every_param(self) -> dict[str, Any]:
        """Return every parameter of the method but its seed, as plain values of the right kind."""
        spec = methods.spec(self.method)
        spec.check(self.params)
        for param in spec.params:
            if param.kind == "seed" and param.name in self.params:
                raise ValueError(f"{param.name} follows from the seed of the request: set seed instead.")
        return {
            param.name: _plain(param, self.params.get(param.name, param.default))
            for param in spec.params
            if param.kind != "seed"
        }

    def split_settings(self) -> dict[str, Any]:
        """Return the keywords of `experiments.split` but the seed, those without effect left out."""
        settings = _settings("split", split, ("ds_or_y", "seed"), self.split)
        if settings.pop("given"):
            return {"given": True}
        check_request(**settings, seed=self._seed())
        if settings["order"] == "shuffled":
            settings["order"] = None  # As it is anyway.
        if settings["labelled_fraction"] is not None:
            settings["labelled_per_class"] = None  # It has no effect then.
        return {name: value for name, value in settings.items() if value is not None}

    def view_settings(self) -> str | list[str] | None:
        """Return the requested view: one name, a list of several, None if it is left open."""
        if self.view is None or isinstance(self.view, str):
            return self.view
        requested = self.view if isinstance(self.view, (list, tuple)) else ()
        names = [name for name in requested if isinstance(name, str)]
        if not names or len(set(names)) < len(requested):
            raise ValueError(
                f"view must be the name of a view or a list of different names, not {self.view!r}."
            )
        return names if len(names) > 1 else names[0]

    def corruption_settings(self) -> dict[str, Any] | None:
        """Return what spoils the rows without a label, in full but for the seed; None if nothing does."""
        if not self.corruption:
            return None
        if is_noise(self.corruption.get("kind", "")):
            settings = _settings("corruption", add_noise, ("images", "seed"), self.corruption)
            if not 0 <= settings["level"] <= 1:
                raise ValueError(f"level must be from 0 to 1, not {settings['level']!r}.")
            return settings if settings["level"] > 0 else None
        settings = _settings("corruption", occlude, ("images", "image_shape", "seed"), self.corruption)
        if settings["size"] == 0:
            return None
        kind, position = settings["kind"], settings["position"]
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS + NOISES)}, not {kind!r}.")
        if position is not None:
            if not isinstance(position, (tuple, list)) or len(position) != 2:
                raise ValueError(f"position must be a pair (top, left), not {position!r}.")
            settings["position"] = [_number("position", value, whole=True) for value in position]
        return settings

    def _seed(self) -> int:
        seed = int(_number("seed", self.seed, whole=True))
        if not 0 <= seed <= _LARGEST_SEED:
            raise ValueError(f"seed must be from 0 to {_LARGEST_SEED}, not {seed}.")
        return seed


def _settings(
    what: str, function: Callable[..., Any], excluded: tuple[str, ...], values: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the keywords of a function with the values given, or else their defaults."""
    settings = dict(_defaults(function, excluded))
    for name, value in values.items():
        if name not in settings:
            raise ValueError(f"{what} has no setting {name!r}. It takes: {', '.join(settings)}.")
        if value is not None:
            plain = (
                value
                if name in ("kind", "position", "order", "given")
                else _number(name, value, whole=name in _WHOLE)
            )
            settings[name] = plain
    return settings


@lru_cache(maxsize=8)
def _defaults(function: Callable[..., Any], excluded: tuple[str, ...]) -> Mapping[str, Any]:
    # A page with thousands of trials works out as many keys, and reading a signature takes a quarter of one.
    parameters = inspect.signature(function).parameters
    return {name: item.default for name, item in parameters.items() if name not in excluded}


def _plain(param: Param, value: Any) -> Any:
    if value is None:
        return None
    if param.kind == "choice" and not isinstance(value, str):
        raise ValueError(f"{param.name} must be one of {', '.join(param.choices)} in a request.")
    if isinstance(value, (tuple, list)):
        return [int(size) for size in value]
    return {"int": int, "float": float, "flag": bool, "choice": str}[param.kind](value)


def _number(name: str, value: Any, *, whole: bool) -> float:
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or (whole and float(value) % 1 != 0):
        raise ValueError(f"{name} must be {'a whole number' if whole else 'a number'}, not {value!r}.")
    return int(value) if whole else float(value)
