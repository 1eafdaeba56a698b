"""Results of trials in the store: kept once, claimed by one, and the way there from a store of format 1."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, text

from experiments.store import RunFilter, RunStore, StoreUnavailableError, TrialRow, schema, trial_rows
from tests.experiments.store.conftest import Open

VERSION_1 = Path(__file__).with_name("version1.sql")


def row(key: str, scope: str = "") -> TrialRow:
    return TrialRow(key, "{}", f'"{key}"', scope)


def test_what_is_kept_is_found_and_the_first_to_come_stays(store: RunStore) -> None:
    rows = store.trials
    many = [f"key {number}" for number in range(1200)]
    rows.keep([row(key) for key in many])
    rows.keep([TrialRow("key 7", "{}", '"another"')])
    assert rows.lookup([*many, "nobody's"]) == {key: f'"{key}"' for key in many}
    rows.tidy(most=1000)
    assert len(rows.lookup(many)) <= 1000


def test_one_trial_is_claimed_by_one(open_store: Open) -> None:
    one, other = open_store().trials, open_store().trials
    assert one.claim(["a", "b"], "one")
    assert one.claim(["a", "b"], "one")  # Its own.
    assert not other.claim(["b", "c"], "other")  # All or none.
    assert other.claim(["c"], "other")
    one.keep([row("a")])
    assert not other.claim(["a"], "other")  # Known: nothing to do.
    one.release("one")
    assert other.claim(["b"], "other")


@pytest.mark.parametrize("attempt", range(5))
def test_of_many_who_claim_at_once_one_gets_it(open_store: Open, attempt: int) -> None:
    stores = [open_store() for _ in range(4)]
    got: list[str] = []
    start = threading.Barrier(len(stores))

    def ask(store: RunStore) -> None:
        start.wait()
        if store.trials.claim([f"key {attempt}"], store.server):
            got.append(store.server)

    threads = [threading.Thread(target=ask, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 1


def test_who_dies_loses_its_claims(open_store: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    store, other = open_store(), open_store()
    store.trials.claim(["a"], store.server)
    store.trials.claim(["b"], "on another machine")
    other.trials.tidy(gone=[store.server])
    assert other.trials.claim(["a"], other.server)
    assert not other.trials.claim(["b"], other.server)
    later = trial_rows.time.time() + 2 * trial_rows.LEASE
    monkeypatch.setattr(trial_rows.time, "time", lambda: later)
    assert other.trials.claim(["b"], other.server)  # Nothing was heard for longer than a lease.


def test_closing_a_store_gives_its_claims_back(open_store: Open) -> None:
    store, other = open_store(), open_store()
    store.trials.claim(["a"], store.server)
    store.close()
    assert other.trials.claim(["a"], other.server)


def test_what_came_of_an_upload_goes_with_it(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = store.trials
    rows.keep([row("a", "upload-1"), row("b", "upload-2"), row("c")])
    rows.forget("upload-1")
    rows.forget("")
    assert set(rows.lookup(["a", "b", "c"])) == {"b", "c"}
    rows.tidy()
    assert set(rows.lookup(["a", "b", "c"])) == {"b", "c"}
    # A server that was killed could not remove them.
    monkeypatch.setattr(trial_rows, "_UPLOAD_SECONDS", 0.0)
    rows.tidy()
    assert set(rows.lookup(["a", "b", "c"])) == {"c"}


def test_a_store_of_format_1_is_brought_up_to_date(database: URL, open_store: Open) -> None:
    _written_by_format_1(database)
    store = open_store()
    found = store.find(RunFilter("somebody"))
    assert {run.id for run in found.runs} == {"first-run", "cut-off"}
    first = store.get("first-run", "somebody")
    assert first is not None
    assert (first.name, first.accuracy, first.request.seed) == ("Faces", 0.7, 3)
    store.trials.keep([row("a")])
    assert store.trials.claim(["b"], store.server)
    again = open_store()
    assert set(again.trials.lookup(["a", "b"])) == {"a"}


def test_an_older_partwise_says_that_the_store_is_newer(
    database: URL, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store()
    monkeypatch.setattr(schema, "VERSION", 1)
    with pytest.raises(StoreUnavailableError, match="has format 4, and this Partwise knows formats up to 1"):
        open_store()


def _written_by_format_1(database: URL) -> None:
    """Lay out a store as the code of format 1 wrote it: a dump of a real file."""
    script = VERSION_1.read_text(encoding="utf-8")
    if database.get_backend_name() == "postgresql":
        # The same tables, in the words of PostgreSQL; SQLite writes booleans as numbers.
        script = script.replace(" DOUBLE", " DOUBLE PRECISION")
        script = re.sub(r"('(?:first-run|cut-off)','\w+','\w+',)0,", r"\1false,", script)
    engine = create_engine(database, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in re.split(r";\n", script):
            if statement.strip() and statement not in ("BEGIN TRANSACTION", "COMMIT"):
                connection.execute(text(statement.replace(":", r"\:")))
    engine.dispose()
