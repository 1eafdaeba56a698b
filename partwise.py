"""Partwise as a library and a command: `from partwise import N2S2L, load, read`; `partwise` in a terminal.

In the repository this is a module beside the packages; in the wheel it is the package that holds them, so
that nothing else is put where other people's packages are. Each name is imported when it is first used.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any

_PACKAGES = ("datasets", "experiments", "methods")
_DATA = ("Dataset", "Understood", "UploadError", "fetch", "keep", "load", "read", "understand")
_EXPERIMENTS = ("RunRecord", "RunRequest", "Split", "occlude", "run", "split")
_OPENING = ("--port", "--no-browser")


# Installed, the packages are inside this one; in the repository they are beside it.
_INSIDE = f"{__name__}." if "__path__" in globals() else ""


def __getattr__(name: str) -> Any:
    """Return a package, a function, or an estimator by the name of its class."""
    if name in _PACKAGES:
        # One that is on its way in already asks for others, which ask for it.
        return sys.modules.get(_INSIDE + name) or importlib.import_module(_INSIDE + name)
    if name in _DATA:
        return getattr(__getattr__("datasets"), name)
    if name in _EXPERIMENTS:
        return getattr(__getattr__("experiments"), name)
    if not name.startswith("_") and name in (estimators := _estimators()):
        return estimators[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _estimators() -> dict[str, Any]:
    return {spec.estimator.__name__: spec.estimator for spec in __getattr__("methods").specs().values()}


def __dir__() -> list[str]:
    return sorted([*_PACKAGES, *_DATA, *_EXPERIMENTS, *_estimators(), "main"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the app, or carry out a command such as `run`; return the exit status."""
    command_line = list(sys.argv[1:] if arguments is None else arguments)
    if not command_line or command_line[0].partition("=")[0] in _OPENING:
        from ui.opening import open_app

        return open_app(command_line)
    from experiments.cli.program import carry_out

    return carry_out(command_line, "partwise")


if __name__ == "__main__":
    sys.exit(main())
