"""A sample as weight × part + … + rest: the terms add up to what the method makes of it."""

from __future__ import annotations

import numpy as np

from experiments.inspection.decomposition import Summands
from ui.blocks import unpacked
from ui.live.opening_run import REQUEST, SAMPLE
from ui.static_files import STATIC
from ui.strip import decomposed


def summands(mean: float = 0.0) -> Summands:
    rng = np.random.default_rng(0)
    parts, weights = rng.random((9, 12)), rng.normal(size=9)
    return Summands(rng.random(12), weights, parts, np.full(12, mean), (3, 4))


def test_terms_add_up_the_largest_first() -> None:
    for mean in (0.0, 0.7):
        sum_of = summands(mean)
        terms = sum_of.terms(4)
        assert [term.kind for term in terms] == ["mean"] * (mean > 0) + ["part"] * 4 + ["rest"]
        assert np.allclose(sum(term.weight * term.values for term in terms), sum_of.whole)
        size = [np.linalg.norm(term.weight * term.values) for term in terms if term.kind == "part"]
        assert size == sorted(size, reverse=True)
        assert terms[-1].count == 5
    assert {np.sign(term.weight) for term in terms if term.kind == "part"} == {-1, 1}
    assert all(term.values.max() == 1 for term in terms if term.kind == "part"), (
        "it looks the same subtracted"
    )


def test_parts_that_are_off_are_not_in_the_rest() -> None:
    sum_of = summands()
    shown = {term.number for term in sum_of.terms(4)}
    off = next(number for number in range(9) if number not in shown)
    rest = sum_of.terms(4, {off})[-1]
    assert rest.count == 4
    left_out = sum_of.weights[off] * sum_of.parts[off]
    whole = sum(term.weight * term.values for term in sum_of.terms(4, {off}))
    assert np.allclose(whole + left_out, sum_of.whole)


def test_bytes_for_the_browser_keep_the_sum() -> None:
    sum_of = summands(0.7)
    header, blocks = decomposed(sum_of, 4)
    values = blocks["values"].reshape(-1, 12).astype(float)
    signed = [term["signed"] for term in header["terms"]]
    decoded = [
        (row - 128) / 127 if is_signed else row / 255
        for row, is_signed in zip(values[1:], signed, strict=True)
    ]
    weights = [term["weight"] for term in header["terms"]]
    assert np.abs(np.array(weights) @ decoded - sum_of.whole).max() < 0.02
    assert header["shape"] == [3, 4]
    # Features that are no pixels: the eight that matter most, with their names.
    named = Summands(sum_of.original, sum_of.weights, sum_of.parts, names=[f"word {i}" for i in range(12)])
    header, blocks = decomposed(named, 4)
    assert len(header["names"]) == 8
    assert all(len(term["words"]) == 3 for term in header["terms"] if term["kind"] == "part")
    assert blocks["values"].size == 8 * (1 + len(header["terms"]))


def test_the_recorded_opening_is_the_run_it_is_said_to_be() -> None:
    header, blocks = unpacked((STATIC / "opening.bin").read_bytes())
    params = REQUEST.params
    assert header["iterations"][0] == 0
    assert header["iterations"][-1] == params["max_iter"]
    assert header["parts"] == params["n_components"]
    from experiments.requests.prepare import prepare

    prepared = prepare(REQUEST)
    prepared.estimator.fit(prepared.X)
    use = prepared.estimator.embedding_[SAMPLE] * prepared.estimator.components_.max(axis=1)
    assert np.allclose(blocks["weights"][-header["parts"] :], use, atol=0.02)
