"""What the Tune page asks the server: where a sweep stands, pictures of its cells, and for whom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, evaluate
from experiments.trials.keepsake import Keepsake
from experiments.tuning import Axis, Sweep, axis, ties
from experiments.tuning.work import table_of
from tests.ui.asgi import get
from tests.waiting import until
from ui.blocks import unpacked
from ui.run_routes import run_routes
from ui.tune import answers, opening, pictures, sweeps

ACCURACY = MeasureRequest("accuracy")
START = Axis("init", choices=("random", "nndsvda"), usual="random")


def sweep(**more: Any) -> Sweep:
    request = RunRequest("iris", "nmf", {"max_iter": 10, "tol": 0.0})
    axes = (axis("nmf", "n_components", 2, 4, count=3), START)
    return Sweep(request, axes, (ACCURACY, MeasureRequest("error")), **{"splits": 2} | more)


def whole(made: Sweep, begin: str = "begin=1&") -> dict[str, Any]:
    """Ask as the page does until all is done, and return the answer."""
    key, table_answer = sweeps.register(made), dict[str, Any]()

    def done() -> bool:
        answer = get(run_routes(), f"/partwise/tune/{key}?{begin}seen=").json
        table_answer.update(answer)
        return bool(answer["known"] == answer["whole"])

    until(done)
    return table_answer


@pytest.fixture(scope="module")
def table_answer() -> dict[str, Any]:
    return whole(sweep())


def test_cells_hold_the_numbers_of_their_trials(table_answer: dict[str, Any]) -> None:
    made = sweep()
    assert (table_answer["known"], table_answer["whole"], table_answer["splits"]) == (12, 12, 2)
    places = list(zip(table_answer["params"]["n_components"], table_answer["params"]["init"], strict=True))
    assert set(places) == {(k, start) for k in (2.0, 3.0, 4.0) for start in (0.0, 1.0)}
    at = places.index((3.0, 1.0))
    scores = [evaluate(made.trial((3, "nndsvda"), split)).scores[ACCURACY.name] for split in (0, 1)]
    assert table_answer["means"][ACCURACY.name][at] == pytest.approx(np.mean(scores), rel=1e-5)
    assert table_answer["spreads"][ACCURACY.name][at] == pytest.approx(np.std(scores, ddof=1), rel=1e-5)
    assert table_answer["iterations"][at] == 10
    assert all(table_answer["pictured"])
    best = table_answer["best"][ACCURACY.name]
    assert table_answer["means"][ACCURACY.name][best] == max(table_answer["means"][ACCURACY.name])
    assert best in table_answer["ties"][ACCURACY.name]
    assert table_answer["sentences"][ACCURACY.name]


def test_what_has_been_seen_is_not_told_again(table_answer: dict[str, Any]) -> None:
    key = sweeps.register(sweep())
    again = get(run_routes(), f"/partwise/tune/{key}?seen={table_answer['version']}").json
    assert again == {"same": True, "version": table_answer["version"]}


def test_a_refused_cell_has_a_sentence_and_no_number() -> None:
    axes = (axis("n2s2l", "n_components", 2, 20, count=2),)
    request = RunRequest("iris", "n2s2l", {"max_iter": 3, "n_discriminative": 5})
    answer = whole(Sweep(request, axes, (ACCURACY,), splits=1))
    at = answer["params"]["n_components"].index(2.0)
    assert answer["means"][ACCURACY.name][at] is None
    assert answer["pictured"][at] == 0
    assert "n_discriminative" in answer["problems"][str(at)]


def test_pictures_and_curves_of_cells(table_answer: dict[str, Any]) -> None:
    key = sweeps.register(sweep())
    answer = get(run_routes(), f"/partwise/tune/{key}/cells?theme=dark&cells=0,2")
    header, arrays = unpacked(answer.body)
    assert [entry["cell"] for entry in header["cells"]] == [0, 2]
    assert arrays["curve2"].reshape(-1, 2)[-1, 0] == 10
    # Iris has named features: its parts are words.
    assert [len(entry["words"]) for entry in header["cells"]] == [
        table_answer["params"]["n_components"][at] for at in (0, 2)
    ]
    assert "(cm)" in header["cells"][0]["words"][0][0][0]
    assert get(run_routes(), f"/partwise/tune/{key}/cells?cells=99").status == 400


def test_parts_of_pictures_are_sheets() -> None:
    request = RunRequest("digits", "nmf", {"max_iter": 3})
    made = Sweep(request, (axis("nmf", "n_components", 4, 9, count=2),), (MeasureRequest("sparsity"),), 1)
    table_answer = whole(made)
    body = get(run_routes(), f"/partwise/tune/{sweeps.register(made)}/cells?cells=0,1").body
    header, arrays = unpacked(body)
    assert [header[f"picture{at}"]["count"] for at in (0, 1)] == table_answer["params"]["n_components"]
    assert arrays["picture0"][:4].tobytes() == b"RIFF"


def test_parts_stand_in_the_order_of_the_reference() -> None:
    rng = np.random.default_rng(0)
    parts = rng.integers(0, 127, (6, 30)).astype(np.int8)
    shuffled = np.concatenate([rng.permutation(2), 2 + rng.permutation(4)])
    reference, kept = (
        Keepsake(one, np.zeros((6, 0), np.int32), (5, 6), np.zeros((1, 2), np.float32), 6, 2)
        for one in (parts, parts[shuffled])
    )
    np.testing.assert_array_equal(kept.parts[pictures._order(kept, reference)], parts)
    np.testing.assert_array_equal(pictures._order(kept, None), np.arange(6))


def test_how_much_parameters_matter_and_who_may_ask(table_answer: dict[str, Any]) -> None:
    key = sweeps.register(sweep())
    assert get(run_routes(), f"/partwise/tune/{key}/importance?measure={ACCURACY.name}").json == {
        "shares": []
    }
    assert get(run_routes(), f"/partwise/tune/{key}/importance?measure=no").status == 400
    assert get(run_routes(), "/partwise/tune/unknown?seen=").status == 404
    upload = Sweep(RunRequest("upload-of-somebody", "nmf"), sweep().axes, (ACCURACY,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sweep, "key", "k" * 32)
        assert get(run_routes(), f"/partwise/tune/{sweeps.register(upload)}?seen=").status == 404


def test_a_budget_of_minutes_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = replace(sweep(), measures=(MeasureRequest("sparsity"),))
    entry = sweeps.Registered(made, until=0.0)
    asked: list[bool] = []

    class Asked:
        def ask(self, *_: object, begins: bool, **__: object) -> dict[str, Any]:
            asked.append(begins)
            return {}

    monkeypatch.setattr(sweeps, "tables", Asked)
    sweeps.results_of(entry, "me", begins=True)
    sweeps.results_of(sweeps.Registered(made), "me", begins=True)
    assert asked == [False, True]


def test_a_cell_is_found_by_what_the_browser_names() -> None:
    made = sweep()
    assert opening.point_at(made, [3, 1]) == (3, "nndsvda")
    for nonsense in (None, [3], [3, 2], [9, 0], ["3", 0], [3, 0.5]):
        assert opening.point_at(made, nonsense) is None


def test_the_answer_is_that_of_the_table(table_answer: dict[str, Any]) -> None:
    made = sweep()
    entry = sweeps.Registered(made)
    table = table_of(made, sweeps.results_of(entry, "me", begins=None, patience=30))
    verdict = ties(table)
    assert verdict is not None
    assert table_answer["sentences"][ACCURACY.name][0] == verdict.sentence
    assert answers.described(table, table_answer["version"]) == table_answer
