"""A sheet of pictures to explore: point at one for its facts, some of them marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ui import state
from ui.assets import component
from ui.blocks import packed
from ui.downloads import downloads
from ui.pictures import Sheet

_VIEW = component("sheet_view", "sheet")


def sheet_view(
    key: str,
    sheet: Sheet,
    *,
    label: str,
    tips: Sequence[str],
    marks: Sequence[bool] | NDArray[np.bool_] = (),
    dim: bool = False,
    on_pick: Callable[[], None] | None = None,
) -> None:
    """Show a sheet; `label` is its text alternative, `tips` a description of each picture.

    Marked pictures are framed; with `dim` the others are paler.
    """
    header = {"label": label, "tips": list(tips), "marks": [int(mark) for mark in marks], "dim": dim}
    _VIEW(
        key=key,
        data=packed(header, {}, {"parts": sheet}),
        on_picked_change=on_pick or state.rerun_page,
    )
    downloads(key)
