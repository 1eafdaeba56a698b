"""Claims: a sentence that a paper draws from a table, and the test of it on the numbers found here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, TypeVar

ClaimStanding = Literal["holds", "holds in part", "does not hold here", "cannot be tested here"]
Place = tuple[str, str]
Means = Mapping[Place, float]
_MOST_NAMED = 4
_Case = TypeVar("_Case")


class UntestedError(LookupError):
    """A number that a claim is about is not there; the message says which, `place` where it would stand."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.place = place


@dataclass(frozen=True)
class Finding:
    """What became of a claim, with the figures it rests on, and where it fails if it holds in part."""

    standing: ClaimStanding
    figures: str


@dataclass(frozen=True)
class ShownBy:
    """The test of a claim by a small experiment, whatever the table: whether it is so, and figures.

    It is carried out by the command line and shipped with the numbers; the server carries out none.
    """

    experiment: Callable[[], tuple[bool, str]]

    def finding(self) -> Finding:
        """Carry it out."""
        holds, figures = self.experiment()
        return Finding("holds" if holds else "does not hold here", figures)


@dataclass(frozen=True)
class Claim:
    """What a paper says of its table, in our words, and the test of it on our means."""

    sentence: str
    test: Callable[[Means], Finding] | ShownBy

    def finding(
        self,
        means: Means,
        waiting: Mapping[Place, str] = MappingProxyType({}),
        experiment_findings: Mapping[str, Finding] = MappingProxyType({}),
    ) -> Finding:
        """Return what becomes of it; what cannot be tested says for want of what.

        `waiting` names the data that cells wait for; `experiment_findings` are those of small experiments, by
        claim.
        """
        if isinstance(self.test, ShownBy):
            missing = Finding("cannot be tested here", "Its small experiment is not carried out yet.")
            return experiment_findings.get(self.sentence, missing)
        try:
            return self.test(means)
        except UntestedError as missing:
            data = waiting.get(missing.place) if missing.place else None
            return Finding("cannot be tested here", f"Waits for {data}." if data else str(missing))


def untestable(reason: str) -> Callable[[Means], Finding]:
    """Return the test of a claim that waits for data."""

    def test(means: Means) -> Finding:
        raise UntestedError(reason)

    return test


def mean_of(means: Means, place: Place) -> float:
    """Return a mean; an UntestedError if it is not computed."""
    if place not in means:
        raise _not_computed(place)
    return means[place]


def _not_computed(place: Place) -> UntestedError:
    return UntestedError(f"{' on '.join(place)} is not computed yet.", place)


def ahead(higher: Sequence[Place], lower: Sequence[Place], by: float = 0.0) -> Callable[[Means], Finding]:
    """Return the test that each of some cells is above each of some others, by more than `by`."""
    return each_ahead([(up, down) for up in higher for down in lower], by)


def each_ahead(pairs: Sequence[tuple[Place, Place]], by: float = 0.0) -> Callable[[Means], Finding]:
    """Return the test that the first cell of each pair is above the second, by more than `by`.

    Pairs that are not computed are left out, and said; without any it cannot be tested.
    """

    def test(means: Means) -> Finding:
        there = [pair for pair in pairs if pair[0] in means and pair[1] in means]
        if not there:
            raise _not_computed(next(place for pair in pairs for place in pair if place not in means))
        right = [(up, down) for up, down in there if means[up] > means[down] + by]
        left_out = len(pairs) - len(there)
        tail = f" {left_out} more wait for their numbers." if left_out else ""
        finding = counted(right, there, lambda pair: _compared(means, *pair), tail)
        # As far as there are numbers: more is not known.
        return (
            replace(finding, standing="holds in part")
            if left_out and finding.standing == "holds"
            else finding
        )

    return test


def counted(
    right: Sequence[_Case], cases: Sequence[_Case], say: Callable[[_Case], str], tail: str = ""
) -> Finding:
    """Return the finding for a claim that makes several comparisons: all, some or none are as it says."""
    wrong = [case for case in cases if case not in right]
    if not wrong:
        listed = "; ".join(map(say, cases[:_MOST_NAMED]))
        return Finding("holds", f"{len(right)} of {len(cases)}: {listed}{_more(cases)}.{tail}")
    standing: ClaimStanding = "holds in part" if right else "does not hold here"
    listed = "; ".join(map(say, wrong[:_MOST_NAMED]))
    return Finding(standing, f"{len(right)} of {len(cases)}; not {listed}{_more(wrong)}.{tail}")


def _more(cases: Sequence[object]) -> str:
    left = len(cases) - _MOST_NAMED
    return f" and {left} more" if left > 0 else ""


def _compared(means: Means, up: Place, down: Place) -> str:
    # What both have in common, the row or the column, need not be said twice.
    names = [f"{place[0]} on {place[1]}" for place in (up, down)]
    if up[1] == down[1]:
        names = [f"{up[0]}", f"{down[0]} ({up[1]})"]
    elif up[0] == down[0]:
        names = [f"{up[1]}", f"{down[1]} ({up[0]})"]
    return f"{names[0]} {_figure(means[up])} against {names[1]} {_figure(means[down])}"


def _figure(value: float) -> str:
    # Seconds of an iteration are thousandths.
    return f"{value:.1f}" if abs(value) >= 1 or value == 0 else f"{value:.2g}"
