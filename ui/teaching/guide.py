"""The guide beside a page: what the step says, what one predicts and does, and what comes of it."""

from __future__ import annotations

import re

import numpy as np
import streamlit as st

from experiments.requests.library import load_dataset
from ui import state
from ui.assets import component
from ui.teaching import course, progress
from ui.teaching.evidence import Evidence
from ui.teaching.lesson import PLACES, Amount, Lesson, LessonStep, OneOf, Prediction, Sketch, Spot
from ui.waiting import until

_KEYS = component("lesson_keys", "lesson_keys")
_SHEET = component("sketch", "sketch")
_SPOT = component("spot", "spot")
_SPOT_WORDS = {"yours": "yours", "came": "here it is"}
_SKETCH_WORDS = {
    "point": "Your curve at {}",
    "done": "That is my sketch",
    "yours": "yours",
    "came": "what comes",
}
_FRAME = """<style>{selectors} {{ outline: 3px solid light-dark({light}, {dark}); outline-offset: 6px;
border-radius: 4px; }}</style>"""


def show(page: str) -> None:
    """Show the guide if a lesson is open; after the page, so that what happened on it is known."""
    here = course.current()
    if here is None:
        return
    lesson, number = here
    step = lesson.steps[number]
    with st.container(key="lesson_guide"):
        st.caption(f"Lesson · step {number + 1} of {len(lesson.steps)}")
        st.markdown(f"**{lesson.title}**")
        if page != step.page:
            st.caption("You are exploring: this step is about another page.")
        _step(lesson, number, step, away=page != step.page)
        _ways_on(lesson, number)
    if page == step.page:
        _frame(step)


def _step(lesson: Lesson, number: int, step: LessonStep, *, away: bool) -> None:
    _take(lesson.id, number, step.predict)
    at = progress.of(lesson.id) or progress.Progress()
    guess = at.guesses.get(number)
    st.markdown(step.say)
    if step.predict is not None:
        if guess is None:
            _predict(lesson.id, number, step.predict)
        else:
            st.markdown(f"You said: **{step.predict.in_words(guess)}**.")
            _drawn(lesson.id, number, step, guess, with_truth=number in at.done or step.done is None)
    if step.do and (step.predict is None or guess is not None):
        st.markdown(f"▸ {step.do}")
        if step.sidebar:
            _sidebar(step)
    if step.done is None:
        if step.predict is None or guess is not None:
            _reveal(step, guess)
        return
    evidence = Evidence(state.trace())
    if number not in at.done and not away and step.done(evidence):
        progress.finish(lesson.id, number)
    if number in (progress.of(lesson.id) or at).done:
        if step.predict is not None and guess is None:
            st.caption("Done. Say what you would have predicted, and read on.")
        else:
            _reveal(step, guess)
    elif not away:
        wanted = step.done
        until(lambda: wanted(evidence), "Not done yet." if step.predict is None or guess is not None else "")


def _sidebar(step: LessonStep) -> None:
    """Offer what is to be chosen in the sidebar; the style hides it where there is one."""
    with st.container(key="lesson_sidebar"):
        for name, value in step.sidebar.items():
            st.button(
                f"Set the {name} to {value}", key=f"lesson_sidebar.{name}",
                on_click=state.choose, args=({name: value},),
            )  # fmt: skip


def _reveal(step: LessonStep, guess: object) -> None:
    if not step.reveal:
        return
    verdict = ""
    if step.predict is not None:
        verdict = "**Just as you said.** " if step.predict.is_right(guess) else "**Not what you said.** "
    with st.container(key="lesson_reveal"):
        st.markdown(verdict + step.reveal)


def _predict(lesson: str, number: int, prediction: Prediction) -> None:
    name = f"_lesson.said.{lesson}.{number}"
    if isinstance(prediction, OneOf):
        st.markdown(prediction.question)
        for place, option in enumerate(prediction.options):
            st.button(
                option, key=f"{name}.{place}", width="stretch",
                on_click=progress.predict, args=(lesson, number, option),
            )  # fmt: skip
    elif isinstance(prediction, (Sketch, Spot)):
        st.markdown(prediction.question)
        _sheet(prediction, name, None, with_truth=False)
    else:
        _guess(lesson, number, prediction, name)


