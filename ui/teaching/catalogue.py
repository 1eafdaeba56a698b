"""Finds the lessons: every module in `ui/lessons` with a `LESSON`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache

from ui import lessons
from ui.teaching.lesson import GROUPS, Lesson


@lru_cache(maxsize=1)
def all_lessons() -> dict[str, Lesson]:
    """Return the lessons by id, in the order in which they are offered: see, use, doubt, and by their level."""
    names = sorted(module.name for module in pkgutil.iter_modules(lessons.__path__))
    found = [_lesson(name) for name in names]
    order = list(GROUPS)
    return {
        lesson.id: lesson for lesson in sorted(found, key=lambda one: (order.index(one.group), one.minutes))
    }


def _lesson(name: str) -> Lesson:
    lesson = importlib.import_module(f"{lessons.__name__}.{name}").LESSON
    if not isinstance(lesson, Lesson) or lesson.id != name:
        raise ValueError(f"ui/lessons/{name}.py must have a LESSON whose id is {name!r}.")
    return lesson
