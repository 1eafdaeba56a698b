"""What is sent of a run: its samples as points, one of them rebuilt, its parts, a race; and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.engine.service import Service
from tests.ui.asgi import get, talk, watch
from tests.waiting import ended
from ui.blocks import unpacked
from ui.live.cloud import cast, cloud, watched
from ui.live.frames import frame, snapshot_frame
from ui.live.race_frames import race_frame
from ui.run_routes import run_routes as routes

SMALL = {"size": 16}
OWNER = "o" * 32


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    service = Service(1)
    yield service
    service.close()


def carried_out(service: Service, dataset: str, method: str, **params: Any) -> Handle:
    options = SMALL if dataset == "orl" else {}
    handle = service.submit(RunRequest(dataset, method, params, dataset_options=options), owner=OWNER)
    ended(handle)
    assert handle.status in ("done", "max_iter"), handle.message
    return handle


@pytest.fixture(scope="module")
def faces(service: Service) -> Handle:
    return carried_out(service, "orl", "n2s2l", n_components=50, max_iter=12, tol=0.0)


def header(block: bytes) -> dict[str, Any]:
    content, arrays = unpacked(block)
    return content | {"sizes": {name: array.size for name, array in arrays.items()}}


def test_a_frame_says_everything_of_the_parts(faces: Handle) -> None:
    content = header(frame(faces, "light"))
    assert (content["discriminative"], content["closed"], content["sizes"]["cloud"]) == (40, False, 800)
    assert len(content["tips"]) == 50
    assert sum(share for share, _ in content["tips"]) == pytest.approx(100, abs=0.5)
    assert all(0 <= sparsity <= 1 for _, sparsity in content["tips"])
    assert content["sizes"]["sample"] > 0
    kept = header(snapshot_frame(faces, 0, "dark"))
    assert kept["scores"].keys() == {"accuracy_euclidean"}


def test_another_sample_is_another_picture(faces: Handle) -> None:
    first, other = (frame(faces, "light", None, sample) for sample in (0, 17))
    assert first != other
    assert header(frame(faces, "light", None, 10**9))["sizes"]["sample"] == 0, "no such sample, no picture"


def test_closed_forms_are_known(service: Service) -> None:
    assert header(frame(carried_out(service, "wine", "pca"), "light"))["closed"]
    assert header(frame(carried_out(service, "wine", "hgf"), "light"))["closed"]
    assert not header(frame(carried_out(service, "wine", "hgf", solver="iterative", max_iter=5), "light"))[
        "closed"
    ]


def test_parts_of_documents_are_words_and_so_is_a_document(service: Service) -> None:
    handle = carried_out(service, "docstrings", "nmf", n_components=5, max_iter=8)
    content = header(frame(handle, "light", None, 3))
    assert (len(content["words"]), content["topics"], content["sizes"]["parts"]) == (5, 5, 0)
    word, value, rebuilt = content["features"][0]
    assert isinstance(word, str)
    assert value > 0
    assert isinstance(rebuilt, float)
    assert content["sizes"]["cloud"] == 2000, "not every document is a point"
    assert len(frame(handle, "light")) < 40_000


def test_parts_of_a_table_name_its_measurements(service: Service) -> None:
    content = header(frame(carried_out(service, "iris", "nmf", n_components=2, max_iter=8), "light"))
    assert content["sizes"]["parts"] == 0
    assert {word for part in content["words"] for word, _ in part} <= {
        "sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)",
    }  # fmt: skip
    assert len(content["words"]) == 2


def test_kernel_pca_rebuilds_around_the_mean_and_says_that_it_is_near(service: Service) -> None:
    # With as many components as samples less one nothing is left over.
    handle = carried_out(service, "wine", "kernel_pca", n_components=177)
    content = header(frame(handle, "light", None, 3))
    assert content["bent"]
    assert len(content["features"]) == 8
    for word, value, rebuilt in content["features"]:
        assert rebuilt == pytest.approx(value, rel=0.02, abs=0.02), word
    assert not header(frame(carried_out(service, "wine", "pca"), "light"))["bent"]


def test_points_know_who_they_are(faces: Handle) -> None:
    who = cast(faces)
    assert who["places"] == list(range(400))
    assert sum(who["labelled"]) == 80
    assert who["classes"][who["codes"][0]] == "Person 1"
    assert who["unit"] == "person"
    assert watched(5000).size == 1000


def test_points_do_not_jump_when_axes_change_sign_or_place(faces: Handle) -> None:
    rng = np.random.default_rng(0)
    W = rng.random((400, 50)) * np.linspace(3, 1, 50)
    first = cloud(faces, {"embedding": W}).astype(int)
    for _ in range(5):
        W = W + 0.002 * rng.standard_normal(W.shape)
        again = cloud(faces, {"embedding": W}).astype(int)
        assert np.abs(again - first).max() < 0.05 * 65535
        first = again
    # A run that goes on from this one begins with the same picture, also mirrored by other signs.
    warm = replace(faces, id="goes on", warm_from=faces.id)
    W[:, ::2] *= -1
    seen = cloud(warm, {"embedding": -W}).astype(int)
    turned = cloud(faces, {"embedding": -W}, live=False).astype(int)
    assert np.array_equal(seen, turned)
    assert cloud(faces, {"embedding": np.full((400, 50), np.nan)}).size == 0
    assert cloud(faces, {}).size == 0


def test_a_race_compares_errors_and_recognition(service: Service, faces: Handle) -> None:
    pca = carried_out(service, "orl", "pca")
    neighbour = carried_out(service, "orl", "nearest_neighbour")
    runs = header(race_frame([faces, pca, neighbour]))["runs"]
    iteration, seconds, recognised, error = runs[0]["kept"][-1]
    assert iteration == 12
    assert seconds > 0
    X, arrays = _orl(), faces.snapshot(12)
    missing = np.linalg.norm(X - arrays["embedding"] @ arrays["components"]) / np.linalg.norm(X)
    assert error == pytest.approx(missing, abs=2e-4)
    assert recognised == faces.scores["accuracy_euclidean"]
    whole = pca.snapshot(pca.snapshots[-1][0])
    rebuilt = whole["embedding"] @ whole["components"] + whole["mean"]
    assert runs[1]["kept"][-1][3] == pytest.approx(np.linalg.norm(X - rebuilt) / np.linalg.norm(X), abs=2e-4)
    assert runs[2]["kept"][-1][3] is None, "it does not rebuild anything"


def _orl() -> Any:
    import datasets

    return datasets.load("orl", **SMALL).X


def test_the_roads(service: Service, faces: Handle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.web.lookup.service", lambda: service)
    address = f"/partwise/live/{faces.id}?theme=dark&sample=2"
    frames = watch(routes(), address, ["next", "sample 5", "next"], 2).received
    assert header(frames[0])["id"] == faces.id
    assert frames[0] != frames[1], "another sample, although the run has ended"
    [race] = watch(routes(), f"/partwise/race/{faces.id},{faces.id}", ["next"], 1).received
    assert len(header(race)["runs"]) == 2
    for lost in (f"/partwise/race/{faces.id},unknown", "/partwise/live/unknown"):
        assert talk(routes(), lost, ["next"]).code == 4404
    stranger = talk(routes(), f"/partwise/live/{faces.id}", ["next"], {"origin": "https://elsewhere"})
    assert (stranger.code, stranger.received) == (4403, [])

    assert get(routes(), f"/partwise/cast/{faces.id}").json["classes"][0] == "Person 1"
    kept = get(routes(), f"/partwise/kept/{faces.id}/0?sample=3")
    assert kept.status == 200
    assert "immutable" in kept.headers["cache-control"]
    assert b"owner" not in kept.body + frames[0]
    for lost in ("cast/unknown", "kept/unknown/0", f"kept/{faces.id}/5000"):
        assert get(routes(), f"/partwise/{lost}").status == 404


def test_messages_are_in_the_words_of_the_page(repository: Path) -> None:
    from experiments.requests.library import method_spec
    from ui.plain import plain

    message = "n_components=900 is more than max_iter=10 (TypeError: no)"
    assert plain(message, method_spec("nmf")) == "Parts (k) = 900 is more than Most iterations = 10"


def test_a_run_of_erased_data_is_gone(
    service: Service, faces: Handle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.web.lookup.service", lambda: service)
    monkeypatch.setattr(faces, "request", RunRequest("upload-erased", "n2s2l"))
    mine = {"cookie": f"partwise_owner={OWNER}"}
    assert get(routes(), f"/partwise/cast/{faces.id}", mine).status == 404
    assert "no longer here" in get(routes(), f"/partwise/kept/{faces.id}/0", mine).body.decode()
