"""The Recognition page: comparisons fill in, whatever the data; mistakes are shown; nothing is an error."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import datasets
from datasets import Dataset
from experiments import RunRequest
from experiments.fitted.verdicts import Verdicts
from tests.ui.sliders import param_sliders
from tests.waiting import until
from ui.recognition import comparing, mistakes


def opened(repository: Path, **choices: str) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    wanted = {"data": "iris", "recognition.methods": "pca,lda", "recognition.splits": "4"} | choices
    for name, value in wanted.items():
        at.query_params[name] = value
    at.run()
    at.switch_page("../pages/recognition.py").run()
    assert not at.exception
    return at


def finished(at: AppTest) -> AppTest:
    """The page once all of it has been worked out."""
    waiting = ("are done", "being fitted", "looked through")

    def ready() -> bool:
        return not any(word in caption.value for caption in at.run().caption for word in waiting)

    until(ready, "the comparison is never finished", pause=0.1)
    assert not at.exception
    assert not at.error
    return at


def rows(at: AppTest) -> list[str]:
    text = next(text.value for text in at.markdown if text.value.startswith("| method |"))
    return text.splitlines()


def test_by_method_with_differences_and_mistakes(repository: Path) -> None:
    early = "This can be said as soon as two methods have results here."
    # Another seed than elsewhere: nothing is known of it yet.
    at = opened(repository, seed="77")
    assert early in [caption.value for caption in at.caption]
    finished(at)
    assert early not in [caption.value for caption in at.caption]
    assert [line.split("|")[1].strip() for line in rows(at)[2:]] == ["PCA", "LDA"]
    assert all("±" in line for line in rows(at)[2:])
    assert any("of four splits" in text.value or "all four splits" in text.value for text in at.markdown)
    assert [heading.value for heading in at.header] == [
        "Is the best one better, or only luckier?", "Who is taken for whom?", "The surest mistakes",
    ]  # fmt: skip
    assert any("right in the first split" in caption.value for caption in at.caption)


def test_one_asks_about_samples_whose_class_is_known_though_not_to_the_methods() -> None:
    iris = datasets.load("iris")
    assert iris.y is not None
    partly = replace(iris, y=np.where(np.arange(150) % 3 == 0, iris.y, -1))
    for share, asked in ((1.0, ["unseen"]), (0.3, ["seen", "unseen"])):
        base = RunRequest("iris", "pca", split={"labelled_fraction": share, "held_out_fraction": 0.25})
        assert list(comparing._ways(partly, base, "method")) == asked
        assert list(comparing._ways(partly, base, "labels")) == ["seen", "unseen"], "their number varies"
    none_kept = RunRequest("iris", "pca", split={"labelled_per_class": 2})
    assert list(comparing._ways(iris, none_kept, "method")) == ["seen"]


@pytest.mark.parametrize("axis", ["labels", "dimension"])
@pytest.mark.parametrize("asked", ["seen", "unseen"])
def test_along_an_axis(repository: Path, axis: str, asked: str) -> None:
    choices = {"recognition.axis": axis, "recognition.asked": asked, "recognition.splits": "2"}
    choices["recognition.methods"] = "pca,nmf"
    at = finished(opened(repository, **choices))
    heads = rows(at)[0].split("|")[3:-1]
    assert [int(head) for head in heads] == ([1, 2, 3, 4, 6, 8, 16, 32] if axis == "labels" else [2, 3, 4])
    said = [text.value for text in at.markdown] + [info.value for info in at.info]
    assert any("can't be told" in text for text in said), said


def test_methods_of_every_kind_side_by_side(repository: Path) -> None:
    methods = "n2s2l,hgf,s_rlsc,kernel_pca"
    at = finished(opened(repository, **{"recognition.methods": methods, "recognition.splits": "2"}))
    assert len(rows(at)) == 2 + 4
    assert all("±" in line for line in rows(at)[2:])


def test_unlike_features_are_said_and_made_alike_by_one_click(repository: Path) -> None:
    at = finished(opened(repository, **{"recognition.methods": "pca,n2s2l", "recognition.splits": "2"}))
    assert [line.split("|")[2].strip() for line in rows(at)[2:]] == [
        "projection", "V¹, learnt with the samples",
    ]  # fmt: skip
    said = "These rows look at unlike features"
    assert any(caption.value.startswith(said) for caption in at.caption)
    next(button for button in at.button if button.label == "Ask all about samples never seen").click()
    finished(at)
    assert [line.split("|")[2].strip() for line in rows(at)[2:]] == [
        "projection", "least squares onto all parts",
    ]  # fmt: skip
    assert not any(caption.value.startswith(said) for caption in at.caption)


def test_mistakes_of_documents_are_listed() -> None:
    texts = {"text": ("a nose", "an ear", "a brow  and more")}
    ds = Dataset("made", "Made", {"text": np.eye(3)}, y=np.array([0, 1, 0]), texts=texts)
    found = Verdicts(
        row=np.array([1, 2]), code=np.array([0, 1]), truth=np.array([1, 0]), sure=np.array([0.25, 1.0]),
        like=np.array([0, -1]), names=("face", "head"),
    )  # fmt: skip
    assert mistakes._listed(ds, found, np.array([0, 1])) == {
        "Sample": ["an ear", "a brow and more"],
        "Is": ["head", "face"],
        "Taken for": ["face", "head"],
        "Because like": ["a nose", ""],
        "Sure": ["25%", "100%"],
    }


def test_a_classifiers_mistake_is_shown_beside_the_likest_picture_it_learnt_from() -> None:
    pictures = np.array([[0.0, 0, 0, 0], [1, 1, 1, 1], [0.9, 0.9, 0.9, 0.8], [0.9, 0.9, 0.9, 0.9]])
    ds = Dataset("made", "Made", {"pixels": pictures}, y=np.array([0, 0, 0, 1]), image_shape=(2, 2))
    found = Verdicts(
        row=np.array([3]), code=np.array([0]), truth=np.array([1]), sure=np.array([1.0]), like=np.array([-1]),
        names=("me", "you"),
    )  # fmt: skip
    assert mistakes._compared_row(ds, found, 0, np.array([0, 1])) == 1, "2 is more alike, but has no label"


def test_mistakes_are_told_beside_their_pictures_too(repository: Path) -> None:
    at = finished(opened(repository, data="digits", **{"recognition.methods": "pca,lda"}))
    told = [text.value for text in at.markdown if "taken for" in text.value]
    assert told
    assert told[0].startswith("1. ")


def test_without_methods_there_is_an_invitation(repository: Path) -> None:
    at = opened(repository)
    at.multiselect[0].set_value([]).run()
    assert any("Choose a method" in info.value for info in at.info)


def test_nonsense_in_the_address_is_left_aside(repository: Path) -> None:
    wrong = {"axis": "none", "splits": "99", "methods": "none,pca"}
    at = opened(repository, **{f"recognition.{name}": value for name, value in wrong.items()})
    assert not at.error


def test_a_long_table_goes_on_without_its_visitor_and_is_listed_on_runs(repository: Path) -> None:
    # Another seed than elsewhere: nothing is known of it yet.
    at = opened(repository, seed="78", **{"recognition.splits": "20"})
    next(button for button in at.button if button.label == "Go on without me").click().run()
    assert any("This goes on without you" in caption.value for caption in at.caption)
    at.switch_page("../pages/runs.py").run()

    def said() -> str:
        at.run()
        return next(text.value for text in at.markdown if text.value.startswith("**Recognition on"))

    until(lambda: "all 40 fits there" in said(), "the table does not go on")
    assert not at.exception
    next(button for button in at.button if button.label == "Open").click().run()
    assert len(rows(at)) == 4
    assert not any(button.label == "Go on without me" for button in at.button)


def test_a_method_stands_again_with_parameters_of_ones_own_or_as_tuned(repository: Path) -> None:
    at = finished(opened(repository, **{"recognition.methods": "pca,nmf", "tuned.iris.nmf": "max_iter=9"}))
    tuned = rows(at)[3].split("|")[1].strip()
    assert tuned.endswith(" 9)")
    next(box for box in at.selectbox if box.key == "_recognition.with").select("nmf").run()
    name = "_recognition.with.nmf.n_components"
    slider = next(slider for slider in param_sliders(at) if slider.key.startswith(name))
    slider.set_value(3).run()
    next(button for button in at.button if button.label == "Add this row").click().run()
    next(button for button in at.button if button.label == "Add NMF with its usual parameters").click().run()
    finished(at)
    names = [line.split("|")[1].strip() for line in rows(at)[2:]]
    assert names == ["PCA", tuned, names[2], "NMF"]
    assert names[2].startswith("NMF (")
    link = at.session_state["partwise choices"]["recognition.own"]
    assert link == ["nmf;n_components=3", "nmf;"]
    next(button for button in at.button if button.label.startswith(f"Remove {names[2]}")).click().run()
    assert len(rows(finished(at))) == 5
    again = opened(repository, **{"recognition.methods": "pca,nmf", "recognition.own": ",".join(link)})
    assert len(rows(finished(again))) == 5, "the usual ones are there already"


def test_long_tables_are_drawn_less_often() -> None:
    assert [comparing.seconds_between_looks(trials) for trials in (20, 150, 400)] == [1.0, 1.5, 2.5]
