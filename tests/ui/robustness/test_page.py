"""The occlusion and noise pages: what they ask for, what they remember, and what their own routes answer."""

from __future__ import annotations

import csv
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from experiments import RunRequest, occlude
from experiments.comparisons.surveys import positions
from experiments.engine.handle import Handle
from experiments.fitted.recognisers import recogniser
from experiments.requests.corruption import KINDS, left_uncovered, patch
from experiments.requests.noise import add_noise
from experiments.trials import evaluate
from tests.ui.asgi import get, talk
from tests.waiting import ended, until
from ui.blocks import unpacked
from ui.robustness import answers
from ui.robustness.surveys import curves_csv
from ui.run_routes import run_routes
from ui.service import service
from ui.web.sockets import NOT_OURS, UNKNOWN_RUN

ROUTES = run_routes()
SIZE = 16
SPLIT = {"labelled_per_class": 2, "held_out_per_class": 4}
QUESTION = {
    "number": 7, "face": 3, "left": 4, "top": 5, "amount": 6, "kind": "can", "metric": "euclidean",
    "how": "pinv", "clean": True,
}  # fmt: skip


@pytest.fixture(scope="module")
def runs() -> list[Handle]:
    """Finished runs on the same split: with parts that add up and without, and a classifier."""
    params: dict[str, dict[str, Any]] = {
        "pca": {"n_components": 20}, "n2s2l": {"max_iter": 60}, "kernel_pca": {"n_components": 20},
        "nearest_neighbour": {},
    }  # fmt: skip
    handles = [
        service().shared(RunRequest("orl", name, own, dataset_options={"size": SIZE}, split=SPLIT))
        for name, own in params.items()
    ]
    ended(*handles)
    assert {handle.status for handle in handles} <= {"done", "max_iter"}
    return handles


def ids(handles: list[Handle]) -> str:
    return ",".join(handle.id for handle in handles)


def read(frame: bytes) -> tuple[dict[str, Any], Image.Image | None, Image.Image | None]:
    """Take an answer apart as the browser does: header, pictures of the methods, the clean face."""
    header, arrays = unpacked(frame)
    pictures = (arrays["parts"], arrays["sample"])
    parts, sample = (Image.open(BytesIO(one.tobytes())) if one.size else None for one in pictures)
    return header, parts, sample


def ask(handles: list[Handle], *before: bytes, **changes: Any) -> bytes:
    """Ask methods that are ready, having sent blocks of bytes `before`; return the answer."""
    for handle in handles:
        recogniser(handle)
    question = json.dumps(QUESTION | changes)
    heard = talk(ROUTES, f"/partwise/robustness/{ids(handles)}", [*before, question])
    assert heard.code is None
    assert len(heard.received) == 1
    return heard.received[-1]


@pytest.mark.parametrize(
    ("metric", "how"),
    [("euclidean", "ridge"), ("cosine", "pinv"), ("euclidean", "nnls"), ("euclidean", "masked")],
)
def test_an_answer_is_what_the_recognisers_say(runs: list[Handle], metric: Any, how: Any) -> None:
    header, pictures, clean = read(ask(runs, metric=metric, how=how, apart=runs[0].id))
    assert [term["kind"] for term in header["strip"]["terms"]].count("part") == 6
    assert header["strip"]["shape"] == [SIZE, SIZE]
    assert [entry["id"] for entry in header["entries"]] == [handle.id for handle in runs]
    for handle, entry in zip(runs, header["entries"], strict=True):
        who = recogniser(handle)
        row = who.test_rows[3]
        covered = occlude(who.data.X[row : row + 1], (SIZE, SIZE), 6, "can", 0, position=(5, 4))
        left = left_uncovered(1, (SIZE, SIZE), kind="can", size=6, position=(5, 4))
        found = who.recognise(covered, metric, how, left)
        assert (header["row"], header["name"]) == (row, who.data.target_names[who.data.y[row]])
        assert entry["row"] == found.row[0]
        assert entry["name"] == who.data.target_names[found.code[0]]
        assert entry["right"] == (found.code[0] == who.data.y[row])
        assert entry["margin"] == pytest.approx(found.margin[0] / found.distance[0])
        assert entry["rebuilt"] == (handle.request.method in ("pca", "n2s2l"))
    assert header["number"] == 7
    assert pictures is not None
    assert list(pictures.size) == header["parts"]["size"]
    assert header["parts"]["tile"] == [SIZE, SIZE]
    assert header["parts"]["count"] == 2 * len(runs)
    assert clean is not None
    face = recogniser(runs[0]).data.X[header["row"]].reshape(SIZE, SIZE)
    assert np.abs(np.asarray(clean.convert("L")) / 255 - face).mean() < 0.03


