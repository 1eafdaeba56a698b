"""The logic of the live page: runs that go on, races, whose run it is, and what is said of all that."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import datasets
from experiments.engine.handle import Handle
from tests.ui.blocks import readable
from tests.ui.sliders import ParamSlider, param_slider, views_of
from tests.waiting import ended, until
from ui.live import buttons, editing, live_view
from ui.live.drag import Drag, Turn
from ui.live.frames import frame
from ui.service import keeper, service

# As many iterations as the page takes, at fifty a second: on any machine it runs longer than a test looks.
LONG = {"live.n2s2l.max_iter": "5000", "live.n2s2l.tol": "0.0", "pace": "50"}


def live(repository: Path, **choices: str) -> AppTest:
    """The live page as a new visitor finds it, with small pictures so that runs are quick."""
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    for name, value in ({"data.orl.size": "16"} | choices).items():
        at.query_params[name] = value
    at.run()
    at.switch_page("../pages/live.py").run()
    assert not at.exception
    return at


def button(at: AppTest, label: str):
    return next(entry for entry in at.button if entry.label == label)


def press(at: AppTest, label: str) -> None:
    """Press a button as soon as one can: the page is drawn anew when a run has come to its pause."""
    until(lambda: not button(at, label).disabled or not button(at.run(), label).disabled)
    button(at, label).click().run()
    assert not at.exception


def said(at: AppTest) -> str:
    return "\n".join(caption.value for caption in at.caption)


def view_data(at: AppTest) -> dict[str, Any]:
    return views_of(at, "live_view")[0][1]


def choice(at: AppTest, name: str):
    return at.session_state["partwise choices"].get(name)


def present(at: AppTest) -> Handle:
    handle = service().get(choice(at, "run"))
    assert handle is not None
    return handle


def move(at: AppTest, label: str, value: float) -> None:
    param_slider(at, label).set_value(value).run()
    assert not at.exception


def first_objective(handle: Handle) -> float:
    until(lambda: handle.version[0] > 0)
    assert handle.reader is not None
    return float(handle.reader.curve()[0, 0])


def test_a_parameter_moved_while_it_runs_goes_on_from_the_present_parts(repository: Path) -> None:
    at = live(repository, **LONG)
    press(at, "Run")
    before = present(at)
    until(lambda: before.version[0] > 60)
    move(at, "Beta (β)", 2.0)
    after = present(at)
    assert after.id != before.id
    assert (after.warm_from, after.request.params["beta"]) == (before.id, 2.0)
    start = first_objective(after)
    assert after.note == ""
    assert before.reader is not None
    assert start < 0.5 * before.reader.curve()[0, 0], "it did not begin at a random start"
    ended(before)
    assert before.status == "stopped"
    assert "went on from the one before it" in said(at)
    assert choice(at, "live.warm") == after.id, "a link says so, too"

    next(toggle for toggle in at.toggle if toggle.label == "Start cold").set_value(True).run()
    move(at, "Beta (β)", 1.0)
    cold = present(at)
    assert cold.warm_from is None
    assert first_objective(cold) > 2 * start
    assert "went on from" not in said(at)
    press(at, "Stop")


def test_a_paused_run_goes_on_paused_and_one_that_does_not_fit_says_so(repository: Path) -> None:
    at = live(repository, **LONG)
    press(at, "Step")
    until(lambda: present(at).status == "paused")
    move(at, "Parts (k)", 50)
    handle = present(at)
    until(lambda: handle.status == "paused")
    assert handle.version[0] == 1
    at.run()
    assert "does not fit these settings" in said(at)
    press(at, "Step ten")
    until(lambda: handle.version[0] == 11)
    press(at, "Go")
    until(lambda: handle.version[0] == 101 and handle.status == "paused")
    press(at, "Go")
    assert "at iteration 100 already" in said(at)
    assert present(at).id == handle.id


def test_a_slider_moved_twice_at_once_leaves_a_paused_run_paused_and_warm(repository: Path) -> None:
    at = live(repository, **LONG)
    press(at, "Step")
    press(at, "Step ten")
    until(lambda: present(at).status == "paused" and present(at).version[0] == 11)
    cold = first_objective(present(at))
    for beta in (2.0, 3.2, 4.0):
        move(at, "Beta (β)", beta)
    handle = present(at)
    until(lambda: handle.version[0] > 0 and handle.status in ("paused", "running"))
    assert handle.held
    until(lambda: handle.status == "paused")
    assert handle.version[0] == 1
    assert handle.note == ""
    assert first_objective(handle) < 0.8 * cold
    press(at, "Stop")


def test_parts_follow_a_slider_that_is_held_and_the_run_goes_on_from_there(repository: Path) -> None:
    at = live(repository, **LONG)
    press(at, "Run")
    run = present(at)
    until(lambda: run.version[0] > 3)
    hand, kept = Drag(run, run.owner), service().runs
    hand.turn(Turn(1, {"beta": 2.0}))
    until(lambda: hand.displayed is not run)
    following = hand.displayed
    displayed = readable(frame(following, "light", problem=hand.problem))
    assert (displayed["preview_of"], displayed["turned"], displayed["state"]) == (
        run.id,
        1,
        "follows your hand",
    )
    hand.turn(Turn(2, {"beta": 5.0}))
    until(lambda: following.turned == 2)
    assert hand.displayed is following, "one fit follows the whole way"
    hand.turn(Turn(3, {"beta": -1.0}))
    assert "beta" in hand.problem
    stranger = Drag(run, "somebody else")
    stranger.turn(Turn(1, {"beta": 2.0}))
    assert "somebody else's run" in stranger.problem
    assert stranger.displayed is run
    assert following.reader is not None
    reached = following.reader.curve()[-1, 0]
    move(at, "Beta (β)", 5.0)  # the hand lets go
    after = present(at)
    assert after.warm_from == run.id
    assert first_objective(after) <= reached * 1.01, "it begins where the hand had got to"
    hand.let_go()
    until(lambda: following.ended)
    assert {one.id for one in service().runs} == {one.id for one in kept} | {after.id}
    assert keeper().store is None or keeper().store.get(following.id, run.owner or "") is None
    press(at, "Stop")


def test_a_run_that_ends_while_the_page_is_drawn_leaves_no_button_behind(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = live(repository, **LONG)
    press(at, "Run")
    handle, drawn, told = present(at), buttons.buttons, []

    def ends_meanwhile(*args: Any, **how: Any) -> None:
        drawn(*args, **how)
        buttons.tell("stop")
        ended(handle)

    monkeypatch.setattr(buttons, "buttons", ends_meanwhile)
    monkeypatch.setattr(live_view, "_VIEW", lambda **how: told.append(how["data"]["phase"]))
    at.run()
    assert button(at, "Run").disabled
    assert told == ["running"], "so the picture will say that the run has ended"
    monkeypatch.setattr(buttons, "buttons", drawn)
    at.run()
    assert not button(at, "Run").disabled
    assert told[-1] == "ended"


def test_a_run_of_something_else_is_marked(repository: Path) -> None:
    at = live(repository, **LONG)
    press(at, "Step")
    until(lambda: present(at).status == "paused")
    handle = present(at)
    next(box for box in at.number_input if box.label == "Seed").set_value(5).run()
    next(box for box in at.selectbox if box.label == "Method").set_value("nmf").run()
    assert "The run below is of other seed and method than chosen now" in said(at)
    assert present(at).id == handle.id, "nothing starts by itself but for a parameter"
    press(at, "Step")
    assert present(at).request.method == "nmf"
    assert "This is the start of a new run" in said(at)


def test_who_has_the_link_watches_and_cannot_steer(repository: Path) -> None:
    at = live(repository, **LONG)
    press(at, "Run")
    handle = present(at)
    until(lambda: handle.status == "running")
    other = live(repository, run=handle.id, **LONG)
    assert "somebody else's run" in said(other)
    assert all(button(other, label).disabled for label in ("Pause", "Stop"))
    press(other, "Reset")
    move(other, "Beta (β)", 2.0)
    assert handle.status == "running"
    assert choice(other, "run") is None
    press(at, "Stop")
    ended(handle)


def test_a_run_that_is_over_has_no_next_step(repository: Path) -> None:
    at = live(repository, **LONG)
    press(at, "Run")
    handle = present(at)
    press(at, "Stop")
    ended(handle)
    at.run()
    assert button(at, "Step").disabled
    assert button(at, "Step ten").disabled
    assert not button(at, "Run").disabled
    next(box for box in at.number_input if box.label == "Seed").set_value(3).run()
    assert not button(at, "Step").disabled, "of another seed there is a first step"


def test_a_run_of_an_upload_is_shown_to_nobody_else(repository: Path) -> None:
    id = datasets.keep(datasets.read(BytesIO(b"a,b,c\n" + b"1,2,3\n4,5,7\n2,2,9\n" * 8), name="mine.csv"))
    at = live(repository, **LONG)
    at.session_state["partwise choices"]["_uploads"] = (id,)
    at.run()
    at.sidebar.selectbox[0].set_value(id).run()
    press(at, "Run")
    handle = present(at)
    assert handle.request.dataset == id
    at.run()
    assert not any("no longer kept" in caption.value for caption in at.caption)
    stranger = live(repository, data=id, run=handle.id)
    assert "no longer kept" in said(stranger)
    assert button(stranger, "Reset").disabled, "there is no run on show"
    press(at, "Stop")


def test_a_part_taken_away_by_a_click_is_in_the_request_and_the_address(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = live(
        repository,
        **{"method": "nmf", "live.nmf.n_components": "5", "live.nmf.max_iter": "5000", "live.nmf.tol": "0.0"},
        pace="50",
    )
    press(at, "Run")
    first = service().get(choice(at, "run"))
    assert first is not None
    until(lambda: first.version[0] > 3)
    at.run()
    assert view_data(at)["edits"]["kept"] == 0

    offer = editing.offer

    def clicked(handle: Handle | None) -> Any:
        editing.take("live_view")
        return offer(handle)

    clicks = [{"run": first.id, "part": 2, "what": what} for what in ("erase", "keep")]
    with monkeypatch.context() as patched:
        patched.setattr(editing, "offer", clicked)
        patched.setattr(editing.state, "component_value", lambda key, field: clicks[0])
        at.run()
        second = service().get(choice(at, "run"))
        assert second is not None
        assert second is not first
        clicks[:] = [clicks[1] | {"run": second.id}]
        until(lambda: second.version[0] > 2)
        at.run()
    third = service().get(choice(at, "run"))
    assert third is not None
    (after, *erased), (later, *kept) = third.request.edits
    assert (erased, kept) == (["erase", 2], ["keep", 2])
    assert choice(at, "edits") == f"{after}-erase-2,{later}-keep-2"
    until(lambda: third.version[0] > 2)
    assert not third.warm, "all that it is follows from its request"
    assert third.reader is not None
    assert third.reader.latest()[1]["components"].shape[0] == 4
    at.run()
    assert not at.exception
    assert view_data(at)["edits"]["kept"] == 1
    assert f"part 3 taken away after {after}, part 3 kept as it is after {later} iterations" in said(at)
    press(at, "All parts again")
    assert not choice(at, "edits")
    assert service().get(choice(at, "run")).request.edits == ()
    press(at, "Stop")


def test_a_race_starts_together_and_compares_what_can_be_compared(repository: Path) -> None:
    at = live(
        repository,
        **LONG,
        **{
            "live.mode": "race",
            "race.of": "n2s2l:accelerated,n2s2l:multiplicative",
            "live.n2s2l.beta": "3.0",
        },
    )
    assert not at.error
    press(at, "Run")
    handles = [service().get(id) for id in choice(at, "race.runs").split(",")]
    assert [handle.request.params["solver"] for handle in handles] == ["accelerated", "multiplicative"]
    assert {handle.request.params["beta"] for handle in handles} == {3.0}
    until(lambda: all(handle.version[0] > 3 for handle in handles))
    assert choice(at, "race.by") == "objective"
    at.run()
    press(at, "Pause")
    until(lambda: all(handle.status == "paused" for handle in handles))
    at.run()
    press(at, "Run")
    until(lambda: all(handle.status == "running" for handle in handles))
    at.run()
    press(at, "Stop")
    ended(*handles)

    at.multiselect[0].set_value(["n2s2l:accelerated", "pca"]).run()
    press(at, "Run")
    assert choice(at, "race.by") == "recognised"
    assert "Objectives are compared only where" in said(at)
    press(at, "Reset")
    assert choice(at, "race.runs") is None


def test_a_race_that_is_no_longer_kept_says_so(repository: Path) -> None:
    at = live(repository, **{"live.mode": "race", "race.runs": "gone,away"})
    assert "no longer kept" in said(at)
    assert not button(at, "Run").disabled


def test_visitors_share_the_demonstration(repository: Path) -> None:
    seen = set()
    for _ in range(2):
        at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60).run()
        assert not at.exception
        seen.add(choice(at, "_demo.figures"))
    assert len(seen) == 1


def test_racers_have_equally_many_parts_and_an_upright_line_is_explained(repository: Path) -> None:
    at = live(
        repository, **{"live.mode": "race", "race.of": "pca,nmf:accelerated,lda", "data.orl.size": "32"}
    )
    assert "Not listed: " in at.multiselect[0].help, "here as in all menus of methods"
    press(at, "Run")
    parts = {
        run.request.method: run.request.params["n_components"]
        for id in choice(at, "race.runs").split(",")
        if (run := service().get(id)) is not None
    }
    assert parts["pca"] == parts["nmf"] == 80 * 1024 // (80 + 1024)
    assert any("PCA and LDA: solved in one go" in entry.value for entry in at.caption)


def test_what_was_moved_before_another_automatic_value_came_belongs_to_nobody(repository: Path) -> None:
    at = live(repository)
    before = param_slider(at, "Parts (k)")
    next(slider for slider in at.slider if slider.label.startswith("Labelled ")).set_value(3).run()
    after = param_slider(at, "Parts (k)").value
    assert after != before.value
    before.set_value(before.value + 1).run()  # a browser that is quicker than the page
    assert param_slider(at, "Parts (k)").value == after
    press(at, "Run")
    run = service().get(choice(at, "run"))
    assert run is not None
    assert run.request.params["n_components"] == after
    assert view_data(at)["slowed"], "what is over at once is shown slowly"
    assert {entry.key for entry in at.button} >= {"live_run", "live_pause", "live_step"}, "keys press them"
    param_slider(at, "Parts (k)").set_value(after + 1).run()
    assert not view_data(at)["slowed"], "who moves a slider has seen the parts follow"


def test_the_last_change_of_a_parameter_is_taken_back(repository: Path) -> None:
    at = live(repository, **LONG, method="nmf")
    press(at, "Run")
    assert button(at, "Undo").disabled

    def rank() -> ParamSlider:
        return param_slider(at, "Parts (k)")

    first = rank().value
    rank().set_value(20).run()
    rank().set_value(30).run()
    button(at, "Undo").click().run()
    assert rank().value == 20
    run = service().get(at.session_state["partwise choices"]["run"])
    assert run is not None
    assert run.request.params["n_components"] == 20, "the run goes back, too"
    button(at, "Undo").click().run()
    assert rank().value == first
    assert button(at, "Undo").disabled
    press(at, "Stop")
