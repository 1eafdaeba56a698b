"""The shared sidebar: data set, how much of it is labelled, seed. Every page works on what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from experiments import RunRequest, Split
from experiments.requests.by_hand import Pair
from experiments.requests.intake import is_from_file, is_upload
from experiments.requests.library import (
    Card,
    Dataset,
    Facts,
    card,
    cards,
    facts,
    is_here,
    load_dataset,
    rows_of,
)
from ui import data_options, fetching, state, uploads, words
from ui.by_hand import hand_labels, hand_links, hand_pairs, set_aside
from ui.plain import as_text

_DEFAULT = "orl"
# What one sees at once what it is made of: faces, limbs, strokes, words.
_GOOD_FIRST = ("orl", "swimmer", "digits", "docstrings")
_FIRST, _TO_FETCH = "good first", "to fetch"
_KINDS = {"images": "pictures", "documents": "documents", "table": "tables"}
_LARGEST_SEED = 9999
_SHARE = 20
_BY = {"number": "of each {}", "share": "share of all", "given": "as the file says"}
_SPLIT = ("by", "share", "labelled", "seed")
_DRAWN = "_sidebar.drawn"
# Pages that show what they show whatever the data are.
_WITHOUT_DATA = {"start", "lessons", "methods", "papers", "runs"}


@dataclass(frozen=True)
class Chosen:
    """What the sidebar says."""

    dataset: str
    options: Mapping[str, Any]
    split: Mapping[str, Any]
    seed: int

    @property
    def data(self) -> Dataset:
        """The data set, from memory after the first time."""
        return load_dataset(self.dataset, **self.options)

    @property
    def rows(self) -> Split:
        """Which rows are labelled."""
        return rows_of(self.data, self.request("pca", {}))

    @property
    def facts(self) -> Facts:
        """The sizes from which automatic parameter values follow."""
        return facts(self.data, self.rows)

    @property
    def labels(self) -> hand_labels.HandLabels:
        """The labels the visitor has given to these samples."""
        count = self.data.n_samples
        return tuple(label for label in set_aside.given(self.dataset, count) if label[0] < count)

    def request(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        labels: hand_labels.HandLabels | None = None,
        pairs: tuple[Pair, ...] = (),
    ) -> RunRequest:
        """Return the request to run a method on this choice; `labels` default to the visitor's own."""
        return RunRequest(
            self.dataset, method, params, dataset_options=self.options, split=self.split, seed=self.seed,
            labels=self.labels if labels is None else labels, pairs=pairs,
        )  # fmt: skip


def chosen() -> Chosen:
    """Return the present choice without showing any control."""
    dataset = state.get("data", _DEFAULT, _is_available)
    options = data_options.chosen_options(dataset)
    if data_options.problem(dataset, options):
        options = {option.name: option.default for option in card(dataset).options}
    seed = state.get("seed", 0, _is_seed)
    return Chosen(dataset, options, _split(load_dataset(dataset, **options)), seed)


def _is_available(dataset: str) -> bool:
    """Say whether these data are here, and this visitor's if somebody uploaded them."""
    if is_upload(dataset):
        return dataset in uploads.mine()
    if is_from_file(dataset):
        return is_here(dataset)
    return dataset in {entry.id for entry in cards()} and is_here(dataset)


def _split(ds: Dataset) -> dict[str, Any]:
    """Return how much is labelled, as `experiments.split` takes it."""
    if ds.y is None:
        return {}
    usual, most = _usual_way(ds), _most_labelled(ds)
    if state.get("by", usual, _ways(ds).__contains__) == "given":
        return {"given": True}
    if most < 1 or state.get("by", usual, _ways(ds).__contains__) == "share":
        share = state.get("share", _usual_share(ds), _is_share(ds))
        return {"labelled_fraction": share / 100}
    return {"labelled_per_class": state.get("labelled", min(2, most), lambda value: 1 <= value <= most)}


def show(page: str) -> None:
    """Draw the controls, on pages about chosen data; what they say is had from `chosen`."""
    uploads.begin(state.get("data", ""))
    if page in _WITHOUT_DATA:
        return
    with st.sidebar:
        listed = _listed(state.get("data", ""))
        selected = state.control(
            st.selectbox, "Data", list(listed), name="data", default=_DEFAULT,
            accept=listed.__contains__, format_func=listed.get,
        )  # fmt: skip
    # On the page: on a telephone nobody sees the sidebar.
    with st.spinner(_reading(card(selected))):
        dataset = chosen().dataset
    with st.sidebar:
        if selected == dataset:
            set_aside.look(dataset, chosen().data.n_samples)
            hand_links.keep(dataset, chosen().data.n_samples)
        fetching.menu()
        data_options.controls(dataset)
        _split_controls(chosen().data)
        _seed_control()
        st.caption(_in_words(chosen()))
        if hand_links.too_many():
            st.caption("You have said more by hand than an address can hold: a link will not carry it.")
        set_aside.controls(dataset, chosen().data.n_samples)
        _reset_button(dataset)
    if selected != dataset:
        # On a telephone, and where the app is embedded, nobody sees the sidebar.
        fetching.offer(selected, card(dataset).title)
    state.put(_DRAWN, _sayings())


