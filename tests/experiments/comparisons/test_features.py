"""A comparison knows which of its rows look at unlike features, and says by what each tells samples apart."""

from __future__ import annotations

import numpy as np
import pytest

import methods
from experiments import RunRequest
from experiments.comparisons.features import described, source, unlike
from experiments.engine.run import Run
from experiments.measures.scores import features
from methods.coefficients import feature_map


def test_n2s2l_looks_at_its_own_first_part_of_samples_it_has_seen_and_at_all_parts_of_others() -> None:
    n2s2l, nmf, hgf = (methods.spec(id) for id in ("n2s2l", "nmf", "hgf"))
    assert described(n2s2l, "seen") == "V¹, learnt with the samples"
    assert described(n2s2l, "unseen") == described(nmf, "seen") == "least squares onto all parts"
    assert unlike([n2s2l, nmf], "seen")
    assert not unlike([n2s2l, nmf], "unseen")
    assert not unlike([nmf, hgf], "seen"), "who names classes itself has none"


@pytest.mark.parametrize("id", ["n2s2l", "nmf", "pca", "lda"])
def test_it_says_what_is_done(id: str) -> None:
    """The scores look at the embedding where it says learnt, and at the transform where it does not."""
    spec = methods.spec(id)
    params = {"max_iter": 5, "n_components": 50} if id in ("n2s2l", "nmf") else {}
    run = Run(RunRequest("orl", id, params, dataset_options={"size": 16}))
    while run.advance():
        pass
    used = features(spec, run.estimator, run.prepared.X)
    transformed = np.asarray(run.estimator.transform(run.prepared.X))
    same = used.shape == transformed.shape and np.allclose(used, transformed)
    assert same == (source(spec, "seen") == "new")
    if described(spec, "seen") == "least squares onto all parts":
        fitted = run.prepared.X @ feature_map(run.estimator.components_, "ridge")
        np.testing.assert_allclose(used, fitted, rtol=1e-3, atol=1e-4)
