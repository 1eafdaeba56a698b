"""The lessons in three rows, what one can say after each, and what a teacher wants to know of them."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from ui import state
from ui.teaching import classroom, course, progress
from ui.teaching.catalogue import all_lessons
from ui.teaching.lesson import GROUPS, Group, Lesson

_ROWS: dict[Group, str] = {
    "see": "What a method does with what it is given, before any number.",
    "use": "Getting more out of labels, neighbours and views.",
    "doubt": "What a good number may hide.",
}
_TEACH = "teach"


def show() -> None:
    """Show all lessons."""
    st.markdown(
        "Each lesson takes some minutes on the real pages: you say what will happen, try it, and see. "
        "Leave whenever you like; it waits where you were."
    )
    teaching = state.control(
        st.toggle, "For teachers", name=_TEACH, default=False,
        help="What to ask, what most people think, and links to put into a course page.",
    )  # fmt: skip
    if teaching:
        classroom.opener()
    for group, words in _ROWS.items():
        st.header(GROUPS[group])
        st.caption(words)
        lessons = [lesson for lesson in all_lessons().values() if lesson.group == group]
        for first in range(0, len(lessons), 2):
            for column, lesson in zip(st.columns(2), lessons[first : first + 2], strict=False):
                with column, st.container(border=True, height="stretch"):
                    _card(lesson, teaching=teaching)


def rows() -> None:
    """Show three rows of lessons for the first page: what each is about, one click away."""
    st.header("Or understand one thing in ten minutes")
    for column, (group, words) in zip(st.columns(len(_ROWS)), _ROWS.items(), strict=True):
        with column:
            st.markdown(f"**{GROUPS[group]}**")
            st.caption(words)
            for lesson in all_lessons().values():
                if lesson.group == group:
                    _link(lesson)


def _link(lesson: Lesson) -> None:
    pressed = st.button(
        lesson.title, key=f"open {lesson.id}", type="tertiary", on_click=course.go, args=(lesson.id, 0),
        help=f"Afterwards you can say: {lesson.afterwards}",
    )  # fmt: skip
    if pressed:
        st.switch_page(f"../pages/{lesson.steps[0].page}.py")


def _card(lesson: Lesson, *, teaching: bool) -> None:
    st.markdown(f"**{lesson.title}**")
    st.caption(f"{lesson.minutes} minutes · {lesson.level}")
    st.markdown(f"Afterwards you can say: *{lesson.afterwards}*")
    opener(lesson)
    if teaching:
        _for_teachers(lesson)


def opener(lesson: Lesson) -> None:
    """Show the button that opens a lesson, or goes on with it where it was left."""
    at = progress.of(lesson.id)
    whole = at is not None and {place for place, step in enumerate(lesson.steps) if step.done} <= at.done
    place = 0 if at is None or (whole and at.at == len(lesson.steps) - 1) else at.at
    words = "Begin" if at is None else "Once more" if whole else f"Go on at step {place + 1}"
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button(
            words, key=f"open {lesson.id}", on_click=course.go, args=(lesson.id, place),
            type="primary" if at is None else "secondary",
        )  # fmt: skip
        if whole:
            st.caption("✓ done")
    if pressed:
        st.switch_page(f"../pages/{lesson.steps[place].page}.py")


def _for_teachers(lesson: Lesson) -> None:
    st.markdown(f"**Ask:** {lesson.ask}")
    st.markdown(f"**Most think:** {lesson.belief}")
    here = (st.context.url or "").rpartition("/")[0]
    address = f"{here}/{lesson.steps[0].page}?{urlencode({course.LESSON: lesson.id, course.STEP: 1})}"
    st.code(address, language=None, wrap_lines=True)
    frame = f'<iframe src="{address}&embed=true" width="100%" height="720"></iframe>'
    st.code(frame, language=None, wrap_lines=True)
