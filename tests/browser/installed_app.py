"""Servers of an installed app, with a PostgreSQL and a folder in common, as docs/hosting.md says."""

from __future__ import annotations

import signal
import socket
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from experiments.engine.service import UNWATCHED
from experiments.server_name import SERVER_NAME
from experiments.store.places import DATA, DATABASE
from scripts.app_server import Server, free_port, started


class Servers:
    """Servers by their names.

    Each is started when it is first asked for; one that has ended is started anew where it was.
    """

    def __init__(self, program: Path, folder: Path, database: str) -> None:
        self._program, self._folder, self.database = program, folder, database
        self._running: dict[str, tuple[ExitStack, Server]] = {}

    def __getitem__(self, name: str) -> Server:
        if name in self._running:
            block, server = self._running[name]
            if server.process.poll() is None:
                return server
            block.close()
        block = ExitStack()
        port = self._port(name)
        command = [str(self._program), "--no-browser", "--port", str(port)]
        settings = {DATABASE: self.database, DATA: str(self._folder), SERVER_NAME: name, UNWATCHED: "10"}
        settings["STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"] = "1"
        own = self._folder / name
        own.mkdir(exist_ok=True)
        server = block.enter_context(started(command, port, own, **settings))
        self._running[name] = block, server
        return server

    def end(self, name: str, sign: signal.Signals) -> None:
        """End a server by a signal."""
        _, server = self._running[name]
        server.process.send_signal(sign)
        server.process.wait()

    def close(self) -> None:
        """End all of them, and look whether they have left their ports and had nothing to complain of."""
        for block, _ in self._running.values():
            block.close()
        for _, server in self._running.values():
            assert "Traceback" not in server.log.read_text()
            with socket.socket() as probe:
                assert probe.connect_ex(("127.0.0.1", urlsplit(server.url).port or 0)) != 0

    def _port(self, name: str) -> int:
        if name in self._running:
            return urlsplit(self._running[name][1].url).port or 0
        return free_port()
