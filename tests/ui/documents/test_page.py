"""The documents page: what it answers while one reads, what its addresses refuse, what labels start."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.requests.library import load_dataset, method_spec
from tests.ui.asgi import get
from tests.ui.sliders import param_slider, param_sliders, views_of
from tests.waiting import ended, until
from ui import owner
from ui.by_hand import hand_labels
from ui.documents import answers, page
from ui.run_routes import run_routes
from ui.service import service

OPTIONS = {"vocabulary": 400}


def run(method: str = "n2s2l", **changes: Any) -> Handle:
    params = {"n_components": 8, "solver": "accelerated", "max_iter": 60}
    return service().shared(RunRequest("docstrings", method, params, dataset_options=OPTIONS, **changes))


@pytest.fixture(scope="module")
def handle() -> Handle:
    """A finished run on the documents that are always there."""
    load_dataset("docstrings", **OPTIONS)  # Collects the texts once; the worker then finds them collected.
    return ended(run())


def test_the_overview_is_plain_bounded_and_complete(handle: Handle) -> None:
    found = answers.overview(handle)
    assert len(json.dumps(found)) < 150_000
    assert found["ended"]
    assert len(found["topics"]) == 8
    assert sum(topic["share"] for topic in found["topics"]) == pytest.approx(1, abs=0.02)
    names = {one["name"] for one in found["classes"]}
    assert {"numpy", "scipy", "pandas"} <= names
    assert all(one["told"] == 2 for one in found["classes"])
    assert 0 < found["accuracy"] < 1
    points = found["map"]
    assert len(points["rows"]) == len(points["x"]) == len(points["topic"]) <= 4000
    assert set(points["x"]) <= set(range(1001))
    assert answers.reading(handle) is answers.reading(handle), "worked out once"


def test_a_second_text_shows_the_same_topics_in_its_own_words(handle: Handle) -> None:
    beside = answers.overview(handle, "parameters")["beside"]
    assert beside["view"] == "parameters"
    assert len(beside["topics"]) == 8
    for nonsense in ("", "body", "no such view"):
        assert answers.overview(handle, nonsense)["beside"] is None


def test_documents_of_a_topic_come_in_order_and_in_pages(handle: Handle) -> None:
    first, second = answers.documents(handle, topic=2), answers.documents(handle, topic=2, start=40)
    shares = [one["share"] for one in first["documents"] + second["documents"]]
    assert shares == sorted(shares, reverse=True)
    assert len({one["row"] for one in first["documents"] + second["documents"]}) == 80
    names = [one["name"] for one in answers.overview(handle)["classes"]]
    code = names.index("pandas")
    both = answers.documents(handle, topic=2, group=code)
    assert {one["class"] for one in both["documents"]} == {"pandas"}
    assert both["total"] < first["total"]
    predicted = answers.documents(handle, group=code, predicted=True)
    assert predicted["total"] == answers.overview(handle)["classes"][code]["taken"]
    assert not any(one["told"] for one in predicted["documents"])


def test_a_document_shows_its_mix_and_the_words_of_the_topic(handle: Handle) -> None:
    row = answers.documents(handle, topic=1)["documents"][0]["row"]
    found = answers.document(handle, row, 1, "summary")
    assert found["topic"] == 1
    assert found["mix"][0][0] == 1
    assert [text["view"] for text in found["texts"]] == ["body", "summary"]
    lit = {piece.lower() for piece, weight in found["texts"][0]["pieces"] if weight}
    assert lit & {word for word, _ in answers.overview(handle)["topics"][1]["words"]}
    body = answers.reading(handle).ds.texts["body"][row]
    assert "".join(piece for piece, _ in found["texts"][0]["pieces"]) == body[: answers._LONGEST_TEXT]
    assert answers.document(handle, row)["topic"] == 1, "left open, the topic it has most of"


def test_data_without_texts_show_the_words_of_a_document(handle: Handle, monkeypatch: Any) -> None:
    now = answers.reading(handle)
    bare = SimpleNamespace(
        **{name: getattr(now, name) for name in ("rows", "mix", "main", "training_labels", "predicted")},
        **{name: getattr(now, name) for name in ("codes", "request", "view", "class_names", "place_of")},
        parts_in=now.parts_in,
        ds=SimpleNamespace(
            texts={}, views=now.ds.views, view_features=now.ds.view_features, card=now.ds.card,
            sample_names=now.ds.sample_names,
        ),
    )  # fmt: skip
    monkeypatch.setattr(answers, "reading", lambda handle: bare)
    text = answers.document(handle, 5)["texts"][0]
    assert text["words"]
    words = [piece for piece, _ in text["pieces"] if piece.strip()]
    weights = now.ds.views["body"][[5]].toarray()[0]
    column = {word: number for number, word in enumerate(now.ds.view_features["body"])}
    assert [weights[column[word]] for word in words] == sorted(weights[weights > 0], reverse=True)


def test_search_finds_words_with_their_topics_and_documents(handle: Handle) -> None:
    found = answers.search(handle, "matri")
    assert [word["word"] for word in found["words"]][:1] == ["matrix"]
    word = found["words"][0]
    assert 0 < sum(share for _, share in word["topics"]) <= 1.01
    assert word["near"]
    assert "matrix" not in word["near"]
    texts = answers.reading(handle).ds.texts
    for one in answers.search(handle, "matrix rank")["documents"]:
        assert all("matrix" in text or "rank" in text for text in [texts["body"][one["row"]].lower()])
    assert answers.search(handle, "x" * 10_000) == {"words": [], "documents": []}


def test_addresses_answer_and_refuse(handle: Handle) -> None:
    base = f"/partwise/topics/{handle.id}"
    row = answers.documents(handle, topic=0)["documents"][0]["row"]
    routes = run_routes()
    assert get(routes, base).json["ended"]
    assert get(routes, f"{base}/documents?topic=0&class=1&start=0").status == 200
    assert get(routes, f"{base}/document/{row}?topic=0").json["row"] == row
    assert get(routes, f"{base}/search?q=array").json["words"]
    for refused, status in (
        ("/partwise/topics/unknown", 404), ("/partwise/topics/unknown/search?q=a", 404),
        ("/partwise/topics/unknown/documents", 404), ("/partwise/topics/unknown/document/1", 404),
        (f"{base}/documents?topic=99", 400), (f"{base}/documents?topic=-1", 400),
        (f"{base}/documents?start=1e9", 400), (f"{base}/document/99999999", 404),
        (f"{base}/document/{row}?topic=8", 400), (f"{base}/document/{row}?topic=x", 400),
    ):  # fmt: skip
        answer = get(routes, refused)
        assert answer.status == status, refused
        assert answer.body.decode().endswith(".")


def test_a_run_without_topics_says_so() -> None:
    handle = ended(service().shared(RunRequest("iris", "nmf", {"n_components": 2, "max_iter": 5})))
    assert answers.overview(handle)["topics"] == []
    answer = get(run_routes(), f"/partwise/topics/{handle.id}/search?q=a")
    assert (answer.status, answer.body.decode()) == (400, "This run has found no topics yet.")


def test_of_erased_documents_nothing_is_told(handle: Handle, monkeypatch: Any) -> None:
    assert answers.reading(handle) is not None
    monkeypatch.setattr(answers, "is_upload", lambda dataset: True)
    monkeypatch.setattr(answers, "is_here", lambda dataset: False)
    for path in ("", "/documents?topic=0", "/search?q=array", "/document/3"):
        answer = get(run_routes(), f"/partwise/topics/{handle.id}{path}")
        assert (answer.status, answer.body.decode()) == (400, "These documents have been erased.")
    assert handle.id not in answers._corpora


@pytest.fixture
def app(repository: Path) -> AppTest:
    hand_labels._turns_by_owner.clear()
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=120)
    at.query_params["data"] = "docstrings"
    at.query_params["data.docstrings.vocabulary"] = "400"
    at.query_params["documents.k"] = "6"
    return at


def open_page(at: AppTest) -> AppTest:
    at.run()
    at.switch_page("../pages/documents.py").run()
    assert not at.exception
    assert not at.error
    return at


def present(at: AppTest) -> Handle:
    found = service().get(at.session_state["partwise choices"][page._RUN])
    assert found is not None
    return found


def said(
    at: AppTest, act: Callable[[], None], monkeypatch: Any, value: dict[str, Any] | None = None
) -> AppTest:
    """Do what the page does when its component reports something, in the session of the test."""
    monkeypatch.setattr(page.state, "component_value", lambda key, field: value)
    monkeypatch.setattr(owner, "token", lambda: at.session_state["partwise choices"]["_owner"])
    there = SimpleNamespace(dataset="docstrings", data=load_dataset("docstrings", **OPTIONS))
    monkeypatch.setattr(page, "chosen", lambda: there)
    monkeypatch.setattr(page.set_aside, "before_labelling", lambda dataset: None)
    problem: dict[str, Any] = {}
    monkeypatch.setattr(page.state, "put", lambda name, value: problem.update({name: value}))
    act()
    monkeypatch.undo()
    at.session_state["partwise choices"] = at.session_state["partwise choices"] | problem
    return at.run()


def test_documents_start_by_themselves_with_few_topics(app: AppTest) -> None:
    del app.query_params["documents.k"]
    handle = present(open_page(app))
    assert handle.request.method == "n2s2l"
    assert handle.request.params["n_components"] == 12
    assert handle.request.params["n_discriminative"] == 11
    assert (handle.request.params["alpha"], handle.request.params["beta"]) == (1.0, 0.03)
    assert handle.shared, "everybody who looks at the same looks at one run"


def test_the_number_of_topics_and_the_parameters_are_followed(app: AppTest) -> None:
    open_page(app)
    [(_, told)] = views_of(app, "documents")
    assert told["turns"]["of"] == ["documents.n2s2l"]
    assert told["turns"]["along"]["n_components"]["n_discriminative"] == {"less": 1, "most": None}
    sliders = {one.label: one.data for one in param_sliders(app)}
    assert all(data["of"] == "documents.n2s2l" for data in sliders.values())
    assert sliders["Number of topics"]["param"] == "n_components"
    assert "Alpha (α)" in sliders
    param_slider(app, "Number of topics").set_value(9).run()
    params = present(app).request.params
    assert (params["n_components"], params["n_discriminative"]) == (9, 8)
    assert app.session_state["partwise choices"]["documents.k"] == 9


def test_parameters_can_be_turned(app: AppTest) -> None:
    app.query_params["documents.n2s2l.alpha"] = "10"
    assert present(open_page(app)).request.params["alpha"] == 10.0


def test_labels_start_a_run_that_goes_on_and_undo_takes_them_back(app: AppTest, monkeypatch: Any) -> None:
    before = ended(present(open_page(app)))
    said(app, page._assign, monkeypatch, {"rows": [3, 8, 11], "name": "arrays"})
    after = ended(present(app))
    assert after.request.labels == ((3, "arrays"), (8, "arrays"), (11, "arrays"))
    assert after.warm_from == before.id
    assert after.note == "", "it could go on from there"
    assert not after.shared
    classes = answers.overview(after)["classes"]
    assert classes[-1]["name"] == "arrays"
    assert classes[-1]["hand"]
    said(app, page._assign, monkeypatch, {"rows": [20], "name": "files"})
    assert present(app).warm_from == before.id, "in whatever order they were given"
    said(app, page._undo, monkeypatch)
    said(app, page._undo, monkeypatch)
    assert present(app).request.labels == ()


@pytest.mark.parametrize(
    "nonsense", [{"rows": [], "name": "a"}, {"rows": [1], "name": ""}, {"rows": 3, "name": "a"}, {}]
)
def test_nonsense_for_a_label_is_a_sentence(app: AppTest, monkeypatch: Any, nonsense: dict[str, Any]) -> None:
    before = present(open_page(app))
    said(app, page._assign, monkeypatch, nonsense)
    assert not app.exception
    assert app.session_state["partwise choices"][page._PROBLEM]
    assert present(app).id == before.id


def test_only_methods_that_find_topics_are_offered(app: AppTest) -> None:
    open_page(app)
    offered = next(box for box in app.selectbox if box.label == "Method").options
    assert any(title.startswith("NMF") for title in offered)
    assert not any(title.startswith(("PCA", "LDA", "Semi-NMF", "Gaussian", "CCA")) for title in offered)


def test_data_without_texts_invite_with_sets_to_choose(app: AppTest) -> None:
    app.query_params["data"] = "iris"
    app.run()
    app.switch_page("../pages/documents.py").run()
    assert not app.exception
    next(button for button in app.button if button.key == "choose docstrings").click().run()
    assert not app.exception
    assert next(box for box in app.selectbox if box.label == "Data").value == "docstrings"
    assert present(app).request.dataset == "docstrings"


def test_a_method_for_several_views_gets_all_texts_the_chosen_one_first(app: AppTest) -> None:
    app.query_params["documents.method"] = "sulf"
    app.query_params["documents.view"] = "summary"
    app.query_params["documents.beside"] = "body"
    handle = present(open_page(app))
    assert list(handle.request.view) == ["summary", "body", "parameters"]
    until(lambda: answers.overview(handle, "body").get("beside"), handle.message)
    assert answers.overview(handle, "body")["beside"]["view"] == "body"
    assert answers.reading(handle).view == "summary"


@pytest.mark.parametrize(
    ("labels", "method", "offered", "expected"),
    [
        ((), "nmf", ("nmf",), ""),
        (((1, "a"),), "nmf", ("nmf",), "Name documents of a second class: then N²S²L can use the labels."),
        (((1, "a"), (2, "b")), "nmf", ("nmf", "n2s2l"), "NMF makes no use of labels: N²S²L does."),
        (((1, "a"), (2, "b")), "n2s2l", ("nmf", "n2s2l"), ""),
    ],
)
def test_what_labels_still_lack_is_said(
    monkeypatch: Any, labels: Any, method: str, offered: tuple[str, ...], expected: str
) -> None:
    specs = {name: method_spec(name) for name in offered}
    monkeypatch.setattr(page, "offered", lambda choice, accept: specs)
    choice: Any = SimpleNamespace(labels=labels)
    assert page._hint(choice, method_spec(method)) == expected
