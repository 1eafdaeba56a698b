"""Which runs answer on the occlusion and the noise page: what they learn from, what is held out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from experiments import RunRequest
from experiments.comparisons.comparison import Contestant
from experiments.requests.corruption import is_noise, settings
from experiments.requests.library import Spec, facts, rows_of
from ui.robustness.options import Options, shape_of
from ui.sidebar import Chosen


def request_of(choice: Chosen, one: Contestant, options: Options) -> RunRequest:
    """Return the run of a method that learns as the options say."""
    ds, spec = choice.data, one.spec
    n_held_out = held_out(choice, spec, options.tested)
    bare = choice.request(spec.id, {})
    bare = replace(bare, split={**bare.split, "held_out_per_class": n_held_out})
    if options.tested == "covered":
        # Those in the panel have learnt from pictures spoiled as much as in the middle of the paper's figure.
        amount = 20 if is_noise(options.kind) else round(min(shape_of(ds)) * 20 / 64)
        bare = replace(bare, corruption=settings(options.kind, amount))
    sizes = facts(ds, rows_of(ds, bare))
    usual = {name: value for name, value in spec.starting_values(sizes).items() if value is not None}
    params = usual | dict(one.params)
    if options.tested == "covered" and n_held_out and "solver" in usual.keys() - dict(one.params).keys():
        # As in the benchmark of Figure 4. From hardly more pictures than parts, ours goes on to parts so
        # alike that their pseudo-inverse makes much of covered pixels: 54 % behind 20 of them, not 66 %.
        params["solver"] = "multiplicative"
    return replace(bare, params=params)


def held_out(choice: Chosen, spec: Spec, tested: str) -> int:
    """Return how many samples of each class are held out from a method."""
    ds = choice.data
    assert ds.y is not None
    sizes, labelled = (np.bincount(codes[codes >= 0]) for codes in (ds.y, ds.y[choice.rows.labelled]))
    smallest, most_labelled = int(sizes[sizes > 0].min()), int(labelled.max(initial=0))
    if tested == "held":
        return min(max(1, (smallest - most_labelled) // 2), smallest - 1)
    alike = smallest == sizes.max() and np.unique(labelled).size == 1
    # Everything but the labelled, if that is the same number of each class.
    return smallest - most_labelled if tested == "covered" and "labels" not in spec.needs and alike else 0
