"""The Tune page as somebody uses it, without a browser."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from experiments.requests.library import Facts, method_spec
from experiments.tuning import Sweep, expected, table_of
from tests.ui.asgi import get
from tests.waiting import until
from ui.blocks import unpacked
from ui.run_routes import run_routes
from ui.service import unattended
from ui.tune import sweeps, take
from ui.tune.setup import choices_of, usual_range
from ui.words import counted

IRIS = {
    "data": "iris",
    "tune.method": "nmf",
    "tune.nmf.over": "n_components",
    "tune.nmf.n_components.from": "2",
    "tune.nmf.n_components.to": "4",
    "tune.nmf.n_components.values": "3",
    "tune.nmf.max_iter": "10",
    "tune.splits": "2",
}


def opened(**address: str) -> AppTest:
    script = Path(__file__).resolve().parents[3] / "ui" / "shell.py"
    app = AppTest.from_file(str(script), default_timeout=60)
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    app.switch_page("../pages/tune.py").run()
    assert not app.exception
    return app


def present() -> Sweep:
    """The sweep that was set up last."""
    return next(reversed(sweeps._sweeps.values())).sweep


def button(app: AppTest, label: str) -> Any:
    return next(one for one in app.button if one.label == label)


def finish() -> None:
    """Have all trials of the sweep done, as the page asks for them."""
    entry = sweeps.Registered(present())
    until(lambda: table_of(entry.sweep, sweeps.results_of(entry, "me", begins=True)).whole)


def test_the_defaults_are_honest_and_the_papers_method() -> None:
    opened()
    made = present()
    assert (made.method, [axis.param for axis in made.axes]) == ("n2s2l", ["alpha", "beta"])
    assert (made.grid_size, made.splits) == (81, 3)
    assert made.continuation == "sketched"
    assert made.chosen_by.measure == "inner_accuracy"
    assert [item.measure for item in made.measures] == ["inner_accuracy", "accuracy"]
    assert 10.0 in made.axes[0].values


def test_an_address_sets_it_up_and_start_and_stop_work() -> None:
    app = opened(**IRIS)
    made = present()
    assert (made.dataset, made.method, made.axes[0].values, made.splits) == ("iris", "nmf", (2, 3, 4), 2)
    assert dict(made.request.params)["max_iter"] == 10
    assert button(app, "Stop").disabled
    button(app, "Start").click().run()
    assert not app.exception
    assert button(app, "Start").disabled
    button(app, "Stop").click().run()
    assert button(app, "Stop").disabled


def test_fits_may_go_on_from_their_neighbours() -> None:
    address = {"data": "iris", "tune.continuation": "provisional", "tune.splits": "1"}
    address |= {"tune.n2s2l.max_iter": "30"}
    opened(**address | {"tune.n2s2l.alpha.values": "3", "tune.n2s2l.beta.values": "3"})
    assert present().continuation == "provisional"
    assert choices_of(present())["tune.continuation"] == "provisional"
    finish()
    app = opened(**address | {"tune.n2s2l.beta.values": "3", "tune.how": "sobol"})
    assert not app.info
    assert present().continuation == ""


def test_what_makes_no_sense_is_a_sentence() -> None:
    app = opened(**IRIS | {"tune.nmf.n_components.from": "9"})
    assert "smaller to a larger" in app.info[0].value
    assert "Start" not in [one.label for one in app.button]


def test_with_one_label_of_each_nothing_can_be_held_back() -> None:
    opened(data="iris", labelled="1", by="number")
    assert [item.measure for item in present().measures] == ["accuracy"]


def test_the_best_is_used_everywhere_and_forgotten() -> None:
    app = opened(**IRIS)
    finish()
    app.run()
    button(app, "Use the best everywhere").click().run()
    assert not app.exception
    assert any("tuned on these data" in caption.value for caption in app.caption)
    button(app, "Forget them").click().run()
    assert not any("tuned on these data" in caption.value for caption in app.caption)


@pytest.mark.parametrize("how", [{"tune.how": "guided"}, {"tune.continuation": "refined"}])
def test_a_search_or_a_continuation_goes_on_without_its_visitor(how: dict[str, str]) -> None:
    # Far more than is done before it is stopped.
    address = {"data": "iris", "tune.trials": "300", "tune.n2s2l.max_iter": "2000"} | how
    app = opened(**address | {"tune.n2s2l.alpha.values": "11", "tune.n2s2l.beta.values": "11"})
    button(app, "Start").click().run()
    button(app, "Go on without me").click().run()
    assert any("This goes on without you" in caption.value for caption in app.caption)
    left = unattended()
    assert left is not None
    me = str(app.session_state["partwise choices"]["_owner"])
    (row,) = left.listed(me)
    assert (row.id, row.whole) == (present().key, expected(present()))
    assert ("guided" in row.title) == ("tune.how" in how)
    # Who comes back finds it under way, and may stop it.
    del app.session_state["partwise choices"]["_tune.running"]
    app.run()
    assert button(app, "Start").disabled
    button(app, "Stop").click().run()
    assert not app.exception
    assert left.listed(me)[0].status == "stopped"
    assert button(app, "Stop").disabled
    app.switch_page("../pages/runs.py").run()
    assert not app.exception
    assert f"of {counted(expected(present()), 'fit')}" in " ".join(entry.value for entry in app.markdown)
    button(app, "Go on").click().run()
    button(app, "Stop").click().run()
    assert left.listed(me)[0].status == "stopped"


def test_what_is_complete_is_no_longer_stopped() -> None:
    app = opened(**IRIS)
    button(app, "Start").click().run()
    finish()
    app.run()
    assert button(app, "Stop").disabled
    assert not button(app, "Start").disabled


def test_a_cell_is_opened_on_another_page() -> None:
    app = opened(**IRIS)
    app.session_state["tune view"] = {"act": {"what": "use", "at": [3]}}
    from ui.tune import opening

    assert opening.point_at(present(), [3]) == (3,)


def test_a_winner_at_the_edge_offers_to_widen() -> None:
    app = opened(
        **IRIS
        | {"tune.nmf.n_components.from": "1", "tune.nmf.n_components.to": "3", "tune.measures": "error"}
    )
    finish()
    app.run()
    wider = [one for one in app.button if one.label.startswith("Go on beyond")]
    assert wider
    wider[0].click().run()
    assert not app.exception
    assert present().axes[0].high > 3
    assert {1, 2, 3} <= set(present().axes[0].values)


def test_a_sweep_is_kept_by_name_and_opened_again() -> None:
    app = opened(**IRIS)
    kept = present()
    app.session_state["_tune.name"] = "four flowers"
    button(app, "Keep").click().run()
    assert not app.exception
    assert "four flowers" in [one.label for one in app.button]
    next(one for one in app.slider if one.label == "Splits").set_value(3).run()
    assert present().splits == 3
    button(app, "four flowers").click().run()
    assert not app.exception
    assert present() == kept


def test_a_sweep_is_set_up_again_by_its_choices() -> None:
    opened(**IRIS)
    choices = choices_of(present())
    assert choices["tune.nmf.over"] == ["n_components"]
    assert (choices["tune.nmf.n_components.from"], choices["tune.nmf.n_components.to"]) == (2, 4)
    assert choices["tune.nmf.max_iter"] == 10


@pytest.mark.parametrize(("name", "ends"), [("alpha", (0.1, 1000.0)), ("beta", (0.01, 100.0))])
def test_usual_ranges_lie_around_where_a_method_starts(name: str, ends: tuple[float, float]) -> None:
    assert usual_range(method_spec("n2s2l").param(name), Facts(400, 1024, 80, 40)) == pytest.approx(ends)


def test_python_for_the_best_prints_its_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    opened(**IRIS)
    finish()
    made = present()
    best = table_of(made, sweeps.results_of(sweeps.Registered(made), "me", begins=None)).best()
    assert best is not None
    exec(take.python(made, best.point), {})
    accuracy = next(item for item in made.measures if item.measure == "accuracy")
    printed = capsys.readouterr().out
    assert f"'accuracy_euclidean': {best.values(accuracy)[0]}" in printed.replace("np.float64(", "")


def test_methods_are_tuned_against_each_other_on_a_fair_budget() -> None:
    address = {"data": "iris", "tune.part": "methods", "tune.methods": "pca,lap_rlsc"}
    app = opened(**address | {"tune.against.trials": "4", "tune.against.splits": "2"})
    assert not app.info
    assert button(app, "Stop").disabled
    button(app, "Start").click().run()
    until(lambda: not app.run().exception and button(app, "Stop").disabled)
    said = " ".join(entry.value for entry in app.markdown)
    assert "Each method was tuned with 4 trials on every split" in said
    assert "points ahead of" in said
    captions = " ".join(caption.value for caption in app.caption)
    assert "PCA has nothing to tune" in captions
    assert "LapRLSC: σ" in captions
    button(app, "See its trials").click().run()
    assert (present().method, present().strategy, present().budget) == ("lap_rlsc", "sobol", 4)


def test_how_many_parts_is_answered_by_criteria_and_in_words() -> None:
    address = {"data": "planted_parts", "data.planted_parts.parts": "3", "data.planted_parts.samples": "100"}
    address |= {"tune.part": "parts", "tune.parts.from": "2", "tune.parts.to": "4", "tune.parts.seeds": "1"}
    app = opened(**address)
    made = present()
    assert (made.method, made.axes[0].values) == ("nmf", (2, 3, 4))
    button(app, "Start").click().run()
    assert button(app, "Start").disabled
    finish()
    app.run()
    assert not app.exception
    assert button(app, "Stop").disabled
    said = " ".join(entry.value for entry in app.markdown)
    assert "error on hidden entries" in said
    assert "criteria" in said
    assert any("Stars" in caption.value for caption in app.caption)
    assert get(run_routes(), f"/partwise/tune/{made.key}?seen=").json["sentences"][made.chosen_by.name] == []
    pairs = get(run_routes(), f"/partwise/tune/{made.key}/pairs?cell=0").body
    assert Image.open(BytesIO(pairs)).size == (100, 100)
    cells = unpacked(get(run_routes(), f"/partwise/tune/{made.key}/cells?cells=0,1,2").body)[0]["cells"]
    assert sorted(len(cell["recurring"]) for cell in cells) == [2, 3, 4]
    assert "other starts" in cells[0]["said"]
    opened(**address | {"tune.parts.from": "9", "tune.parts.to": "4"})
