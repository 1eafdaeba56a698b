"""Methods that are compared, each with its usual parameters, and some again with parameters of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from experiments.comparisons.comparison import Contestant
from experiments.requests.library import Spec
from ui import chosen_params, controls, state
from ui.sidebar import Chosen

MOST_OWN = 4


def contestants(
    choice: Chosen, specs: Sequence[Spec], *, name: str, most: int, untuned: bool = True
) -> list[Contestant]:
    """Show where parameters are chosen, and return who is compared, `most` at the most.

    All methods of `specs` come first, with the parameters chosen for them elsewhere or else the usual ones.
    `name` begins the names of the choices. Tuned methods can be had as they usually are, too, if `untuned`.
    """
    usual = [_with(spec, chosen_params.chosen(choice.dataset, spec.id)) for spec in specs]
    own = [one for one in _own(specs, name) if one not in usual]
    if specs:
        with st.popover("Parameters per method", help="The same method may stand again with others."):
            if untuned:
                _add_untuned(usual, own, name)
            _add(choice, specs, [*usual, *own], own, name)
            for contestant in own:
                label = f"Remove {title(contestant)}"
                st.button(
                    label, key=f"{name} remove {contestant.id}", on_click=_remove, args=(name, contestant)
                )
    return [*usual, *own][:most]


def title(contestant: Contestant) -> str:
    """Return what a contestant is called: the method, and the parameters that are not the usual ones."""
    spec, params = contestant.spec, dict(contestant.params)
    return f"{spec.title} ({chosen_params.words(spec.id, params)})" if params else spec.title


def _own(specs: Sequence[Spec], name: str) -> list[Contestant]:
    by_id = {spec.id: spec for spec in specs}
    own: list[Contestant] = []
    for text in state.get(f"{name}.own", [], lambda texts: len(texts) <= MOST_OWN):
        id, _, params_text = text.partition(";")
        if id in by_id:
            contestant = _with(by_id[id], chosen_params.from_text(by_id[id], params_text))
            if contestant not in own:
                own.append(contestant)
    return own


def _with(spec: Spec, params: Mapping[str, Any]) -> Contestant:
    return Contestant(spec, tuple(sorted(params.items())))


def _add_untuned(usual: Sequence[Contestant], own: Sequence[Contestant], name: str) -> None:
    """Offer to compare methods that have been tuned with themselves as they usually are."""
    for tuned in usual:
        untuned = Contestant(tuned.spec)
        if tuned.params and untuned not in own:
            st.button(
                f"Add {tuned.spec.title} with its usual parameters", key=f"{name} usual {tuned.spec.id}",
                on_click=_put, args=(name, [*own, untuned]), disabled=len(own) >= MOST_OWN,
                help="To see what the parameters chosen for these data are worth.",
            )  # fmt: skip


def _add(
    choice: Chosen, specs: Sequence[Spec], there: Sequence[Contestant], own: Sequence[Contestant], name: str
) -> None:
    by_id = {spec.id: spec for spec in specs}
    id = state.control(
        st.selectbox, "Method", list(by_id), name=f"_{name}.with", default=next(iter(by_id)),
        accept=by_id.__contains__, format_func=lambda id: by_id[id].title,
    )  # fmt: skip
    spec, facts = by_id[id], choice.facts
    values = controls.parameters(spec, facts, f"_{name}.with")
    start = spec.starting_values(facts)
    differing = {key: value for key, value in values.items() if value is not None and value != start[key]}
    contestant = _with(spec, differing)
    if len(own) >= MOST_OWN:
        st.caption(
            f"{MOST_OWN} rows have parameters of their own, as many as there may be: remove one first."
        )
    elif not differing:
        st.caption("These are the usual parameters. Change one to have the method stand twice.")
    elif contestant in there:
        st.caption("The method stands with these parameters already.")
    else:
        st.button("Add this row", key=f"{name} add", on_click=_put, args=(name, [*own, contestant]))


def _put(name: str, own: Sequence[Contestant]) -> None:
    texts = [f"{one.spec.id};{chosen_params.as_text(dict(one.params))}" for one in own]
    state.put(f"{name}.own", texts, [])


def _remove(name: str, contestant: Contestant) -> None:
    texts: list[Any] = state.get(f"{name}.own", [])
    gone = f"{contestant.spec.id};{chosen_params.as_text(dict(contestant.params))}"
    state.put(f"{name}.own", [text for text in texts if text != gone], [])
