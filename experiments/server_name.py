"""The name of this server, where several share a store: what visitors read, and what a proxy goes by."""

from __future__ import annotations

import os
import re
import socket

SERVER_NAME = "PARTWISE_SERVER_NAME"
_LONGEST = 40


def configured_name() -> str:
    """Return the name that `PARTWISE_SERVER_NAME` gives this server; nothing if there is none."""
    return re.sub(r"[^A-Za-z0-9-]+", "-", os.environ.get(SERVER_NAME, ""))[:_LONGEST].strip("-")


def server_name() -> str:
    """Return the configured name of this server, or else that of its machine."""
    return configured_name() or re.sub(r"[^A-Za-z0-9-]+", "-", socket.gethostname())[:_LONGEST] or "server"
