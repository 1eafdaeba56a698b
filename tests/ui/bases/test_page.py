"""The Bases page: which runs it asks for, what its addresses answer, what it offers to take away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from experiments import RunRequest
from experiments.engine.service import Handle
from experiments.inspection.parts import Parts
from experiments.requests.library import method_spec, method_specs
from tests.ui.asgi import get
from tests.ui.sliders import param_slider, param_sliders, views_of
from tests.waiting import ended
from ui.bases import answers, charts, downloads, montage
from ui.bases import page as bases_page
from ui.blocks import unpacked
from ui.handbook import miniature
from ui.run_routes import run_routes
from ui.service import service

ROUTES = run_routes()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module", autouse=True)
def _nothing_kept() -> Iterator[None]:
    yield
    answers._cached_parts.cache_clear()


@pytest.fixture
def app(repository: Path) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.query_params["data.orl.size"] = "16"
    return at


def bases(at: AppTest, **choices: str) -> AppTest:
    for name, value in choices.items():
        at.query_params[name] = value
    at.switch_page("../pages/bases.py").run()
    assert not at.exception
    return at


def finished(dataset: str, method: str, params: dict[str, Any], **how: Any) -> Handle:
    return ended(service().shared(RunRequest(dataset, method, params, **how)))


def parts_of(*args: Any, view: str | None = None, **how: Any) -> Parts:
    parts = answers.displayed_parts(finished(*args, **how), view)
    assert parts is not None
    return parts


@pytest.fixture(scope="module")
def swimmers() -> Handle:
    return finished("swimmer", "n2s2l", {"n_components": 17, "n_discriminative": 4, "max_iter": 80})


@pytest.fixture(scope="module")
def wines() -> Handle:
    return finished("wine", "nmf", {"n_components": 3, "max_iter": 50})


def read(body: bytes) -> tuple[dict[str, Any], Image.Image | None]:
    header, arrays = unpacked(body)
    picture = arrays.get("parts", np.empty(0))
    return header, Image.open(BytesIO(picture.tobytes())) if picture.size else None


def answer_of(handle: Handle, what: str, **query: object) -> tuple[dict[str, Any], Image.Image | None]:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    answer = get(ROUTES, f"/partwise/basis/{handle.id}/{what}?{text}")
    assert answer.status == 200, answer.body
    return read(answer.body)


def requests(dataset: str) -> dict[str, RunRequest]:
    runs = [handle.request for handle in service().runs if handle.shared]
    return {request.method: request for request in runs if request.dataset == dataset}


def test_three_methods_start_on_the_same_data_with_as_many_parts(app: AppTest) -> None:
    bases(app, data="planted_parts")
    runs = requests("planted_parts")
    assert set(runs) == {"pca", "nmf", "n2s2l"}
    assert {run.params["n_components"] for run in runs.values()} == {9}
    assert len({(json.dumps(dict(run.split)), run.seed) for run in runs.values()}) == 1
    assert not app.error


@pytest.mark.parametrize("page", ["live", "bases"])
def test_swimmer_starts_with_its_seventeen_parts(app: AppTest, page: str) -> None:
    app.query_params["data"] = "swimmer"
    app.run()
    app.switch_page(f"../pages/{page}.py").run()
    offered = [*app.slider, *param_sliders(app)]
    slider = next(entry for entry in offered if entry.label in ("Parts (k)", "Number of parts (k)"))
    assert slider.value == 17


@pytest.mark.parametrize(("data", "most"), [("iris", 4), ("wine", 13)])
def test_tables_start_with_few_parts(app: AppTest, data: str, most: int) -> None:
    bases(app, data=data)
    slider = param_slider(app, "Number of parts (k)")
    assert (slider.data["low"], slider.data["high"]) == (2, most)
    assert slider.value <= 8
    assert not app.error


def test_another_number_of_parts_is_another_run_and_each_method_knows_how_to_follow(app: AppTest) -> None:
    bases(app, data="orl", compare="nmf,n2s2l,lda", k="12")
    slider = param_slider(app, "Number of parts (k)")
    assert (slider.data["of"], slider.data["param"]) == ("bases", "k")
    [(_, told)] = views_of(app, "bases")
    assert "begins at its own start" in told["following"], "what is held goes on, what is let go does not"
    assert "begins at its own start" in slider.data["meaning"]
    turns = {one["id"]: one["turns"] for one in told["methods"]}
    assert {name: one["of"] for name, one in turns.items()} == {name: ["bases"] for name in turns}
    assert turns["nmf"]["along"] == {"k": {"n_components": {"less": 0, "most": None}}}
    assert turns["n2s2l"]["along"]["k"]["n_discriminative"] == {"less": 1, "most": 40}
    assert turns["lda"]["along"]["k"]["n_components"]["most"] == 39
    slider.set_value(41).run()
    reached = {
        one.request.method: one.request.params for one in service().runs if one.request.dataset == "orl"
    }
    assert reached["nmf"]["n_components"] == 41
    assert (reached["n2s2l"]["n_components"], reached["n2s2l"]["n_discriminative"]) == (41, 40)
    assert reached["lda"]["n_components"] == 39


def test_a_view_is_chosen_for_all_methods(app: AppTest) -> None:
    bases(app, data="planted_views", compare="nmf,sulf", **{"bases.view": "view 2"})
    box = next(box for box in app.selectbox if box.label == "View")
    view = box.options[1]
    box.set_value(view).run()
    runs = requests("planted_views")
    assert runs["nmf"].view == view
    assert runs["sulf"].view is None, "it uses all of them"
    assert not app.error


def test_nonsense_in_the_address_is_ignored(app: AppTest) -> None:
    look = {"bases.look": "zzz~-1~a~nmf.x", "bases.view": "none"}
    bases(app, data="iris", compare="nothing", k="9999", order="colour", **look)
    assert not app.error


def test_a_method_without_parts_is_asked_for_by_a_link_alone(app: AppTest) -> None:
    bases(app, data="iris")
    options = next(box for box in app.multiselect if box.label == "Methods").options
    assert not any("S-RLSC" in option for option in options)
    assert any("NMF" in option for option in options)


def test_parts_come_in_the_order_asked_for(swimmers: Handle) -> None:
    header, picture = answer_of(swimmers, "parts", order="sparsity")
    assert header["count"] == 17
    assert sorted(header["numbers"]) == list(range(17))
    said = [float(tip.split("sparsity ")[1].split()[0]) for tip in header["tips"]]
    assert said == sorted(said, reverse=True)
    assert picture.size == tuple(header["parts"]["size"])
    framed = {number for number, mark in zip(header["numbers"], header["marks"], strict=True) if mark}
    assert framed == {0, 1, 2, 3}
    assert all(("U¹" in tip) == bool(mark) for tip, mark in zip(header["tips"], header["marks"], strict=True))


def test_a_sample_rebuilt_without_some_parts(swimmers: Handle) -> None:
    header, _ = answer_of(swimmers, "rebuilt", sample=5)
    assert header["left_error"] == header["whole_error"]
    assert "left on" not in header["words"]
    less, _ = answer_of(swimmers, "rebuilt", sample=5, off=",".join(map(str, range(17))))
    assert less["left_error"] == pytest.approx(1)
    assert less["words"].endswith("The 0 left on: 100% missing.")
    # The same sample taken apart: what is off is not in the rest.
    answer = get(ROUTES, f"/partwise/strip/{swimmers.id}?sample=5&most=3&off=0,1")
    terms = unpacked(answer.body)[0]["terms"]
    assert [term["kind"] for term in terms] == ["part"] * 3 + ["rest"]
    assert terms[-1]["count"] == 14 - len({0, 1} - {term["number"] for term in terms})


def test_tables_are_told_by_the_names_of_their_features(wines: Handle) -> None:
    header, picture = answer_of(wines, "parts")
    assert picture is None
    names = answers.displayed_parts(wines, None).feature_names
    assert all(word in names for card in header["words"] for word, _ in card)
    header, _ = answer_of(wines, "rebuilt", sample=0)
    assert len(header["lines"]) == 8
    assert "pixel" not in json.dumps(answer_of(wines, "parts")[0])


def test_who_uses_a_part_most(swimmers: Handle, wines: Handle) -> None:
    header, picture = answer_of(swimmers, "users", part=2)
    assert header["places"] == answers.displayed_parts(swimmers, None).users(2, 6).tolist()
    assert picture is not None
    shares = [entry.rpartition("×")[2] for entry in header["classes"].split(", ")]
    assert sum(int(share) if share.isdecimal() else 1 for share in shares) == 6
    header, picture = answer_of(wines, "users", part=0)
    assert picture is None
    assert len(header["names"]) == 6


@pytest.mark.parametrize(
    ("what", "status", "words"),
    [
        ("parts?order=colour", 400, "order must be one of"),
        ("parts?view=smell", 400, "no parts of a view 'smell'"),
        ("rebuilt?sample=100000", 400, "sample must be from 0 to"),
        ("rebuilt?sample=-1", 400, "whole number"),
        ("rebuilt?off=1,x", 400, "whole number"),
        ("rebuilt?off=99", 400, "parts to switch off"),
        ("rebuilt?off=" + "1," * 5000, 400, "more than 4000"),
        ("users?part=17", 400, "part must be from 0 to 16"),
        ("everything", 404, "Not Found"),
    ],
)
def test_bad_questions_are_answered_in_words(swimmers: Handle, what: str, status: int, words: str) -> None:
    answer = get(ROUTES, f"/partwise/basis/{swimmers.id}/{what}")
    assert answer.status == status
    assert words in answer.body.decode()


def test_an_unknown_run_is_told_nothing() -> None:
    assert get(ROUTES, "/partwise/basis/made-up/parts").status == 404


def test_a_method_without_parts_says_so() -> None:
    header, picture = answer_of(finished("iris", "nearest_neighbour", {}), "parts")
    assert "finds no parts" in header["none"]
    assert picture is None


@pytest.mark.parametrize("method", sorted(method_specs()))
def test_every_method_shows_its_parts_or_says_that_it_has_none(app: AppTest, method: str) -> None:
    data = miniature.request(method).dataset
    before = {run.id for run in service().runs}
    bases(app, data=data, labelled="5", compare=method)
    assert not app.error
    if "components" not in method_spec(method).gives:
        begun = [run for run in service().runs if run.id not in before and run.request.method == method]
        assert not begun, "nothing is run that has nothing to show"
        return
    [handle] = [run for run in service().runs if run.shared and run.request == requests(data)[method]]
    header, _ = answer_of(ended(handle), "parts")
    assert header.get("none", "") == ""
    assert header["count"] == handle.request.params["n_components"]
    assert header["mean"].startswith("mean sparsity")


def test_files_say_what_they_hold(swimmers: Handle, wines: Handle) -> None:
    parts = answers.displayed_parts(swimmers, None)
    assert downloads.stem_of(parts, 3) == "n2s2l-swimmer-k17-seed3"
    views = parts_of("planted_views", "nmf", {"n_components": 2, "max_iter": 3})
    assert downloads.stem_of(views, 0) == f"nmf-planted_views-{views.view.replace(' ', '_')}-k2-seed0"
    for kind in ("png", "svg", "csv", "npz"):
        assert downloads.maker(parts, "weight", kind)()


def test_the_montage_as_a_picture(swimmers: Handle, wines: Handle) -> None:
    for handle in (swimmers, wines):
        picture = Image.open(BytesIO(montage.png(answers.displayed_parts(handle, None), "weight", "A title")))
        assert picture.mode == "RGB"
        assert len(np.unique(np.asarray(picture))) > 10


def test_the_montage_as_a_drawing(swimmers: Handle, wines: Handle) -> None:
    drawing = ElementTree.fromstring(
        montage.svg(answers.displayed_parts(swimmers, None), "sparsity", "<A> & title")
    )
    assert drawing.find(f"{SVG}title").text == "<A> & title; light adds; framed: U¹"
    frames = [entry for entry in drawing.iter(f"{SVG}rect") if entry.get("stroke-width") == "3"]
    assert len(frames) == 4
    assert len(drawing.findall(f".//{SVG}image")) == 17
    parts = answers.displayed_parts(wines, None)
    words = [
        entry.text for entry in ElementTree.fromstring(montage.svg(parts, "weight", "t")).iter(f"{SVG}text")
    ]
    assert set(words) & set(parts.feature_names)


def test_hills_of_different_methods_do_not_touch() -> None:
    rng = np.random.default_rng(0)
    specs = [method_spec(name) for name in ("pca", "nmf", "n2s2l", "lnmf")]
    rows = [(spec, rng.random(40)) for spec in specs[:2]]
    rows += [(specs[2], np.zeros(40)), (specs[3], np.empty(0))]
    figure = charts.distributions(rows, "sparsity")
    reach: dict[str, list[float]] = {}
    for trace in figure.data:
        colour = trace.line.color or trace.marker.color
        reach.setdefault(colour, []).extend(trace.y)
    ends = sorted((min(values), max(values)) for values in reach.values())
    assert len(ends) == 3, "a method without parts yet has an empty row"
    assert all(below[1] < above[0] for below, above in pairwise(ends))
    assert figure.layout.yaxis.ticktext[3] == "LNMF"


@pytest.mark.parametrize(
    ("address", "sample", "off"),
    [
        ("g~7~b~nmf.1.5", 7, {"nmf": [1, 5]}),
        ("g~7~other~nmf.1.5", 7, {}),
        ("other~7~b~nmf.1.5", 0, {}),
        ("g~99~b~nmf.1", 0, {}),
        ("g~7", 7, {}),
        ("g~7~b~nmf.x.999999.3", 7, {"nmf": [3]}),
        ("", 0, {}),
    ],
)
def test_what_was_looked_at_counts_as_long_as_the_numbers_mean_the_same(
    monkeypatch: pytest.MonkeyPatch, address: str, sample: int, off: dict[str, list[int]]
) -> None:
    monkeypatch.setattr(bases_page.state, "get", lambda name, default: address)
    assert bases_page._look("g", "b", 20) == {"sample": sample, "off": off}
