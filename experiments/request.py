"""What to run, as plain data: two requests that mean the same have the same canonical form and key."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import datasets
import methods


@dataclass(frozen=True)
class RunRequest:
    """A data set, what is done to it, and the method that is run on it.

    `split` holds the keywords of `experiments.split` but for the seed, `corruption` those of
    `experiments.occlude`. `seed` drives the split, the corruption and the start of the method.

    >>> a = RunRequest("orl", "n2s2l", {"alpha": 10})
    >>> b = RunRequest("orl", "n2s2l", dataset_options={"size": 64})
    >>> a.key == b.key
    True
    """

    dataset: str
    method: str
    params: Mapping[str, Any] = field(default_factory=dict)
    dataset_options: Mapping[str, Any] = field(default_factory=dict)
    view: str | None = None
    split: Mapping[str, Any] = field(default_factory=dict)
    corruption: Mapping[str, Any] | None = None
    seed: int = 0

    def canonical(self) -> str:
        """Return the request as JSON with every default written out and every name in order.

        Raises a ValueError that names what is unknown or out of range.
        """
        plain = asdict(self)
        plain["dataset_options"] = dict(datasets.card(self.dataset).resolve(self.dataset_options))
        plain["params"] = self._every_param()
        plain["split"] = {name: value for name, value in self.split.items() if value is not None}
        return json.dumps(plain, sort_keys=True, allow_nan=False)

    @property
    def key(self) -> str:
        """A short name for everything that decides the result."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()[:16]

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the request that `canonical` was made from."""
        return cls(**json.loads(text))

    def _every_param(self) -> dict[str, Any]:
        spec = methods.spec(self.method)
        spec.check(self.params)
        values: dict[str, Any] = {}
        for param in spec.params:
            if param.kind == "seed":
                continue
            value = self.params.get(param.name, param.default)
            convert = {"int": int, "float": float}.get(param.kind)
            values[param.name] = convert(value) if convert and value is not None else value
        return values
