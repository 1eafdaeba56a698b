"""Lessons as a visitor walks them: opened by address, predicted, done by what happened, left again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.waiting import ended
from ui.service import service
from ui.teaching.catalogue import all_lessons
from ui.teaching.evidence import Evidence
from ui.teaching.lesson import Amount, LessonStep, OneOf, Sketch, Spot

CHOICES = "partwise choices"


@pytest.fixture
def app(repository: Path) -> AppTest:
    return AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)


def opened(app: AppTest, lesson: str, step: int = 1, **others: str) -> AppTest:
    """The app as the address of a step of a lesson opens it."""
    for name, value in {"lesson": lesson, "step": str(step), **others}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def choice(app: AppTest, name: str) -> Any:
    return app.session_state[CHOICES].get(name)


def texts(app: AppTest) -> str:
    return "\n".join(entry.value for entry in [*app.markdown, *app.caption])


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def predict(app: AppTest, lesson: str, number: int, option: int = 0) -> None:
    prediction = all_lessons()[lesson].steps[number].predict
    name = f"_lesson.said.{lesson}.{number}"
    if isinstance(prediction, (Sketch, Spot)):
        drawn = isinstance(prediction, Sketch)
        app.session_state[name] = {"said": list(prediction.truth) if drawn else 8}
        app.run()
        return
    press(app, f"{name}.{option}" if isinstance(prediction, OneOf) else f"{name}.said")


@pytest.mark.parametrize("id", sorted(all_lessons()))
def test_a_lesson_is_walked_from_its_first_step_to_its_last(app: AppTest, repository: Path, id: str) -> None:
    lesson = all_lessons()[id]
    opened(app, id)
    for number, step in enumerate(lesson.steps):
        assert (repository / "pages" / f"{step.page}.py").is_file()
        assert f"step {number + 1} of {len(lesson.steps)}" in texts(app)
        assert step.say in texts(app)
        assert not app.error
        for name, value in step.choices.items():
            assert value is None or choice(app, name) == value, name
        if step.predict is not None:
            assert step.reveal not in texts(app)
            predict(app, id, number)
            assert "You said" in texts(app)
        if step.done is None:
            assert step.reveal in texts(app)
        else:
            assert step.do in texts(app)
        if number < len(lesson.steps) - 1:
            press(app, "lesson_next")
    press(app, "lesson_leave")
    assert choice(app, "lesson") is None
    assert "step " not in texts(app)


def test_done_is_what_really_happened_on_the_page(app: AppTest) -> None:
    opened(app, "how_many")
    predict(app, "how_many", 0, option=1)
    assert "Not done yet" in texts(app)
    press(app, "live_run")
    ended(service().get(choice(app, "run")))
    app.run()
    assert all_lessons()["how_many"].steps[0].reveal in texts(app)
    assert "Just as you said" in texts(app)
    assert app.button(key="lesson_next").label == "Next →"
    # Going on leaves the page as it is but for what the next step sets.
    run = choice(app, "run")
    press(app, "lesson_next")
    assert choice(app, "run") == run
    # Coming back finds it done.
    press(app, "lesson_back")
    assert all_lessons()["how_many"].steps[0].reveal in texts(app)


def test_an_address_copied_in_the_middle_says_more_than_the_lesson(app: AppTest) -> None:
    opened(app, "how_many", 2, data="digits", method="nmf")
    assert choice(app, "data") == "digits", "the page is as the address says, not as the step begins"
    press(app, "lesson_again")
    assert choice(app, "data") == "planted_parts"
    assert choice(app, "live.nmf.n_components") == 4, "what the step before set counts, too"


def test_leaving_brings_back_what_was_chosen_before(app: AppTest) -> None:
    app.query_params["data"] = "wine"
    app.query_params["seed"] = "7"
    app.switch_page("../pages/live.py").run()
    app.switch_page("../pages/lessons.py").run()
    press(app, "open how_many")
    assert (choice(app, "data"), choice(app, "seed")) == ("planted_parts", 0)
    # Elsewhere the guide says so, and leads back.
    app.switch_page("../pages/methods.py").run()
    assert "You are exploring" in texts(app)
    press(app, "lesson_leave")
    assert (choice(app, "data"), choice(app, "seed")) == ("wine", 7)
    app.switch_page("../pages/lessons.py").run()
    assert app.button(key="open how_many").label == "Go on at step 1"


def test_controls_are_hidden_by_the_address_and_by_a_step(app: AppTest) -> None:
    app.query_params["hide"] = "seed,solver"
    app.run()
    app.switch_page("../pages/live.py").run()
    labels = {control.label for control in [*app.number_input, *app.selectbox, *app.slider]}
    assert "Method" in labels
    assert not labels & {"Seed", "Solver"}
    opened(app, "how_many")
    assert "Seed" not in {control.label for control in app.number_input}


def test_a_lesson_that_is_none_is_a_sentence(app: AppTest) -> None:
    opened(app, "nonsense")
    assert "“Lesson” “nonsense”, which cannot be" in texts(app)


def test_teachers_see_what_to_ask_and_what_to_embed(app: AppTest) -> None:
    app.query_params["teach"] = "1"
    app.run()
    app.switch_page("../pages/lessons.py").run()
    for lesson in all_lessons().values():
        assert lesson.ask in texts(app)
        assert any(f"lesson={lesson.id}&step=1&embed=true" in entry.value for entry in app.code)


def test_steps_refuse_what_nobody_reads_or_can_do() -> None:
    with pytest.raises(ValueError, match="at most 60 words"):
        LessonStep("live", say="word " * 61)
    with pytest.raises(ValueError, match="noticed when it is done"):
        LessonStep("live", say="Do it.", do="Press Run.")
    with pytest.raises(ValueError, match="not among the options"):
        OneOf("Which?", ("this",), "that")


def test_predictions_come_true_or_do_not() -> None:
    assert OneOf("Which?", ("this", "that"), "that").is_right("that")
    guess = Amount("How many?", 0, 100, 75, 4)
    assert guess.is_right(71)
    assert not guess.is_right(70)
    assert guess.in_words(71) == "71 %"
    drawn = Sketch("How?", ("objective", "step"), ("1", "2", "3"), (10, 50, 90))
    assert drawn.is_right([0, 30, 40])
    assert not drawn.is_right([90, 30, 40])
    assert drawn.in_words([40, 90, 40]) == "it rises and falls"
    with pytest.raises(ValueError, match="has 2 places, its truth 1"):
        Sketch("How?", ("objective", "step"), ("1", "2"), (10,))


def test_a_place_of_a_picture_is_predicted_by_a_click() -> None:
    spot = Spot("Where?", "A figure", "swimmer", {}, 0, ("top left", "the middle"))
    assert spot.is_right("the middle")
    assert not spot.is_right("bottom right")
    with pytest.raises(ValueError, match="not \\('nose',\\)"):
        Spot("Where?", "A face", "orl", {}, 0, ("nose",))


def test_evidence_reads_what_was_chosen() -> None:
    look = ["g~3~b~nmf.4.7~pca.0"]
    evidence = Evidence({"bases.look": look, "graph.p": [3, 1], "compare": [["pca", "nmf"]]}, lambda _: None)
    assert evidence.looked_at() == (3, {"nmf": {4, 7}, "pca": {0}})
    assert evidence.missing("nmf") == 0, "there is no run"
    assert evidence.tried("graph.p") == {1, 3}
    assert ("pca", "nmf") in evidence.tried("compare")
    assert evidence.ended("nmf") == []
    assert evidence.value("graph.p") == 1
