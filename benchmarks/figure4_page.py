"""How long the Occlusion page takes to be complete as in Figure 4, here and in an earlier checkout.

    python -m benchmarks.figure4_page [--before FOLDER] [--rounds 1]

The settings of the page's preset (ORL 64×64, two labels a person, five sizes, five splits), from the address
to the last point of the curves and the last place of the maps, each time with a store of its own. With
`--before` the app in that folder, for instance a worktree of an earlier commit, is measured in turns with
this one.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser

from benchmarks.browser import browsing
from benchmarks.report import Row, save, show
from scripts.app_server import ROOT, serving

_ADDRESS = (
    "/occlusion?data=orl&data.orl.size=64&by=number&labelled=2&recognisers={}&patch=grey&tested=covered"
    "&metric=euclidean&weights=pinv"
)
_METHODS = "pca,nmf,lda,mfa,smfa,n2s2l"
_PATIENCE = 500_000


def main(argv: Sequence[str] | None = None) -> None:
    """Measure both in turns and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="a checkout of an earlier version")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--methods", default=_METHODS)
    given = parser.parse_args(argv)
    roots = ({"before": given.before.resolve()} if given.before else {}) | {"now": ROOT}
    seen: dict[str, list[dict[str, float]]] = {name: [] for name in roots}
    with browsing() as browser:
        for _ in range(given.rounds):
            for name, root in roots.items():
                seen[name].append(completed(browser, root, given.methods))
                print(name, seen[name][-1], flush=True)
    rows: list[Row] = [
        {"version": name} | {what: median(one[what] for one in rounds) for what in rounds[0]}
        for name, rounds in seen.items()
    ]
    show("Seconds from the address to all of Figure 4 on the Occlusion page", rows)
    save("figure4_page", {"rows": rows, "rounds": seen})


def completed(browser: Browser, root: Path, methods: str) -> dict[str, float]:
    """Return the seconds to the whole curves, and to the whole maps beside them."""
    with (
        tempfile.TemporaryDirectory(prefix="partwise-bench-") as folder,
        serving(Path(folder), root=root) as server,
    ):
        page = browser.new_context(viewport={"width": 1440, "height": 1000}).new_page()
        begun = perf_counter()
        page.goto(server.url + _ADDRESS.format(methods))
        page.locator(".curves[data-complete='true']").wait_for(timeout=_PATIENCE)
        curves = perf_counter() - begun
        page.locator(".places[data-complete='true']").wait_for(timeout=_PATIENCE)
        whole = perf_counter() - begun
        page.context.close()
    return {"curves": curves, "curves and maps": whole}


if __name__ == "__main__":
    main()
