"""Documentation texts: found by reading alone, taken apart rightly, remembered by version."""

import json
import subprocess
import sys
from gzip import decompress
from pathlib import Path

import numpy as np
import pytest

import datasets
from datasets import docstring_source, docstrings
from datasets.docstring_source import Entry, of_source

SOURCE = '''
def solve(a, b):
    """
    Solve a linear equation.

    Computes the exact solution of a well-determined system of equations.

    Parameters
    ----------
    a : array
        Coefficient matrix; it must be square and of full rank.
    b : array
        Ordinate values.

    Returns
    -------
    x : array
        The :math:`solution`.

    Examples
    --------
    >>> solve(1, 2)
    """

def _hidden():
    """Not looked at."""

def short(a):
    """Too little said."""

class Box:
    def open(self, key):
        """Open the box.

        Opens it with a key, slowly and with great care.

        :param (str) key: what the box is opened with, if anything.
        """

add_newdoc("here", "compiled", """
    compiled(x, y)
    --

    Add in C.

    Adds two numbers, written in another language for speed.

    Parameters
    ----------
    x, y : numbers to add, both of them of any kind
    """)
'''


def test_a_docstring_is_taken_apart() -> None:
    by_name = {entry.name: entry for entry in of_source(SOURCE, "toy")}
    assert set(by_name) == {"solve", "compiled", "open"}
    entry = by_name["solve"]
    assert entry.module == "toy"
    assert entry.summary == "Solve a linear equation."
    assert entry.body.startswith("Computes the exact solution")
    assert entry.body.endswith("The `solution`.")
    assert entry.parameters.startswith("a : array\n    Coefficient matrix")
    assert entry.parameters.endswith("Ordinate values.")


def test_field_lists_and_compiled_functions_are_understood() -> None:
    by_name = {entry.name: entry for entry in of_source(SOURCE, "toy")}
    assert by_name["open"].body == "Opens it with a key, slowly and with great care."
    assert by_name["open"].parameters.startswith(":param (str) key:")
    assert by_name["compiled"].summary == "Add in C."


@pytest.mark.parametrize("source", ['def broken(:\n    """x"""', "x = 1", ""])
def test_what_cannot_be_read_is_passed_over(source: str) -> None:
    assert list(of_source(source, "toy")) == []


def test_thousands_of_texts_of_six_packages_in_three_views() -> None:
    ds = datasets.load("docstrings")
    assert ds.n_samples > 3000
    assert tuple(ds.views) == tuple(ds.texts) == ("body", "summary", "parameters")
    assert ds.target_names == tuple(sorted(docstring_source.PACKAGES))
    assert ds.y is not None
    assert np.bincount(ds.y).min() >= 20
    assert ds.feature_names is not None
    assert {"matrix", "eigenvalues", "regression", "filter"} <= set(ds.feature_names)
    assert ds.sample_names is not None
    row = ds.sample_names.index("numpy.linalg._linalg: qr")
    assert ds.texts["summary"][row].startswith("Compute the qr factorization")
    assert ds.target_names[ds.y[row]] == "numpy"


def test_sub_packages_are_finer_classes_and_small_ones_unknown() -> None:
    ds = datasets.load("docstrings", classes="sub-package")
    assert {"scipy.linalg", "scipy.stats", "sklearn.cluster"} <= set(ds.target_names)
    assert ds.y is not None
    assert np.bincount(ds.y[ds.y >= 0]).min() >= docstrings.FEWEST
    assert (ds.y == -1).any()


def test_no_package_is_imported() -> None:
    code = (
        "import sys; from datasets.docstring_source import of_package;"
        "assert len(list(of_package('plotly'))) > 20;"
        "assert 'plotly' not in sys.modules"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_was_found_is_kept_under_the_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def of_package(package: str) -> list[Entry]:
        calls.append(package)
        return [Entry(package, "f", "s", "b", "p"), Entry(package, "again", "s", "b", "p")]

    monkeypatch.setenv("PARTWISE_CACHE", str(tmp_path))
    monkeypatch.setattr(docstring_source, "of_package", of_package)
    first = docstring_source.collected()
    assert first == (Entry("numpy", "f", "s", "b", "p"),)  # The others say the same and count once.
    assert docstring_source.collected() == first
    assert len(calls) == len(docstring_source.PACKAGES)

    (kept,) = (tmp_path / "docstrings").iterdir()
    assert json.loads(decompress(kept.read_bytes())) == [list(first[0])]
    kept.write_bytes(b"half a file")
    assert docstring_source.collected() == first
    assert len(calls) == 2 * len(docstring_source.PACKAGES)

    monkeypatch.setattr(docstring_source, "version", lambda name: "0")
    docstring_source.collected()
    assert len(calls) == 3 * len(docstring_source.PACKAGES)


def test_a_cache_folder_that_cannot_be_used_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("PARTWISE_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(docstring_source, "of_package", lambda package: [Entry(package, "f", "s", "b", "p")])
    assert len(docstring_source.collected()) == 1


def test_without_any_documentation_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    docstrings._entries.cache_clear()
    monkeypatch.setattr(docstrings, "collected", lambda: ())
    with pytest.raises(datasets.DataUnavailableError, match="hold no documentation"):
        docstrings.load(classes="package")