def test_zero_or_more_rebuilds_otherwise(runs: list[Handle]) -> None:
    pictures = [np.asarray(read(ask(runs[1:2], how=how))[1], float)[:, :SIZE] for how in ("pinv", "nnls")]
    assert np.abs(pictures[0] - pictures[1]).mean() > 0.5


def test_noise_is_made_by_the_server_and_seen_by_everybody(runs: list[Handle]) -> None:
    noisy = {"kind": "gaussian", "amount": 40, "left": 0, "top": 0, "clean": False}
    header, _, face = read(ask(runs, **noisy))
    who = recogniser(runs[0])
    expected = add_noise(who.data.X[header["row"]][None], 0.4, "gaussian", 0)
    assert face is not None
    assert np.abs(np.asarray(face.convert("L")) / 255 - expected.reshape(SIZE, SIZE)).mean() < 0.05
    assert header["entries"][0]["row"] == who.recognise(expected).row[0]


OWN_FACE = np.linspace(0, 255, SIZE * SIZE).astype(np.uint8).tobytes()


def test_a_face_of_ones_own_is_only_rebuilt(runs: list[Handle]) -> None:
    header, pictures, face = read(ask(runs, OWN_FACE, face=-1, amount=0))
    assert (header["row"], header["name"]) == (-1, "")
    assert all(not {"row", "name", "right", "margin"} & set(entry) for entry in header["entries"])
    assert [entry["rebuilt"] for entry in header["entries"]] == [True, True, False, False]
    own = np.frombuffer(OWN_FACE, np.uint8).reshape(SIZE, SIZE)
    assert face is not None
    assert np.abs(np.asarray(face.convert("L"), float) - own).mean() < 6
    assert pictures is not None
    rebuilt = recogniser(runs[0]).rebuilt(own.reshape(1, -1).astype(np.float32) / 255)
    shown = np.asarray(pictures.convert("L"), float)[:SIZE, :SIZE] / 255
    assert np.abs(shown - np.clip(rebuilt, 0, 1).reshape(SIZE, SIZE)).mean() < 0.05


def test_a_face_of_ones_own_is_nowhere_but_in_the_line_it_came_through(runs: list[Handle]) -> None:
    address = f"/partwise/robustness/{ids(runs)}"
    mine = json.dumps(QUESTION | {"face": -1})
    assert talk(ROUTES, address, [OWN_FACE, mine]).received
    others = talk(ROUTES, address, [mine])
    assert (others.received, others.code) == ([], 4400)


@pytest.mark.parametrize("pixels", [b"", OWN_FACE[:-1], OWN_FACE * 2])
def test_a_picture_of_another_shape_ends_the_talk(runs: list[Handle], pixels: bytes) -> None:
    heard = talk(ROUTES, f"/partwise/robustness/{ids(runs)}", [pixels])
    assert (heard.received, heard.code) == ([], 4400)


def test_the_clean_face_travels_only_when_asked_for(runs: list[Handle]) -> None:
    assert read(ask(runs, clean=False))[2] is None


def test_methods_are_made_ready_while_others_answer(
    runs: list[Handle], monkeypatch: pytest.MonkeyPatch
) -> None:
    ready: set[str] = set()
    monkeypatch.setattr(
        answers, "soon_at_hand", lambda handle, jobs: recogniser(handle) if handle.id in ready else None
    )
    panel = answers.Panel(runs)
    question = panel.understood(json.dumps(QUESTION))
    for handle in runs:
        ready.add(handle.id)
        entries = read(panel.answer(question))[0]["entries"]
        assert {entry["id"] for entry in entries if entry["state"] == "ready"} == ready


