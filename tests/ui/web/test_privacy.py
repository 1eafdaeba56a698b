"""What is about an upload: for whoever has made it, and for no cache."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import datasets
from experiments import RunRequest
from experiments.engine.handle import Handle
from tests.ui.asgi import get, talk, watch
from tests.waiting import ended
from ui import uploads
from ui.run_routes import run_routes
from ui.service import service
from ui.web.sockets import UNKNOWN_RUN

ROUTES = run_routes()
MINE, OTHER = "m" * 32, "o" * 32


def cookie(token: str) -> dict[str, str]:
    return {"cookie": f"other=1; partwise_owner={token}"}


@pytest.fixture(scope="module")
def upload() -> str:
    """Small pictures that somebody has uploaded."""
    faces = datasets.load("digits")
    id = datasets.keep(replace(faces, title="Mine"))
    uploads._uploads[id] = uploads._Upload(MINE, {"a visit"})
    return id


@pytest.fixture(scope="module")
def run(upload: str) -> Handle:
    request = RunRequest(upload, "nmf", {"n_components": 3, "max_iter": 3})
    return ended(service().submit(request, owner=MINE))


def test_pictures_of_an_upload_are_its_owners_alone_and_kept_by_nobody(upload: str) -> None:
    address = f"/partwise/samples/{upload}?theme=light"
    found = get(ROUTES, address, cookie(MINE))
    assert (found.status, found.headers["cache-control"]) == (200, "no-store")
    for headers in ({}, cookie(OTHER), cookie("m" * 31), cookie("")):
        answer = get(ROUTES, address, headers)
        assert (answer.status, answer.headers["cache-control"]) == (404, "no-store")
        assert b"Mine" not in answer.body
    of_all = get(ROUTES, "/partwise/samples/orl?size=12")
    assert of_all.headers["cache-control"].startswith("private, max-age=3600")


@pytest.mark.parametrize(
    "what", ["kept/{}/0", "cast/{}", "basis/{}/parts", "basis/{}/rebuilt", "basis/{}/users?part=0"]
)
def test_runs_on_an_upload_are_their_owners_alone_and_kept_by_nobody(run: Handle, what: str) -> None:
    address = "/partwise/" + what.format(run.id)
    mine = get(ROUTES, address, cookie(MINE))
    assert (mine.status, mine.headers["cache-control"]) == (200, "no-store")
    for headers in ({}, cookie(OTHER)):
        assert get(ROUTES, address, headers).status == 404


def test_the_run_a_page_begins_with_is_watched_by_who_has_made_the_upload(upload: str) -> None:
    """It is nobody's to steer and has no owner, and must not stay blank for that."""
    run = ended(service().shared(RunRequest(upload, "nmf", {"n_components": 2, "max_iter": 3})))
    address = f"/partwise/basis/{run.id}/parts"
    assert get(ROUTES, address, cookie(MINE)).status == 200
    assert watch(ROUTES, f"/partwise/live/{run.id}", ["next"], 1, cookie(MINE)).received
    for headers in ({}, cookie(OTHER)):
        assert get(ROUTES, address, headers).status == 404


def test_so_are_the_pictures_as_they_happen(run: Handle) -> None:
    for line in (f"live/{run.id}", f"race/{run.id}", f"robustness/{run.id}"):
        for headers in ({}, cookie(OTHER)):
            heard = talk(ROUTES, f"/partwise/{line}", ["next"], headers)
            assert (heard.received, heard.code) == ([], UNKNOWN_RUN)
    assert watch(ROUTES, f"/partwise/live/{run.id}", ["next"], 1, cookie(MINE)).received


def test_runs_on_catalogue_data_may_be_passed_on() -> None:
    request = RunRequest("iris", "nmf", {"n_components": 2, "max_iter": 3})
    handle = ended(service().submit(request, owner=MINE))
    assert get(ROUTES, f"/partwise/cast/{handle.id}").status == 200
    assert np.isfinite(handle.scores.get("accuracy_euclidean", 0.0))
