"""The worked examples of CONTRIBUTING.md work as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import layers
from tests.copies import copy_packages
from tests.ready_python import ReadyPython

_CHECK_METHOD = """
import methods
from sklearn.utils.estimator_checks import check_estimator
assert "kmeans_nmf" in methods.names()
check_estimator(methods.create("kmeans_nmf"))
import datasets
faces = datasets.load("digits")
steps = list(methods.create("kmeans_nmf", n_components=10, random_state=0).iterate(faces.X))
assert steps[-1].objective < steps[0].objective
"""
_CHECK_DATASET = """
import datasets
assert "stripes" in datasets.names()
stripes = datasets.load("stripes", size=8)
assert stripes.X.shape == (200, 64) and stripes.image_shape == (8, 8)
"""
_CHECK_MEASURE = """
from experiments.requests.request import RunRequest
from experiments.trials import Trial, MeasureRequest, evaluate
result = evaluate(Trial(RunRequest("iris", "nmf", {"max_iter": 3}), (MeasureRequest("gain"),)))
assert result.scores["gain"] > 0, result
"""


_CHECK_LESSON = """
from ui.teaching.catalogue import all_lessons
assert all_lessons()["brightness"].steps[0].predict.is_right("Everybody at once")
"""


def example(text: str, path: str) -> str:
    """Return the block of code that follows the first mention of a file."""
    found = re.search(re.escape(f"`{path}`") + r".*?```python\n(.*?)```", text, re.DOTALL)
    assert found, f"CONTRIBUTING.md no longer shows {path}"
    return found.group(1)


@pytest.mark.parametrize(
    ("path", "check"),
    [
        ("methods/nonnegative/kmeans_nmf.py", _CHECK_METHOD),
        ("datasets/stripes.py", _CHECK_DATASET),
        ("experiments/trials/measures/gain.py", _CHECK_MEASURE),
        ("ui/lessons/brightness.py", _CHECK_LESSON),
    ],
)
def test_example_is_found_and_works(
    repository: Path, ready_python: ReadyPython, tmp_path: Path, path: str, check: str
) -> None:
    text = (repository / "CONTRIBUTING.md").read_text(encoding="utf-8")
    copy_packages(repository, tmp_path, "methods", "datasets", "experiments", "ui")
    (tmp_path / path).write_text(example(text, path), encoding="utf-8")
    done = ready_python.run(["-W", "ignore", "-c", check], cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_every_file_the_text_names_is_there(repository: Path) -> None:
    text = (repository / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shown = {  # Examples, made up.
        "methods/nonnegative/kmeans_nmf.py", "datasets/stripes.py",
        "experiments/trials/measures/gain.py", "ui/lessons/brightness.py",
    }  # fmt: skip
    named = set(re.findall(r"`([a-z_]+/[\w/]+\.(?:py|js))`", text)) - shown
    assert len(named) > 20
    assert not [path for path in sorted(named) if not (repository / path).is_file()]


def test_the_picture_of_the_layers_is_of_today() -> None:
    assert layers.PICTURE.read_text(encoding="utf-8") == layers.drawing(), "run `make docs`"
