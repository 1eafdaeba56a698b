"""`make bench`: run every measurement, or those named: `python -m benchmarks iteration live_run`."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks

# These are pieces of the others, or make pictures instead of measuring.
_NOT_MEASURING = {
    "__main__", "report", "browser", "onlooker", "pupil", "processes", "uploader", "screenshots", "malformed",
    "streamlit_client", "reference", "peers_data",
}  # fmt: skip


def measurements() -> list[str]:
    """Return the names of all measurements."""
    return [m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name not in _NOT_MEASURING]


def main(wanted: list[str]) -> int:
    """Run measurements one after the other and return the exit status."""
    known = measurements()
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        print(
            f"No measurement is called {', '.join(unknown)}. There are: {', '.join(known)}.", file=sys.stderr
        )
        return 2
    for name in wanted or known:
        print(f"\n=== {name} ===", flush=True)
        importlib.import_module(f"benchmarks.{name}").main([])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
