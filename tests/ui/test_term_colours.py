"""The terms of an objective are told apart by their colours, whatever method they are of."""

from __future__ import annotations

import pytest

import methods
from experiments import RunRequest
from experiments.engine.run import Run
from ui import palette


@pytest.mark.parametrize("method", methods.names())
def test_every_term_of_a_method_has_a_colour_of_its_own(method: str) -> None:
    dataset = "planted_views" if "views" in methods.spec(method).needs else "swimmer"
    run = Run(RunRequest(dataset, method))
    run.advance()
    assert run.terms, run.message
    terms = palette.terms(list(run.terms))
    for theme in ("light", "dark"):
        assert len({term[theme] for term in terms}) == len(run.terms), "two terms of one colour"


def test_a_term_nobody_has_named_takes_a_colour_that_is_left() -> None:
    known, own, other = palette.terms(["reconstruction", "my_own", "another"])
    assert own["title"] == "my own"
    assert len({known["light"], own["light"], other["light"]}) == 3
    assert palette.terms(["smoothness", "reconstruction"])[1] == known