def test_one_method_without_an_answer_leaves_the_others_theirs(
    runs: list[Handle], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = recogniser(runs[0])
    monkeypatch.setattr(broken, "recognise", lambda *_: 1 / 0)
    panel = answers.Panel(runs)
    question = panel.understood(json.dumps(QUESTION))
    for _ in range(3):
        entries = read(panel.answer(question))[0]["entries"]
    assert [entry["state"] for entry in entries] == ["failed", "ready", "ready", "ready"]
    assert "division by zero" in entries[0]["message"]
    assert "No answer from pca" in caplog.text


def test_a_run_under_way_and_one_that_failed_say_so() -> None:
    request = RunRequest("orl", "pca", dataset_options={"size": SIZE})
    handles = [
        Handle("a", request, Path()),
        Handle("b", request, Path(), status="failed", message="Too few rows."),
    ]
    panel = answers.Panel(handles)
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
        json.dumps(QUESTION | {"amount": 1.5}), json.dumps(QUESTION | {"kind": "spoon"}),
        json.dumps(QUESTION | {"metric": "taste"}), json.dumps(QUESTION | {"amount": True}),
        json.dumps(QUESTION | {"how": "hope"}), json.dumps(QUESTION | {"face": -1}),
        json.dumps(QUESTION | {"amount": 17}), json.dumps(QUESTION | {"kind": "uniform", "amount": 101}),
    ],
)  # fmt: skip
def test_what_is_no_question_ends_the_talk(runs: list[Handle], message: str) -> None:
    heard = talk(ROUTES, f"/partwise/robustness/{ids(runs)}", [message])
    assert (heard.received, heard.code) == ([], 4400)


def test_unknown_runs_and_strange_pages_are_told_nothing(runs: list[Handle]) -> None:
    question = json.dumps(QUESTION)
    heard = talk(ROUTES, f"/partwise/robustness/{runs[0].id},made-up", [question])
    assert (heard.received, heard.code) == ([], UNKNOWN_RUN)
    known = f"/partwise/robustness/{ids(runs)}"
    heard = talk(ROUTES, known, [question], {"origin": "http://evil.example"})
    assert (heard.accepted, heard.received, heard.code) == (True, [], NOT_OURS)
    assert talk(ROUTES, known, [question], {"origin": "http://here"}).received
    assert get(ROUTES, "/partwise/accuracy/made-up").status == 404


def test_runs_on_other_data_or_too_many_are_refused(runs: list[Handle]) -> None:
    other = Handle("other", RunRequest("orl", "pca", dataset_options={"size": 20}, split=SPLIT), Path())
    with pytest.raises(ValueError, match="same data and split"):
        answers.Panel([*runs, other])
    with pytest.raises(ValueError, match="one to 7 runs"):
        answers.Panel(runs * 2)


def test_runs_that_learn_from_other_rows_are_compared_where_the_same_are_tested() -> None:
    def handle(id: str, method: str, held: int) -> Handle:
        split = {"labelled_per_class": 2, "held_out_per_class": held}
        return Handle(id, RunRequest("orl", method, dataset_options={"size": SIZE}, split=split), Path())

    panel = answers.Panel([handle("a", "n2s2l", 0), handle("b", "pca", 8)])
    assert panel.rows.size == 320
    with pytest.raises(ValueError, match="same data and split"):
        answers.Panel([handle("a", "n2s2l", 0), handle("b", "pca", 7)])