def _drawn(lesson: str, number: int, step: LessonStep, guess: object, *, with_truth: bool) -> None:
    """Show what was drawn or clicked on, if that is how one predicts here, perhaps `with_truth`."""
    if isinstance(step.predict, (Sketch, Spot)):
        _sheet(step.predict, f"_lesson.said.{lesson}.{number}", guess, with_truth=with_truth)


def _sheet(prediction: Sketch | Spot, name: str, guess: object, *, with_truth: bool) -> None:
    """Show the sheet to draw on, or the picture to click on."""
    if isinstance(prediction, Sketch):
        data = {
            "axes": prediction.axes, "places": prediction.places, "said": guess,
            "truth": prediction.truth if with_truth else None, "words": _SKETCH_WORDS,
        }  # fmt: skip
        _SHEET(key=name, data=data, on_said_change=state.rerun_page)
        return
    ds = load_dataset(prediction.data, **prediction.options)
    pixels = np.clip(255 * np.asarray(ds.X[prediction.row]), 0, 255).astype(int).tolist()
    data = {
        "title": prediction.title, "shape": ds.image_shape, "pixels": pixels, "places": PLACES,
        "said": PLACES.index(guess) if isinstance(guess, str) else None,
        "truth": [PLACES.index(place) for place in prediction.answer] if with_truth else [],
        "words": _SPOT_WORDS,
    }  # fmt: skip
    _SPOT(key=name, data=data, on_said_change=state.rerun_page)


def _take(lesson: str, number: int, prediction: Prediction | None) -> None:
    """Remember the curve that has just been drawn, or the place that was clicked on."""
    if not isinstance(prediction, (Sketch, Spot)):
        return
    guess = state.component_value(f"_lesson.said.{lesson}.{number}", "said")
    if isinstance(prediction, Spot):
        if isinstance(guess, (int, float)) and 0 <= guess < len(PLACES):
            progress.predict(lesson, number, PLACES[int(guess)])
    elif isinstance(guess, list) and len(guess) == len(prediction.places):
        progress.predict(lesson, number, [min(100, max(0, int(height))) for height in guess])


def _guess(lesson: str, number: int, prediction: Amount, name: str) -> None:
    middle = (prediction.low + prediction.high) // 2
    guess = state.control(
        st.slider, prediction.question, prediction.low, prediction.high, name=name, default=middle,
        format=f"%d {prediction.unit}".replace("%", "%%").replace("%%d", "%d"),
    )  # fmt: skip
    st.button("That is my guess", key=f"{name}.said", on_click=progress.predict, args=(lesson, number, guess))


def _ways_on(lesson: Lesson, number: int) -> None:
    at = progress.of(lesson.id) or progress.Progress()
    step, last = lesson.steps[number], number == len(lesson.steps) - 1
    settled = (step.done is None or number in at.done) and (step.predict is None or number in at.guesses)
    with st.container(horizontal=True):
        st.button(
            "← Back",
            key="lesson_back",
            disabled=number == 0,
            on_click=course.go,
            args=(lesson.id, number - 1),
        )
        if not last:
            st.button(
                "Next →" if settled else "Skip →", key="lesson_next",
                type="primary" if settled else "secondary",
                on_click=course.go_on, args=(lesson.id, number + 1),
            )  # fmt: skip
    if last and settled:
        st.markdown(f"**You can now say:** {lesson.afterwards}")
        if lesson.formula:
            with st.expander("The formula behind this"):
                st.latex(lesson.formula)
    with st.container(horizontal=True):
        st.button(
            "Back to the lesson", key="lesson_again", type="tertiary",
            on_click=course.go, args=(lesson.id, number), help="Sets the page up as this step wants it.",
        )  # fmt: skip
        st.button("Leave the lesson", key="lesson_leave", type="tertiary", on_click=course.leave)
    _KEYS(key="lesson_keys", data={"step": number})


def _frame(step: LessonStep) -> None:
    """Draw a frame around what the step is about."""
    names = [re.sub(r"[^a-zA-Z0-9_-]", "-", state.key_of(name)) for name in step.frame]
    if names:
        light, dark = (st.get_option(f"theme.{theme}.primaryColor") for theme in ("light", "dark"))
        selectors = ", ".join(f".st-key-{name}" for name in names)
        st.html(_FRAME.format(selectors=selectors, light=light, dark=dark))
