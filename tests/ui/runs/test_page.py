"""The Runs page: what it lists, what can be done with a run, what comes back."""

from __future__ import annotations

import hashlib
import io
import json
import secrets
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import datasets
from experiments import RunRequest
from experiments import run as run_request
from experiments.store import Content, RunEnding, RunStore, StoredRun, StoreUnavailableError
from experiments.take_away import bundle, keep_parcel, parcel_of_record, parcel_of_stored
from tests.ui.sliders import param_slider
from ui import run_words, take_away
from ui.bases import page as bases
from ui.plain import as_text
from ui.runs import page
from ui.runs.ask_again import the_same
from ui.service import keeper, service

NMF = RunRequest(
    "orl", "nmf", {"n_components": 7, "max_iter": 25, "solver": "accelerated"},
    dataset_options={"size": 16}, split={"labelled_per_class": 3}, seed=5,
)  # fmt: skip


@pytest.fixture
def store() -> RunStore:
    found = keeper().store
    assert found is not None
    return found


@pytest.fixture
def app(repository: Path) -> AppTest:
    """The app with a visitor whose token is known."""
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.query_params["data.orl.size"] = "16"
    at.run()
    at.session_state["partwise choices"]["_owner"] = secrets.token_urlsafe(24)
    return at


def me(at: AppTest) -> str:
    return str(at.session_state["partwise choices"]["_owner"])


def put(store: RunStore, owner: str, request: RunRequest = NMF, status: str = "done", rows: int = 4) -> str:
    id = secrets.token_urlsafe(12)
    store.begin(id, request, owner)
    curve = np.column_stack([np.linspace(9, 3, rows), np.linspace(0, 0.5, rows), np.linspace(9, 3, rows)])
    parts = np.random.default_rng(0).random((7, 256)).astype(np.float32)
    arrays = {"components": parts, "embedding": np.ones((400, 7), np.float32)}
    scores = {"accuracy_euclidean": 0.75}
    store.save(
        id,
        Content(("reconstruction",), curve, arrays, rows - 1),
        RunEnding(status, "", scores, [(3, scores)]),
    )
    return id


def opened(at: AppTest, *picked: str) -> AppTest:
    """The Runs page with runs picked."""
    at.session_state["partwise choices"]["runs.picked"] = list(picked)
    at.switch_page("../pages/runs.py").run()
    assert not at.exception
    return at


def button(at: AppTest, label: str):
    return next(entry for entry in at.button if entry.label == label)


def labels(at: AppTest) -> set[str]:
    return {entry.label for entry in at.button}


def run_of(store: RunStore, id: str, at: AppTest) -> StoredRun:
    run = store.get(id, me(at))
    assert run is not None
    return run


def html(at: AppTest) -> str:
    return "".join(str(element.proto) for element in at.main if element.type == "html")


def test_an_empty_list_invites(app: AppTest) -> None:
    opened(app)
    assert "Every run you start" in app.info[0].value
    next(entry for entry in app.segmented_control if entry.label == "Shelf").set_value("shared").run()
    assert not app.exception


def test_a_run_started_on_live_is_found_here(app: AppTest, store: RunStore) -> None:
    app.session_state["partwise choices"]["method"] = "pca"
    app.switch_page("../pages/live.py").run()
    button(app, "Run").click().run()
    handle = service().get(app.session_state["partwise choices"]["run"])
    assert handle is not None
    assert handle.persisted.wait(60)
    assert run_of(store, handle.id, app).mine
    opened(app, handle.id)
    assert not app.info
    assert "Delete" in labels(app)


def test_name_tags_and_shelf(app: AppTest, store: RunStore) -> None:
    id = put(store, me(app))
    opened(app, id)
    next(entry for entry in app.text_input if entry.label == "Name").set_value("The one").run()
    next(entry for entry in app.text_input if entry.label == "Tags").set_value("#lecture orl").run()
    next(entry for entry in app.toggle if entry.label == "On the shared shelf").set_value(True).run()
    run = run_of(store, id, app)
    assert (run.name, run.tags, run.shared) == ("The one", ("lecture", "orl"), True)
    assert app.header[0].value == "The one"
    next(entry for entry in app.text_input if entry.label == "Tags").set_value("a b c d e f g h i").run()
    assert [error.value for error in app.error] == ["A run may have up to 8 tags; these are 9."]
    assert run_of(store, id, app).tags == ("lecture", "orl")


