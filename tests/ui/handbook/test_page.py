"""The Methods page: every method told from its SPEC, its formulas cut but not lost, its small run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import experiments
from experiments.requests.library import method_specs
from tests.ui.blocks import readable
from tests.ui.sliders import param_slider
from tests.waiting import ended
from ui.handbook import formulas, miniature
from ui.live.frames import snapshot_frame
from ui.method_menu import FAMILIES

SPECS = method_specs()


@pytest.fixture
def app(repository: Path) -> AppTest:
    return AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)


def methods(at: AppTest, about: str = "") -> AppTest:
    if about:
        at.query_params["about"] = about
    at.switch_page("../pages/methods.py").run()
    assert not at.exception
    assert not at.error
    return at


def words(at: AppTest) -> str:
    return "\n".join(text.value for text in at.markdown)


def pills(at: AppTest, label: str):
    return next(group for group in at.button_group if group.label == label)


def test_every_family_has_its_methods(app: AppTest) -> None:
    methods(app)
    family, method = pills(app, "Family"), pills(app, "Method")
    assert [re.search(r"\((\d+)\)", option).group(1) for option in family.options] == [
        str(sum(spec.family == name for spec in SPECS.values())) for name in FAMILIES
    ]
    assert method.value == "n2s2l"
    family.set_value("kernel").run()
    assert not app.exception
    assert pills(app, "Method").value in [name for name, spec in SPECS.items() if spec.family == "kernel"]
    pills(app, "Family").set_value("nonnegative").run()
    assert pills(app, "Method").value == "n2s2l"


@pytest.mark.parametrize("method", sorted(SPECS))
def test_every_method_is_told_from_its_spec(app: AppTest, method: str) -> None:
    spec = SPECS[method]
    methods(app, method)
    said = words(app)
    for line in formulas.lines(spec.objective) + formulas.lines(spec.update):
        assert line in said
    assert f"{spec.cost} {spec.in_seconds}" in said
    assert all(reference in said for reference in spec.references)
    assert all(f"`{param.name}`" in said for param in spec.params if param.kind != "seed")
    assert spec.corrections in said
    assert not app.info, "every method has a small run"


@pytest.mark.parametrize(
    ("method", "name", "default"),
    [
        ("n2s2l", "sample_shape", "a vector"), ("ntf", "sample_shape", "a square image"),
        ("n2s2l", "intrinsic_neighbors", "all"), ("sulf", "gamma", "the share decides"),
        ("sulf", "only_view", "all of them"), ("nmf", "n_components", "follows from the data"),
    ],
)  # fmt: skip
def test_a_default_that_is_no_value_is_said_in_words(
    app: AppTest, method: str, name: str, default: str
) -> None:
    methods(app, method)
    [line] = [line for line in words(app).splitlines() if f"`{name}`" in line]
    assert f"Default: {default}." in line


def test_a_method_that_does_not_exist_is_another(app: AppTest) -> None:
    methods(app, "nothing")
    assert pills(app, "Method").value == "n2s2l"


def test_try_it_opens_the_live_run_with_the_same_parameters(app: AppTest) -> None:
    app.query_params["live.nmf.max_iter"] = "1000"
    app.query_params["live.mode"] = "race"
    methods(app, "nmf")
    next(button for button in app.button if button.label == "Try it on Live run").click().run()
    assert not app.exception
    choices = app.session_state["partwise choices"]
    assert choices["method"] == "nmf"
    assert choices["data"] == "swimmer"
    assert choices["run"] == miniature.run("nmf").id
    for name, value in miniature.request("nmf").params.items():
        assert choices[f"live.nmf.{name}"] == value
    assert next(box for box in app.selectbox if box.label == "Data").value == "swimmer"
    assert param_slider(app, "Parts").value == 17


@pytest.mark.parametrize("method", sorted(SPECS))
def test_the_small_run_is_small_and_makes_sense(method: str) -> None:
    wanted = miniature.request(method)
    wanted.canonical()
    assert wanted.params.get("max_iter", 0) <= 200
    assert wanted.params.get("n_components", 0) <= 20
    assert miniature.in_words(SPECS[method], wanted).endswith(".")
    handle = ended(miniature.run(method))
    assert handle.status in ("done", "max_iter"), handle.message
    # It is played from what was kept of it, the start included.
    assert handle.snapshots[0][0] == 0
    for iteration, _ in handle.snapshots:
        assert readable(snapshot_frame(handle, iteration, "light"))["shown"] == iteration


@pytest.mark.parametrize("method", sorted(SPECS))
def test_formulas_are_cut_but_nothing_is_lost(method: str) -> None:
    for latex in (SPECS[method].objective, SPECS[method].update):
        lines = formulas.lines(latex)
        for line in lines:
            assert line.count("{") == line.count("}")
            assert len(re.findall(r"\\left(?![a-z])", line)) == len(re.findall(r"\\right(?![a-z])", line))
            assert line.count(r"\begin") == line.count(r"\end")

        def bare(text: str) -> str:
            return re.sub(r"\\qquad|\\\\|[&\s,;]|\\(begin|end)\{aligned\}", "", text)

        assert bare("".join(lines)) == bare(latex)


def test_who_trusts_neighbours_is_shown_where_neighbours_can_be_trusted() -> None:
    record = experiments.run(miniature.request("n2s2l"))
    assert record.scores["accuracy_euclidean"] > 0.7
