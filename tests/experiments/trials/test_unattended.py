"""Tables left to go on by themselves: to their end, until stopped, and on after their server was killed."""

from __future__ import annotations

import json

import pytest

from experiments.store import UnattendedRow
from experiments.store.run_columns import fingerprint
from experiments.trials import Chain, Trial
from experiments.trials.plan import FixedPlan
from experiments.trials.unattended import Unattended
from tests.experiments.conftest import Serve, only
from tests.experiments.trials.carriers import Gate, Here
from tests.experiments.trials.test_tables import trials
from tests.waiting import until

READERS = {"fixed": FixedPlan.from_json}


def leave(left: Unattended, work: list[Trial], owner: str = "me") -> str:
    left.leave(owner, "A table", "recognition", "data=iris", FixedPlan(tuple(work)))
    return left.listed(owner)[0].id


def test_a_table_is_filled_in_to_its_end_and_listed_for_its_owner_alone(serve: Serve) -> None:
    left = serve(Here(), READERS)
    leave(left, trials(3))
    until(lambda: only(left).status == "done")
    assert (only(left).done, only(left).whole, only(left).choices) == (3, 3, "data=iris")
    assert left.listed("them") == []


def test_a_table_is_stopped_and_gone_on_with(serve: Serve) -> None:
    gate = Gate()
    left = serve(gate, READERS)
    id = leave(left, trials(3))
    until(lambda: len(gate.begun) == 1)
    left.stop("them", id)
    assert only(left).status == "going"
    gate.let_through()
    until(lambda: only(left).done == 1)
    left.stop("me", id)
    until(lambda: gate.waiting[-1].cancelled())
    assert (only(left).status, only(left).done) == ("stopped", 1)
    left.go_on("me", id)
    gate.open_wide()
    until(lambda: only(left).status == "done")
    # One was known and one was taken back.
    assert len(gate.begun) == 4
    left.delete("me", id)
    assert left.listed("me") == []
    with pytest.raises(ValueError, match="no longer kept"):
        left.go_on("me", id)


def test_after_its_server_was_killed_a_table_goes_on_and_nothing_is_done_twice(serve: Serve) -> None:
    gate, here = Gate(), Here()
    first = serve(gate, READERS)
    work = trials(4)
    id = leave(first, work)
    until(lambda: len(gate.begun) == 1)
    gate.let_through()
    until(lambda: only(first).done == 1)
    # What the store of a server does that finds the lock of this one let go of.
    second = serve(here, READERS, beside=True)
    first._rows.interrupt([first._rows._server])
    assert only(second).status == "interrupted"
    first._tables.close()
    second.go_on("me", id)
    until(lambda: only(second).status == "done")
    assert sorted(here.done) == sorted(trial.key for trial in work[1:])


def test_what_an_earlier_partwise_has_left_is_gone_on_with(serve: Serve) -> None:
    left, chain = serve(Here(), READERS), Chain(tuple(trials(2)))
    text = json.dumps([chain.to_json(), Chain(tuple(trials(1, "lda"))).to_json()])
    row = UnattendedRow("id of then", "A table", "recognition", "data=iris", 3)
    left._rows.save(row, fingerprint("me"), text)
    left._rows.note(row.id, fingerprint("me"), status="interrupted")
    left.go_on("me", row.id)
    until(lambda: only(left).status == "done")
    assert (only(left).id, only(left).done, only(left).whole) == ("id of then", 3, 3)


@pytest.mark.parametrize("text", ['{"kind": "of tomorrow"}', '{"kind": "fixed"}', "17", "", "[1]"])
def test_what_this_partwise_cannot_go_on_with_is_a_sentence(serve: Serve, text: str) -> None:
    left = serve(Here(), READERS)
    row = UnattendedRow("id", "A table", "recognition", "", 3)
    left._rows.save(row, fingerprint("me"), text)
    left._rows.note(row.id, fingerprint("me"), status="interrupted")
    with pytest.raises(ValueError, match="left by another Partwise"):
        left.go_on("me", row.id)
    assert only(left).status == "interrupted"


def test_nobody_leaves_more_than_a_few_tables_nor_a_huge_one(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = serve(Gate(), READERS)
    for count in (1, 2, 3):
        leave(left, trials(count))
    with pytest.raises(ValueError, match="3 of your tables go on without you"):
        leave(left, trials(4))
    leave(left, trials(4), owner="them")
    monkeypatch.setattr("experiments.trials.unattended.MOST_TRIALS", 5)
    with pytest.raises(ValueError, match="takes 6 trials"):
        leave(left, trials(6), owner="her")
