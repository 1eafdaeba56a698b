"""Imports moved below `partwise`: each kind of statement, nothing else; what cannot be moved is refused."""

from __future__ import annotations

import ast
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import partwise
from scripts.wheel_contents import PACKAGES, UnmovableError, moved, write_package

BEFORE = '''\
"""A module.

>>> import datasets
>>> from methods.spec import Param
"""

import os, numpy as np
import experiments
import methods as m
import ui.data.page as page  # the datasets page
from datasets import (
    Dataset,
    load,
)
from . import datasets as beside
from .methods import x
from datasets_of_others import y


def later() -> None:
    if True:
        from experiments.engine.run import run; import pages
        text = "import datasets", f"{__package__}.datasets.catalogue"
'''
AFTER = '''\
"""A module.

>>> from partwise import datasets
>>> from partwise.methods.spec import Param
"""

import os, numpy as np
from partwise import experiments
import partwise.methods as m
import partwise.ui.data.page as page  # the datasets page
from partwise.datasets import (
    Dataset,
    load,
)
from . import datasets as beside
from .methods import x
from datasets_of_others import y


def later() -> None:
    if True:
        from partwise.experiments.engine.run import run; from partwise import pages
        text = "import datasets", f"{__package__}.datasets.catalogue"
'''


def test_every_import_of_ours_is_moved_and_nothing_else(repository: Path) -> None:
    assert moved(BEFORE, "a.py", repository) == AFTER


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("import datasets.catalogue\n", r"a\.py:1: write `import datasets\.catalogue`"),
        ("x = 1\nimport os, methods\n", r"a\.py:2: write `import methods`"),
        ('name = "datasets.catalogue"\n', r"the string 'datasets\.catalogue' names a module"),
        ('name = "experiments.engine"\n', r"names a module"),
    ],
)
def test_what_cannot_be_moved_is_refused(repository: Path, source: str, says: str) -> None:
    with pytest.raises(UnmovableError, match=says):
        moved(source, "a.py", repository)


def test_the_package_imports_itself_and_what_it_requires_and_nothing_else(
    repository: Path, tmp_path: Path
) -> None:
    whole = write_package(repository, tmp_path, "1.0", "built.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["partwise"]
    imported: set[str] = set()
    for path in whole.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add(node.module or "")
    roots = {name.partition(".")[0] for name in imported}
    assert not roots & set(PACKAGES)
    assert "partwise" in roots
    lines = [repository / name for name in ("requirements.txt", "requirements-cluster.txt")]
    required = {
        re.split(r"[=\[]", line)[0].lower() for path in lines for line in path.read_text().splitlines()
    }
    of_package = packages_distributions()
    for root in roots & set(of_package):
        named = {name.lower().replace("_", "-") for name in of_package[root]}
        # What Streamlit brings along is there wherever Streamlit is.
        assert named & (required | {"pandas", "starlette", "anyio"}), root


def test_the_names_for_library_use(repository: Path) -> None:
    from partwise import N2S2L, RunRequest, datasets, load, read, run, split  # noqa: F401 - that they are there

    assert N2S2L.__name__ in dir(partwise)
    assert load is datasets.load
    with pytest.raises(AttributeError, match="no attribute 'N3S3L'"):
        _ = partwise.N3S3L
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"partwise": "partwise:main"}
