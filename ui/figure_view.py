"""The buttons that hand over a figure as SVG or PNG."""

from __future__ import annotations

from ui.assets import component

_VIEW = component("figure", "figure")


def figure_downloads(key: str, name: str, *, svg: str = "", address: str = "") -> None:
    """Offer a figure under a file name: an SVG, or the address below `/partwise/` that answers with it."""
    _VIEW(key=key, data={"name": name, "svg": svg, "address": address})
