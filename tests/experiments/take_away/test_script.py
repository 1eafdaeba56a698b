"""Scripts and notebooks carry a run out again, and find what it found."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import datasets
from experiments import RunRequest
from experiments.take_away import Parcel, notebook, script, why_no_script
from experiments.take_away.script import reference_numbers
from tests.datasets.upload_files import faces, mat
from tests.ready_python import ReadyPython

Pack = Callable[..., Parcel]
Execute = Callable[..., str]
ROOT = Path(__file__).resolve().parents[3]
FACES = RunRequest(
    "orl",
    "n2s2l",
    {"n_components": 20, "n_discriminative": 8, "max_iter": 25, "alpha": 3.0, "tol": 0.0},
    dataset_options={"size": 16},
    split={"labelled_per_class": 3, "held_out_per_class": 1},
    corruption={"size": 4, "kind": "black"},
    seed=3,
)
SWIMMER = RunRequest("swimmer", "nmf", {"n_components": 5, "max_iter": 2000, "tol": 0.0}, seed=1)


def printed(output: str) -> dict[str, float]:
    """The numbers found now, as the script prints them."""
    return {name: float(value) for name, value in re.findall(r"^(\w+) +(\S+) +\(then", output, re.MULTILINE)}


def agree(output: str, parcel: Parcel) -> None:
    found = printed(output)
    assert set(found) == set(reference_numbers(parcel))
    assert found["iterations"] == parcel.iterations
    assert found == pytest.approx(reference_numbers(parcel), rel=1e-3)
    if "accuracy_euclidean" in found:
        assert found["accuracy_euclidean"] == pytest.approx(
            parcel.outcome.scores["accuracy_euclidean"], abs=0.005
        )


def execute(source: str, folder: Path, *arguments: str) -> str:
    """Run a script as it says itself: from the folder of Partwise, wherever the script is."""
    path = folder / "again.py"
    path.write_text(source, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path), *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def execute_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Execute:
    """The same in this process, which has loaded already what a new one takes seconds for."""

    def execute_here(source: str, *arguments: str, folder: Path = ROOT) -> str:
        path = tmp_path / "again.py"
        path.write_text(source, encoding="utf-8")
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", [str(path), *arguments])
        monkeypatch.setattr(sys, "path", [*sys.path])
        with redirect_stdout(io.StringIO()) as told:
            runpy.run_path(str(path), run_name="__main__")
        return told.getvalue()

    return execute_here


def test_a_script_reproduces_the_numbers(pack: Pack, tmp_path: Path) -> None:
    parcel = pack(FACES, name='The "best" \\ one <b>!')
    assert {"accuracy_euclidean", "held_out_euclidean", "objective"} <= set(reference_numbers(parcel))
    agree(execute(script(parcel), tmp_path), parcel)


def test_a_script_of_a_stopped_run_stops_there(pack: Pack, execute_here: Execute) -> None:
    parcel = pack(SWIMMER, iterations=37)
    assert (parcel.outcome.status, parcel.iterations) == ("stopped", 37)
    agree(execute_here(script(parcel)), parcel)


@pytest.fixture
def carried_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Runs all cells of a notebook and returns what they print."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))

    def carry_out(text: str) -> str:
        whole = nbformat.reads(text, as_version=4)
        nbformat.validate(whole)
        NotebookClient(whole, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
        return "".join(output.get("text", "") for cell in whole.cells for output in cell.get("outputs", []))

    return carry_out


def test_a_notebook_reproduces_the_numbers(pack: Pack, carried_out: Callable[[str], str]) -> None:
    parcel = pack(FACES)
    agree(carried_out(notebook(parcel)), parcel)


def test_a_script_needs_only_our_own_packages(pack: Pack) -> None:
    parcel = pack(SWIMMER, iterations=2)
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(script(parcel))) if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }  # fmt: skip
    assert imported <= {"hashlib", "math", "os", "sys", "partwise"}


def test_what_is_said_by_hand_is_in_the_script(pack: Pack, execute_here: Execute) -> None:
    request = replace(FACES, split={"labelled_per_class": 1}, labels=((5, "Person 1"),), corruption=None)
    parcel = pack(request, iterations=3)
    source = script(parcel)
    assert "labels=" in source
    agree(execute_here(source), parcel)


def test_uploads_are_read_again_from_the_file(
    pack: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ready_python: ReadyPython
) -> None:
    table = tmp_path / "mine.csv"
    lines = ["a,b,c,class"]
    lines += [f"{i % 7},{i % 5},{(i * i) % 11},{'xy'[i % 2]}" for i in range(40)]
    table.write_text("\n".join(lines), encoding="utf-8")
    id = datasets.keep(datasets.read(table))
    parcel = pack(RunRequest(id, "nmf", {"n_components": 2, "max_iter": 10, "tol": 0.0}))
    source = script(parcel)
    assert id not in source, "the id would be of no use to anybody"
    monkeypatch.delenv("PARTWISE_UPLOADS")
    path = tmp_path / "again.py"
    path.write_text(source, encoding="utf-8")
    output = ready_python.run([str(path), str(table)], cwd=ROOT).stdout
    agree(output, parcel)
    assert "The same numbers." in output
    # Found by its name, in an empty folder that holds nothing else.
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    path = empty / "again.py"
    path.write_text(source, encoding="utf-8")

    def again() -> subprocess.CompletedProcess[str]:
        return ready_python.run([str(path)], cwd=empty)

    assert "mine.csv is not here. Put mine.csv into this folder" in again().stderr
    (empty / "mine.csv").write_bytes(table.read_bytes())
    assert "The same numbers." in again().stdout
    (empty / "mine.csv").write_bytes(table.read_bytes() + b"\n1,2,3,x")
    held = hashlib.sha256((empty / "mine.csv").read_bytes()).hexdigest()
    wanted = hashlib.sha256(table.read_bytes()).hexdigest()
    assert f"begins with {held[:12]}, that of the run's with {wanted[:12]}." in again().stderr


def test_what_differs_is_said(pack: Pack, execute_here: Execute) -> None:
    parcel = pack(SWIMMER, iterations=5)
    scores = {**parcel.outcome.scores, "hoyer": 0.123}
    outcome = replace(parcel.outcome, scores=scores, versions={**parcel.outcome.versions, "numpy": "1.0"})
    output = execute_here(script(replace(parcel, outcome=outcome)))
    assert "Not the same numbers: hoyer" in output
    assert f"numpy is {parcel.outcome.versions['numpy']} here, and was 1.0 then." in output
    assert "scipy is" not in output


def test_uploads_are_corrected_as_they_were(
    pack: Pack,
    tmp_path: Path,
    execute_here: Execute,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pictures, people = faces()
    file = tmp_path / "faces.mat"
    file.write_bytes(mat(fea=pictures.reshape(len(pictures), -1), gnd=people))
    corrections = {"flip": True, "size": (12, 16), "label": False}
    id = datasets.keep(datasets.read(file, **corrections))
    parcel = pack(RunRequest(id, "nmf", {"n_components": 4, "max_iter": 10, "tol": 0.0}))
    plain = pack(RunRequest(datasets.keep(datasets.read(file)), "nmf", parcel.request.params))
    assert reference_numbers(plain)["objective"] != pytest.approx(
        reference_numbers(parcel)["objective"], rel=0.01
    )
    monkeypatch.delenv("PARTWISE_UPLOADS")
    agree(execute_here(script(parcel), str(file)), parcel)
    cells = nbformat.reads(notebook(parcel), as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    monkeypatch.syspath_prepend(ROOT)
    agree(execute_here(code, folder=tmp_path), parcel)


def test_what_cannot_be_reproduced_says_so(pack: Pack) -> None:
    parcel = pack(SWIMMER, iterations=2)
    warm = replace(parcel, outcome=replace(parcel.outcome, ending={"warm": True}))
    assert "fresh start" in why_no_script(warm)
    resumed = replace(parcel, outcome=replace(parcel.outcome, ending={"warm": True, "resumed_at": 1}))
    assert why_no_script(resumed) == ""
    for write in (script, notebook):
        with pytest.raises(ValueError, match="fresh start"):
            write(warm)
    failed = replace(parcel, outcome=replace(parcel.outcome, status="failed"))
    assert "found nothing" in why_no_script(failed)


def test_a_name_cannot_change_the_script(pack: Pack) -> None:
    parcel = pack(SWIMMER, iterations=1, name='""" + __import__("os").system("true") + r"""')
    tree = ast.parse(script(parcel))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "__import__"]
    cells = json.loads(notebook(parcel))["cells"]
    assert "<" not in "".join(cells[0]["source"])
