"""What a figure of a paper shows beside its numbers: montages of parts, or samples as they were spoiled."""

from __future__ import annotations

import base64
from functools import lru_cache
from html import escape

import streamlit as st

from experiments.studies.outcome import StudyOutcome
from experiments.studies.pictures import MOST_PARTS, Picture, part_keys
from ui import theme
from ui.papers.markup import STYLE
from ui.pictures import KEY, Theme, compressed, parts_sheet, samples_sheet

_WHITE = 127
# Pictures of fewer pixels are shown larger than they are, each pixel as a square.
_COARSE = 48


def show(one: StudyOutcome) -> None:
    """Draw the pictures that are shipped of a study, each with what it shows; nothing if there are none."""
    if not one.records.pictures:
        return
    keys = part_keys(one.study) if one.study.draws == "parts" else {}
    figures = "".join(
        _figure(picture, theme.current(), out_of_date=keys.get(picture.title, picture.key) != picture.key)
        for picture in one.records.pictures
    )
    st.html(f'{STYLE}<div class="papers figures">{figures}</div>')
    if one.study.draws == "parts":
        st.caption(f"The first {MOST_PARTS} parts of each. {KEY[True]}")


def _figure(picture: Picture, theme: Theme, *, out_of_date: bool) -> str:
    title = f"{picture.title}, out of date" if out_of_date else picture.title
    labels = "".join(f"<span>{escape(label)}</span>" for label in picture.labels)
    below = f'<span class="small labels">{labels}</span>' if labels else ""
    source = _source(picture, theme)
    return (
        f'<figure class="{_kind(picture)}"><figcaption>{escape(title)}</figcaption>'
        f'<img src="{source}" alt="{escape(_alt_text(picture))}">{below}</figure>'
    )


def _kind(picture: Picture) -> str:
    kind = "samples" if picture.labels else "parts"
    return f"{kind} coarse" if min(picture.shape) < _COARSE else kind


def _alt_text(picture: Picture) -> str:
    if picture.labels:
        return f"One sample: {', '.join(picture.labels)} ({picture.title})"
    return f"{len(picture.tiles)} parts found by {picture.title}"


@lru_cache(maxsize=100)
def _source(picture: Picture, theme: Theme) -> str:
    """Return the picture as an address that holds it."""
    tiles = picture.tiles / _WHITE
    if picture.labels:
        sheet = samples_sheet(tiles, picture.shape, theme, len(tiles))
    else:
        sheet = parts_sheet(tiles, picture.shape, theme, signed=bool((tiles < 0).any()))
    content = compressed(sheet.image, None)
    kind = "webp" if content.startswith(b"RIFF") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(content).decode('ascii')}"
