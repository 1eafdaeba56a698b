"""The page of several views: what it answers about a run, the contest, and what it shows to whom."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from experiments import RunRequest
from experiments.comparisons.fusion import SPLITS
from experiments.engine.handle import Handle
from experiments.requests.library import load_dataset, method_spec
from methods.multiview.view_weights import best_weights
from tests.ui.asgi import get
from tests.ui.sliders import param_sliders, views_of
from tests.waiting import ended, until
from ui.live.drag import Drag, Turn
from ui.live.frames import frame, snapshot_frame
from ui.run_routes import run_routes
from ui.service import close, service
from ui.views import answers

OPTIONS = {"samples": 60}


def carried_out(params: Any = None, dataset: str = "planted_views", **more: Any) -> Handle:
    more.setdefault("dataset_options", OPTIONS)
    handle = service().shared(
        RunRequest(dataset, "sulf", {"max_iter": 20, "tol": 0.0} | (params or {}), **more)
    )
    return ended(handle)


def test_weights_and_errors_of_every_iteration() -> None:
    handle = carried_out()
    course = json.loads(json.dumps(answers.course(handle)))
    assert course["iterations"] == list(range(21))
    assert course["views"] == ["view 1", "view 2", "view 3"]
    np.testing.assert_allclose(np.sum(course["weights"], axis=1), 1, atol=1e-4)
    arrays = handle.snapshot(20)
    np.testing.assert_allclose(course["weights"][-1], arrays["view_weights"], atol=1e-4)
    # Samples have length 1 in each view, so what is left of 60 of them is a share of 60.
    np.testing.assert_allclose(course["errors"][-1], arrays["view_errors"] / 60, atol=1e-4)
    assert course["errors"][-1][0] < course["errors"][0][0] <= 1.5
    assert course["ended"]
    assert course["flags"] == []


@pytest.mark.parametrize(("times", "gone"), [(0.98, True), (1.02, False)])
def test_below_the_turning_point_the_worst_view_has_no_weight(times: float, gone: bool) -> None:
    handle = carried_out({"max_iter": 50})
    turning = answers.course(handle)["turning"]
    assert (best_weights(handle.snapshot(50)["view_errors"], times * turning).min() == 0) == gone


def test_errors_are_shares_of_what_the_method_was_shown() -> None:
    ds = load_dataset("planted_views", **OPTIONS)
    handle = carried_out({"unit_samples": False})
    course, errors = answers.course(handle), handle.snapshot(20)["view_errors"]
    shares = [error / np.square(view).sum() for error, view in zip(errors, ds.views.values(), strict=True)]
    np.testing.assert_allclose(course["errors"][-1], shares, rtol=1e-3)


def test_the_printed_rule_raises_a_flag() -> None:
    handle = carried_out({"rule": "printed", "beta": 1e3})
    assert handle.reader is not None
    assert (np.diff(handle.reader.curve()[:, 0]) > 0).any()
    assert answers.course(handle)["flags"][0].startswith("The objective rose at iteration")
    assert answers.course(carried_out({"beta": 1e3}))["flags"] == []


def test_topics_in_the_words_of_two_views() -> None:
    handle = carried_out({"n_components": 5}, "docstrings", dataset_options={"vocabulary": 300})
    course = answers.course(handle, ("body", "summary", "colour"))
    ds = load_dataset("docstrings", vocabulary=300)
    assert list(course["words"]) == ["body", "summary"]
    for view, topics in course["words"].items():
        assert len(topics) == 5
        for topic in topics:
            assert {word for word, _ in topic} <= set(ds.view_features[view])
    assert len(json.dumps(course)) < 20_000
    assert answers.course(handle)["words"] == {}


def test_addresses() -> None:
    handle = carried_out()
    answer = get(run_routes(), f"/partwise/views/{handle.id}?words=view%201&words=a&words=b")
    assert answer.status == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json["words"] == {}
    assert get(run_routes(), "/partwise/views/unknown").status == 404
    assert get(run_routes(), "/partwise/contest/unknown").status == 404
    like = RunRequest("planted_views", "sulf", dataset_options=OPTIONS)
    key = answers.contest_of(like, 5, 3)
    assert answers.contest_of(like, 5, 3) == key != answers.contest_of(like, 6, 3)
    course: dict[str, Any] = {}

    def complete() -> bool:
        course.update(get(run_routes(), f"/partwise/contest/{key}").json)
        return bool(course["known"] == course["whole"])

    assert not answers.is_complete(key, "me")
    until(complete)
    assert answers.is_complete(key, "me")
    assert {row["way"] for row in course["rows"]} == {"one view", "side by side", "several views"}
    assert all(len(values) == SPLITS for row in course["rows"] for values in row["values"].values())
    figure = get(run_routes(), f"/partwise/contest/{key}/figure/nmi")
    assert figure.headers["content-type"].startswith("image/svg+xml")
    assert figure.body.count(b"<circle") == len(course["rows"]) * (SPLITS + 1)
    assert get(run_routes(), f"/partwise/contest/{key}/figure/taste").status == 404
    lines = list(csv.DictReader(answers.as_csv(key, "me").splitlines()))
    assert len(lines) == course["whole"]
    assert [float(line["nmi"]) for line in lines[:SPLITS]] == course["rows"][0]["values"]["nmi"]
    # The server is started again: all of it is there at once.
    close()
    answers._contests.clear()
    assert answers.contest_of(like, 5, 3) == key
    until(lambda: answers.is_complete(key, "somebody else"))


@pytest.fixture
def app() -> AppTest:
    """The app with data in three views."""
    script = Path(__file__).resolve().parents[3] / "ui" / "shell.py"
    app = AppTest.from_file(str(script), default_timeout=60)
    app.query_params["data"] = "planted_views"
    app.query_params["data.planted_views.samples"] = "100"
    return app


def shown(app: AppTest) -> AppTest:
    app.run()
    app.switch_page("../pages/views.py").run()
    assert not app.exception
    return app


def slider(app: AppTest, label: str) -> Any:
    return next(one for one in [*app.slider, *param_sliders(app)] if one.label.startswith(label))


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def runs(app: AppTest) -> list[Handle]:
    return [h for h in service().runs if h.request.method == "sulf" and h.request.view is None]


def test_data_with_one_view_get_an_invitation_one_click_from_several(app: AppTest) -> None:
    app.query_params["data"] = "swimmer"
    shown(app)
    assert "is seen in one way only" in app.info[0].value
    offers = [label for label in labels(app) if "Choose" in label or "choose" in label]
    assert len(offers) == 6
    next(button for button in app.button if "three views" in button.label).click()
    app.run()
    assert not app.exception
    assert not app.info
    newest = service().runs[-1].request
    assert (newest.dataset, newest.dataset_options["views"]) == ("swimmer", "pixels+textures+edges")
    views = next(box for box in app.sidebar.selectbox if box.label == "Views")
    assert views.value == "pixels+textures+edges"
    assert newest.method == "sulf"


def test_a_moved_slider_ends_where_its_address_opened_afresh_ends(app: AppTest) -> None:
    shown(app)
    first = runs(app)[-1]
    assert first.shared
    slider(app, "Evenness").set_value(10.0)
    app.run()
    second = runs(app)[-1]
    assert second.warm_from is None, "where one came from is not in the address"
    assert second.request.params["lam"] == 10.0
    assert not second.shared, "what one visitor tries out is not what everybody begins with"
    ended(first, second)
    weights = [h.snapshot(h.snapshots[-1][0])["view_weights"] for h in (first, second)]
    assert weights[1].max() > weights[0].max(), "a smaller λ lets the weights differ more"


def test_one_view_of_the_page_follows_the_sliders_and_the_course_asks_about_what_follows(
    app: AppTest,
) -> None:
    shown(app)
    [(_, parts)], [(_, course)] = views_of(app, "live_view"), views_of(app, "views")
    assert parts["turned_by"] == slider(app, "Evenness").data["of"] == "views.sulf"
    assert course["turns"]["of"] == []
    # Other tests have moved sliders: those runs are of their own.
    run = [one for one in runs(app) if one.shared][-1]
    hand = Drag(run, "somebody")
    hand.turn(Turn(1, {"lam": 5.0}))
    assert hand.problem == ""
    until(lambda: hand.displayed is not run, "the run everybody begins with may be tried out, too")
    course = answers.course(hand.displayed)
    assert (course["id"], course["limit"]) == (hand.displayed.id, None)
    assert len(course["weights"]) >= 2
    hand.let_go()


def test_a_change_of_data_begins_anew(app: AppTest) -> None:
    shown(app)
    before = runs(app)[-1]
    app.query_params["data"] = "planted_views"
    slider(app, "Samples").set_value(120)
    app.run()
    after = runs(app)[-1]
    assert after.request.dataset_options["samples"] == 120
    assert after.warm_from is None
    assert after.id != before.id


def test_the_contest_is_made_when_asked_for(app: AppTest) -> None:
    shown(app)
    assert "Compare them" in labels(app)
    next(button for button in app.button if button.label == "Compare them").click()
    app.run()
    assert "Compare them" not in labels(app)
    assert not app.exception


def test_unlike_features_are_told_and_made_alike_and_the_comparison_goes_on_by_itself(app: AppTest) -> None:
    app.query_params |= {"seed": "71", "views.own": "nmf;n_components=4"}
    shown(app)
    next(button for button in app.button if button.label == "Compare them").click().run()
    compared = next(reversed(answers._contests.values())).everybody
    assert [one.title for one in compared if one.method == "nmf"] == ["NMF", "NMF (k 4)"]
    assert any("look at unlike features" in caption.value for caption in app.caption)
    next(button for button in app.button if button.label.startswith("Leave out those")).click().run()
    assert not any("look at unlike features" in caption.value for caption in app.caption)
    next(button for button in app.button if button.label == "Go on without me").click().run()
    assert any("This goes on without you" in caption.value for caption in app.caption)
    assert not app.exception


@pytest.mark.parametrize("method", ["cca", "cnmf", "cotraining", "pcsc", "sgnmf", "sulf"])
def test_methods_for_several_views_run_on_the_live_page(app: AppTest, method: str) -> None:
    app.query_params["method"] = method
    app.query_params[f"live.{method}.max_iter"] = "20"
    app.query_params["live.view"] = "all side by side"
    app.run()
    app.switch_page("../pages/live.py").run()
    next(button for button in app.button if button.label == "Run").click()
    app.run()
    assert not app.exception
    handle = service().runs[-1]
    ended(handle)
    assert handle.status in ("done", "max_iter"), handle.message
    spec, three = method_spec(method), ("view 1", "view 2", "view 3")
    assert (handle.request.method, handle.request.view) == (method, None if "views" in spec.needs else three)
    one, other, unknown = (frame(handle, "light", view) for view in ("view 1", "view 2", "no such view"))
    assert unknown == one
    assert (b'"weights":[["view 1",' in one) == (method == "sulf")
    assert (other != one) == (method != "pcsc"), "PCSC has no parts, but scores of samples"
    assert snapshot_frame(handle, handle.snapshots[-1][0], "dark", "view 3")
    app.run()
    assert any(group.label == "Parts in view" for group in app.button_group) == (method != "pcsc")
