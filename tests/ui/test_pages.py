"""The logic of each page, run by AppTest: what is shown, what controls do, what errors say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from experiments.engine.run_cache import RunRefusedError
from experiments.requests.library import runnable
from tests.ui.blocks import readable
from tests.ui.sliders import ParamSlider, param_slider, param_sliders
from tests.waiting import until
from ui import glossary
from ui.live import demo, opening_run
from ui.live.frames import frame, snapshot_frame
from ui.service import keeper, service

PAGES = (
    "start", "data", "live", "bases", "occlusion", "noise", "recognition", "graphs", "documents", "views",
    "runs", "methods", "lessons", "tune", "papers",
)  # fmt: skip


@pytest.fixture
def app(repository: Path) -> AppTest:
    """The app as a new visitor finds it, with small pictures so that runs are quick."""
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.query_params["data.orl.size"] = "16"
    return at


def go(at: AppTest, page: str) -> AppTest:
    at.switch_page(f"../pages/{page}.py").run()
    assert not at.exception
    return at


def button(at: AppTest, label: str):
    return next(entry for entry in at.button if entry.label == label)


def wait_for(at: AppTest, condition: Callable[[], bool]) -> None:
    until(condition)
    at.run()


def present(at: AppTest):
    return service().get(at.session_state["partwise choices"].get("run"))


def test_every_page_of_the_menu_is_here(repository: Path) -> None:
    assert {page.stem for page in (repository / "pages").glob("*.py")} - {"__init__"} == set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_page_shows_its_question_and_no_error(app: AppTest, page: str) -> None:
    app.run()
    go(app, page)
    assert len(app.title) == 1
    assert app.title[0].value.strip()
    assert not app.error


def test_words_that_are_explained_are_those_of_pages() -> None:
    explained = [glossary.words_of(page) for page in PAGES]
    assert set().union(*explained) == set(glossary.MEANINGS)


def test_start_runs_by_itself(app: AppTest) -> None:
    app.run()
    handle = service().get(app.session_state["partwise choices"]["_demo.figures"])
    assert handle is not None
    assert handle.request == opening_run.REQUEST
    assert not app.sidebar.selectbox, "what is chosen in the sidebar means nothing here"


def test_live_run_from_run_to_reset(app: AppTest) -> None:
    app.run()
    go(app, "live")
    assert button(app, "Pause").disabled
    assert button(app, "Stop").disabled
    assert button(app, "Reset").disabled

    button(app, "Step").click().run()
    handle = present(app)
    wait_for(app, lambda: handle.status == "paused" and handle.reader is not None)
    assert handle.reader.version[0] == 1
    button(app, "Step").click().run()
    wait_for(app, lambda: handle.reader.version[0] == 2)

    button(app, "Run").click().run()
    wait_for(app, lambda: handle.reader.version[0] > 5 or handle.ended)
    assert present(app).id == handle.id, "Run goes on with the paused run"
    if not handle.ended:
        button(app, "Stop").click().run()
        wait_for(app, lambda: handle.ended)
    assert not app.error

    button(app, "Reset").click().run()
    assert present(app) is None


def test_parameters_come_from_the_spec_and_reach_the_run(app: AppTest) -> None:
    app.query_params["live.n2s2l.alpha"] = "100"
    app.run()
    go(app, "live")
    assert param_slider(app, "Alpha").value == 100
    assert param_slider(app, "Alpha").data["mark"] == 10, "what the paper has"
    button(app, "Run").click().run()
    assert present(app).request.params["alpha"] == 100.0


def test_nonsense_in_the_address_is_ignored(app: AppTest) -> None:
    wrong = {"data": "nothing", "method": "nothing", "labelled": "999", "seed": "-3"}
    for name, value in (wrong | {"live.n2s2l.alpha": "abc"}).items():
        app.query_params[name] = value
    app.run()
    go(app, "live")
    assert not app.error


def test_a_refusal_is_a_sentence_and_the_page_lives_on(app: AppTest) -> None:
    app.run()
    go(app, "live")
    param_slider(app, "Parts").set_value(10).run()
    button(app, "Run").click().run()
    handle = present(app)
    wait_for(app, lambda: handle.ended)
    assert "n_components=10" in handle.message
    [said] = [error.value for error in app.error]
    assert said.startswith("Discriminative (q) = 40 must be smaller than Parts (k) = 10")

    param_slider(app, "Parts").set_value(50).run()
    button(app, "Run").click().run()
    again = present(app)
    assert again.id != handle.id
    wait_for(app, lambda: again.reader is not None)
    assert not app.error


def test_choices_survive_a_change_of_page(app: AppTest) -> None:
    app.run()
    go(app, "live")
    next(box for box in app.selectbox if box.label == "Method").set_value("nmf").run()
    next(slider for slider in app.slider if slider.label == "Labelled pictures of each person").set_value(
        4
    ).run()
    go(app, "data")
    assert any("160 (40%)" in metric.value for metric in app.metric)
    go(app, "live")
    assert next(box for box in app.selectbox if box.label == "Method").value == "nmf"


def test_another_data_set_keeps_how_much_is_labelled(app: AppTest) -> None:
    app.run()
    go(app, "data")
    for other in ("wine", "digits", "orl"):
        next(box for box in app.selectbox if box.label == "Data").set_value(other).run()
        labelled = next(slider for slider in app.slider if slider.label.startswith("Labelled "))
        assert labelled.value == 2


def test_automatic_values_follow_the_data_until_changed(app: AppTest) -> None:
    app.run()
    go(app, "live")

    def rank() -> ParamSlider:
        return param_slider(app, "Parts")

    assert rank().value == 80 * 256 // (80 + 256)
    next(slider for slider in app.slider if slider.label == "Pixels a side").set_value(32).run()
    assert rank().value == 80 * 1024 // (80 + 1024)
    rank().set_value(50).run()
    next(slider for slider in app.slider if slider.label == "Pixels a side").set_value(16).run()
    assert rank().value == 50


def test_share_of_labelled_samples(app: AppTest) -> None:
    app.query_params["by"] = "share"
    app.query_params["share"] = "50"
    app.run()
    go(app, "data")
    assert any("200 (50%)" in metric.value for metric in app.metric)


def test_data_without_images_of_people(app: AppTest) -> None:
    app.query_params["data"] = "digits"
    app.run()
    go(app, "data")
    assert any(metric.value == "1\xa0797" for metric in app.metric)
    assert not app.error


@pytest.mark.parametrize("method", sorted(runnable()))
def test_every_method_runs_on_the_live_page(app: AppTest, method: str) -> None:
    app.query_params["method"] = method
    app.query_params[f"live.{method}.max_iter"] = "20"
    go(app, "live")
    button(app, "Run").click().run()
    handle = present(app)
    wait_for(app, lambda: handle.ended)
    assert handle.status in ("done", "max_iter"), handle.message
    assert not app.error
    shown = readable(frame(handle, "light"))
    assert (shown["status"], shown["ended"]) == (handle.status, True)
    for iteration, _ in handle.snapshots:
        assert readable(snapshot_frame(handle, iteration, "dark"))["shown"] == iteration


def test_controls_that_change_nothing_are_not_shown(app: AppTest) -> None:
    app.query_params |= {"method": "kernel_pca", "live.kernel_pca.degree": "3"}
    app.run()
    go(app, "live")

    def labels() -> set[str]:
        return {slider.label for slider in param_sliders(app)}

    assert "Sigma (σ)" in labels()
    assert "Degree (d)" not in labels()
    kernel = next(control for control in app.selectbox if control.label == "Kernel")
    kernel.set_value("polynomial").run()
    assert not app.exception
    assert "Sigma (σ)" not in labels()
    degree = param_slider(app, "Degree")
    assert degree.value == 3, "what the link asked for is still there"
    degree.set_value(4.0).run()
    for name in ("gaussian", "polynomial"):
        next(control for control in app.selectbox if control.label == "Kernel").set_value(name).run()
    assert param_slider(app, "Degree").value == 4


def test_a_control_above_the_one_it_waits_for_goes_at_once(app: AppTest) -> None:
    app.query_params["method"] = "s_rlsc"
    app.run()
    go(app, "live")
    assert "Sigma (σ)" in {slider.label for slider in param_sliders(app)}
    next(control for control in app.selectbox if control.label.startswith("Kernel")).set_value("linear").run()
    assert "Sigma (σ)" not in {slider.label for slider in param_sliders(app)}


def test_every_page_says_that_runs_wait_to_be_written_down(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "The run store does not answer: no route to 10.0.0.1. 6 finished runs wait in a file."
    monkeypatch.setattr(type(keeper()), "notice", property(lambda _: words))
    for page in ("graphs", "methods"):
        [warning] = go(app, page).warning
        assert warning.value.replace("\\", "") == words
    monkeypatch.undo()
    assert not go(app, "graphs").warning


@pytest.mark.parametrize("page", ["start", "occlusion", "documents", "views", "methods"])
def test_a_page_that_may_start_nothing_says_why(
    page: str, app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise RunRefusedError("This server has as many runs at hand as it can hold.")

    app.query_params["data"] = {"views": "planted_views", "documents": "docstrings"}.get(page, "orl")
    app.query_params["data.planted_views.samples"] = "100"
    monkeypatch.setattr(service(), "_start", refuse)
    monkeypatch.setattr(service(), "shared_before", lambda request: None)
    # Nobody has seen the demonstration yet.
    monkeypatch.setattr(demo, "_on_show", {})
    go(app, page)
    told = [*app.warning, *app.info, *app.error]
    assert any("as many runs at hand" in words.value for words in told)
