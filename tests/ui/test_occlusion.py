"""The occlusion page: what it asks for, what it remembers, and what its own routes answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from experiments import RunRequest, occlude
from experiments.corruption import KINDS, patch
from experiments.recognisers import recogniser
from experiments.service import Handle
from tests.ui.asgi import get, talk
from ui import occlusion_answers
from ui.occlusion_routes import occlusion_routes
from ui.origin import UNKNOWN_RUN
from ui.service import service

ROUTES = occlusion_routes()
SIZE = 16
SPLIT = {"labelled_per_class": 2, "held_out_per_class": 4}
QUESTION = {
    "number": 7, "face": 3, "left": 4, "top": 5, "size": 6, "kind": "can", "metric": "euclidean",
    "clean": True,
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _service() -> Iterator[None]:
    yield
    service().close()
    service.__globals__["_service"].cache_clear()


@pytest.fixture(scope="module")
def runs() -> list[Handle]:
    """Three finished runs on the same faces and split."""
    params = {"pca": {"n_components": 20}, "n2s2l": {"max_iter": 60}, "kernel_pca": {"n_components": 20}}
    handles = [
        service().shared(RunRequest("orl", name, own, dataset_options={"size": SIZE}, split=SPLIT))
        for name, own in params.items()
    ]
    wait_for(lambda: all(handle.ended for handle in handles))
    assert {handle.status for handle in handles} <= {"done", "max_iter"}
    return handles


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "nothing happened in time"
        time.sleep(0.02)


def ids(handles: list[Handle]) -> str:
    return ",".join(handle.id for handle in handles)


def read(frame: bytes) -> tuple[dict[str, Any], Image.Image | None, Image.Image | None]:
    """Take an answer apart as the browser does: header, pictures of the methods, the clean face."""
    length = int.from_bytes(frame[:4], "little")
    header = json.loads(frame[4 : 4 + length])
    blocks, offset = [], 4 + length
    for name in ("parts", "sample"):
        size = header[name]["bytes"]
        blocks.append(Image.open(BytesIO(frame[offset : offset + size])) if size else None)
        offset += size
    assert offset == len(frame)
    return header, *blocks


def ask(handles: list[Handle], **changes: Any) -> bytes:
    """Ask as often as there are methods to be made ready, and once more; return the last answer."""
    question = json.dumps(QUESTION | changes)
    heard = talk(ROUTES, f"/partwise/occlusion/{ids(handles)}", [question] * (len(handles) + 1))
    assert heard.code is None
    assert len(heard.received) == len(handles) + 1
    return heard.received[-1]


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_an_answer_is_what_the_recognisers_say(runs: list[Handle], metric: Any) -> None:
    header, pictures, clean = read(ask(runs, metric=metric))
    assert [entry["id"] for entry in header["entries"]] == [handle.id for handle in runs]
    for handle, entry in zip(runs, header["entries"], strict=True):
        who = recogniser(handle)
        row = who.test_rows[3]
        covered = occlude(who.data.X[row : row + 1], (SIZE, SIZE), 6, "can", 0, position=(5, 4))
        found = who.recognise(covered, metric)
        assert (header["row"], header["name"]) == (row, who.data.target_names[who.data.y[row]])
        assert entry["row"] == found.row[0]
        assert entry["name"] == who.data.target_names[found.code[0]]
        assert entry["right"] == (found.code[0] == who.data.y[row])
        assert entry["margin"] == pytest.approx(found.margin[0] / found.distance[0])
        assert entry["rebuilt"] == (handle.request.method != "kernel_pca")
    assert header["number"] == 7
    assert pictures is not None
    assert pictures.size == (2 * SIZE + 2, 3 * (SIZE + 2) - 2)
    assert clean is not None
    face = recogniser(runs[0]).data.X[header["row"]].reshape(SIZE, SIZE)
    assert np.abs(np.asarray(clean.convert("L")) / 255 - face).mean() < 0.03


def test_the_clean_face_travels_only_when_asked_for(runs: list[Handle]) -> None:
    assert read(ask(runs, clean=False))[2] is None


def test_at_most_one_method_is_made_ready_an_answer(
    runs: list[Handle], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(occlusion_answers, "at_hand", lambda handle: None)
    panel = occlusion_answers.Panel(runs)
    question = panel.understood(json.dumps(QUESTION))
    ready = []
    for _ in range(4):
        entries = read(panel.answer(question))[0]["entries"]
        ready.append(sum(entry["state"] == "ready" for entry in entries))
    assert ready == [1, 2, 3, 3]


def test_one_method_without_an_answer_leaves_the_others_theirs(
    runs: list[Handle], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = recogniser(runs[0])
    monkeypatch.setattr(broken, "recognise", lambda *_: 1 / 0)
    panel = occlusion_answers.Panel(runs)
    question = panel.understood(json.dumps(QUESTION))
    for _ in range(3):
        entries = read(panel.answer(question))[0]["entries"]
    assert [entry["state"] for entry in entries] == ["failed", "ready", "ready"]
    assert "division by zero" in entries[0]["message"]
    assert "No answer from pca" in caplog.text


def test_a_run_under_way_and_one_that_failed_say_so() -> None:
    request = RunRequest("orl", "pca", dataset_options={"size": SIZE})
    handles = [
        Handle("a", request, Path()),
        Handle("b", request, Path(), status="failed", message="Too few rows."),
    ]
    panel = occlusion_answers.Panel(handles)
    header, pictures, _ = read(panel.answer(panel.understood(json.dumps(QUESTION))))
    assert pictures is None
    assert header["entries"] == [
        {"id": "a", "state": "fitting", "iteration": 0},
        {"id": "b", "state": "failed", "message": "Too few rows."},
    ]


@pytest.mark.parametrize(
    "message",
    [
        "nonsense", "[]", "{}", json.dumps(QUESTION | {"more": 1}), json.dumps(QUESTION | {"face": 160}),
        json.dumps(QUESTION | {"left": 11}), json.dumps(QUESTION | {"top": -1}), "x" * 1000,
        json.dumps(QUESTION | {"size": 1.5}), json.dumps(QUESTION | {"kind": "spoon"}),
        json.dumps(QUESTION | {"metric": "taste"}), json.dumps(QUESTION | {"size": True}),
    ],
)  # fmt: skip
def test_what_is_no_question_ends_the_talk(runs: list[Handle], message: str) -> None:
    heard = talk(ROUTES, f"/partwise/occlusion/{ids(runs)}", [message])
    assert (heard.received, heard.code) == ([], 4400)


def test_unknown_runs_and_strange_pages_are_told_nothing(runs: list[Handle]) -> None:
    question = json.dumps(QUESTION)
    heard = talk(ROUTES, f"/partwise/occlusion/{runs[0].id},made-up", [question])
    assert (heard.received, heard.code) == ([], UNKNOWN_RUN)
    known = f"/partwise/occlusion/{ids(runs)}"
    heard = talk(ROUTES, known, [question], {"origin": "http://evil.example"})
    assert (heard.accepted, heard.received, heard.code) == (False, [], 1008)
    assert talk(ROUTES, known, [question], {"origin": "http://here"}).received
    assert get(ROUTES, "/partwise/accuracy/made-up").status == 404


def test_runs_on_other_data_or_too_many_are_refused(runs: list[Handle]) -> None:
    other = Handle("other", RunRequest("orl", "pca", dataset_options={"size": 20}, split=SPLIT), Path())
    with pytest.raises(ValueError, match="same data and split"):
        occlusion_answers.Panel([*runs, other])
    with pytest.raises(ValueError, match="one to 6 runs"):
        occlusion_answers.Panel(runs * 3)


def test_curves_fill_in(runs: list[Handle]) -> None:
    ask(runs)
    address = f"/partwise/accuracy/{ids(runs)}?kind=black"
    wait_for(lambda: get(ROUTES, address).json["complete"])
    found = get(ROUTES, address).json["curves"]
    assert [entry["id"] for entry in found] == [handle.id for handle in runs]
    for handle, entry in zip(runs, found, strict=True):
        who = recogniser(handle)
        rows = who.test_rows
        unspoiled = np.mean(who.recognise(who.data.X[rows]).code == who.data.y[rows])
        assert entry["points"][0] == [0, pytest.approx(unspoiled), 0, 8]
        assert entry["points"][-1][1] < unspoiled
    assert get(ROUTES, f"/partwise/accuracy/{ids(runs)}?kind=spoon").status == 400


@pytest.mark.parametrize("kind", KINDS)
def test_the_picture_of_a_patch_is_what_covers_the_face(kind: Any) -> None:
    answer = get(ROUTES, f"/partwise/patch/{kind}?height=20&width=24")
    assert answer.headers["content-type"] == "image/png"
    layers = np.asarray(Image.open(BytesIO(answer.body))) / 255
    shades, cover = patch(kind, (20, 24))
    assert np.abs(layers[..., 1] - cover).max() < 0.003
    assert np.abs(layers[..., 0] - shades)[cover > 0].max() < 0.003


@pytest.mark.parametrize(
    "address", ["spoon?height=9&width=9", "grey?height=9999&width=9", "grey", "grey?height=a&width=3"]
)
def test_pictures_of_impossible_patches_are_refused(address: str) -> None:
    answer = get(ROUTES, f"/partwise/patch/{address}")
    assert answer.status == 400
    assert "no such patch" in answer.body.decode()


@pytest.fixture
def app(repository: Path) -> AppTest:
    """The page as a new visitor finds it, with small pictures so that runs are quick."""
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.query_params["data.orl.size"] = str(SIZE)
    return at


def go(at: AppTest) -> AppTest:
    at.run()
    at.switch_page("../pages/occlusion.py").run()
    assert not at.exception
    return at


def test_the_page_starts_four_methods_on_the_same_split(app: AppTest) -> None:
    app.query_params["seed"] = "5"
    go(app)
    assert app.title[0].value == "Who is still recognised behind this patch?"
    mine = [h.request for h in service()._runs.values() if h.shared and h.request.seed == 5]
    assert {request.method for request in mine} == {"pca", "lda", "nmf", "n2s2l"}
    assert {request.split["held_out_per_class"] for request in mine} == {4}
    assert not app.error


def test_testing_on_faces_the_methods_have_seen_holds_nothing_out(app: AppTest) -> None:
    app.query_params |= {"seed": "6", "tested": "seen", "recognisers": "pca"}
    go(app)
    mine = [h.request for h in service()._runs.values() if h.shared and h.request.seed == 6]
    assert [request.split["held_out_per_class"] for request in mine] == [0]


def test_the_place_of_the_patch_is_remembered_and_nonsense_is_not(app: AppTest) -> None:
    app.query_params["place"] = "12,3,4,5"
    go(app)
    assert app.session_state["partwise choices"]["place"] == (12, 3, 4, 5)
    app.session_state["partwise choices"]["place"] = (12, 14, 4, 5)
    app.run()
    assert app.session_state["partwise choices"]["place"] == (47, 5, 5, 5)


@pytest.mark.parametrize(
    "wrong", ["place=1,2", "place=a", "patch=spoon", "recognisers=src,nothing", "metric=x"]
)
def test_nonsense_in_the_address_is_ignored(app: AppTest, wrong: str) -> None:
    name, value = wrong.split("=")
    app.query_params[name] = value
    go(app)
    assert not app.error


def test_data_that_cannot_be_covered_and_no_method_at_all_are_said_in_words(app: AppTest) -> None:
    app.query_params["recognisers"] = "pca"
    go(app)
    app.multiselect[0].set_value([]).run()
    assert any("Choose a method" in info.value for info in app.info)
    assert not app.exception
