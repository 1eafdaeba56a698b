"""What all tests of pages and their answers share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ui.service import close


@pytest.fixture(scope="module", autouse=True)
def _no_runs_left() -> Iterator[None]:
    """Each file of tests has a service of its own."""
    yield
    close()
