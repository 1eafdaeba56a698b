"""`partwise` without a command: serves the app on this machine and opens a browser on it."""

from __future__ import annotations

import argparse
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep

from experiments.engine.own_version import BUILT

_ROOT = Path(__file__).parent.parent
# Streamlit puts the folder of the app first among those that modules are found in. Installed, that must not
# be the folder of our packages: one of them is called like a package of others.
APP = (_ROOT / "server" if (_ROOT / BUILT).is_file() else _ROOT) / "app.py"
_USUAL_PORT, _PORTS_TRIED = 8501, 50
_PATIENCE = 60.0


def open_app(arguments: Sequence[str]) -> int:
    """Serve the app until Ctrl-C; return the exit status."""
    parser = argparse.ArgumentParser(prog="partwise", description="Open Partwise in the browser.")
    parser.add_argument("--port", type=int, metavar="N", help="where to serve (by default a free port)")
    parser.add_argument("--no-browser", action="store_true", help="print the address and open nothing")
    options = parser.parse_args(arguments)
    port = options.port or _free_port()
    if not options.no_browser:
        threading.Thread(target=_open_browser, args=(port,), daemon=True, name="browser").start()
    from streamlit.web.cli import main

    sys.argv = ["streamlit", "run", str(APP), "--server.port", str(port)]
    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


def _free_port() -> int:
    """Return the usual port, or the next that nobody listens on."""
    for port in range(_USUAL_PORT, _USUAL_PORT + _PORTS_TRIED):
        if not _answers(port):
            return port
    return _USUAL_PORT


def _answers(port: int) -> bool:
    with socket.socket() as caller:
        caller.settimeout(1)
        return caller.connect_ex(("127.0.0.1", port)) == 0


def _open_browser(port: int) -> None:
    until = monotonic() + _PATIENCE
    while monotonic() < until:
        if _answers(port):
            webbrowser.open(f"http://localhost:{port}")
            return
        sleep(0.1)
