"""Methods compared over several splits: many runs behind the page, a few at a time, while somebody looks."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic, sleep
from typing import Any, Literal

from datasets import Dataset
from experiments.engine.handle import Handle
from experiments.requests.prepare import facts, rows_of
from experiments.requests.request import RunRequest
from methods import Spec

log = logging.getLogger(__name__)
Axis = Literal["method", "labels", "dimension"]
_ENDED_WELL = ("done", "max_iter")
_LARGEST_SEED = 2**32


@dataclass(frozen=True)
class Outcome:
    """What came of a run: its scores, or a message that says why there are none."""

    scores: Mapping[str, float] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True)
class Cell:
    """One run of a comparison: which method, at which value on the axis, in which split."""

    method: str
    value: int | None
    split: int
    request: RunRequest
    key: str


def cells(
    ds: Dataset,
    base: RunRequest,
    specs: Sequence[Spec],
    axis: Axis,
    values: Sequence[int],
    splits: int,
) -> list[Cell]:
    """Return the runs of a comparison, first split first, so that every line is there early if roughly.

    `base` says which data, and how many samples are held out; its seed is that of the first split. On the
    axis "labels" a value is how many samples of each class are labelled, on "dimension" how many parts or
    directions there are. Methods without parts stay the same along "dimension".
    """
    along = [None] if axis == "method" else list(values)
    bare = replace(base, labels=(), pairs=())
    # Every split labels as many samples, so that automatic parameters are the same in all of them.
    first = {(value, spec.id): _request(ds, bare, spec, axis, value) for value in along for spec in specs}
    found = []
    for split in range(splits):
        seed = (base.seed + split) % _LARGEST_SEED
        for (value, id), request in first.items():
            seeded = replace(request, seed=seed)
            found.append(Cell(id, value, split, seeded, seeded.key))
    return found


def _request(ds: Dataset, base: RunRequest, spec: Spec, axis: Axis, value: int | None) -> RunRequest:
    split = dict(base.split)
    if axis == "labels":
        split.pop("labelled_fraction", None)
        split["labelled_per_class"] = value
    bare = replace(base, method=spec.id, params={}, split=split)
    start = spec.starting_values(facts(ds, rows_of(ds, bare)))
    params: dict[str, Any] = {name: known for name, known in start.items() if known is not None}
    if axis == "dimension" and value is not None and any(p.name == "n_components" for p in spec.params):
        params["n_components"] = value
        if "n_discriminative" in params:
            params["n_discriminative"] = min(ds.n_classes, value - 1)
    return replace(bare, params=params)


@dataclass
class _Wanted:
    requests: list[tuple[str, RunRequest]]
    seen_at: float


class Comparisons:
    """Carries out what the visitors want compared: each one's runs in turn, at most `at_once` at a time.

    `start` starts the run of a request, or finds it if there is one. What somebody wants is what they asked
    for last; who has not asked for `forgotten_after` seconds has left, and nothing more is started for
    them. Outcomes are kept, `most` of them.
    """

    def __init__(
        self,
        start: Callable[[RunRequest], Handle],
        *,
        at_once: int = 2,
        forgotten_after: float = 4.0,
        look_every: float = 0.05,
        most: int = 20_000,
    ) -> None:
        self._start, self._at_once = start, at_once
        self._forgotten_after, self._look_every, self._most = forgotten_after, look_every, most
        self._outcomes: OrderedDict[str, Outcome] = OrderedDict()
        self._wanted: OrderedDict[str, _Wanted] = OrderedDict()
        self._under_way: dict[str, Handle] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def ask(self, owner: str, wanted: Sequence[Cell]) -> dict[str, Outcome]:
        """Note what somebody wants and return what is known of it, by the keys of the cells."""
        with self._changed:
            known = {cell.key: self._outcomes[cell.key] for cell in wanted if cell.key in self._outcomes}
            missing = {cell.key: cell.request for cell in wanted if cell.key not in known}
            self._wanted[owner] = _Wanted(list(missing.items()), monotonic())
            if missing:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._work, daemon=True, name="comparisons")
                    self._thread.start()
                self._changed.notify()
        return known

    def _work(self) -> None:
        while True:
            with self._changed:
                starting = self._next() if len(self._under_way) < self._at_once else None
                if starting is None and not self._under_way:
                    self._changed.wait()
                    continue
            if starting is not None:
                self._begin(*starting)
            self._collect()
            if starting is None:
                sleep(self._look_every)

    def _next(self) -> tuple[str, RunRequest] | None:
        """Return the next run to start: the visitors take turns, those who have left get none."""
        oldest = monotonic() - self._forgotten_after
        for owner in [owner for owner, wish in self._wanted.items() if wish.seen_at < oldest]:
            del self._wanted[owner]
        for owner, wish in list(self._wanted.items()):
            for key, request in wish.requests:
                if key not in self._outcomes and key not in self._under_way:
                    self._wanted.move_to_end(owner)
                    return key, request
        return None

    def _begin(self, key: str, request: RunRequest) -> None:
        try:
            self._under_way[key] = self._start(request)
        except ValueError as refusal:
            self._keep(key, Outcome(message=str(refusal)))
        except RuntimeError:
            # The app is being closed: there is nobody left to work for.
            with self._changed:
                self._wanted.clear()
        except Exception as error:
            log.exception("A run of %s could not be started", request.method)
            self._keep(key, Outcome(message=f"This could not be run ({type(error).__name__}: {error})."))

    def _collect(self) -> None:
        with self._changed:
            wanted = {key for wish in self._wanted.values() for key, _ in wish.requests}
        for key, handle in list(self._under_way.items()):
            if handle.status == "stopped":
                # Nobody looked for a while: who comes back has it run again.
                del self._under_way[key]
            elif handle.ended:
                well = handle.status in _ENDED_WELL
                message = "" if well else handle.message or f"This run has {handle.status}."
                self._keep(key, Outcome(dict(handle.scores) if well else {}, message))
                del self._under_way[key]
            elif key in wanted:
                handle.look()

    def _keep(self, key: str, outcome: Outcome) -> None:
        with self._changed:
            self._outcomes[key] = outcome
            while len(self._outcomes) > self._most:
                self._outcomes.popitem(last=False)
