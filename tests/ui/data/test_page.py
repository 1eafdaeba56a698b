"""The page of the data: every kind of data from every side, and the way from a file to data in use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import datasets
from tests.datasets.foreign_layouts import grain
from tests.datasets.upload_files import by_columns, encoded, faces, mat, zipped
from ui.data.corrections import _sides
from ui.plain import as_text


@pytest.fixture
def opened(repository: Path) -> Any:
    def open_(**address: str) -> AppTest:
        at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=150)
        for name, value in address.items():
            at.query_params[name] = value
        at.run()
        at.switch_page("../pages/data.py").run()
        return sound(at)

    return open_


def sound(at: AppTest) -> AppTest:
    assert not at.exception
    return at


def button(at: AppTest, label: str) -> Any:
    return next(entry for entry in at.button if entry.label == label)


def said(at: AppTest) -> str:
    return " ".join(text.value for text in [*at.markdown, *at.caption]).replace("\\", "")


def facts(at: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in at.metric}


SIDES = {
    "digits": {"Pictures", "Map", "Corruption", "Classes", "About", "Bring your own"},
    "iris": {"Samples", "Map", "Classes", "About", "Bring your own"},
    "planted_views": {"Samples", "Views", "Map", "Classes", "About", "Bring your own"},
    "docstrings": {"Documents", "Vocabulary", "Views", "Map", "Classes", "About", "Bring your own"},
}


@pytest.mark.parametrize("data", SIDES)
def test_each_kind_of_data_has_the_sides_that_fit_it(opened: Any, data: str) -> None:
    at = opened(data=data)
    sides = next(group for group in at.get("button_group") if group.label == "Look at")
    assert {option.content for option in sides.proto.options} == SIDES[data]


@pytest.mark.parametrize(
    ("data", "look"),
    [
        ("digits", "spoiled"), ("digits", "classes"), ("digits", "about"), ("docstrings", "words"),
        ("docstrings", "views"), ("planted_views", "views"), ("wine", "samples"), ("iris", "own"),
    ],
)  # fmt: skip
def test_every_side_is_shown_without_a_fault(opened: Any, data: str, look: str) -> None:
    at = opened(data=data, look=look)
    assert not at.error
    assert not any("This link" in text.value for text in at.markdown)


def test_the_vocabulary_follows_the_options(opened: Any) -> None:
    at = opened(data="docstrings", look="words")
    kept = facts(at)["Words"]
    next(slider for slider in at.slider if slider.label == "In at least so many documents").set_value(
        50
    ).run()
    assert facts(sound(at))["Words"] != kept
    assert f"**{facts(at)['Words']} words kept**" in said(at)
    assert "in fewer than 50 documents" in said(at)


def test_no_side_speaks_of_pixels_where_there_are_none(opened: Any) -> None:
    for data in ("wine", "docstrings"):
        assert "Pixels" not in facts(opened(data=data))


def hand_over(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    uploader = at.get("file_uploader")[0]
    for name, content in files:
        uploader.upload(name, content)
    uploader.run()
    return sound(at)


def slide(at: AppTest, label: str, value: int) -> AppTest:
    next(slider for slider in [*at.slider, *at.select_slider] if slider.label == label).set_value(value).run()
    return sound(at)


def test_pictures_are_understood_turned_and_used(opened: Any) -> None:
    pictures, people = faces()
    at = hand_over(opened(look="own"), ("me.mat", mat(fea=by_columns(pictures), gnd=people)))
    assert "Pictures 32 high and 32 wide, stored column by column." in said(at)
    assert facts(at) == {"Pictures": "40", "Height × width": "32×32", "Classes": "20", "Without label": "0"}
    next(toggle for toggle in at.toggle if toggle.label.startswith("Turn the pictures")).set_value(True).run()
    assert "stored row by row, as asked" in said(sound(at))
    assert at.sidebar.selectbox[0].value == "orl", "nothing is used before it is asked for"
    button(at, "Use these data").click().run()
    assert at.sidebar.selectbox[0].value.startswith("upload-")
    assert any("40 pictures of 20 classes" in text.value for text in sound(at).caption)
    assert not at.error


def test_what_was_read_and_left_is_offered_on_the_way_back(opened: Any) -> None:
    pictures, people = faces()
    at = hand_over(opened(look="own"), ("me.mat", mat(fea=by_columns(pictures), gnd=people)))
    at.switch_page("../pages/live.py").run()
    at.switch_page("../pages/data.py").run()
    assert "was read, but you went on before using it" in said(sound(at))
    button(at, "Use these data").click().run()
    assert at.sidebar.selectbox[0].value.startswith("upload-")


def test_files_taken_out_by_hand_are_forgotten(opened: Any) -> None:
    pictures, people = faces()
    at = hand_over(opened(look="own"), ("me.mat", mat(fea=by_columns(pictures), gnd=people)))
    at.get("file_uploader")[0].set_value([]).run()
    assert "Your files" in [uploader.label for uploader in sound(at).get("file_uploader")]
    assert not any(entry.label == "Use these data" for entry in at.button)


def test_pictures_that_do_not_tell_are_asked_about_and_one_click_decides(opened: Any) -> None:
    pictures = grain((20, 20), 1.5, 1.5).reshape(200, -1)
    at = hand_over(opened(look="own"), ("grain.mat", mat(fea=pictures)))
    assert "Which of these stand upright?" in said(at)
    assert "stored column by column (a guess" in said(at)
    button(at, "These, turned").click().run()
    assert "stored row by row, as asked" in said(sound(at))
    assert "Which of these stand upright?" not in said(at)
    button(at, "Use these data").click().run()
    ds = datasets.load(at.sidebar.selectbox[0].value)
    np.testing.assert_allclose(ds.X, pictures, atol=1e-6)


def test_uploaded_pictures_can_be_seen_in_several_ways(opened: Any) -> None:
    pictures, people = faces()
    at = hand_over(opened(look="own"), ("me.mat", mat(fea=pictures.reshape(40, -1), gnd=people)))
    choice = next(box for box in at.selectbox if box.label == "Views")
    choice.set_value("pixels+textures+edges").run()
    assert facts(sound(at))["Views"] == "3"
    button(at, "Use these data").click().run()
    assert facts(sound(at))["Views"] == "3"
    at.sidebar.selectbox[1].set_value("pixels").run()
    assert "Views" not in facts(sound(at))


def test_matrices_are_made_smaller_too(opened: Any) -> None:
    pictures = np.repeat(faces()[0], 4, axis=0).reshape(160, -1)
    at = hand_over(opened(look="own"), ("me.mat", mat(fea=pictures)))
    for label, value in (("Longest side in pixels", 16), ("Pictures used at most", 100)):
        next(slider for slider in at.select_slider if slider.label == label).set_value(value).run()
    assert facts(sound(at))["Pictures"] == "100"
    assert facts(at)["Height × width"] == "16×16"
    shapes = next(box for box in at.selectbox if box.label == "Height and width of the pictures")
    assert "16 × 64" in shapes.options, "those of the file, not of what it was made"
    shapes.set_value("16 × 64").run()
    assert facts(sound(at))["Height × width"] == "4×16"


def test_a_table_is_corrected_and_used(opened: Any) -> None:
    rows = "\n".join(f"{i},{i * i % 7},{'ab'[i % 2]},{'no' if i % 3 else 'yes'}" for i in range(30))
    at = hand_over(opened(look="own"), ("table.csv", f"one,two,group,other\n{rows}\n".encode()))
    assert facts(at)["Classes"] == "2"
    next(box for box in at.selectbox if box.label == "Labels").set_value("other").run()
    next(box for box in at.selectbox if box.label.startswith("A label that means")).set_value("yes").run()
    assert facts(sound(at))["Without label"] == "10 (33%)"
    next(box for box in at.multiselect if box.label == "Columns to use").set_value(["two"]).run()
    assert facts(sound(at))["Features"] == "1"
    button(at, "Use these data").click().run()
    sound(at)
    assert any("30 samples of 1 class; 20 of them labelled" in text.value for text in at.caption)


def test_texts_are_weighed_before_and_after_they_are_used(opened: Any) -> None:
    animals = ["the quick fox runs home", "a lazy dog sleeps here", "one more hen eats corn"]
    rows = "\n".join(f"{animals[i % 3]} {'day' if i % 2 else 'night'},{i % 3}" for i in range(30))
    at = hand_over(opened(look="own"), ("fables.csv", f"text,label\n{rows}\n".encode()))
    kept = int(facts(at)["Words"])
    next(slider for slider in at.slider if slider.label == "In at least so many documents").set_value(
        12
    ).run()
    assert int(facts(sound(at))["Words"]) < kept
    fewer = facts(at)["Words"]
    button(at, "Use these data").click().run()
    assert facts(sound(at))["Words"] == fewer, "what was looked at is what is used"


def test_several_pictures_at_once_and_an_archive(opened: Any) -> None:
    pictures, people = faces()
    loose = [(f"{i}.png", encoded(pictures[i])) for i in range(3)]
    at = hand_over(opened(look="own"), *loose)
    assert facts(at)["Pictures"] == "3"
    button(at, "Discard").click().run()
    archive = zipped({f"p{people[i]}/{i}.png": encoded(pictures[i]) for i in range(12)})
    hand_over(at, ("people.zip", archive))
    assert facts(at)["Classes"] == "6"
    slide(at, "Longest side in pixels", 16)
    assert facts(at)["Height × width"] == "16×16"


def test_a_bad_file_is_a_sentence_and_a_bad_correction_keeps_what_was_understood(opened: Any) -> None:
    at = hand_over(opened(look="own", data="iris"), ("x.mat", np.random.default_rng(0).bytes(999)))
    assert as_text("x.mat is damaged, or not a .mat file") in at.error[0].value
    assert "The data in use stay as they were." in said(at)
    assert at.sidebar.selectbox[0].value == "iris"
    rows = "\n".join(f"{i},{i % 5},{i % 2}" for i in range(20))
    at = hand_over(opened(look="own"), ("t.csv", f"one,two,label\n{rows}\n".encode()))
    next(toggle for toggle in at.selectbox if toggle.label == "Labels").set_value("two").run()
    assert facts(sound(at))["Classes"] == "5"


def test_too_much_at_once_is_let_go_of(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARTWISE_UPLOAD_FILE_BYTES", "2000000")
    at = hand_over(opened(look="own"), *((f"{number}.csv", b"1,2\n" * 300_000) for number in range(2)))
    assert "Together these files have more than 2 MB" in at.error[0].value
    assert not at.get("file_uploader")[0].value
    hand_over(at, ("small.csv", b"a,b,label\n1,2,0\n3,4,1\n5,6,0\n7,8,1\n"))
    assert not at.error


def test_names_from_files_are_shown_as_plain_text(opened: Any) -> None:
    at = hand_over(opened(look="own"), ("**bold** [x](http://e.x) <b>.csv", b"a,b\n1,2\n3,4\n5,6\n"))
    for text in at.markdown:
        assert "](http" not in text.value
        assert "<b>" not in text.value


def test_an_upload_can_be_erased_and_the_usual_data_return(opened: Any) -> None:
    at = hand_over(opened(look="own"), ("small.csv", b"a,b,label\n1,2,0\n3,4,1\n5,6,0\n7,8,1\n"))
    button(at, "Use these data").click().run()
    sides = next(group for group in at.get("button_group") if group.label == "Look at")
    sides.set_value("own").run()
    button(sound(at), "Erase").click().run()
    assert at.sidebar.selectbox[0].value == "orl"
    assert not any("small.csv" in option for option in at.sidebar.selectbox[0].options)
    assert not at.error


def test_a_door_on_the_first_page_leads_to_the_form(repository: Path) -> None:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=150)
    at.run()
    button(at, "**Bring your own data** →").click().run()
    assert len(sound(at).get("file_uploader")) == 1


def test_only_shapes_that_look_like_pictures_are_offered() -> None:
    assert _sides(64)[0] == (8, 8)
    assert (4, 16) in _sides(64)
    assert (2, 32) not in _sides(64)
    assert _sides(13) == []
    assert _sides(4) == []


def counts() -> bytes:
    rng = np.random.default_rng(0)
    table = np.where(rng.random((30, 60)) < 0.2, rng.integers(1, 9, (30, 60)), 0)
    head = ",".join([*(f"w{i}" for i in range(60)), "label"])
    return "\n".join([head, *(",".join(map(str, [*row, i % 3])) for i, row in enumerate(table))]).encode()


def test_counts_are_advised_on_and_prepared_before_and_after(opened: Any) -> None:
    at = hand_over(opened(look="own"), ("counts.csv", counts()))
    assert any("look like counts" in text.value for text in at.info)
    choice = next(box for box in at.selectbox if box.label == "Preparation")
    choice.set_value("tfidf").run()
    assert not any("look like counts" in text.value for text in sound(at).info)
    shown = next(frame.value for frame in at.dataframe if "longest row" in frame.value)
    assert shown["longest row"].tolist()[1] == "1"
    assert shown[""].tolist() == ["before", "after"]
    button(at, "Use these data").click().run()
    id = at.sidebar.selectbox[0].value
    assert next(box for box in at.sidebar.selectbox if box.label == "Preparation").value == "tfidf"
    chosen = at.session_state["partwise choices"]
    assert chosen[f"data.{id}.preparation"] == "tfidf", "part of the address"


def test_three_columns_that_may_be_a_matrix_are_asked_about(opened: Any) -> None:
    entries = [(row, column, 1 + row % 4) for row in range(1, 61) for column in range(1 + row % 7, 40, 7)]
    file = "\n".join(" ".join(map(str, entry)) for entry in entries).encode()
    at = hand_over(opened(look="own"), ("sample.dat", file))
    assert "a matrix of 60 × 39 and was read so (a guess" in said(at)
    assert facts(at)["Samples"] == "60"
    meant = next(box for box in at.selectbox if box.label == "Three columns of numbers are")
    for answer, samples in ((False, len(entries)), (True, 60)):
        meant.set_value(answer).run()
        assert facts(sound(at))["Samples"] == f"{samples}"
        assert "a guess" not in said(at)
        meant = next(box for box in at.selectbox if box.label == "Three columns of numbers are")


def test_small_negative_numbers_are_advised_on(opened: Any) -> None:
    rows = "\n".join(f"{i / 7},{-0.003 if i == 4 else i % 5}" for i in range(20))
    at = hand_over(opened(look="own"), ("jaffe.csv", f"a,b\n{rows}".encode()))
    assert any("-0.003, which bars" in text.value for text in at.info)


def test_a_split_that_came_with_the_file_is_taken_and_can_be_left(opened: Any) -> None:
    parts = ["train", "test", "unlabelled"]
    lines = [f"{i / 7},{i % 5},{'ab'[i % 2]},{parts[i % 3]}" for i in range(24)]
    at = hand_over(opened(look="own"), ("t.csv", "\n".join(["x,z,class,split", *lines]).encode()))
    assert "The file comes with a split: 8 labelled, 8 unlabelled, 8 held out." in said(at)
    button(at, "Use these data").click().run()
    assert any("8 of them labelled" in text.value for text in sound(at).sidebar.caption)
    at.session_state["by, given too"] = "number"
    at.run()
    assert any("4 of them labelled" in text.value for text in sound(at).sidebar.caption)


def test_as_many_are_labelled_as_the_smallest_class_allows(opened: Any) -> None:
    at = opened(data="digits")
    slider = next(slider for slider in at.sidebar.slider if slider.label.startswith("Labelled"))
    assert slider.max == np.bincount(datasets.load("digits").y).min() - 1
