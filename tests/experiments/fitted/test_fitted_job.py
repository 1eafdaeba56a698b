"""Finished runs asked in a worker: the answers are those of the run asked here, refusals are sentences."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from experiments.engine.handle import Handle
from experiments.engine.service import Service
from experiments.fitted.fitted_job import (
    estimator_of,
    places_of,
    predictions_of,
    standing_of,
    verdicts_of,
)
from experiments.fitted.predictions import as_csv
from experiments.fitted.recognisers import Recogniser
from experiments.fitted.standing import standing
from experiments.fitted.verdicts import examined
from experiments.inspection.layout import moved
from experiments.requests.request import RunRequest
from tests.waiting import PATIENCE, ended


@pytest.fixture(scope="module")
def handle(service: Service) -> Handle:
    request = RunRequest("iris", "pca", split={"labelled_per_class": 3, "held_out_per_class": 5})
    handle = service.submit(request)
    ended(handle)
    return handle


def test_the_answers_are_those_of_the_run(service: Service, handle: Handle) -> None:
    here, there = examined(handle), standing_of(handle, service.jobs)
    own = standing(here, handle.id)
    assert (there.run, there.suggested) == (handle.id, own.suggested)
    assert np.array_equal(there.features, own.features)
    assert np.array_equal(there.code, own.code)
    never_seen = verdicts_of(handle, service.jobs, "unseen", "cosine")
    assert np.array_equal(never_seen.code, here.verdicts("unseen", "cosine").code)
    assert predictions_of(handle, service.jobs) == as_csv(here.verdicts(), here.prepared.ds)
    before = moved(here.features()[:, ::-1])
    assert np.array_equal(places_of(handle, service.jobs, before), moved(here.features(), before))
    assert not list(service._folder.glob("answer-*")), "an answer is left behind"


def test_a_run_at_full_speed_does_not_keep_the_answer_from_whoever_waits(
    service: Service, handle: Handle
) -> None:
    endless = {"n_components": 2, "max_iter": 10_000_000, "tol": 0.0}
    busy = service.submit(RunRequest("iris", "nmf", endless))
    found = threading.Thread(target=standing_of, args=(handle, service.jobs))
    found.start()
    found.join(PATIENCE)
    assert not found.is_alive()
    assert not busy.ended
    service.command(busy.id, "stop")


@pytest.mark.parametrize("method", ["pca", "lda", "nmf", "smfa", "src"])
def test_a_recogniser_made_by_a_worker_recognises_as_one_made_here(service: Service, method: str) -> None:
    request = RunRequest("digits", method, split={"labelled_per_class": 3, "held_out_per_class": 2})
    handle = service.submit(request)
    ended(handle)
    own = Recogniser(handle.request, handle.final())
    other = Recogniser(handle.request, {}, estimator=estimator_of(handle, service.jobs))
    pixels = own.data.X[own.test_rows]
    assert np.array_equal(own.recognise(pixels).code, other.recognise(pixels).code)


def test_what_cannot_be_answered_is_a_sentence(service: Service) -> None:
    handle = service.submit(RunRequest("iris", "pca", split={"labelled_per_class": 3}))
    ended(handle)
    with pytest.raises(ValueError, match="No sample was held out"):
        verdicts_of(handle, service.jobs, "unseen", "euclidean")
    handle.final_file().write_bytes(b"damaged")
    with pytest.raises(ValueError, match="no longer kept"):
        standing_of(handle, service.jobs)
