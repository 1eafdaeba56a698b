"""What all tests of pages and their answers share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime import context

from ui import service as services
from ui.service import close, drop_runs, service


@pytest.fixture(scope="session", autouse=True)
def _packages_are_searched_once() -> Iterator[None]:
    """A page under test would have Streamlit look for components in every installed package at each run."""
    with pytest.MonkeyPatch.context() as patch:
        search = manifest_scanner.scan_component_manifests
        patch.setattr(manifest_scanner, search.__name__, cache(search))
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_browser_is_made_up() -> Iterator[None]:
    """A page that asks for its cookies would have a mock made of every object on the way to them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(context, "_get_client_context", lambda: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_service_left() -> Iterator[None]:
    """End the service before the folder of its store goes."""
    yield
    close()


@pytest.fixture(scope="module", autouse=True)
def _no_runs_left() -> Iterator[None]:
    """Each file of tests begins without runs; the workers stay, for they take seconds to start."""
    yield
    for dataset in {handle.request.dataset for handle in service().runs}:
        drop_runs(dataset)


@pytest.fixture(autouse=True)
def _nothing_goes_on() -> Iterator[None]:
    """What a test has begun and not waited for stops with it, and takes no time from the tests after it.

    A table that a page has asked for would else be filled in to its end, for it is not so soon forgotten.
    """
    yield
    if services._tables.cache_info().currsize:
        for owner, visitor in list(services.tables()._visitors.items()):
            for name in list(visitor.tables):
                services.tables().stop(owner, name)
    if services._service.cache_info().currsize:
        for handle in service().runs:
            if not handle.ended and not handle.shared:
                service().command(handle.id, "stop", owner=handle.owner, wait=False)
