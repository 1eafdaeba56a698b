"""The server itself: who may watch a run, and how long it waits for half a request."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request
from contextlib import suppress

import pytest
from playwright.sync_api import Page, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from scripts.app_server import Server
from tests.browser.conftest import open_page
from tests.waiting import PATIENCE
from ui.web.sockets import NOT_OURS, UNKNOWN_RUN


def watch(server: Server, run: str, origin: str | None) -> int:
    """Ask to watch a run as a page of some origin would; return why the server ends it."""
    address = f"{server.url.replace('http', 'ws', 1)}/partwise/live/{run}"
    with connect(address, origin=Origin(origin) if origin else None) as socket:
        with pytest.raises(ConnectionClosed) as ended:
            socket.recv(timeout=PATIENCE)
        return ended.value.rcvd.code if ended.value.rcvd else 0


def test_start_has_an_address_too(page: Page) -> None:
    open_page(page, "/start")
    expect(page.get_by_role("heading", level=1)).to_have_text("What is a picture made of?")
    head = "".join(page.locator("head style").all_text_contents())
    assert ".stMainBlockContainer" in head, "our style has come with the page"


@pytest.mark.parametrize("origin", [None, "own"])
def test_our_own_pages_may_ask_for_a_run(server: Server, origin: str | None) -> None:
    assert watch(server, "unknown", server.url if origin == "own" else None) == UNKNOWN_RUN


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_pages_of_others_may_not(server: Server, origin: str) -> None:
    assert watch(server, "unknown", origin) == NOT_OURS


def test_kept_frames_of_an_unknown_run_are_not_found(server: Server) -> None:
    with pytest.raises(urllib.error.HTTPError) as answer:
        urllib.request.urlopen(f"{server.url}/partwise/kept/unknown/3")
    assert answer.value.code == 404
    assert b"no longer kept" in answer.value.read()
    answer.value.close()


def test_half_a_request_is_not_waited_for_for_ever(half_requests: list[socket.socket]) -> None:
    # All are closed by the server, which says nothing: there was no request to answer.
    for line in half_requests:
        with suppress(ConnectionResetError):
            assert line.recv(1) == b""
