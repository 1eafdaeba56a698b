"""A sweep: which parameters of a method are tried on which data, and what counts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, Self, get_args

import methods
from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Trial
from experiments.trials.catalogue import measure
from experiments.tuning.axis import Axis, Value

Strategy = Literal["grid", "random", "sobol", "guided"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
# Whether a quick look at every cell comes first (experiments.tuning.sketch), or fits go on from their
# neighbours' (experiments.tuning.continuation), and how far.
Continuation = Literal["", "sketched", "provisional", "refined"]
# A value on each axis, in the order of the axes.
Point = tuple[Value, ...]
HONEST = MeasureRequest("inner_accuracy")
SEEN = MeasureRequest("accuracy")
OBJECTIVE = MeasureRequest("objective")
MOST_AXES, MOST_POINTS, MOST_GUIDED, MOST_SPLITS = 6, 5_000, 500, 50


@dataclass(frozen=True)
class Sweep:
    """What is tried: the values of `axes`, everything else as in `request`, on several splits.

    The seeds of the splits count on from that of the request, whose `params` hold what is not tuned. The
    first of `measures` is what is chosen by; with "guided", all those in `goals` are (by default that one).
    `budget` is how many points are tried unless it is a grid. The `name` is not part of what it is.

    >>> from experiments.tuning.axis import axis
    >>> alpha = axis("n2s2l", "alpha", 0.1, 1000, count=5)
    >>> sweep = Sweep(RunRequest("orl", "n2s2l", {"max_iter": 50}), (alpha,))
    >>> Sweep.from_json(sweep.to_json()) == sweep
    True
    """

    request: RunRequest
    axes: tuple[Axis, ...]
    measures: tuple[MeasureRequest, ...] = (HONEST, SEEN)
    splits: int = 3
    strategy: Strategy = "grid"
    budget: int = 0
    goals: tuple[str, ...] = ()
    continuation: Continuation = ""
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Refuse what cannot be swept; the message says what to change."""
        for name in ("axes", "measures", "goals"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        names = [axis.param for axis in self.axes]
        if not 1 <= len(names) <= MOST_AXES or len(set(names)) < len(names):
            raise ValueError(f"A sweep takes from 1 to {MOST_AXES} different parameters, not {len(names)}.")
        if not self.measures:
            raise ValueError("A sweep needs something that counts: choose a measure.")
        if not 1 <= self.splits <= MOST_SPLITS:
            raise ValueError(f"splits={self.splits} must be from 1 to {MOST_SPLITS}.")
        if self.strategy not in STRATEGIES:
            raise ValueError(f"strategy must be one of {', '.join(STRATEGIES)}, not {self.strategy!r}.")
        points = self.grid_size if self.strategy == "grid" else self.budget
        if not 1 <= points <= MOST_POINTS:
            raise ValueError(f"A sweep tries from 1 to {MOST_POINTS} points, not {points}.")
        if self.strategy == "guided" and points > MOST_GUIDED:
            raise ValueError(f"A guided sweep tries up to {MOST_GUIDED} points, not {points}.")
        if self.strategy == "guided" and any(axis.read_only for axis in self.axes):
            raise ValueError("Features and distance cost no fit: try them all on a grid, not by search.")
        if self.continuation not in get_args(Continuation):
            ways = ", ".join(filter(None, get_args(Continuation)))
            raise ValueError(f"continuation must be one of {ways}, not {self.continuation!r}.")
        if self.continuation == "sketched" and self.strategy == "guided":
            raise ValueError("A search looks at what is finished: there is no quick look at its points.")
        if self.warm and self.strategy != "grid":
            raise ValueError("Only along a grid does a fit go on from its neighbour's.")
        self._check_axes()

    @property
    def dataset(self) -> str:
        """The id of the data set."""
        return self.request.dataset

    @property
    def method(self) -> str:
        """The id of the method."""
        return self.request.method

    @property
    def labelled_per_class(self) -> int | None:
        """How many samples of each class are labelled; None if a share of them is."""
        settings = self.request.split_settings()
        return int(settings["labelled_per_class"]) if "labelled_per_class" in settings else None

    @property
    def grid_size(self) -> int:
        """How many points the grid has."""
        size = 1
        for axis in self.axes:
            size *= len(axis.values)
        return size

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seed of each split."""
        return tuple(self.request.of_split(split).seed for split in range(self.splits))

    @property
    def warm(self) -> bool:
        """Whether fits go on from their neighbours'."""
        return self.continuation in ("provisional", "refined")

    @property
    def chosen_by(self) -> MeasureRequest:
        """The measure that decides."""
        return self.measures[0]

    @cached_property
    def text(self) -> str:
        """The sweep as text, which stands for it where something is remembered of it."""
        return self.to_json()

    @cached_property
    def key(self) -> str:
        """A short name for everything that decides the outcome; a ValueError says what makes no sense."""
        plain = self.plain() | {"request": json.loads(self.request.canonical())}
        plain["measures"] = [item.plain() for item in self.measures]
        del plain["name"]
        for axis in plain["axes"]:
            axis.pop("label", None)
        return hashlib.sha256(json.dumps(plain, sort_keys=True, allow_nan=False).encode()).hexdigest()[:32]

    def trial(self, point: Point, split: int) -> Trial:
        """Return the trial of a point on a split; points that only read otherwise share one."""
        return _trial(self.text, point, split)

    def _trial(self, point: Point, split: int) -> Trial:
        params = dict(self.request.params)
        settings: list[dict[str, Value]] = [{}]
        for axis, value in zip(self.axes, point, strict=True):
            if axis.read_only:
                settings = [{axis.param: entry} | others for others in settings for entry in axis.choices]
            else:
                params[axis.param] = value
        wanted = [self._as_read(item, reads) for item in self.measures for reads in settings]
        if self.warm:
            wanted.append(OBJECTIVE)
        request = replace(self.request.of_split(split), params=params)
        return Trial(request, tuple(wanted), pictured=True)

    def score_name(self, item: MeasureRequest, point: Point) -> str:
        """Return the name that the score of a measure goes by at a point."""
        reads = {a.param: value for a, value in zip(self.axes, point, strict=True) if a.read_only}
        return self._as_read(item, reads).name

    def params(self, point: Point) -> dict[str, Value]:
        """Return the parameters of the method at a point, without how its fit is read."""
        return {a.param: v for a, v in zip(self.axes, point, strict=True) if not a.read_only}

    def plain(self) -> dict[str, Any]:
        """Return the sweep as plain data, from which `from_plain` makes it again."""
        return {
            "request": json.loads(self.request.as_given()),
            "axes": [axis.plain() for axis in self.axes],
            "measures": [[item.measure, dict(item.settings)] for item in self.measures],
            "splits": self.splits,
            "strategy": self.strategy,
            "budget": self.budget,
            "goals": list(self.goals),
            "continuation": self.continuation,
            "name": self.name,
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Return the sweep that `plain` was made from."""
        made = dict(plain)
        made["request"] = RunRequest(**plain["request"])
        made["axes"] = tuple(Axis.from_plain(axis) for axis in plain["axes"])
        made["measures"] = tuple(MeasureRequest(name, settings) for name, settings in plain["measures"])
        return cls(**made)

    def to_json(self) -> str:
        """Return the sweep as text, from which `from_json` makes it again."""
        return json.dumps(self.plain(), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the sweep that `to_json` was made from."""
        return cls.from_plain(json.loads(text))

    def _as_read(self, item: MeasureRequest, reads: Mapping[str, Value]) -> MeasureRequest:
        takes = measure(item.measure).defaults
        accepted = {name: value for name, value in reads.items() if name in takes}
        return replace(item, settings={**item.settings, **accepted}) if accepted else item

    def _check_axes(self) -> None:
        spec = methods.spec(self.request.method)
        for axis in self.axes:
            if axis.param in self.request.params:
                raise ValueError(f"{axis.param} is tuned, so it cannot be fixed as well.")
            if axis.read_only:
                if not any(axis.param in measure(item.measure).defaults for item in self.measures):
                    raise ValueError(f"No chosen measure depends on the {axis.param}.")
                continue
            for value in self._ends(axis):
                spec.param(axis.param).check(value)
        for goal in self.goals:
            if goal not in [item.name for item in self.measures]:
                raise ValueError(f"{goal} is to be brought to its best, but is not among the measures.")

    @staticmethod
    def _ends(axis: Axis) -> Sequence[Value]:
        return axis.values if axis.choices else (axis.values[0], axis.values[-1])


@lru_cache(maxsize=64)
def _sweep(text: str) -> Sweep:
    return Sweep.from_json(text)


@lru_cache(maxsize=40_000)
def _trial(text: str, point: Point, split: int) -> Trial:
    # Tables are looked at several times a second, and a key takes longer to work out than to look up.
    return _sweep(text)._trial(point, split)
