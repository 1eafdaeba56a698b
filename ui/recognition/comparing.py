"""Methods compared by how many samples they recognise: by labels, by dimension, over several splits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from experiments.comparisons.comparison import ACCURACIES, Axis, Contestant, accuracy_name, compared
from experiments.comparisons.features import described, unlike
from experiments.measures.recognition import Metric, TestSamples
from experiments.requests.library import Dataset, Spec, rows_of
from experiments.requests.ranges import dimensions, held_out, label_counts
from experiments.table_files import TableFile
from experiments.trials import Result, Table
from ui import chosen_params, owner, state, unattended, words
from ui import unlike as unlike_features
from ui.contestants import MOST_OWN, contestants, title
from ui.downloads import downloads, file_stem
from ui.figures import FigureLine, FigureRow, lines_svg, mean_and_spread, rows_svg
from ui.fragments import fragment
from ui.method_menu import methods_menu
from ui.palette import colour
from ui.recognition import accuracy_charts, mistakes
from ui.recognition.comparison_words import progress, sentences, table, table_file
from ui.service import tables
from ui.sidebar import Chosen

MOST = 6
_USUAL = ["pca", "lda", "nmf", "n2s2l"]
_AXES: dict[Axis, str] = {"method": "overall", "labels": "by labels", "dimension": "by dimension"}
_LOOK_EVERY, _LEAST_OFTEN, _TRIALS_A_SECOND = 1.0, 2.5, 100
# Cached results are there at once.
_PATIENCE = 0.3
_TABLE = "recognition"


@dataclass(frozen=True)
class ComparisonSettings:
    """What is compared: which methods, along what, in how many splits, on which samples, which metric."""

    rows: tuple[Contestant, ...]
    axis: Axis
    values: tuple[int, ...]
    splits: int
    test_samples: TestSamples
    metric: Metric
    base: Any

    @property
    def score(self) -> str:
        """The name of the score that answers it."""
        return accuracy_name(self.test_samples, self.metric)


def show(choice: Chosen) -> None:
    """Show the controls and the results so far."""
    if not choice.data.n_classes:
        st.info(
            "These data have no classes, so nobody can be right or wrong. Choose others in the sidebar, "
            "or label some by hand."
        )
        return
    question = _question(choice)
    if not question.rows:
        st.info("Choose a method to see whom it recognises.")
        return
    try:
        trials = compared(
            choice.data, question.base, question.rows, question.axis, question.values, question.splits
        )
        done = tables().ask(owner.token(), _TABLE, trials.in_turn(), patience=_PATIENCE)
    except ValueError as refusal:
        st.info(str(refusal))
        return
    for id in dict.fromkeys(row.spec.id for row in question.rows):
        chosen_params.in_use(choice.dataset, id, key=f"recognition {id}")
    if trials.whole(done):
        _results(choice, question, trials, done)
    else:
        look_every = seconds_between_looks(len(trials.in_turn()))
        fragment(_filling_in, run_every=look_every)(choice, question, trials)
    mistakes.show(choice, question.rows, question.base, question.test_samples, question.metric)


def seconds_between_looks(trials: int) -> float:
    """Return how long what is drawn of a table stands: the more trials, the less each of them changes.

    Drawing it anew takes the server from those who drag something on other pages; who has not looked for five
    seconds is taken to have left.
    """
    return min(_LEAST_OFTEN, max(_LOOK_EVERY, trials / _TRIALS_A_SECOND))


def _filling_in(choice: Chosen, question: ComparisonSettings, trials: Table) -> None:
    """Show results as they come in; trials of a visitor who leaves the page are cancelled."""
    done = tables().ask(owner.token(), _TABLE, trials.in_turn())
    if trials.whole(done):
        st.rerun()
    _results(choice, question, trials, done)


def _question(choice: Chosen) -> ComparisonSettings:
    ds = choice.data
    unit, many = words.class_unit(ds), words.samples(ds)
    specs = methods_menu(
        "Methods", name="recognition.methods", default=_USUAL, most=MOST, choice=choice, accept=_recognises
    )
    rows = contestants(choice, specs, name="recognition", most=MOST + MOST_OWN)
    row = st.container(horizontal=True)
    with row:
        axis = state.control(
            st.segmented_control, "Accuracy", list(_AXES), name="recognition.axis", default="method",
            accept=_AXES.__contains__, format_func=_AXES.get, required=True,
        )  # fmt: skip
        splits = state.control(
            st.slider, "Splits", 2, 20, name="recognition.splits", default=5, width=140,
            accept=lambda value: 2 <= value <= 20,
            help=f"How often it is drawn anew which {many} are labelled. Only over several splits can a "
            "better method be told from a lucky one.",
        )  # fmt: skip
    # Labels given by hand are about one split only.
    base = choice.request("pca", {}, labels=())
    base = replace(base, split=held_out(ds, dict(base.split)))
    ways = _ways(ds, base, axis)
    with row:
        test_samples = state.control(
            st.segmented_control, f"Asked about {many}", list(ways), name="recognition.asked",
            default=next(iter(ways)), accept=ways.__contains__, format_func=ways.get, required=True,
            key=f"recognition.asked {' '.join(ways)}",
            help=f"Semi-supervised methods learn from {many} without a label too (transductive). Others "
            f"of each {unit} are kept from all methods until they are asked about (out of sample).",
        )  # fmt: skip
        metric = state.control(
            st.segmented_control, "Nearest", list(words.METRICS), name="recognition.metric",
            default="euclidean", accept=words.METRICS.__contains__, format_func=words.METRICS.get,
            required=True,
            help="Features are compared by Euclidean distance, or by the angle between them (cosine).",
        )  # fmt: skip
    return ComparisonSettings(tuple(rows), axis, _values(ds, axis, base), splits, test_samples, metric, base)


def _ways(ds: Dataset, base: Any, axis: Axis) -> dict[TestSamples, str]:
    """Return the kinds of samples to evaluate on: their classes must be hidden from the methods."""
    ways: dict[TestSamples, str] = {"seen": "seen without label", "unseen": "never seen"}
    if not any(base.split.get(name) for name in ("held_out_per_class", "held_out_fraction")):
        del ways["unseen"]
    elif axis != "labels" and ds.y is not None and not (ds.y[rows_of(ds, base).unlabelled] >= 0).any():
        # All labels there are have been given, as with an upload that is labelled in part.
        del ways["seen"]
    return ways


def _values(ds: Dataset, axis: Axis, base: Any) -> tuple[int, ...]:
    if axis == "labels":
        return tuple(label_counts(ds, dict(base.split)))
    return tuple(dimensions(ds, rows_of(ds, base))) if axis == "dimension" else ()


def _recognises(spec: Spec) -> bool:
    return spec.recognition == "predict" or bool({"embedding", "transform"} & spec.gives)


def _results(choice: Chosen, question: ComparisonSettings, trials: Table, done: Mapping[str, Result]) -> None:
    shares, refused = _shares(question, trials, done)
    titles = {row.id: title(row) for row in question.rows}
    if question.axis == "method":
        accuracy_charts.by_method(
            "by method", titles, {id: accuracies[0] for id, accuracies in shares.items()}
        )
    else:
        label = (
            f"labelled {words.samples(choice.data)} of each {words.class_unit(choice.data)}"
            if question.axis == "labels"
            else "parts or directions"
        )
        accuracy_charts.along(f"along {question.axis}", titles, question.values, shares, label)
    st.caption(progress(len(done), len(trials.in_turn())))
    if not trials.whole(done) and len(trials.in_turn()) >= unattended.LONG:
        name = f"Recognition on {choice.data.title}: {', '.join(titles.values())}"
        unattended.offer_table(name, "recognition", trials.in_turn, key="recognition unattended")
    features = {row.id: described(row.spec, question.test_samples) for row in question.rows}
    st.markdown(table(titles, question.values, shares, refused, features))
    _unlike_features(choice, question)
    file = partial(table_file, titles, question.values, shares, refused, features)
    _download(choice, question, trials, done, file)
    messages = {trials.problem(done, place, question.score) for place in trials.trials} - {""}
    for message in sorted(messages)[:3]:
        st.caption(f"–: {message}")
    _differences(choice, question, titles, shares)


def _unlike_features(choice: Chosen, question: ComparisonSettings) -> None:
    """Say that a difference between rows may be one between features, and offer to make them alike."""
    if not unlike([row.spec for row in question.rows], question.test_samples):
        return
    possible = "unseen" in _ways(choice.data, question.base, question.axis)
    unlike_features.sentence(
        "Ask all about samples never seen", {"recognition.asked": "unseen"} if possible else None,
        help="Then every method finds the features of each sample asked about by itself.",
    )  # fmt: skip


def _download(
    choice: Chosen,
    question: ComparisonSettings,
    trials: Table,
    done: Mapping[str, Result],
    table: Callable[[], TableFile],
) -> None:
    """Offer the table, its figure, and as CSV every split of every method, asked in every way."""
    if not done:
        return
    names = {score.name: score.name for score in ACCURACIES}
    downloads(
        "recognition", name=file_stem("recognition", choice.dataset), table=table,
        svg=_figure(choice, question, trials, done), numbers=lambda: trials.as_csv(done, names),
    )  # fmt: skip


def _figure(choice: Chosen, question: ComparisonSettings, trials: Table, done: Mapping[str, Result]) -> str:
    looks = [(row.id, title(row), colour(row.spec.id, "light")) for row in question.rows]
    shares, _ = _shares(question, trials, done)
    test_title = _ways(choice.data, question.base, question.axis)[question.test_samples]
    if question.axis == "method":
        rows = [FigureRow(name, look, _measured(shares[id][0])) for id, name, look in looks]
        return rows_svg(rows, f"recognised of those {test_title}")
    lines = []
    for id, name, look in looks:
        along = [(value, _measured(row)) for value, row in zip(question.values, shares[id], strict=True)]
        points = [(value, *mean_and_spread(measured)) for value, measured in along if measured]
        lines.append(FigureLine(name, look, points))
    unit = "labelled of each class" if question.axis == "labels" else "parts or directions"
    return lines_svg(lines, f"{unit}; recognised of those {test_title}")


def _measured(shares: np.ndarray) -> list[float]:
    return [float(share) for share in shares[~np.isnan(shares)]]


def _shares(
    question: ComparisonSettings, trials: Table, done: Mapping[str, Result]
) -> tuple[dict[str, np.ndarray], set[tuple[str, int]]]:
    """Return for each method its accuracy, values × splits, NaN where missing, and the cells refused."""
    along = question.values or (None,)
    accuracies = {
        row.id: np.array([trials.values(done, (row.id, value), question.score) for value in along])
        for row in question.rows
    }
    refused = {
        (row.id, place)
        for row in question.rows
        for place, value in enumerate(along)
        if trials.problem(done, (row.id, value), question.score)
    }
    return accuracies, refused


def _differences(
    choice: Chosen, question: ComparisonSettings, titles: dict[str, str], shares: dict[str, np.ndarray]
) -> None:
    if len(question.rows) < 2:
        return
    st.header("Is the best one better, or only luckier?")
    at = 0
    if len(question.values) > 1:
        middle = question.values[len(question.values) // 2]
        value = state.control(
            st.select_slider, "At", list(question.values), name=f"recognition.{question.axis}.at",
            default=middle, accept=question.values.__contains__, key=f"at {question.axis} {question.values}",
        )  # fmt: skip
        at = question.values.index(value)
    split = dict(question.base.split)
    if question.axis == "labels":
        split.pop("labelled_fraction", None)
        split["labelled_per_class"] = question.values[at]
    rows = rows_of(choice.data, replace(question.base, split=split))
    test_rows = rows.unlabelled if question.test_samples == "seen" else rows.held_out
    # Samples without a label are learnt from too.
    ratio = test_rows.size / max(1, rows.train.size)
    lines = sentences(titles, {id: accuracies[at] for id, accuracies in shares.items()}, ratio)
    for sentence in lines:
        st.markdown(f"- {sentence}")
    if not lines:
        st.caption("This can be said as soon as two methods have results here.")
        return
    st.caption(
        "A paired test over the splits, corrected because splits share most of their samples (Nadeau and "
        "Bengio 2003) and because several methods are compared with the best one (Holm)."
    )
