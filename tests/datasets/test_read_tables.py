"""datasets.read: tables, documents, LIBSVM and MatrixMarket; labels guessed and corrected."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import io as scipy_io
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

import datasets
from datasets import UploadError
from datasets.reading.arrow_tables import _tabbed
from datasets.reading.labels import encode
from tests.datasets.upload_files import faces, tarred, zipped

FRAME = pd.DataFrame(
    {
        "length": [1.5, 2, 3, 4, 5, 6],
        "width": [1, 0, 2, 0, 3, 0],
        "species": ["b", "a", "b", None, "a", "b"],
    }
)
CODES = [1, 0, 1, -1, 0, 1]


def csv(frame: pd.DataFrame, **options: object) -> bytes:
    text = frame.to_csv(**{"index": False, **options})  # type: ignore[call-overload]
    return str(text).encode()


def parquet(frame: pd.DataFrame) -> bytes:
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (csv(FRAME), "t.csv"),
        (csv(FRAME, sep=";"), "t.csv"),
        (csv(FRAME, sep="\t"), "t.tsv"),
        (csv(FRAME, index=True), "t.csv"),
        (b"\xef\xbb\xbf" + csv(FRAME).replace(b"\n", b"\r\n"), "t.csv"),
        (csv(FRAME).decode().encode("utf-16"), "t.csv"),
        (parquet(FRAME), "t.parquet"),
        (zipped({"t.csv": csv(FRAME), "README": b"x"}), "t.zip"),
    ],
)
def test_tables(data: bytes, name: str) -> None:
    ds = datasets.read(data, name=name)
    np.testing.assert_array_equal(ds.X, FRAME[["length", "width"]])
    assert ds.feature_names == ("length", "width")
    np.testing.assert_array_equal(ds.y, CODES)
    assert ds.target_names == ("a", "b")


def test_label_is_corrected() -> None:
    ds = datasets.read(csv(FRAME), name="t.csv", label="width")
    np.testing.assert_array_equal(ds.y, [1, 0, 2, 0, 3, 0])
    assert ds.feature_names == ("length",)
    assert datasets.read(csv(FRAME), name="t.csv", label=False).y is None
    assert datasets.read(csv(FRAME), name="t.csv", label=1).feature_names == ("length",)
    with pytest.raises(
        UploadError, match="label='colour' is not a column; the columns are length, width, species"
    ):
        datasets.read(csv(FRAME), name="t.csv", label="colour")
    with pytest.raises(UploadError, match="Column length cannot be labels"):
        datasets.read(csv(FRAME), name="t.csv", label="length")


def test_columns_are_chosen() -> None:
    assert datasets.read(csv(FRAME), name="t.csv", views=["width"]).feature_names == ("width",)


def test_without_heading() -> None:
    ds = datasets.read(csv(FRAME, header=False), name="t.csv")
    np.testing.assert_array_equal(ds.y, CODES)
    numbers = FRAME.assign(species=[1, 0, 1, np.nan, 0, 1], width=FRAME.width + 0.5)
    np.testing.assert_array_equal(datasets.read(csv(numbers, header=False), name="t.csv").y, CODES)
    blanks = b"  1.0  2.5\n  3.0   4.5 \n"
    np.testing.assert_array_equal(datasets.read(blanks, name="t.txt").X, [[1, 2.5], [3, 4.5]])


@pytest.mark.parametrize("label", ["b", 3])
@pytest.mark.parametrize("start", [0, 1])
def test_columns_named_by_numbers(label: object, start: int) -> None:
    frame = pd.DataFrame(np.arange(12.0).reshape(4, 3) + 0.5, columns=range(start, start + 3))
    ds = datasets.read(csv(frame.assign(label=[label, label, 7, 7])), name="t.csv")
    np.testing.assert_array_equal(ds.X, frame)
    assert ds.n_classes == 2


def test_a_first_line_that_counts_is_data_among_its_like() -> None:
    assert datasets.read(b"1,2,3\n1,2,3\n4,5,6\n", name="t.csv").X.shape == (3, 3)


def test_a_column_that_turns_fractional_late() -> None:
    rows = "\n".join(["1,2"] * 200_000 + ["0.5,3"])
    assert datasets.read(f"a,b\n{rows}\n".encode(), name="t.csv").X[-1, 0] == 0.5


def test_pixels_in_a_table_are_pictures() -> None:
    pictures, people = faces(20, 20)
    frame = pd.DataFrame(pictures.reshape(40, -1)).add_prefix("pixel").assign(label=people)
    ds = datasets.read(csv(frame), name="t.csv")
    assert ds.image_shape == (20, 20)
    np.testing.assert_allclose(ds.X, pictures.reshape(40, -1) / 255, atol=1e-6)


def test_missing_numbers_name_their_column_and_row() -> None:
    frame = FRAME.assign(width=[1, 2, None, 4, 5, None])
    for data, name in ((csv(frame), "t.csv"), (parquet(frame), "t.parquet")):
        with pytest.raises(UploadError, match="Column width has no number in 2 rows, the first in row 3"):
            datasets.read(data, name=name)


def test_a_single_missing_number_is_said_in_good_grammar() -> None:
    frame = FRAME.assign(width=[1, 2, None, 4, 5, 6])
    with pytest.raises(UploadError) as refusal:
        datasets.read(csv(frame), name="t.csv")
    assert "no number in 1 row, row 3 of the data; fill it in or leave that row out (only" in str(
        refusal.value
    )


def test_uneven_rows_are_refused_with_their_place() -> None:
    with pytest.raises(UploadError, match="3 cells where 2 were expected"):
        datasets.read(b"a,b\n1,2\n1,2,3\n", name="t.csv")


TEXTS = [
    "cats purr and chase mice",
    "dogs bark at cats loudly",
    "mice fear cats that purr",
    "loud dogs bark again",
]


def test_documents_in_a_table() -> None:
    frame = pd.DataFrame({"id": range(4), "body": TEXTS, "topic": ["cat", "dog", "cat", ""]})
    for data, name in ((csv(frame), "d.csv"), (parquet(frame), "d.parquet")):
        ds = datasets.read(data, name=name, min_df=1)
        assert isinstance(ds.X, sparse.csr_array)
        assert ds.feature_names is not None
        assert {"cats", "purr", "bark"} <= set(ds.feature_names)
        np.testing.assert_array_equal(ds.y, [0, 1, 0, -1])
        assert ds.texts["body"] == tuple(TEXTS)
        assert ds.card is not None
        assert ds.card.kind == "documents"


def test_documents_in_folders() -> None:
    entries = {f"news/{'ab'[i % 2]}/{i}.txt": text.encode() for i, text in enumerate(TEXTS)}
    for data, name in ((zipped(entries), "d.zip"), (tarred(entries, "gz"), "d.tar.gz")):
        ds = datasets.read(data, name=name)
        assert isinstance(ds.X, sparse.csr_array)
        np.testing.assert_array_equal(ds.y, [0, 1, 0, 1])
        assert ds.target_names == ("a", "b")
        assert ds.sample_names is not None
    with pytest.raises(UploadError, match="vocabulary must be an integer"):
        datasets.read(zipped(entries), name="d.zip", vocabulary=0)


def test_two_columns_of_text_are_two_views() -> None:
    frame = pd.DataFrame({"title": TEXTS, "text": TEXTS[::-1], "class": ["x", "y", "x", "y"]})
    assert list(datasets.read(csv(frame), name="d.csv").views) == ["title", "text"]
    assert list(datasets.read(csv(frame), name="d.csv", views="text").views) == ["text"]


def test_libsvm(tmp_path: Path) -> None:
    X = sparse.random(20, 9, 0.4, format="csr", random_state=0)
    y = np.arange(20) % 3 - 1
    for zero_based in (True, False):
        dump_svmlight_file(X, y, str(tmp_path / "x.svm"), zero_based=zero_based)
        ds = datasets.read(tmp_path / "x.svm")
        assert isinstance(ds.X, sparse.csr_array)
        np.testing.assert_allclose(ds.X.toarray(), X.toarray())
        np.testing.assert_array_equal(ds.y, y)  # -1 is unknown
    dump_svmlight_file(X, np.where(y > 0, 1, -1), str(tmp_path / "two.txt"))
    assert datasets.read(tmp_path / "two.txt").target_names == ("-1", "1")


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
def test_matrix_market(symmetry: str, tmp_path: Path) -> None:
    X = sparse.random(12, 12, 0.3, random_state=0)
    X = sparse.coo_array(X + X.T)
    scipy_io.mmwrite(tmp_path / "x.mtx", X, symmetry=symmetry)
    ds = datasets.read(tmp_path / "x.mtx")
    assert isinstance(ds.X, sparse.csr_array)
    np.testing.assert_allclose(ds.X.toarray(), X.toarray())
    scipy_io.mmwrite(tmp_path / "y.mtx", np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(datasets.read(tmp_path / "y.mtx").X, np.arange(6.0).reshape(2, 3))


def test_matrix_market_outside_its_size_is_refused() -> None:
    # SciPy's own reader crashes the process on files like this one.
    data = b"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 5\n900000 3 1\n"
    with pytest.raises(UploadError, match="Entry 2 of the MatrixMarket file lies outside its 3 × 3 matrix"):
        datasets.read(data, name="x.mtx")


def test_a_line_of_eight_million_blanks_is_read_like_any_other() -> None:
    # With a regular expression it took twenty seconds for 80 000, and the square of that for these.
    long = b"1" + b" " * 8_000_000 + b"2\n"
    for table in (
        b"3 4\n" + long,
        b"3 4" + b" " * 8_000_000 + b"\n1 2\n",
        b"4" + b" " * 900_000 + b"3\n1 2\n",
    ):
        assert sorted(datasets.read(table, name="x.csv").X.ravel().tolist()) == [1, 2, 3, 4]


@settings(max_examples=300)
@given(st.text(" \t\nab1é", max_size=20))
def test_blanks_become_tabs_as_by_a_regular_expression(text: str) -> None:
    stripped = re.sub(r"^[ \t]+|[ \t]+$", "", text, flags=re.MULTILINE)
    assert _tabbed(text) == re.sub(r"[ \t]+", "\t", stripped)


def test_labels_of_a_million_letters_are_told_apart_at_once() -> None:
    long = b"ab1" * 400_000
    table = b"a,label\n" + b"".join(b"%d,%s%d\n" % (row, long, row % 2) for row in range(4))
    assert len(datasets.read(table, name="x.csv").target_names) == 2


def test_a_text_longer_than_three_novels_is_cut() -> None:
    words = b"moon river stone " * 150_000
    understood = datasets.understand(
        zipped({"a/1.txt": words, "b/2.txt": b"a stone and a river"}), name="t.zip"
    )
    assert max(len(text) for text in understood.dataset.texts["words"]) == 2_000_000
    assert "Texts of more than 2000000 letters are cut there: 1 of them." in understood.sentences


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (csv(FRAME[["length", "width"]].T, index=True), "t.csv"),
        (csv(FRAME[["length", "width"]].T, header=False, sep="\t"), "t.tsv"),
        (parquet(FRAME[["length", "width"]].T.rename(columns=str)), "t.parquet"),
        (b"1 1:1.5 2:2 3:3 4:4 5:5 6:6\n2 1:1 3:2 5:3\n", "t.svm"),
    ],
)
def test_samples_in_columns_are_turned_when_told(data: bytes, name: str) -> None:
    understood = datasets.understand(data, name=name, transpose=True)
    X = understood.dataset.X
    np.testing.assert_array_equal(X.toarray() if sparse.issparse(X) else X, FRAME[["length", "width"]])
    assert "transpose" in understood.corrections
    assert datasets.read(data, name=name).X.shape[0] == 2


def test_a_table_that_makes_sense_only_turned_is_turned() -> None:
    data = csv(FRAME[:3].T, index=True)
    understood = datasets.understand(data, name="genes.csv")
    ds = understood.dataset
    np.testing.assert_array_equal(ds.X, FRAME[["length", "width"]][:3])
    assert (ds.feature_names, ds.target_names) == (("length", "width"), ("a", "b"))
    assert "Samples were in columns, so the table was turned." in understood.sentences
    with pytest.raises(UploadError, match="no column of numbers and no column of text"):
        datasets.read(b"a,b\nx,y\ny,x\n", name="words.csv")


@pytest.mark.parametrize("gap", ["", "-1", None, float("nan"), pd.NA])
def test_every_way_to_leave_a_label_out_is_read_as_unknown(gap: object) -> None:
    labels = encode(["ann", gap, "bob"])
    assert labels is not None
    assert labels.codes.tolist() == [0, -1, 1]


def test_one_file_may_be_packed_by_itself() -> None:
    table = csv(FRAME)
    for pack, ending in ((gzip.compress, "gz"), (bz2.compress, "bz2"), (lzma.compress, "xz")):
        ds = datasets.read(pack(table), f"t.csv.{ending}")
        np.testing.assert_array_equal(ds.y, CODES)
        assert ds.feature_names == ("length", "width")
    other = datasets.read(gzip.compress(table), "t.txt.gz")
    assert other.id != datasets.read(gzip.compress(table), "t.csv.gz").id, "it may be read in another way"
    for data, words in (
        (gzip.compress(table)[:-9], "damaged or was not copied completely"),
        (gzip.compress(gzip.compress(table)), "bytes that are not text"),
        (gzip.compress(b"0," * 40_000_000), "times its size|more than"),
    ):
        with pytest.raises(UploadError, match=words):
            datasets.read(data, "t.csv.gz")
