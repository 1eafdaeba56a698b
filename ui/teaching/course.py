"""The lesson a visitor is in: opened by its address or a button, set up on its pages, left again."""

from __future__ import annotations

import streamlit as st

from ui import state
from ui.address import Refusal
from ui.teaching import progress
from ui.teaching.catalogue import all_lessons
from ui.teaching.lesson import Lesson, LessonStep

LESSON, STEP = "lesson", "step"
_AT, _GO, _BEFORE, _BEFORE_PAGE = "_lesson.at", "_lesson.go", "_lesson.before", "_lesson.page"
# What an address may hold beside a lesson and its step without saying how its pages are set up.
_BESIDE = {LESSON, STEP, state.HIDE, "present"}


def current() -> tuple[Lesson, int] | None:
    """Return the lesson somebody is in and the number of its step, from 0; None outside of lessons."""
    lesson = all_lessons().get(str(state.get(LESSON, "") or ""))
    if lesson is None:
        return None
    return lesson, min(max(state.get(STEP, 1, read=int), 1), len(lesson.steps)) - 1


def step() -> LessonStep | None:
    """Return the step somebody is at; None outside of lessons."""
    here = current()
    return here[0].steps[here[1]] if here else None


def begin(page: str) -> None:
    """Set a lesson up if its address was opened, and go to the page of a step; before anything is drawn."""
    requested = str(state.get(LESSON, "") or "")
    here = current()
    if here is None:
        if requested:
            state.refuse(Refusal(LESSON, "Lesson", requested, ""))
            state.put(LESSON, None)
        return
    lesson, number = here
    if state.get(_AT) != (lesson.id, number):
        # An address that says more than where the lesson is was copied in the middle of it.
        _enter(lesson, number, set_up=not state.from_address() - _BESIDE)
    state.put(f"_{state.HIDE}", lesson.steps[number].hide if page == lesson.steps[number].page else ())
    target = state.get(_GO)
    state.put(_GO, None)
    if target and target != page:
        st.switch_page(f"../pages/{target}.py")


def go(lesson: str, number: int) -> None:
    """Open a step with everything chosen as the lesson wants it; for use in a callback."""
    if current() is None:
        state.put(_BEFORE, state.snapshot())
    _enter(all_lessons()[lesson], number, set_up=True)


def go_on(lesson: str, number: int) -> None:
    """Open the next step as the page is now, but for what that step sets; for use in a callback."""
    chosen = all_lessons()[lesson]
    state.choose(chosen.steps[number].choices)
    _enter(chosen, number, set_up=False)


def leave() -> None:
    """Leave the lesson and choose again what was chosen before it; for use in a callback."""
    before = state.get(_BEFORE)
    state.stop_trace()
    for name in (_AT, _GO, _BEFORE, f"_{state.HIDE}"):
        state.put(name, None)
    if before is not None:
        state.begin_anew(before)
    state.reset([LESSON, STEP])


def _enter(lesson: Lesson, number: int, *, set_up: bool) -> None:
    if set_up:
        state.begin_anew(lesson.choices_of(number), keep=tuple(_BESIDE))
    state.put(LESSON, lesson.id)
    state.put(STEP, number + 1)
    state.put(_AT, (lesson.id, number))
    state.put(_GO, lesson.steps[number].page)
    state.start_trace()
    progress.arrive(lesson.id, number)
