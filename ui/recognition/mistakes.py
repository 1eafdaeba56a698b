"""The confusion matrix of a method and its most confident mistakes, with pictures or texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from experiments import RunRequest
from experiments.comparisons.comparison import Contestant, compared
from experiments.fitted.fitted_job import predictions_of, verdicts_of
from experiments.fitted.verdicts import Verdicts
from experiments.measures.recognition import Metric, TestSamples
from experiments.requests.library import Dataset, rows_of
from experiments.requests.titles import sample_title
from experiments.table_files import TableFile
from ui import state, theme, waiting, words
from ui.contestants import title
from ui.downloads import downloads
from ui.pictures import side_by_side
from ui.recognition import accuracy_charts
from ui.service import service
from ui.sheet_view import sheet_view
from ui.sidebar import Chosen
from ui.waiting import Desk

_MOST = 12
# More classes than this make a table of dots.
_MOST_CLASSES = 60


def show(
    choice: Chosen,
    contestants: Sequence[Contestant],
    base: RunRequest,
    test_samples: TestSamples,
    metric: Metric,
) -> None:
    """Show confusions and mistakes of one of the methods, in the first split."""
    st.header("Who is taken for whom?")
    ids = [one.id for one in contestants]
    titles = {one.id: title(one) for one in contestants}
    id = state.control(
        st.segmented_control, "Method", ids, name="recognition.mistakes", default=ids[-1],
        accept=ids.__contains__, format_func=titles.get, required=True, key=f"mistakes of {ids}",
        label_visibility="collapsed",
    )  # fmt: skip
    chosen = [one for one in contestants if one.id == id]
    request = compared(choice.data, base, chosen, "method", (), 1).in_turn()[0].request
    try:
        handle = service().shared(request)
    except ValueError as refusal:
        st.info(str(refusal))
        return
    if not handle.ended:
        waiting.for_run(handle, f"{titles[id]} is being fitted…")
        return
    desk = Desk()
    answer = desk.ask(
        ("verdicts", request.key, test_samples, metric),
        lambda: verdicts_of(handle, service().jobs, test_samples, metric),
        patience=0.5,
    )
    if answer.message:
        st.info(answer.message)
    elif answer.done:
        _confusions(choice.data, answer.value)
        _mistakes(choice, answer.value, rows_of(choice.data, request).labelled)
        st.download_button(
            "Predicted classes (CSV)",
            lambda: predictions_of(handle, service().jobs, test_samples, metric).encode(),
            f"{id}-predictions.csv", "text/csv", key="predictions", on_click="ignore",
            help="A line a sample: its row number, the class it is taken for, and how clear that was.",
        )  # fmt: skip
    desk.watch("The answers are being looked through…")


def _confusions(ds: Dataset, verdicts: Verdicts) -> None:
    table = verdicts.confusion()
    off = table.copy()
    np.fill_diagonal(off, 0)
    worst = [divmod(int(place), len(table)) for place in np.argsort(-off, axis=None, kind="stable")[:3]]
    mix_ups = [
        f"{verdicts.names[i]} for {verdicts.names[j]} ({off[i, j]} of {table[i].sum()})"
        for i, j in worst
        if off[i, j]
    ]
    share = "" if verdicts.accuracy is None else f"{verdicts.accuracy:.0%} right in the first split. "
    st.caption(
        share
        + (f"Most often taken: {'; '.join(mix_ups)}." if mix_ups else "Nobody is taken for somebody else.")
    )
    if len(verdicts.names) <= _MOST_CLASSES:
        accuracy_charts.confusion("confusion", verdicts.names, table)


def _mistakes(choice: Chosen, verdicts: Verdicts, labelled: NDArray[np.int64]) -> None:
    wrong = verdicts.mistakes()[:_MOST]
    if not wrong.size:
        return
    st.header("The surest mistakes")
    ds = choice.data
    if ds.image_shape is None or not isinstance(ds.X, np.ndarray):
        listed = _listed(ds, verdicts, wrong)
        st.dataframe(listed, hide_index=True)
        table = TableFile("The surest mistakes", list(listed), list(zip(*listed.values(), strict=True)))
        downloads("mistakes", drawn=False, table=lambda: table)
        return
    like = [_compared_row(ds, verdicts, place, labelled) for place in wrong]
    pairs = np.stack([ds.X[verdicts.row[wrong]], ds.X[like]], axis=1)
    sheet = side_by_side(pairs, ds.image_shape, theme.current(), columns=min(4, len(pairs)))
    tips = [_tip(verdicts, place) for place in wrong]
    sheet_view("mistakes", sheet, label=f"{wrong.size} mistakes. {'; '.join(tips[:3])}.", tips=tips)
    st.caption("Left: who was asked about. Right: whom they were taken for. The surest mistake comes first.")
    # Not only under the pointer: a telephone has none.
    st.markdown("\n".join(f"{place}. {tip}" for place, tip in enumerate(tips, 1)))


def _compared_row(ds: Dataset, verdicts: Verdicts, place: int, labelled: NDArray[np.int64]) -> int:
    """Return the row that decided, or else the nearest labelled row of the predicted class."""
    if verdicts.like[place] >= 0:
        return int(verdicts.like[place])
    assert ds.y is not None
    X, row = np.asarray(ds.X), int(verdicts.row[place])
    members = labelled[ds.y[labelled] == verdicts.code[place]]
    return int(members[np.square(X[members] - X[row]).sum(axis=1).argmin()]) if members.size else row


def _tip(verdicts: Verdicts, place: int) -> str:
    truth, code = verdicts.names[verdicts.truth[place]], verdicts.names[verdicts.code[place]]
    return f"{truth} taken for {code}, sure to {verdicts.sure[place]:.0%}"


def _listed(ds: Dataset, verdicts: Verdicts, wrong: NDArray[np.int64]) -> dict[str, list[str]]:
    many = words.sample(ds).capitalize()
    return {
        many: [sample_title(ds, int(verdicts.row[place])) for place in wrong],
        "Is": [verdicts.names[verdicts.truth[place]] for place in wrong],
        "Taken for": [verdicts.names[verdicts.code[place]] for place in wrong],
        "Because like": [
            "" if verdicts.like[p] < 0 else sample_title(ds, int(verdicts.like[p])) for p in wrong
        ],
        "Sure": [f"{verdicts.sure[place]:.0%}" for place in wrong],
    }
