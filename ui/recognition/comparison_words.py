"""A comparison of methods in words: progress, results so far, whether a difference is more than luck."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from experiments.measures.significance import LEAST_SPLITS, LEVEL, Difference, against_leader
from experiments.table_files import TableFile
from ui import state

_BEGUN = "_comparison begun"
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def sentences(
    titles: Mapping[str, str], shares: Mapping[str, NDArray[np.float64]], ratio: float
) -> list[str]:
    """Return a sentence for each method that the best one is ahead of, the closest first."""
    leader, differences = against_leader({id: list(accuracies) for id, accuracies in shares.items()}, ratio)
    ordered = sorted(differences, key=lambda id: differences[id].mean)
    return [sentence(titles[leader], titles[id], differences[id]) for id in ordered]


def sentence(leader: str, other: str, difference: Difference) -> str:
    """Say how far one method is ahead of another, and whether that may be chance."""
    points = f"{100 * difference.mean:.1f}"
    if not difference.splits:
        return f"{leader} and {other} have not finished the same split yet."
    if difference.p is None:
        return (
            f"{leader} is {points} points ahead of {other} on average over {_splits(difference.splits)}; "
            f"from fewer than {_word(LEAST_SPLITS)} it can't be told whether that is more than luck."
        )
    if abs(difference.mean) <= 1e-12:
        return f"{leader} and {other} are level over {_splits(difference.splits)}."
    of = (
        f"all {_splits(difference.splits)}"
        if difference.wins == difference.splits
        else f"{_word(difference.wins)} of {_splits(difference.splits)}"
    )
    spread = f"the difference of {points} ± {100 * difference.spread:.1f} points"
    if difference.p < LEVEL:
        return f"{leader} is ahead of {other} on {of}; {spread} is hardly chance ({_p(difference.p)})."
    return (
        f"{leader} is ahead of {other} on {of}, but splits share most of their samples and are no "
        f"independent trials: {spread} could still be chance ({_p(difference.p)})."
    )


def _p(p: float) -> str:
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.01 else f"p = {p:.2f}"


def _word(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _splits(count: int) -> str:
    return f"{_word(count)} split{'' if count == 1 else 's'}"


def table(
    titles: Mapping[str, str],
    values: Sequence[int],
    shares: Mapping[str, NDArray[np.float64]],
    refused: Container[tuple[str, int]] = (),
    features: Mapping[str, str] | None = None,
) -> str:
    """Return mean and spread of every method as a table, a column a value.

    `refused` are the cells (method, column) without a result, `features` what each method compares.
    """
    file = table_file(titles, values, shares, refused, features)
    sides = [":--"] * (2 if features else 1) + ["--:"] * max(1, len(values))
    return "\n".join(f"| {' | '.join(row)} |" for row in (file.heads, sides, *file.rows))


def table_file(
    titles: Mapping[str, str],
    values: Sequence[int],
    shares: Mapping[str, NDArray[np.float64]],
    refused: Container[tuple[str, int]] = (),
    features: Mapping[str, str] | None = None,
) -> TableFile:
    """Return the same for use elsewhere."""
    along = [str(value) for value in values] or ["accuracy"]
    heads = ["method", *(["compared by"] if features else []), *along]
    rows = []
    for id, title in titles.items():
        cells = [_cell(accuracies, (id, place) in refused) for place, accuracies in enumerate(shares[id])]
        rows.append([title, *([features[id]] if features else []), *cells])
    return TableFile("Share recognised, mean and standard deviation over splits", heads, rows)


def _cell(accuracies: NDArray[np.float64], refused: bool) -> str:
    finished = accuracies[~np.isnan(accuracies)]
    if not finished.size:
        return "–" if refused else "…"
    return f"{100 * finished.mean():.1f}" + (
        f" ± {100 * finished.std(ddof=1):.1f} %" if finished.size > 1 else " %"
    )


def progress(done: int, whole: int) -> str:
    """Say how many runs are done and how long the others will take."""
    if done >= whole:
        state.put(_BEGUN, None)
        return f"Mean and spread (standard deviation) over splits; {whole} runs."
    begun = state.get(_BEGUN)
    if begun is None or begun[0] != whole or begun[2] > done:
        begun = (whole, monotonic(), done)
        state.put(_BEGUN, begun)
    made, spent = done - begun[2], monotonic() - begun[1]
    left = "" if made < 2 else f", about {_duration((whole - done) * spent / made)} left"
    return f"{done} of {whole} runs are done{left}. What is done is kept; whoever leaves stops the rest."


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds / 5) * 5 or 1)} seconds"
    return f"{round(seconds / 60)} minutes"
