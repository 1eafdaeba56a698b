"""A contest fills in while it is looked at, costs nothing twice, and says what cannot be compared."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

import datasets
from experiments import RunRequest, run
from experiments.comparisons.contest import SPLITS, Contest
from experiments.comparisons.fusion import MEASURES, Contender, contenders, measured
from experiments.engine.background import Background
from tests.waiting import until

LIKE = RunRequest("planted_views", "sulf", dataset_options={"samples": 60}, split={"labelled_fraction": 0.3})
QUICK = {"n_components": 5, "max_iter": 3}
EVERYBODY = (
    Contender("CCA", "several views", "cca", {"n_components": 3}),
    Contender("SULF", "several views", "sulf", QUICK),
)


class Workers:
    """Fits at once, or not before it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.handles: dict[str, Any] = {}
        self.ended = True

    def fit(self, request: RunRequest) -> Any:
        self.asked.append(request.key)
        if request.key not in self.handles:
            record = run(request)
            self.handles[request.key] = SimpleNamespace(
                id=request.key, request=request, ended=self.ended, status=record.status, message="",
                scores=record.scores,
                final=lambda: record.arrays,
            )  # fmt: skip
        return self.handles[request.key]


def to_the_end(contest: Contest) -> None:
    def ready() -> bool:
        contest.advance()
        return contest.known == contest.whole

    until(ready)


def test_every_cell_is_what_a_run_of_its_own_gives() -> None:
    workers = Workers()
    contest = Contest(LIKE, EVERYBODY, workers.fit, Background())
    to_the_end(contest)
    assert contest.whole == 2 * SPLITS
    for index, one in enumerate(EVERYBODY):
        request = one.request(LIKE, seed=3)
        record = run(request)
        alone = measured(request, record.scores, record.arrays["embedding"])
        for measure in MEASURES:
            assert contest.values(index, measure)[3] == alone[measure]
            assert len(contest.values(index, measure)) == SPLITS
    asked = len(workers.asked)
    contest.advance()
    assert len(workers.asked) == asked, "what is known is not asked for again"


def test_only_a_few_runs_are_under_way_at_once_and_all_of_the_first_split_come_first() -> None:
    workers = Workers()
    workers.ended = False
    contest = Contest(LIKE, EVERYBODY, workers.fit, Background())
    contest.advance()
    assert len(workers.handles) == 3
    assert [handle.request.seed for handle in workers.handles.values()] == [0, 0, 1]
    assert contest.known == 0
    contest.advance()
    assert len(workers.handles) == 3, "nothing new before something has ended"


@pytest.mark.parametrize("status", ["stopped", "interrupted"])
def test_runs_that_were_cut_short_are_made_anew(status: str) -> None:
    workers = Workers()
    contest = Contest(LIKE, EVERYBODY[:1], workers.fit, Background())
    contest.advance()
    for handle in workers.handles.values():
        handle.status = status
    contest.advance()
    assert contest.known == 0
    workers.handles.clear()
    to_the_end(contest)
    assert len(contest.values(0, "nmi")) == SPLITS


def test_a_run_that_ends_its_process_again_and_again_is_given_up() -> None:
    started: list[str] = []

    def lost(request: RunRequest) -> Any:
        started.append(request.key)
        return SimpleNamespace(id=len(started), ended=True, status="interrupted", message="It ended.")

    contest = Contest(LIKE, EVERYBODY[:1], lost, Background())
    for _ in range(20):
        contest.advance()
    assert contest.known == contest.whole
    assert contest.problem(0) == "It ended."
    assert len(started) == 2 * SPLITS


def test_what_cannot_be_compared_is_said_and_does_not_stop_the_others() -> None:
    wrong = Contender("Wrong", "several views", "sulf", {"n_components": 0})
    contest = Contest(LIKE, (wrong, *EVERYBODY), Workers().fit, Background())
    to_the_end(contest)
    assert "n_components=0" in contest.problem(0)
    assert contest.values(0, "acc") == []
    assert contest.problem(1) == ""

    def diverged(request: RunRequest) -> Any:
        return SimpleNamespace(ended=True, status="diverged", message="It diverged.", request=request)

    contest = Contest(LIKE, EVERYBODY[:1], diverged, Background())
    contest.advance()
    assert contest.problem(0) == "It diverged."


def test_several_visitors_do_not_get_into_each_others_way() -> None:
    contest = Contest(LIKE, EVERYBODY, Workers().fit, Background())
    visitors = [threading.Thread(target=to_the_end, args=(contest,)) for _ in range(4)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert contest.known == contest.whole


def test_spectral_clustering_is_left_out_where_its_matrices_would_be_too_large() -> None:
    small, large = (datasets.load("planted_views", samples=samples) for samples in (300, 2000))
    assert "pcsc" in {one.method for one in contenders(small, 5, 5)}
    assert "pcsc" in {one.method for one in contenders(large, 5, 5)}
    news = SimpleNamespace(views={"a": 0, "b": 0}, n_samples=2501, n_classes=3)
    assert "pcsc" not in {one.method for one in contenders(news, 5, 5)}  # type: ignore[arg-type]
