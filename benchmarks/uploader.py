"""A visitor with a real browser who brings tables of their own, one after the other."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from typing import Self

from playwright.async_api import Browser, Page

from scripts.app_server import SETTLED

_PATIENCE = 60_000
_ROWS, _COLUMNS = 2000, 60


class Uploader:
    """One browser page on the form for uploads."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.runs: set[str] = set()
        self.times: dict[str, list[float]] = defaultdict(list)
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    @classmethod
    async def arrive(cls, browser: Browser, url: str) -> Self:
        """Open the page in a context of its own."""
        context = await browser.new_context(viewport={"width": 1440, "height": 900})
        found = cls(await context.new_page())
        await found.page.goto(f"{url}/data?look=own")
        await found.page.wait_for_selector(SETTLED, timeout=_PATIENCE)
        return found

    async def work(self, until: float, luck: random.Random) -> None:
        """Upload a table every few seconds and wait until the page says what it is."""
        while time.monotonic() < until:
            rows = luck.randrange(_ROWS // 2, _ROWS)
            lines = [",".join(str(luck.randrange(100)) for _ in range(_COLUMNS)) for _ in range(rows)]
            table = "\n".join([",".join(f"column {number}" for number in range(_COLUMNS)), *lines])
            begun = time.perf_counter()
            await self.page.locator("input[type=file]").first.set_input_files(
                {"name": f"{rows}.csv", "mimeType": "text/csv", "buffer": table.encode()}
            )
            await self.page.get_by_text(f"{rows}.csv").first.wait_for(timeout=_PATIENCE)
            await self.page.wait_for_selector(SETTLED, timeout=_PATIENCE)
            self.times["browser: table uploaded and understood"].append(time.perf_counter() - begun)
            await self.page.wait_for_timeout(luck.uniform(2000, 4000))
            await self.page.reload()
            await self.page.wait_for_selector(SETTLED, timeout=_PATIENCE)

    async def leave(self) -> None:
        """Close the tab."""
        await self.page.context.close()
