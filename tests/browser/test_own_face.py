"""A face of one's own in a real browser: from a file or a camera, only rebuilt, kept from everybody else."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, TimeoutError, expect

from scripts import chromium
from scripts.app_server import SETTLED, Server
from tests.browser.conftest import ARGUMENTS, open_page, visiting, wait_for

_ADDRESS = "/occlusion?data.orl.size=16&recognisers=pca,nearest_neighbour"
# A camera that needs no person: it shows a moving test picture.
_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


def ready(page: Page) -> Page:
    open_page(page, _ADDRESS)
    expect(page.locator(".card[data-right]")).to_have_count(2)
    return page


def take_from(page: Page, source: str) -> None:
    page.get_by_text("A face of your own").click()
    page.get_by_role("radio", name=source).click()


def only_rebuilt(page: Page) -> None:
    expect(page.locator(".headline")).to_contain_text("Your face")
    expect(page.locator(".card[data-method='pca'] .verdict")).to_have_text("only rebuilt")
    expect(page.locator(".card[data-method='nearest_neighbour'] .verdict")).to_have_text("can only recognise")
    expect(page.locator(".card[data-right]")).to_have_count(0)
    expect(page.locator(".who")).to_contain_text("not stored")


def photograph() -> bytes:
    shades = np.tile(np.linspace(20, 220, 320, dtype=np.uint8), (240, 1))
    file = BytesIO()
    Image.fromarray(np.stack([shades, shades, shades], axis=-1)).save(file, "PNG")
    return file.getvalue()


def written(server: Server, since: float, content: bytes) -> list[Path]:
    """Files changed since then that hold this, wherever a server writes for good or for a while."""
    found = []
    for folder, _, names in chain(os.walk(tempfile.gettempdir()), os.walk(server.log.parent)):
        for path in (Path(folder, name) for name in names):
            # The server writes and removes its files meanwhile.
            with suppress(OSError):
                if path.is_file() and path.stat().st_mtime >= since and content in path.read_bytes():
                    found.append(path)
    return found


@pytest.fixture
def with_camera(server: Server, browser: Browser) -> Iterator[Page]:
    """A browser of its own, which has a camera."""
    launched = browser.browser_type.launch(executable_path=chromium.find(), args=[*ARGUMENTS, *_CAMERA])
    with visiting(launched, server, permissions=["camera"]) as page:
        yield page
    launched.close()


def test_a_file_is_rebuilt_live_and_nobody_else_gets_it_and_then_one_from_the_camera(
    with_camera: Page, browser: Browser, server: Server
) -> None:
    page = with_camera
    page.add_init_script(
        "const whole = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);"
        "navigator.mediaDevices.getUserMedia = (wanted) => { window.opened = true; return whole(wanted); };"
    )
    begun = time.time()
    ready(page)
    take_from(page, "a picture file")
    page.locator("input[type=file]").set_input_files(
        {"name": "me.png", "mimeType": "image/png", "buffer": photograph()}
    )
    only_rebuilt(page)
    middle = "canvas => [...canvas.getContext('2d').getImageData(canvas.width - 8, 8, 1, 1).data][0]"
    assert page.locator("canvas.face").evaluate(middle) > 150, "bright on the right, as in the picture"
    drawn = page.locator(".root[data-drawn]").get_attribute("data-drawn") or ""
    page.locator("canvas.face").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".root[data-drawn]")).not_to_have_attribute("data-drawn", drawn)
    assert written(server, begun, photograph()[100:400]) == []
    assert "own" not in page.url
    with visiting(browser, server) as other:
        ready(other)
        expect(other.locator(".who")).not_to_contain_text("Your")
    page.get_by_role("button", name="Another face").click()
    expect(page.locator(".card[data-right]")).to_have_count(2)
    page.reload()
    page.wait_for_selector(SETTLED)
    expect(page.locator(".card[data-right]")).to_have_count(2)
    expect(page.locator(".headline")).not_to_contain_text("Your face")
    the_camera_opens_when_asked_and_its_picture_is_rebuilt(page)


def the_camera_opens_when_asked_and_its_picture_is_rebuilt(page: Page) -> None:
    assert page.evaluate("window.opened") is None
    take_from(page, "the camera")
    wait_for(page, "document.querySelector('video')?.readyState >= 2")
    # Streamlit's button is there before its camera takes pictures: one presses it again.
    for _ in range(10):
        page.get_by_role("button", name="Take Photo").click()
        with suppress(TimeoutError):
            page.get_by_role("button", name="Clear photo").wait_for(timeout=5_000)
            break
    only_rebuilt(page)
    assert page.evaluate("window.opened") is True
