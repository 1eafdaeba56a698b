"""Finds the lessons: every module in `ui/lessons` with a `LESSON`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from pathlib import Path

from ui.teaching.lesson import GROUPS, Lesson

_FOLDER = Path(__file__).parent.parent / "lessons"


@lru_cache(maxsize=1)
def all_lessons() -> dict[str, Lesson]:
    """Return the lessons by id, in the order in which they are offered."""
    names = sorted(module.name for module in pkgutil.iter_modules([str(_FOLDER)]))
    order = list(GROUPS)
    lessons = sorted(
        map(_lesson, names),
        key=lambda lesson: (order.index(lesson.group), not lesson.opening, lesson.minutes),
    )
    return {lesson.id: lesson for lesson in lessons}


def _lesson(name: str) -> Lesson:
    lesson = importlib.import_module(f"..lessons.{name}", __package__).LESSON
    if not isinstance(lesson, Lesson) or lesson.id != name:
        raise ValueError(f"ui/lessons/{name}.py must have a LESSON whose id is {name!r}.")
    return lesson
