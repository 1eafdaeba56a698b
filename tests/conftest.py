"""What every test runs under: one thread in the BLAS, repeatable examples, its own store, cache and folders.

`make test` shares the tests out among several processes, file by file; each has all of this for itself.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from scripts.app_server import BLAS_THREADS

# One more than there are processors, for each waits a third of its time; more only take memory.
PROCESSES = min(5, 1 + (os.cpu_count() or 2))
FIRST = "gw0"
BROWSER = "tests/browser/"
# Two processes share the files for the browser, by the first letter of what each is about.
SECOND_HALF = f"{BROWSER}test_le"

# Sums taken in another order differ in the last digits, and a test that compares curves
# would depend on the machine's cores. The libraries read these once, when first loaded,
# so this comes before anything that imports numpy.
for _variable in BLAS_THREADS:
    os.environ[_variable] = "1"

# Tests wait for what workers compute: these have as much of the processor as whatever else is under way.
os.environ["PARTWISE_COURTESY"] = "1"

# Tests never read or write the runs of whoever starts them.
_store = tempfile.TemporaryDirectory(prefix="partwise-tests-")
os.environ["PARTWISE_DATABASE_URL"] = f"sqlite:///{_store.name}/runs.sqlite3"
# Nor do they touch what was fetched or worked out before, so that they find the same everywhere; what one
# process of a run has worked out serves the others.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["PARTWISE_CACHE"] = f"{_store.name}/cache"
# There as soon as the first process has collected the tests.
_collected = Path(os.environ["PARTWISE_CACHE"]).parent / "collected"
# What is left in the folder for temporary files can be looked for without meeting what others put there.
# pytest's own folders stay where they were, so that what a failed test has written can be read afterwards.
os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
os.environ["TMPDIR"] = tempfile.tempdir = f"{_store.name}/tmp"
Path(tempfile.tempdir).mkdir()

from hypothesis import HealthCheck, settings  # noqa: E402  (it may import numpy)

from experiments.engine.memory import freeze_gc  # noqa: E402
from tests.ready_python import ReadyPython  # noqa: E402
from tests.waiting import until  # noqa: E402  (it may import numpy)

settings.register_profile(
    "partwise",
    deadline=None,  # the first call of a compiled or cached function is slow, and that is fine
    derandomize=True,  # the same examples on every machine: a failure is a failure for all
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("partwise")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what can be asked for beyond what `make test` does."""
    parser.addoption("--every-hand", action="store_true", help="walk each lesson by mouse, keys and touch")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Have one of several processes collect before the others, which find every test compiled by then."""
    name = os.environ.get("PYTEST_XDIST_WORKER")
    if name is not None and name != FIRST:
        until(_collected.exists)
    try:
        return (yield)
    finally:
        if name == FIRST:
            _collected.touch()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Take one process for a selection: a second would take longer to start than to run it."""
    picked = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    picked |= any(config.getoption(name) for name in ("keyword", "markexpr", "lf"))
    return 0 if picked else PROCESSES


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the browser last; among several processes what takes long comes first, so that all end together."""
    if not hasattr(config, "workerinput"):
        items.sort(key=_in_browser)
        return
    sizes = Counter(item.path for item in items)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (not _in_browser(item), item.path not in slow, -sizes[item.path], item.path))


def pytest_collection_finish() -> None:
    """Exempt what has been loaded from all collections of garbage, as a server does, and have fewer."""
    freeze_gc()
    gc.set_threshold(20_000, 20, 20)


def _in_browser(item: pytest.Item) -> bool:
    return item.nodeid.startswith(BROWSER)


class ByFile(LoadScopeScheduling):
    """Gives out whole files in the order of collection; those that need the browser in two halves."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(BROWSER):
            return f"{BROWSER} {nodeid >= SECOND_HALF}"
        return nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    """Share the tests out by file."""
    return ByFile(config, log)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The folder that holds app.py."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def ready_python() -> Iterator[ReadyPython]:
    """Python processes that need not load scikit-learn."""
    python = ReadyPython()
    yield python
    python.close()


@pytest.fixture(scope="session", autouse=True)
def _remove_store() -> Iterator[None]:
    """Remove the tests' run store with everything in it."""
    yield
    _store.cleanup()
