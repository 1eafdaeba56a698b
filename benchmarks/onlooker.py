"""A visitor with a real browser among many: moves sliders, goes back in time, notes what goes wrong."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from typing import Any, Self

from playwright.async_api import Browser, ConsoleMessage, Page

from benchmarks.browser import NEXT_RUN_SEEN
from scripts.app_server import SETTLED

_LABELS = ("Alpha (α)", "Beta (β)")
_PATIENCE = 60_000
# In the live page: the milliseconds from a wish on its timeline to the picture.
_GONE_BACK = """
(root, share) => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error("No earlier parts for 30 seconds.")), 30000);
  const slider = root.querySelector(".timeline input"), begun = performance.now();
  if (Number(slider.max) < 1) return resolve(null);
  new MutationObserver((_, observer) => { observer.disconnect(); resolve(performance.now() - begun); })
    .observe(root, { attributes: true, attributeFilter: ["data-frames"] });
  slider.value = Math.floor(share * Number(slider.max));
  slider.dispatchEvent(new Event("input"));
})
"""


class Onlooker:
    """One browser page on a live run of its own."""

    def __init__(self, page: Page) -> None:
        self.page, self.moves = page, 0
        self.runs: set[str] = set()
        self.times: dict[str, list[float]] = defaultdict(list)
        self.complaints: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    @classmethod
    async def arrive(cls, browser: Browser, url: str, query: str) -> Self:
        """Open the live page in a context of its own and press Run."""
        context = await browser.new_context(viewport={"width": 1440, "height": 900})
        seen = cls(await context.new_page())
        await seen.page.goto(f"{url}/live?{query}")
        await seen.page.wait_for_selector(SETTLED, timeout=_PATIENCE)
        await seen.page.get_by_role("button", name="Run", exact=True).click()
        await seen.page.locator(".root[data-run][data-frames]").wait_for(timeout=_PATIENCE)
        return seen

    async def work(self, until: float, luck: random.Random) -> None:
        """Move sliders and go back on the timeline, with a second of thought between."""
        while time.monotonic() < until:
            await self.page.wait_for_timeout(luck.uniform(500, 1500))
            root = self.page.locator(".root[data-run]")
            if luck.random() < 0.7:
                slider = self.page.get_by_role("slider", name=_LABELS[self.moves // 2 % 2])
                await slider.focus()
                told = await root.evaluate_handle(f"root => ({{ seen: ({NEXT_RUN_SEEN})(root) }})")
                await slider.press("ArrowLeft" if self.moves % 2 else "ArrowRight")
                self.moves += 1
                self._note("browser: slider moved, new parts seen", await told.evaluate("told => told.seen"))
            else:
                found = await root.evaluate(_GONE_BACK, luck.random())
                if found is not None:
                    self._note("browser: gone back on the timeline", found)
                    await self.page.get_by_role("button", name="Live", exact=True).click()

            self.runs.add(str(await root.get_attribute("data-run")))

    async def leave(self) -> None:
        """Close the tab."""
        await self.page.context.close()

    def _note(self, what: str, milliseconds: Any) -> None:
        self.times[what].append(float(milliseconds) / 1000)

    def _console(self, message: ConsoleMessage) -> None:
        # Streamlit asks a page's own address for its health as well, which has none.
        if message.type in ("error", "warning") and "/_stcore/" not in message.location["url"]:
            self.complaints.append(message.text)
