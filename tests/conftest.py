"""What every test runs under: one thread in the BLAS, repeatable examples, its own run store and cache."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.app_server import BLAS_THREADS

# Sums taken in another order differ in the last digits, and a test that compares curves
# would depend on the machine's cores. The libraries read these once, when first loaded,
# so this comes before anything that imports numpy.
for _variable in BLAS_THREADS:
    os.environ[_variable] = "1"

# Tests never read or write the runs of whoever starts them.
_store = tempfile.TemporaryDirectory(prefix="partwise-tests-")
os.environ["PARTWISE_DATABASE_URL"] = f"sqlite:///{_store.name}/runs.sqlite3"
# Nor do they touch what was fetched or worked out before, so that they find the same everywhere.
os.environ["PARTWISE_CACHE"] = f"{_store.name}/cache"

from hypothesis import HealthCheck, settings  # noqa: E402  (it may import numpy)

settings.register_profile(
    "partwise",
    deadline=None,  # the first call of a compiled or cached function is slow, and that is fine
    derandomize=True,  # the same examples on every machine: a failure is a failure for all
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("partwise")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The folder that holds app.py."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def _remove_store() -> Iterator[None]:
    """Remove the tests' run store with everything in it."""
    yield
    _store.cleanup()
