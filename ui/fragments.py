"""Parts of a page that are drawn anew alone; if no run can be started just now, they say why.

What a fragment of Streamlit raises is shown as an error of the program, and the page around it hears nothing
of it: so a refusal is made a sentence here, for all pages.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, ParamSpec, overload

import streamlit as st

from experiments.engine.run_cache import RunRefusedError
from ui.plain import as_text

P = ParamSpec("P")


@overload
def fragment(draw: Callable[P, None], *, run_every: float | None = None) -> Callable[P, None]: ...


@overload
def fragment(*, run_every: float) -> Callable[[Callable[P, None]], Callable[P, None]]: ...


def fragment(draw: Callable[..., None] | None = None, *, run_every: float | None = None) -> Any:
    """Make a function draw a part of the page, to be drawn anew alone; with `run_every` seconds by itself."""
    if draw is None:
        return partial(fragment, run_every=run_every)

    @wraps(draw)
    def with_sentence(*args: Any, **kwargs: Any) -> None:
        try:
            draw(*args, **kwargs)
        except RunRefusedError as refusal:
            st.warning(as_text(str(refusal)))

    return st.fragment(with_sentence, run_every=run_every)
