"""`make screenshots`: the pictures of the README, taken from the running app.

Writes `docs/pictures/`: the pages it shows, some light and some dark, and a short capture of the first one.

    python -m benchmarks.screenshots [NAME ...]    # those alone: first, live, tune ...
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from benchmarks.browser import app, browsing
from scripts.app_server import SETTLED

_FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
_WIDE = {"width": 1440, "height": 900}
_TUNE = "/tune?data.orl.size=32&labelled=3&tune.splits=4&tune.n2s2l.max_iter=20&tune.n2s2l.n_components=60"
# What the README shows: name, theme, address, and what is there when the page is worth seeing.
_PAGES = (
    ("live", "light", "/live", ".root[data-elapsed]"),
    ("bases", "dark", "/bases", ":nth-match(.basis[data-state=done], 3)"),
    ("occlusion", "light", "/occlusion", ".curves[data-complete='true']"),
    ("documents", "light", "/documents?data=docstrings", "text=settled"),
    ("tune", "light", _TUNE, ".root[data-known='324']"),
    ("recognition", "dark", "/recognition", ":nth-match(li:has-text('five splits'), 3)"),
    ("views", "light", "/views?data=multifeature", "text=iteration"),
)
# What must be pressed first.
_PRESSED = {"live": "Run", "tune": "Start"}
_PATIENCE = 600_000
_SETTLING = 6000
_FRAMES, _FRAME_MS = 40, 125


def main(argv: Sequence[str] | None = None) -> None:
    """Take all pictures, or those that are named."""
    parser = argparse.ArgumentParser(description="The pictures of the README.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args(argv).names
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with app() as server, browsing() as browser:
        if not names or "first" in names:
            capture(browser, server.url)
        for name, theme, path, sign in _PAGES:
            if names and name not in names:
                continue
            page = _open(browser, server.url + path, theme)
            if name in _PRESSED:
                page.get_by_role("button", name=_PRESSED[name], exact=True).click()
            page.locator(sign).first.wait_for(timeout=_PATIENCE)
            page.wait_for_timeout(_SETTLING)
            _save(page, f"{name}-{theme}")
            page.context.close()
    for path in sorted(_FOLDER.iterdir()):
        print(f"{path.relative_to(_FOLDER.parent.parent)}  {path.stat().st_size // 1000} kB")


def capture(browser: Browser, url: str) -> None:
    """Film the first seconds of the first page."""
    page = _open(browser, url, "light")
    page.locator(".root[data-shown]").wait_for()
    frames = []
    for _ in range(_FRAMES):
        frames.append(_picture(page).crop((300, 40, 1440, 790)).resize((760, 500)))
        page.wait_for_timeout(_FRAME_MS)
    page.context.close()
    first, *rest = frames
    first.save(
        _FOLDER / "first-light.webp", save_all=True, append_images=rest, duration=_FRAME_MS * 2, loop=0,
        quality=55, method=6,
    )  # fmt: skip


def _open(browser: Browser, url: str, theme: str) -> Page:
    context = browser.new_context(viewport=_WIDE, color_scheme="dark" if theme == "dark" else "light")
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector(SETTLED)
    return page


def _picture(page: Page) -> Image.Image:
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


def _save(page: Page, name: str) -> None:
    _picture(page).save(_FOLDER / f"{name}.webp", quality=82, method=6)


if __name__ == "__main__":
    main()