def _listed(named: str) -> dict[str, str]:
    """Return the data sets as the menu has them, group after group: those that are here, and the one named.

    What is to be fetched first has a menu of its own (`fetching.menu`).
    """
    groups: dict[str, list[str]] = {group: [] for group in (_FIRST, *_KINDS.values(), _TO_FETCH)}
    groups[_FIRST] = [id for id in _GOOD_FIRST if is_here(id)]
    for entry in cards():
        if is_here(entry.id) and entry.id not in _GOOD_FIRST:
            groups[_KINDS[entry.kind]].append(entry.id)
        elif entry.id == named and not is_here(named):
            groups[_TO_FETCH].append(named)
    listed = {id: f"{card(id).title} · {group}" for group, ids in groups.items() for id in ids}
    listed |= {id: f"{card(id).title} (yours)" for id in uploads.mine()}
    if is_from_file(named) and _is_available(named):
        listed.setdefault(named, card(named).title)
    return listed


def follow() -> None:
    """Draw the whole page again if the sidebar no longer says what is so.

    For fragments that change the data or their labels: they run without the sidebar.
    """
    if state.get(_DRAWN, _sayings()) != _sayings():
        st.rerun()


def _sayings() -> tuple[Any, ...]:
    choice = chosen()
    pairs = hand_pairs.given(choice.dataset, choice.data.n_samples)
    return choice.dataset, tuple(sorted(choice.options.items())), _in_words(choice), choice.labels, pairs


def _split_controls(ds: Dataset) -> None:
    if ds.y is None:
        return
    unit, most, many = words.class_unit(ds), _most_labelled(ds), words.samples(ds)
    by, ways = "share", _ways(ds)
    if len(ways) > 1:
        by = state.control(
            st.segmented_control, f"Labelled {many}", ways, name="by", default=_usual_way(ds),
            accept=ways.__contains__, format_func=lambda way: _BY[way].format(unit), required=True,
            key="by" if len(ways) < len(_BY) else "by, given too",
            help=f"How many {many} a method may know the {unit} of. All others it sees unlabelled.",
        )  # fmt: skip
    if by == "share":
        largest = _largest_share(ds)
        state.control(
            st.slider, f"Share of the {many} labelled", 1, largest, name="share", default=_usual_share(ds),
            accept=_is_share(ds), format="%d %%", key=f"share up to {largest}",
            label_visibility="collapsed" if most > 0 else "visible",
        )  # fmt: skip
    elif by == "number" and most > 1:
        state.control(
            st.slider, f"Labelled {many} of each {unit}", 1, most, name="labelled", default=min(2, most),
            accept=lambda value: 1 <= value <= most, label_visibility="collapsed",
            key=f"labelled of {unit} {most}",
        )  # fmt: skip


def _seed_control() -> None:
    state.control(
        st.number_input, "Seed", 0, _LARGEST_SEED, name="seed", default=0, step=1, accept=_is_seed,
        help="Decides what is labelled and where random starts begin. Same seed, same result.",
    )  # fmt: skip


def _reset_button(dataset: str) -> None:
    """Offer the way back, if there is anything to go back from."""
    ours = [*_SPLIT, *data_options.names(dataset)]
    if state.changed(ours):
        st.button("Back to defaults", on_click=state.reset, args=(ours,), width="stretch")


def _is_seed(value: Any) -> bool:
    return bool(0 <= value <= _LARGEST_SEED)


def _is_share(ds: Dataset) -> Callable[[Any], bool]:
    return lambda value: 1 <= value <= _largest_share(ds)


def _is_partly_labelled(ds: Dataset) -> bool:
    return ds.y is not None and bool((ds.y < 0).any())


def _largest_share(ds: Dataset) -> int:
    # What has no class stays to be found out even if every known label is used.
    return 100 if _is_partly_labelled(ds) else 90


def _ways(ds: Dataset) -> list[str]:
    """Return the ways to say what is labelled that make sense for these data."""
    fitting = {"number": _most_labelled(ds) > 0, "share": True, "given": ds.given is not None}
    return [way for way in _BY if fitting[way]]


def _reading(data: Card) -> str:
    """Return what is said while data are read, which is seen only if that takes a while."""
    why = " The first time, its texts are gathered from many files." if data.kind == "documents" else ""
    return f"Reading {as_text(data.title)} …{why}"


def _usual_way(ds: Dataset) -> str:
    if ds.given is not None:
        return "given"
    return "share" if is_upload(ds.id) and _is_partly_labelled(ds) else "number"


def _usual_share(ds: Dataset) -> int:
    # Who uploads data with gaps among the labels wants the labels used and the gaps filled.
    return 100 if _usual_way(ds) == "share" else _SHARE


def _most_labelled(ds: Dataset) -> int:
    """Return how many samples of each class can be labelled and still leave one to recognise."""
    if ds.y is None:
        return 0
    # A class may have a name and no sample.
    sizes = np.bincount(ds.y[ds.y >= 0])
    return int(sizes[sizes > 0].min()) - 1


def _in_words(choice: Chosen) -> str:
    ds, rows = choice.data, choice.rows
    summary = words.counted(ds.n_samples, *words.sample_words(ds))
    by_hand = rows.labelled.size - rows_of(ds, choice.request("pca", {}, labels=())).labelled.size
    if ds.y is None:
        summary = f"{summary} without classes"
        return f"{summary}; {words.number(by_hand)} named by hand." if by_hand else f"{summary}."
    many = words.counted(ds.n_classes, words.class_unit(ds), words.class_units(ds))
    labelled = f"{summary} of {many}; {words.number(rows.labelled.size)} of them labelled"
    return f"{labelled}, {words.number(by_hand)} by hand." if by_hand else f"{labelled}."
