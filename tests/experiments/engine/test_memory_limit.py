"""What would take too much memory is refused before it takes any, and what does all the same says so."""

from __future__ import annotations

import pytest

import methods
from experiments import RunRequest
from experiments.engine.run import Run
from experiments.engine.service import Service
from experiments.requests import memory
from methods import Facts
from tests.experiments.engine.test_service import short
from tests.waiting import PATIENCE, ended

# How many GB 50 000 samples would need, and how many samples 8 GB are enough for.
ATTACKED = {
    "kernel_pca": (91, 14_000),
    "gaussian_nmf": (141, 11_000),
    "lap_svm": (91, 14_000),
    "s_rlsc": (122, 12_000),
    "hgf": (111, 13_000),
    "lnp": (18, 32_000),
}


def usual(method: str) -> dict[str, object]:
    return {param.name: param.default for param in methods.spec(method).params}


@pytest.mark.parametrize("method", ATTACKED)
def test_what_compares_all_samples_is_refused_with_what_would_fit(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(memory.LIMIT, "8000")
    spec, facts = methods.spec(method), Facts(50_000, 900, 1000, 10)
    gigabytes, fits = ATTACKED[method]
    params = usual(method) | {"n_components": 78}
    words = memory.refusal(spec, facts, params)
    assert f"would need about {gigabytes} GB" in words
    assert "8.0 GB here" in words
    assert f"{fits:,} samples at most".replace(",", "\u202f") in words
    assert not memory.refusal(spec, Facts(fits, 900, 1000, 10), params)
    # What is said to fit does.
    for choices, offered in memory._LIGHTER:
        if words.endswith(f"or {offered}."):
            assert not memory.refusal(spec, facts, params | choices)
    assert memory.outlook(spec, facts, params) == words
    assert ("a graph of neighbours alone with the iterative solver." in words) == (
        "hgf" in (method, spec.instead)
    )
    assert ("or the iterative solver." in words) == (method == "lnp")
    if spec.instead:
        assert f"or {methods.spec(spec.instead).title}" in words


def test_more_components_than_could_ever_be_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.LIMIT, "8000")
    spec = methods.spec("nmf")
    words = memory.refusal(spec, Facts(50_000, 900), usual("nmf") | {"n_components": 50_000})
    assert "n_components=2900 at most" in words
    assert not memory.refusal(spec, Facts(50_000, 900), usual("nmf") | {"n_components": 2900})


@pytest.mark.parametrize("method", methods.names())
def test_no_method_is_refused_what_it_is_made_for(method: str) -> None:
    """The faces of the papers, and ten thousand rows of what compares only neighbours, fit a laptop."""
    facts = Facts(400, 4096, 80, 40, (64, 64))
    params = usual(method) | {"n_components": 78}
    assert 4096 * 400 * 8 <= methods.spec(method).memory(facts, params) < 2e9
    twice = methods.spec(method).memory(Facts(800, 4096, 160, 40, (64, 64)), params)
    assert twice > methods.spec(method).memory(facts, params)


def test_a_run_says_so_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.LIMIT, "1")
    run = Run(RunRequest("swimmer", "kernel_pca", {"n_components": 5}))
    run.advance()
    assert run.status == "failed"
    assert "would need about 0.0 GB" in run.message
    assert "samples at most" in run.message


def test_nonsense_in_the_environment_is_refused_before_a_worker_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(memory.LIMIT, "much")
    with pytest.raises(ValueError, match="PARTWISE_WORKER_MB must be a whole number"):
        Service(1)


def test_a_worker_that_is_out_of_memory_says_so_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    # The estimate is kept out of the way, so that the limit of the process itself is what refuses.
    monkeypatch.setenv(memory.LIMIT, "1500")
    service = Service(1, forgotten_after=PATIENCE)
    try:
        monkeypatch.setattr(memory, "refusal", lambda *_: "")
        beside = service.submit(short())
        hungry = RunRequest("swimmer", "nmf", {"n_components": 100_000, "max_iter": 3})
        refused = ended(service.submit(hungry))
        assert refused.status == "failed"
        assert "more memory" in refused.message or "would need" in refused.message
        assert ended(beside).status == "max_iter"
        assert ended(service.submit(short(1))).status == "max_iter"
    finally:
        service.close()
