"""The shared sidebar: data set, how much of it is labelled, seed. Every page works on what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from experiments import RunRequest, Split
from experiments.library import (
    Dataset,
    DataUnavailableError,
    Facts,
    Option,
    card,
    cards,
    facts,
    is_here,
    load_dataset,
    rows_of,
)
from ui import fetching, state

_DEFAULT = "orl"
_LARGEST_SEED = 9999
_SHARE = 20
# More options than this would push the labels off the screen.
_OPEN_OPTIONS = 3
_BY = {"number": "of each {}", "share": "share of all"}


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

    def request(self, method: str, params: Mapping[str, Any]) -> RunRequest:
        """Return the request to run a method on this choice."""
        return RunRequest(
            self.dataset, method, params, dataset_options=self.options, split=self.split, seed=self.seed
        )


def chosen() -> Chosen:
    """Return the present choice without showing any control."""
    here = [entry.id for entry in cards() if is_here(entry.id)]
    dataset = state.get("data", _DEFAULT, here.__contains__)
    options = _options(dataset)
    if _problem(dataset, options):
        options = {option.name: option.default for option in card(dataset).options}
    seed = state.get("seed", 0, _is_seed)
    return Chosen(dataset, options, _split(load_dataset(dataset, **options)), seed)


def _options(dataset: str) -> dict[str, Any]:
    return {
        option.name: state.get(f"data.{dataset}.{option.name}", option.default, _accepts(option))
        for option in card(dataset).options
    }


def _problem(dataset: str, options: Mapping[str, Any]) -> str:
    """Return why a data set cannot be had with these options; nothing if it can."""
    try:
        load_dataset(dataset, **options)
    except (ValueError, DataUnavailableError) as refusal:
        return str(refusal)
    return ""


def _split(ds: Dataset) -> dict[str, Any]:
    """Return how much is labelled, as `experiments.split` takes it."""
    most = _most_labelled(ds)
    if not most:
        return {}
    if state.get("by", "number", _BY.__contains__) == "share":
        return {"labelled_fraction": state.get("share", _SHARE, _is_share) / 100}
    return {"labelled_per_class": state.get("labelled", min(2, most), lambda value: 1 <= value <= most)}


def show() -> None:
    """Draw the controls; what they say is had from `chosen`."""
    with st.sidebar:
        names = {entry.id: fetching.listed(entry) for entry in cards()}
        wanted = state.control(
            st.selectbox, "Data", list(names), name="data", default=_DEFAULT,
            accept=names.__contains__, format_func=names.get,
        )  # fmt: skip
        dataset = chosen().dataset
        if wanted != dataset:
            fetching.offer(wanted, card(dataset).title)
        _option_controls(dataset)
        _split_controls(chosen().data)
        st.caption(_in_words(chosen()))


def _split_controls(ds: Dataset) -> None:
    unit = ds.card.class_unit if ds.card else "class"
    most = _most_labelled(ds)
    if most > 1:
        by = state.control(
            st.segmented_control, "Labelled samples", list(_BY), name="by", default="number",
            accept=_BY.__contains__, format_func=lambda way: _BY[way].format(unit), required=True,
            help="How many samples a method may know the class of. All others it sees unlabelled.",
        )  # fmt: skip
        if by == "share":
            state.control(
                st.slider, "Share of the samples labelled", 1, 90, name="share", default=_SHARE,
                accept=_is_share, format="%d %%", label_visibility="collapsed",
            )  # fmt: skip
        else:
            state.control(
                st.slider, f"Labelled samples of each {unit}", 1, most, name="labelled", default=min(2, most),
                accept=lambda value: 1 <= value <= most, label_visibility="collapsed",
                key=f"labelled of {unit} {most}",
            )  # fmt: skip
    state.control(
        st.number_input, "Seed", 0, _LARGEST_SEED, name="seed", default=0, step=1, accept=_is_seed,
        help="Decides which samples are labelled and where random starts begin. Same seed, same result.",
    )  # fmt: skip


def _option_controls(dataset: str) -> None:
    options = card(dataset).options
    with st.expander("Options") if len(options) > _OPEN_OPTIONS else st.container():
        for option in options:
            _option_control(dataset, option)
    # Several options, each acceptable, may leave nothing together: no word, for instance.
    if problem := _problem(dataset, _options(dataset)):
        st.error(f"These options do not go together: {problem}. The usual ones are used instead.")


def _option_control(dataset: str, option: Option) -> None:
    name, label = f"data.{dataset}.{option.name}", option.name.replace("_", " ").capitalize()
    common = {"name": name, "default": option.default, "accept": _accepts(option), "help": option.meaning}
    if option.kind == "choice":
        state.control(st.selectbox, label, list(option.choices), **common)
    elif option.kind == "bool":
        state.control(st.toggle, label, **common)
    else:
        whole = option.kind == "int"
        low, high = (int(option.low or 0), int(option.high or 100)) if whole else (option.low, option.high)
        state.control(st.slider, label, low, high, **common)


def _accepts(option: Option) -> Any:
    def accepted(value: Any) -> bool:
        try:
            option.check(value)
        except ValueError:
            return False
        return True

    return accepted


def _is_seed(value: Any) -> bool:
    return 0 <= value <= _LARGEST_SEED


def _is_share(value: Any) -> bool:
    return 1 <= value <= 90


def _most_labelled(ds: Dataset) -> int:
    """Return how many samples of each class can be labelled and still leave one to recognise."""
    if ds.y is None:
        return 0
    smallest = min(int((ds.y == code).sum()) for code in range(ds.n_classes))
    return min(smallest - 1, 20)


def _in_words(choice: Chosen) -> str:
    ds, rows = choice.data, choice.rows
    many = ds.card.class_units if ds.card else "classes"
    return f"{ds.n_samples} samples of {ds.n_classes} {many}; {rows.labelled.size} of them labelled."
