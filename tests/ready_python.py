"""Python processes that have NumPy, SciPy and scikit-learn loaded when they begin.

A new Python takes over a second to load them, which no test of a program is about. Here programs run in
processes forked from one that has done so. It has loaded nothing of ours, and a program finds folder,
environment and arguments as if it had been started with them.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_LOADED = (
    "sklearn.cluster", "sklearn.decomposition", "sklearn.feature_extraction.text", "sklearn.manifold",
    "sklearn.metrics", "sklearn.neighbors", "scipy.optimize", "scipy.sparse.csgraph", "scipy.stats",
)  # fmt: skip


class ReadyPython:
    """Stands for `sys.executable` in a `subprocess.run` whose output is captured as text."""

    def __init__(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self._server = subprocess.Popen(
            [sys.executable, __file__], env=environment, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )  # fmt: skip

    def run(
        self, arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run `[-W ACTION] -c PROGRAM ...`, `-m MODULE ...` or `SCRIPT ...` and wait for its end."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        with tempfile.TemporaryDirectory() as folder:
            outputs = [Path(folder, name) for name in ("stdout", "stderr")]
            order = {
                "arguments": list(arguments),
                "cwd": str(cwd),
                "env": dict(os.environ if env is None else env),
                "outputs": [str(path) for path in outputs],
            }
            print(json.dumps(order), file=self._server.stdin, flush=True)
            status = int(self._server.stdout.readline())
            said = [path.read_text(encoding="utf-8") for path in outputs]
        return subprocess.CompletedProcess(list(arguments), status, *said)

    def close(self) -> None:
        """End the process that others are forked from."""
        with self._server as server:
            server.communicate()


def _serve() -> dict[str, Any]:
    """Fork a process for every order and tell how it ended; returns in each of them, with its order."""
    for line in sys.stdin:
        if (pid := os.fork()) == 0:
            return dict(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
    sys.exit()


def _carry_out(order: dict[str, Any]) -> None:
    """Do what Python does when it is started with these arguments, in this folder and environment."""
    for number, path in enumerate((os.devnull, *order["outputs"])):
        file = os.open(path, os.O_RDWR | os.O_CREAT)
        os.dup2(file, number)
        os.close(file)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    first, *rest = order["arguments"]
    if first == "-W":
        warnings.simplefilter(rest[0])
        first, *rest = rest[1:]
    what = rest.pop(0) if first in ("-c", "-m") else first
    sys.argv = [first, *rest]
    further = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:0] = [str(Path(what).parent) if first == what else "", *further]
    if first == "-c":
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
    elif first == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(what, run_name="__main__")


if __name__ == "__main__":
    del sys.path[0]  # This folder, which has folders of the names of our packages.
    for name in _LOADED:
        importlib.import_module(name)
    gc.freeze()
    _carry_out(_serve())
