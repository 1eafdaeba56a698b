"""The terms of an objective are told apart by their colours, whatever method they are of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import methods
from experiments import RunRequest
from experiments.engine.run import Run


def places(repository: Path) -> dict[str, int]:
    """Where each term stands in the list of colours, as the chart has it."""
    script = (repository / "ui" / "static" / "chart.js").read_text()
    table = script.split("const PLACES = {")[1].split("}")[0]
    return {
        quoted or plain: int(place) for quoted, plain, place in re.findall(r'(?:"(.+?)"|(\w+)): (\d)', table)
    }


@pytest.mark.parametrize("method", methods.names())
def test_every_term_of_a_method_has_a_colour_of_its_own(method: str, repository: Path) -> None:
    dataset = "planted_views" if "views" in methods.spec(method).needs else "swimmer"
    run = Run(RunRequest(dataset, method))
    run.advance()
    assert run.terms, run.message
    known = places(repository)
    assert set(run.terms) <= set(known), "a term without a colour"
    assert len({known[term] for term in run.terms}) == len(run.terms), "two terms of one colour"
