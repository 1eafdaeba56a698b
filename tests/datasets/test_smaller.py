"""datasets.read makes an upload smaller when asked: fewer samples, smaller pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import datasets
from datasets import Limits, UploadError
from tests.datasets.upload_files import by_columns, encoded, faces, mat, zipped

PICTURES, PEOPLE = faces(40, 32)
FEA = by_columns(PICTURES)
DATA = mat(fea=FEA, gnd=PEOPLE)


def test_pictures_of_a_matrix_are_resized_as_picture_files_are() -> None:
    entries = {f"s{who}/{i}.png": encoded(p) for i, (p, who) in enumerate(zip(PICTURES, PEOPLE, strict=True))}
    for size, shape in ((20, (20, 16)), ((10, 30), (10, 30))):
        found = datasets.understand(DATA, name="x.mat", size=size)
        assert found.dataset.image_shape == shape
        assert found.stored_shape == (40, 32)
        files = datasets.read(zipped(entries), name="f.zip", size=size)
        np.testing.assert_allclose(found.dataset.X, files.X, atol=0.02)
        assert f"Pictures of 40 × 32 were resized to {shape[0]} × {shape[1]}, as asked." in found.sentences
    assert datasets.read(DATA, name="x.mat", size=100).image_shape == (40, 32), "never larger than they were"
    assert "size" in datasets.understand(DATA, name="x.mat").corrections


def test_sizes_that_cannot_be() -> None:
    for size in (0, "big", True):
        with pytest.raises(UploadError, match="size must be a number of pixels"):
            datasets.read(DATA, name="x.mat", size=size)
    with pytest.raises(UploadError, match="size is for pictures, and these rows are not"):
        datasets.read(b"a,b,label\n1,2,0\n3,4,1\n", name="x.csv", size=20)
    with pytest.raises(UploadError, match="at most 60000 are accepted"):
        datasets.read(DATA, name="x.mat", size=(400, 400), limits=Limits(cells=60_000))


KINDS: dict[str, tuple[bytes, str]] = {
    "pictures": (DATA, "x.mat"),
    "sparse views": (
        mat(X1=sparse.csc_array(FEA.astype(float)), X2=FEA[:, :9].astype(float), y=PEOPLE), "x.mat",
    ),
    "a table": (
        b"a,b,label\n" + b"".join(b"%d,%d,%d\n" % (i, i * i, i // 2 + 1) for i in range(40)), "x.csv",
    ),
    "texts": (
        b"text,label\n" + b"".join(b"the number %s runs over a wide open field,c%d\n" % (
            (b"one", b"two")[i % 2], i // 2 + 1) for i in range(40)),
        "x.csv",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_fewer_samples_are_spread_over_the_file(kind: str) -> None:
    content, name = KINDS[kind]
    whole, found = datasets.read(content, name=name), datasets.understand(content, name=name, samples=5)
    part, rows = found.dataset, [0, 10, 20, 29, 39]
    assert [view.shape[0] for view in part.views.values()] == [5] * len(whole.views)
    assert part.y is not None
    assert part.n_classes == 5, "classes that no sample has are gone"
    assert whole.y is not None
    names = [part.target_names[code] for code in part.y]
    assert names == [whole.target_names[whole.y[row]] for row in rows]
    if not part.texts:
        for few, all_of in zip(part.views.values(), whole.views.values(), strict=True):
            np.testing.assert_array_equal(dense(few), dense(all_of)[rows])
    assert "5 of 40 samples are used, as asked, spread evenly over the file." in found.sentences
    assert datasets.read(content, name=name, samples=100).n_samples == 40
    again = datasets.load(datasets.keep(part))
    assert again.n_samples == 5


def dense(view: Any) -> Any:
    return view.toarray() if hasattr(view, "toarray") else np.asarray(view)


def test_numbers_of_samples_that_cannot_be() -> None:
    for most in (0, -3, 2.5, "all", True):
        with pytest.raises(UploadError, match="samples must be a number of samples"):
            datasets.read(DATA, name="x.mat", samples=most)
