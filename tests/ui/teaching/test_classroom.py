"""A class follows its teacher's tab, and nobody steers the teacher's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ui.teaching import classroom


def app(repository: Path, **address: str) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    at.query_params |= address
    return at.run()


def choice(at: AppTest, name: str) -> Any:
    return at.session_state["partwise choices"].get(name)


def texts(at: AppTest) -> str:
    return "\n".join(entry.value for entry in [*at.markdown, *at.caption, *at.info])


def test_a_class_is_taken_along_and_may_look_around_alone(repository: Path) -> None:
    teacher = app(repository, teach="1")
    teacher.switch_page("../pages/lessons.py").run()
    teacher.button(key="class_open").click().run()
    code = choice(teacher, "class")
    assert any(entry.value.endswith(f"/?class={code}") for entry in teacher.sidebar.code)
    teacher.switch_page("../pages/data.py").run()
    next(box for box in teacher.selectbox if box.label == "Data").set_value("wine").run()

    pupil = app(repository, **{"class": code, "seed": "7"})
    assert "You follow a class" in texts(pupil)
    assert (choice(pupil, "_class.page"), choice(pupil, "data")) == ("data", "wine")
    assert choice(pupil, "seed") in (None, 0), "the teacher's page, not what the link said beside it"
    before = classroom.room(code)
    assert before is not None
    version = before.version
    next(box for box in pupil.selectbox if box.label == "Data").set_value("iris").run()
    assert before.version == version, "who follows takes nobody along"
    assert choice(pupil, "data") == "iris"

    pupil.button(key="class_alone").click().run()
    assert "goes on without you" in texts(pupil)
    pupil.button(key="class_again").click().run()
    assert choice(pupil, "data") == "wine"
    teacher.button(key="class_end").click().run()
    assert choice(teacher, "class") is None
    pupil.run()
    assert classroom.GONE in texts(pupil)


def test_classes_are_counted_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    room = classroom.Classroom("teacher")
    room.tell("live", "data=wine")
    room.tell("live", "data=wine")
    assert room.version == 1
    for visitor in ("a", "b", "a"):
        room.note(visitor)
    assert room.present == 2
    monkeypatch.setattr(classroom, "_HERE_WITHIN", 0.0)
    assert room.present == 0