def test_curves_and_maps_fill_in(runs: list[Handle]) -> None:
    some = [runs[0], runs[3]]
    query = "kind=black&metric=euclidean&how=pinv"
    addresses = [f"/partwise/accuracy/{ids(some)}?{query}", f"/partwise/places/{ids(some)}?{query}&size=7"]
    until(lambda: all(answer.json["complete"] for answer in [get(ROUTES, one) for one in addresses]))
    curves, maps = (get(ROUTES, address).json for address in addresses)
    for handle, curve, places in zip(some, curves["curves"], maps["maps"], strict=True):
        assert curve["id"] == places["id"] == handle.id
        assert curve["whole"] == 20
        assert curve["amounts"] == len(curve["points"])
        assert [point[0] for point in curve["points"]][:3] == [0, 1, 2]
        assert curve["points"][-1][1] < curve["points"][0][1]
        assert {point[3] for point in curve["points"]} == {20}
        assert len(places["shares"]) == len(places["tops"]) * len(places["lefts"]) == 81
        assert curve["points"][-1][1] < np.mean(places["shares"]) < curve["points"][0][1]
    figure = get(ROUTES, f"/partwise/accuracy/{ids(some)}/figure?{query}")
    assert figure.headers["content-type"].startswith("image/svg+xml")
    assert figure.body.count(b"<polyline") == 2
    assert figure.body.count(b"<circle") == sum(len(curve["points"]) for curve in curves["curves"])
    survey = positions(some[0].request, "black", 7, how="pinv")
    own = survey.means({trial.key: evaluate(trial) for _, trial in survey.in_turn()})
    assert maps["maps"][0]["shares"] == [mean[0] for mean in own if mean is not None]
    lines = list(csv.DictReader(curves_csv(some, "black", "euclidean", "pinv", "me").splitlines()))
    assert len(lines) == 2 * 20 * len(curves["curves"][0]["points"])
    shares = [float(line["share"]) for line in lines if (line["method"], line["amount"]) == ("PCA", "2")]
    assert np.mean(shares) == pytest.approx(curves["curves"][0]["points"][2][1])


@pytest.mark.parametrize(
    "address",
    [
        "accuracy/{}?kind=spoon&metric=euclidean&how=pinv", "accuracy/{}?kind=grey&metric=taste&how=pinv",
        "accuracy/{}", "places/{}?kind=gaussian&metric=euclidean&how=pinv&size=3",
        "places/{}?kind=grey&metric=euclidean&how=pinv&size=17",
    ],
)  # fmt: skip
def test_impossible_surveys_are_refused_in_words(runs: list[Handle], address: str) -> None:
    answer = get(ROUTES, "/partwise/" + address.format(ids(runs[:1])))
    assert answer.status == 400
    said = answer.body.decode()
    assert said.endswith(".") or "must be" in said


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
    assert "must be" in answer.body.decode()


@pytest.fixture
def app(repository: Path) -> AppTest:
    """The page as a new visitor finds it, with small pictures so that runs are quick."""
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.query_params["data.orl.size"] = str(SIZE)
    return at


def go(at: AppTest, page: str = "occlusion") -> AppTest:
    at.run()
    at.switch_page(f"../pages/{page}.py").run()
    assert not at.exception
    return at


def requests_of(seed: int) -> list[RunRequest]:
    """What the page has asked for with this seed."""
    handles = service().runs
    return [handle.request for handle in handles if handle.shared and handle.request.seed == seed]


@pytest.mark.parametrize(("page", "seed"), [("occlusion", 55), ("noise", 56)])
def test_the_page_starts_four_methods_on_the_same_split(app: AppTest, page: str, seed: int) -> None:
    app.query_params |= {"seed": str(seed), "recognisers.own": "pca;n_components=9"}
    go(app, page)
    assert app.title[0].value.startswith("Who is still recognised")
    mine = requests_of(seed)
    assert sorted(request.method for request in mine) == ["lda", "n2s2l", "nmf", "pca", "pca"]
    assert 9 in {request.params.get("n_components") for request in mine if request.method == "pca"}
    assert {request.split["held_out_per_class"] for request in mine} == {4}
    assert {request.corruption for request in mine} == {None}
    assert not app.error


def test_what_is_no_face_is_not_called_one(app: AppTest) -> None:
    app.query_params |= {"data": "digits", "recognisers": "pca"}
    go(app)
    assert any("A picture of your own" in expander.label for expander in app.expander)
    said = [*app.expander, *app.segmented_control]
    assert not any("face" in one.label.lower() for one in said)


def test_testing_on_faces_the_methods_have_seen_holds_nothing_out(app: AppTest) -> None:
    app.query_params |= {"seed": "61", "tested": "seen", "recognisers": "pca"}
    go(app)
    assert [request.split["held_out_per_class"] for request in requests_of(61)] == [0]