def test_delete_and_undo(app: AppTest, store: RunStore) -> None:
    ids = [put(store, me(app)) for _ in range(2)]
    opened(app, *ids)
    button(app, "Delete them").click().run()
    assert store.get(ids[0]) is None
    assert "2 runs are deleted." in [caption.value for caption in app.caption]
    button(app, "Undo").click().run()
    assert store.get(ids[0]) is not None
    assert "Undo" not in labels(app)


def test_a_run_of_somebody_else_can_be_seen_but_not_changed(app: AppTest, store: RunStore) -> None:
    id = put(store, "somebody else's token")
    opened(app, id)
    assert "Open in Live run" in labels(app)
    assert "Delete" not in labels(app)
    assert not [entry for entry in app.text_input if entry.label == "Name"]
    assert not app.toggle or all(entry.label != "On the shared shelf" for entry in app.toggle)


def test_open_in_live_sets_every_choice_and_shows_the_result(app: AppTest, store: RunStore) -> None:
    id = put(store, me(app))
    opened(app, id)
    button(app, "Open in Live run").click().run()
    assert not app.exception
    assert not app.error
    choices = app.session_state["partwise choices"]
    assert (choices["run"], choices["method"], choices["seed"]) == (id, "nmf", 5)
    assert (choices["labelled"], choices["live.nmf.n_components"]) == (3, 7)
    assert next(box for box in app.selectbox if box.label == "Method").value == "nmf"
    assert param_slider(app, "Parts").value == 7
    assert next(box for box in app.number_input if box.label == "Seed").value == 5
    handle = service().get(id)
    assert handle is not None
    assert handle.status == "done", "shown from the store, not run again"
    assert handle.reader is not None


def test_a_link_to_a_run_that_is_gone_says_so(repository: Path) -> None:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    for name, value in {"data.orl.size": "16", "run": "made-up", "method": "nmf", "seed": "4"}.items():
        at.query_params[name] = value
    at.run()
    at.switch_page("../pages/live.py").run()
    assert not at.exception
    assert any("no longer kept" in caption.value for caption in at.caption)
    assert next(box for box in at.selectbox if box.label == "Method").value == "nmf"
    assert next(box for box in at.number_input if box.label == "Seed").value == 4


@pytest.mark.parametrize(
    "nonsense",
    [{"picked": "x,../../y,z", "page": "999", "shelf": "cellar", "curve": "x"},
     {"picked": "a,b,c,d,e,f,g,h", "page": "-1", "method": "no", "by": "x"},
     {"status": "%"}, {"text": "%_'"}],
)  # fmt: skip
def test_nonsense_in_the_address_is_ignored(app: AppTest, store: RunStore, nonsense: dict[str, str]) -> None:
    put(store, me(app))
    at = AppTest.from_file(app._script_path, default_timeout=30)
    for name, value in nonsense.items():
        at.query_params[f"runs.{name}"] = value
    at.run()
    at.session_state["partwise choices"]["_owner"] = me(app)
    at.switch_page("../pages/runs.py").run()
    assert not at.exception
    assert not at.error


