"""What happens once when the server starts."""

from __future__ import annotations

import socket

from ui.startup import send_small_replies_at_once


def test_accepted_connections_send_small_replies_at_once() -> None:
    # Bound as Streamlit binds it: with protocol 0, for which asyncio leaves Nagle's algorithm on.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        send_small_replies_at_once()
        with socket.create_connection(listener.getsockname()):
            accepted, _ = listener.accept()
            with accepted:
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_other_sockets_are_left_alone() -> None:
    with socket.socket() as quiet:
        send_small_replies_at_once()
        assert not quiet.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
