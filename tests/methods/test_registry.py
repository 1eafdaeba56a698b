"""The registry: a method is one new file and nothing else."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import methods
from tests.copies import copy_packages
from tests.ready_python import ReadyPython

Ask = Callable[..., subprocess.CompletedProcess[str]]

METHOD = '''
"""A method that somebody has just written."""

from methods.spec import N_COMPONENTS, Spec
from methods.subspace.pca import PCA


class Fresh(PCA):
    """PCA under another name."""


SPEC = Fresh.spec = Spec(
    id="{id}",
    title="Fresh",
    family="{family}",
    summary="Made by a test.",
    objective="x",
    update="y",
    references=("2024",),
    params=(N_COMPONENTS.but(auto=PCA.spec.param("n_components").auto),),
    estimator=Fresh,
)
'''
ASK = """
import numpy as np
import methods
assert "fresh" in methods.names()
assert methods.spec("fresh").title == "Fresh"
est = methods.create("fresh", n_components=2).fit(np.random.default_rng(0).random((6, 4)))
print(methods.spec("fresh").family, type(est).__name__, est.transform(np.ones((1, 4))).shape)
print(methods.__file__)
"""


@pytest.fixture
def copy(repository: Path, tmp_path: Path) -> Path:
    """A folder with a copy of the methods package in it."""
    copy_packages(repository, tmp_path, "methods")
    return tmp_path


@pytest.fixture
def ask(copy: Path, ready_python: ReadyPython) -> Ask:
    """Has a new process use the copy."""

    def ask(program: str = ASK) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONPATH": str(copy)}
        return ready_python.run(["-W", "error", "-c", program], cwd=copy, env=environment)

    return ask


def write(folder: Path, where: str, name: str, **says: str) -> None:
    (folder / "methods" / where).mkdir(exist_ok=True)
    text = METHOD.format(**{"id": name, "family": where} | says)
    (folder / "methods" / where / f"{name}.py").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("family", ["subspace", "brandnew"])
def test_one_new_file_is_a_new_method(copy: Path, ask: Ask, family: str) -> None:
    assert "fresh" not in methods.names(), "the name must be free for the test to mean anything"
    write(copy, family, "fresh")
    after = ask()
    assert after.returncode == 0, after.stderr
    assert after.stdout.split()[:4] == [family, "Fresh", "(1,", "2)"]
    assert str(copy) in after.stdout


@pytest.mark.parametrize("says", [{"id": "stale"}, {"family": "nonnegative"}])
def test_a_method_under_a_wrong_name_is_an_import_error(copy: Path, ask: Ask, says: dict[str, str]) -> None:
    write(copy, "subspace", "fresh", **says)
    answer = ask()
    assert answer.returncode != 0
    claimed = f"{says.get('family', 'subspace')}/{says.get('id', 'fresh')}"
    assert f"ImportError: methods/subspace/fresh.py calls itself {claimed}" in answer.stderr


def test_two_methods_of_one_name_are_an_import_error(copy: Path, ask: Ask) -> None:
    write(copy, "brandnew", "fresh")
    write(copy, "subspace", "fresh")
    assert "ImportError: methods/subspace and methods/brandnew both have fresh.py" in ask().stderr


def test_a_broken_method_is_not_passed_over(copy: Path, ask: Ask) -> None:
    (copy / "methods" / "subspace" / "fresh.py").write_text("import nonexistent_module\n", encoding="utf-8")
    assert "No module named 'nonexistent_module'" in ask().stderr


def test_modules_without_a_spec_are_no_methods(copy: Path, ask: Ask) -> None:
    (copy / "methods" / "subspace" / "shared.py").write_text("half = 0.5\n", encoding="utf-8")
    answer = ask("import methods; print('shared' in methods.names(), 'pca' in methods.names())")
    assert answer.stdout.split() == ["False", "True"], answer.stderr


def test_every_file_with_a_spec_is_found(repository: Path) -> None:
    files = (repository / "methods").glob("*/*.py")
    with_spec = {file.stem for file in files if "\nSPEC = " in file.read_text(encoding="utf-8")}
    assert with_spec == set(methods.names())


def test_methods_come_in_a_fixed_order() -> None:
    order = [(spec.family, spec.id) for spec in methods.specs().values()]
    assert order == sorted(order)


def test_an_unknown_method_is_answered_with_the_known_ones() -> None:
    for call in (methods.spec, methods.create):
        with pytest.raises(ValueError, match=r"no method 'nnmf'.*n2s2l.*nmf.*pca"):
            call("nnmf")