def test_a_store_that_does_not_answer_is_a_sentence(
    app: AppTest, store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise StoreUnavailableError("The run store does not answer: connection refused.")

    monkeypatch.setattr(store, "find", gone)
    opened(app)
    (error,) = app.error
    assert "does not answer" in error.value
    assert "works all the same" in error.value


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs that the Bases page shows, as it is drawn last."""
    found: list[str] = []

    def draw(*, data: dict[str, Any], **_: object) -> None:
        found[:] = [method["run"] for method in data["methods"]]

    monkeypatch.setattr(bases, "_VIEW", draw)
    return found


def test_open_in_bases(app: AppTest, store: RunStore, drawn: list[str]) -> None:
    id = put(store, me(app))
    opened(app, id)
    button(app, "Open in Bases").click().run()
    assert not app.exception
    assert app.session_state["partwise choices"]["compare"] == ["nmf"]
    assert app.session_state["partwise choices"]["k"] == 7
    assert drawn == [id]
    assert any("the parts of the run you opened" in caption.value for caption in app.caption)
    app.switch_page("../pages/bases.py").run()
    button(app, "Show the usual ones").click().run()
    assert len(drawn) == 1
    assert drawn != [id]


def test_a_run_opened_in_bases_counts_for_its_own_data_alone(
    app: AppTest, store: RunStore, drawn: list[str]
) -> None:
    id = put(store, me(app))
    opened(app, id)
    button(app, "Open in Bases").click().run()
    app.switch_page("../pages/bases.py").run()
    assert drawn == [id]
    next(box for box in app.sidebar.number_input if box.label == "Seed").set_value(6).run()
    assert len(drawn) == 1
    assert drawn != [id]
    assert not any("the run you opened" in caption.value for caption in app.caption)


def test_comparing_tells_what_differs(app: AppTest, store: RunStore) -> None:
    ids = [put(store, me(app)), put(store, me(app), RunRequest("orl", "nmf", {"n_components": 9}, seed=5))]
    opened(app, *ids)
    assert app.header[0].value == "2 runs compared"
    runs = [run_of(store, id, app) for id in ids]
    differ = run_words.differing(runs)
    assert differ["Parts (k)"] == ["7", "9"]
    assert differ["data: size"] == ["16", "64"]
    assert "seed" not in differ
    assert run_words.params(runs[0]) == "k 7 · accelerated"
    assert run_words.data_facts(runs[0]) == "size 16 · 3 labelled of each class · seed 5"


def test_settings_that_matter_come_first(app: AppTest, store: RunStore) -> None:
    published = NMF.params | {"solver": "multiplicative", "tol": 1e-5}
    request = RunRequest("orl", "nmf", published, dataset_options={"size": 16}, seed=5)
    run = run_of(store, put(store, me(app), request), app)
    assert run_words.params(run) == "k 7 · published"
    asked = run_words.settings(run)
    assert asked["Solver"] == "published"
    assert list(asked)[2:6] == ["Parts (k)", "Solver", "Most iterations", "seed"]
    assert list(asked).index("Tolerance") > list(asked).index("seed")


def test_resume(app: AppTest, store: RunStore) -> None:
    request = RunRequest(
        "orl", "nmf", {"n_components": 7, "max_iter": 12, "tol": 0.0}, dataset_options={"size": 16}
    )
    id = put(store, me(app), request, "interrupted")
    opened(app, id)
    assert any("from iteration 3" in caption.value for caption in app.caption)
    button(app, "Resume").click().run()
    assert not app.error
    handle = service().get(app.session_state["partwise choices"]["run"])
    assert handle is not None
    assert handle.persisted.wait(60)
    assert (handle.status, handle.note) == ("max_iter", "")
    run = run_of(store, handle.id, app)
    assert (run.status, run.iterations) == ("max_iter", 12)
    assert store.get(id) is None, "the resumed run stands for the interrupted one"


def test_a_bundle_comes_in_again_and_nonsense_is_explained(app: AppTest, store: RunStore) -> None:
    id = put(store, "somebody else's token")
    packed = bundle(parcel_of_stored(store, run_of(store, id, app)))
    opened(app)
    uploader = app.file_uploader[0]
    uploader.upload("run.zip", packed, "application/zip")
    uploader.upload("bad.zip", b"x", "application/zip").run()
    assert not app.exception
    assert "a zip file is expected" in app.error[0].value
    (picked,) = app.session_state["partwise choices"]["runs.picked"]
    run = run_of(store, picked, app)
    assert run.mine
    assert run.request.key == NMF.key
    assert run.imported
    assert run_words.ended(run).endswith(", brought in")
    assert any("Brought in from a bundle" in caption.value for caption in app.caption)
    assert not run_of(store, id, app).imported


def test_a_run_on_an_upload_comes_back_and_asks_for_its_file(app: AppTest, store: RunStore) -> None:
    """Bundled where the data were, brought in on a fresh server, opened once the same file is here again."""
    table = b"a,b,class\n" + b"\n".join(b"%d,%d,%d" % (i % 7, i % 5, i % 2) for i in range(20))
    elsewhere = datasets.keep(datasets.read(table, "mine.csv", label="class"))
    packed = bundle(
        parcel_of_record(run_request(RunRequest(elsewhere, "nmf", {"n_components": 2, "max_iter": 3})))
    )
    datasets.erase(elsewhere)
    opened(app)
    app.file_uploader[0].upload("run.zip", packed, "application/zip").run()
    assert not app.exception
    said = " ".join(text.value for text in app.info)
    assert f"mine\\.csv** (SHA-256 {hashlib.sha256(table).hexdigest()[:12]} …), which is not here now" in said
    assert not [button for button in app.button if button.label.startswith("Open in")]

    again = next(uploader for uploader in app.file_uploader if uploader.label == "The same file")
    again.upload("mine.csv", table + b"\n1,1,1", "text/csv").run()
    told = app.error[0].value.replace("\\", "")
    assert "is another file: its SHA-256 begins with" in told
    assert hashlib.sha256(table).hexdigest()[:12] in told
    assert hashlib.sha256(table + b"\n1,1,1").hexdigest()[:12] in told

    again = next(uploader for uploader in app.file_uploader if uploader.label == "The same file")
    again.set_value(("called otherwise now.xyz", table, "text/csv")).run()
    assert not app.exception
    assert not app.error
    assert not [text for text in app.info if "not here now" in text.value]
    next(button for button in app.button if button.label == "Open in Data").click().run()
    (id,) = app.session_state["partwise choices"]["_uploads"]
    assert app.session_state["partwise choices"]["data"] == id
    np.testing.assert_array_equal(datasets.load(id).X, datasets.read(table, "mine.csv", label="class").X)


def test_several_files_are_the_same_in_any_order_and_under_any_name() -> None:
    contents = {"a.png": b"one", "b.png": b"two", "again.png": b"one"}
    wanted = [(name, hashlib.sha256(content).hexdigest()) for name, content in contents.items()]
    given = [io.BytesIO(content) for content in (b"one", b"one", b"two")]
    assert [file.getvalue() for file in the_same(given, wanted)] == [b"one", b"two", b"one"]
    assert len({id(file) for file in the_same(given, wanted)}) == 3
    other = io.BytesIO(b"three")
    other.name = "c.png"
    digests = hashlib.sha256(b"three").hexdigest()[:12], wanted[1][1][:12]
    with pytest.raises(
        ValueError, match=rf"c.png is another file: .* {digests[0]}, that of b.png .* {digests[1]}"
    ):
        the_same([given[0], given[1], other], wanted)
    with pytest.raises(ValueError, match="3 files are needed, and 1 were handed in"):
        the_same(given[:1], wanted)
    assert the_same([other, *given], wanted)[1] is given[2], "a mistake before is no matter"


def test_what_a_refused_bundle_says_is_no_markup(app: AppTest, store: RunStore) -> None:
    """A picture in the name of the data set made the browser fetch a foreign address."""
    id = put(store, "somebody else's token")
    with zipfile.ZipFile(io.BytesIO(bundle(parcel_of_stored(store, run_of(store, id, app))))) as archive:
        said = json.loads(archive.read("run.json"))
    foreign = "![x](https://example.org/x.png)" * 100
    for dataset, method in ((foreign, "nmf"), ("swimmer", foreign)):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(
                "run.json", json.dumps(said | {"request": {"dataset": dataset, "method": method}})
            )
        opened(app)
        app.file_uploader[0].upload("run.zip", file.getvalue(), "application/zip").run()
        told = app.error[0].value
        assert "cannot be run here" in told
        assert "![" not in told
        assert "](" not in told
        assert "https:/" not in told
        assert len(told) < 1500


def test_how_many_runs_there_are_is_said_where_not_all_are_in_sight() -> None:
    assert page._counted(11, 11) == "11 runs."
    assert page._counted(50, 120) == "120 runs; 50 on this page."


def test_names_stay_text() -> None:
    said = as_text("![](http://example.org/x.png) **b** <b> www.a.b")
    for markup in ("![", "](", "**", " <b", "http://", "www."):
        assert markup not in said


def test_runs_of_uploads_that_are_gone_are_still_described(app: AppTest, store: RunStore) -> None:
    assert run_words.data_title("upload-0123456789abcdef0123456789abcdef") == "uploaded data"
    assert run_words.data_title("orl") == "ORL faces"
    assert run_words.method_title("gone") == "gone"


def test_predicted_classes_of_a_stored_run_are_those_it_was_scored_by(store: RunStore) -> None:
    id = secrets.token_urlsafe(12)
    record = run_request(
        RunRequest("iris", "n2s2l", {"max_iter": 5, "n_components": 6, "n_discriminative": 3})
    )
    keep_parcel(store, parcel_of_record(record), id, "", shared=True)
    run = store.get(id)
    assert run is not None
    lines = take_away._predicted(run).decode().splitlines()
    assert lines[0] == "row,sample,predicted,margin,known"
    right = [cells[2] == cells[4] for cells in (line.split(",") for line in lines[1:])]
    assert np.mean(right) == pytest.approx(record.scores["accuracy_euclidean"])
