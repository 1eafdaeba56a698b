"""A running app and a real browser to look at it, for measurements and pictures."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from scripts import chromium
from scripts.app_server import CHROMIUM_ARGUMENTS, Server, serving

# In the live page: the milliseconds from now to the first picture of the next run.
NEXT_RUN_SEEN = """
(root) => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error("No new parts for 30 seconds.")), 30000);
  const before = root.dataset.run, begun = performance.now();
  new MutationObserver((_, observer) => {
    if (root.dataset.run === before) return;
    observer.disconnect();
    resolve(performance.now() - begun);
  }).observe(root, { attributes: true });
})
"""


@contextmanager
def browsing() -> Iterator[Browser]:
    """Run Chromium until the block ends."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium.find(), args=CHROMIUM_ARGUMENTS)
        yield launched
        launched.close()


@contextmanager
def app() -> Iterator[Server]:
    """Run the app until the block ends, with a store of its own."""
    with tempfile.TemporaryDirectory(prefix="partwise-bench-") as folder, serving(Path(folder)) as server:
        yield server
