"""Which way up: asserted only where the pictures show it, asked where they do not, for every view."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import datasets
from datasets import UploadError
from datasets.reading import orientation
from datasets.reading.orientation import layout
from datasets.reading.upright import Verdict
from tests.datasets.foreign_layouts import SIZES, Layout, faces, grain, handwriting, layouts, turned_faces
from tests.datasets.upload_files import mat, saved


def judged(case: Layout, columns_usual: bool) -> str:
    found = layout([case.rows], columns_usual=columns_usual)
    if found is None:
        # Not taken for pictures: then somebody says how large they are.
        shape = case.pictures.shape[1], case.pictures.shape[2]
        found = layout([case.rows], columns_usual=columns_usual, shape=shape)
        assert found is not None
    right = found.shape == case.pictures.shape[1:] and found.by_columns == (case.order == "columns")
    return ("right" if right else "wrong") if found.certain else "asked"


def test_nothing_is_asserted_wrongly_and_most_that_can_be_seen_is_asserted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcomes: dict[str, Counter[str]] = {}
    look, seen = orientation.verdict_on, dict[tuple[tuple[int, ...], bytes], Verdict]()

    def look_once(pictures: np.ndarray) -> Verdict:
        """What pictures show is the same whatever is usual where they show nothing."""
        key = pictures.shape, pictures.tobytes()
        if key not in seen:
            seen[key] = look(pictures)
        return seen[key]

    monkeypatch.setattr(orientation, "verdict_on", look_once)
    for case in layouts():
        seen.clear()
        for columns_usual in (False, True):
            outcome = judged(case, columns_usual)
            outcomes.setdefault(case.kind, Counter())[outcome] += 1
    total = sum(outcomes.values(), Counter[str]())
    assert total["wrong"] == 0, outcomes
    assert total["right"] + total["asked"] >= 0.98 * total.total(), outcomes
    for kind in ("faces", "faces, aligned", "faces, tight", "digits", "digits in black ink"):
        assert outcomes[kind]["right"] >= 0.8 * outcomes[kind].total(), outcomes
    for kind in ("texture", "texture with a grain", "waves", "bars", "discs"):
        square = sum(size[0] == size[1] for size in SIZES)
        assert outcomes[kind]["asked"] >= 4 * square, "of squares nobody can know"


@pytest.mark.parametrize("order", ["rows", "columns"])
def test_all_views_of_faces_are_set_upright_together(order: str) -> None:
    upright = [faces((22, 22)), turned_faces((22, 22), -1), turned_faces((22, 22), 1)]
    stored = [Layout("", order, view).rows * 255 for view in upright]
    people = np.repeat(np.arange(20), 10)
    found = datasets.understand(mat(X1=stored[0], X2=stored[1], X3=stored[2], gt=people), name="PIE.mat")
    assert not found.unsure
    assert found.pixels == order
    assert found.dataset.image_shape == (22, 22)
    for view, wanted in zip(found.dataset.views.values(), upright, strict=True):
        np.testing.assert_allclose(view, wanted.reshape(200, -1), atol=1e-5)


def test_a_view_of_another_size_and_scale_is_seen_to_by_itself() -> None:
    first, second = Layout("", "columns", faces((22, 22))), Layout("", "columns", faces((28, 28)))
    ds = datasets.read(mat(X1=first.rows * 255, X2=second.rows, y=np.repeat(np.arange(20), 10)), name="x.mat")
    np.testing.assert_allclose(ds.views["X2"], second.pictures.reshape(200, -1), atol=1e-5)
    np.testing.assert_allclose(ds.X, first.pictures.reshape(200, -1), atol=1e-5)


@pytest.mark.parametrize("size", [(28, 28), (16, 16), (16, 15), (15, 16)])
def test_digits_in_a_file_of_matlab_are_read_row_by_row_where_they_are(size: tuple[int, int]) -> None:
    pictures = handwriting(size)
    found = datasets.understand(mat(fea=pictures.reshape(len(pictures), -1) * 255), name="digits.mat")
    assert (found.pixels, found.unsure) == ("rows", False)
    assert found.dataset.image_shape == size


def test_what_nobody_can_know_is_a_guess_until_somebody_says() -> None:
    pictures = grain((20, 20), 1.5, 1.5)
    data = saved(pictures.reshape(len(pictures), -1))
    found = datasets.understand(data, name="x.npy")
    assert found.unsure
    assert "a guess" in found.orientation
    assert "pixels" in found.corrections
    for pixels in ("rows", "columns"):
        told = datasets.understand(data, name="x.npy", pixels=pixels)
        assert (told.unsure, told.pixels) == (False, pixels)
        assert "as asked" in told.orientation
        assert told.dataset.reading == {"pixels": pixels}
    with pytest.raises(UploadError, match=r"pixels must be 'rows' or 'columns', not 'up'"):
        datasets.read(data, name="x.npy", pixels="up")


def test_negative_numbers_that_are_rounding_do_not_change_the_scale() -> None:
    """Pictures from −0.8 to 255, as resizing leaves them, were shown all white."""
    upright = faces((28, 28)) * 255
    upright[0, 0, 0] = -0.8
    stored = upright.reshape(len(upright), -1)
    ds = datasets.read(saved(stored), name="x.npy")
    assert ds.X.max() <= 1
    np.testing.assert_allclose(ds.X * 255, stored, atol=1e-3)
    centred = datasets.read(saved(stored - stored.mean(axis=0)), name="x.npy", image_shape=(28, 28))
    assert ds.X.min() < 0
    assert centred.X.max() > 16, "what is centred keeps its numbers"