@pytest.mark.parametrize(("page", "seed"), [("occlusion", 62), ("noise", 63)])
def test_learning_from_spoiled_faces_is_for_methods_that_use_labels_as_in_the_paper(
    app: AppTest, page: str, seed: int
) -> None:
    app.query_params |= {"seed": str(seed), "tested": "covered", "recognisers": "pca,smfa"}
    go(app, page)
    held = {request.method: request.split["held_out_per_class"] for request in requests_of(seed)}
    assert held == {"pca": 8, "smfa": 0}
    expected = (
        {"kind": "grey", "size": 5} if page == "occlusion" else {"kind": "salt and pepper", "level": 0.2}
    )
    assert all(request.corruption == expected for request in requests_of(seed))


def test_unlike_features_are_told_and_made_alike(app: AppTest) -> None:
    app.query_params |= {"seed": "65", "tested": "covered", "recognisers": "pca,n2s2l"}
    go(app)
    assert any("look at unlike features" in caption.value for caption in app.caption)
    next(button for button in app.button if button.label.startswith("Ask all about")).click().run()
    assert not any("look at unlike features" in caption.value for caption in app.caption)
    next(button for button in app.button if button.label == "Go on without me").click().run()
    assert any("This goes on without you" in caption.value for caption in app.caption)
    assert not app.exception


def test_the_figure_of_the_paper_is_one_click_away(app: AppTest) -> None:
    app.query_params |= {"seed": "64", "labelled": "3", "data.orl.size": "32", "patch": "can"}
    go(app)
    next(button for button in app.button if button.label == "As in Figure 4, N²S²L").click().run()
    assert not app.exception
    assert not app.error
    asked = [request for request in requests_of(64) if request.corruption]
    assert {request.method for request in asked} == {"pca", "nmf", "lnmf", "lda", "mfa", "smfa", "n2s2l"}
    assert {request.dataset_options["size"] for request in asked} == {64}
    assert {request.split["labelled_per_class"] for request in asked} == {2}
    assert all(request.corruption == {"kind": "grey", "size": 20} for request in asked)
    solvers = {request.method: request.params.get("solver") for request in asked}
    assert (solvers["nmf"], solvers["n2s2l"]) == ("multiplicative", "accelerated"), "as in benchmarks/figure4"
    for handle in service().runs:
        service().command(handle.id, "stop")


def test_the_place_of_the_patch_is_remembered_and_nonsense_is_not(app: AppTest) -> None:
    app.query_params["place"] = "12,3,4,5"
    go(app)
    assert app.session_state["partwise choices"]["place"] == (12, 3, 4, 5)
    app.session_state["partwise choices"]["place"] = (12, 14, 4, 5)
    app.run()
    assert app.session_state["partwise choices"]["place"] == (47, 5, 5, 5)


@pytest.mark.parametrize("place", ["1,2", "a"])
def test_nonsense_in_the_address_is_ignored(app: AppTest, place: str) -> None:
    wrong = {"place": place, "patch": "spoon", "recognisers": "nothing"}
    for name, value in (wrong | dict.fromkeys(("metric", "tested", "weights"), "x")).items():
        app.query_params[name] = value
    go(app)
    assert not app.error


@pytest.mark.parametrize("page", ["occlusion", "noise"])
def test_data_that_cannot_be_spoiled_invite_to_others(app: AppTest, page: str) -> None:
    app.query_params["data"] = "iris"
    go(app, page)
    assert any("Only pictures" in info.value for info in app.info)
    next(button for button in app.button if button.label == "Take the ORL faces").click().run()
    assert not app.exception
    assert app.sidebar.selectbox[0].value == "orl"
    assert not any("Only pictures" in info.value for info in app.info)


def test_no_method_at_all_is_said_in_words(app: AppTest) -> None:
    app.query_params["recognisers"] = "pca"
    go(app)
    app.multiselect[0].set_value([]).run()
    assert any("Choose a method" in info.value for info in app.info)
    assert not app.exception
