"""The command line: lists what there is, runs it, and answers bad input with a sentence."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import sleep
from types import ModuleType

import numpy as np
import pytest

import datasets
import methods
from experiments import RunRequest
from experiments import run as run_request
from experiments.cli import program
from experiments.cli.command_line import main
from experiments.engine import own_version
from experiments.engine import run as run_module
from experiments.take_away import unbundle
from tests.datasets.upload_files import by_columns, faces, mat
from tests.ready_python import ReadyPython

Invent = Callable[[Callable[[int], float]], str]
Capture = pytest.CaptureFixture[str]
SHORT = ["run", "swimmer", "nmf", "--param", "n_components=5", "max_iter=6", "tol=0"]
README = """# Title
<!-- datasets:begin -->
old
<!-- datasets:end -->
between
<!-- methods:begin -->
<!-- methods:end -->
<!-- results:begin -->
<!-- results:end -->
after
"""


def refusal(capsys: Capture, *arguments: str) -> str:
    """What a refused command says: one sentence on standard error, and exit status 2."""
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("python -m experiments ")
    assert said.err.count("\n") == 1
    return said.err


def test_list_shows_every_data_set_and_every_method(capsys: Capture) -> None:
    assert main(["list"]) == 0
    words = capsys.readouterr().out.split()
    assert set(datasets.names()) | set(methods.names()) <= set(words)
    assert "size=64," in words


def test_list_gives_markdown(capsys: Capture) -> None:
    assert main(["list", "--markdown"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line for line in lines if line.startswith("| `")]
    assert len(rows) == len(datasets.names()) + len(methods.names())
    cells = {line.replace("\\|", "").count("|") for line in lines if line.startswith("|")}
    assert cells == {5, 6}, "all rows of a table have as many cells"


def test_the_readme_gets_the_tables_and_nothing_else_changes(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "README.md"
    path.write_text(README, encoding="utf-8")
    assert main(["list", "--write-readme", str(path)]) == 0
    assert "written" in capsys.readouterr().out
    once = path.read_text(encoding="utf-8")
    lines = once.splitlines()
    assert [line for line in lines if not line.startswith("|")] == [
        line for line in README.splitlines() if line != "old"
    ]
    first, second = lines.index("<!-- datasets:begin -->"), lines.index("<!-- methods:begin -->")
    assert "`orl`" in "".join(lines[first:second])
    assert "`n2s2l`" in "".join(lines[second:])
    assert main(["list", "--write-readme", str(path)]) == 0
    assert "up to date" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == once


@pytest.mark.parametrize(
    "text",
    [
        "",
        README.replace("<!-- methods:end -->\n", ""),
        README + README,
        README.replace(":begin", ":x").replace(":end", ":begin").replace(":x", ":end"),
    ],
    ids=["empty", "one missing", "twice", "turned round"],
)
def test_a_readme_without_its_markers_is_left_alone(tmp_path: Path, capsys: Capture, text: str) -> None:
    path = tmp_path / "README.md"
    path.write_text(text, encoding="utf-8")
    assert "once each, in this order" in refusal(capsys, "list", "--write-readme", str(path))
    assert path.read_text(encoding="utf-8") == text


def test_a_readme_that_is_not_there_is_refused(tmp_path: Path, capsys: Capture) -> None:
    assert "there is no file" in refusal(capsys, "list", "--write-readme", str(tmp_path / "x"))


def test_run_says_what_was_found(capsys: Capture) -> None:
    assert main(SHORT) == 0
    said = capsys.readouterr()
    assert said.err == "", "no progress where nobody watches"
    found = dict(line.split(maxsplit=1) for line in said.out.splitlines() if line[0] != " ")
    record = run_request(RunRequest("swimmer", "nmf", {"n_components": 5, "max_iter": 6, "tol": 0}))
    assert found["status"] == "max_iter"
    assert found["iterations"] == "6"
    assert float(found["seconds"]) >= 0
    assert found["objective"].startswith(f"{record.objective[-1]:.6g} ")
    assert f"  reconstruction  {record.objective[-1]:.6g}" in said.out
    assert f"euclidean {record.scores['accuracy_euclidean']:.4f}" in found["accuracy"]
    assert f"hoyer {record.scores['hoyer']:.4f}" in found["sparsity"]


@pytest.mark.parametrize(
    ("method", "view"), [("sulf", ""), ("sulf", "--view 'view 1' 'view 3'"), ("nmf", "--view 'view 2'")]
)
def test_run_takes_the_views_named(tmp_path: Path, method: str, view: str) -> None:
    arguments = f"run planted_views {method} --option samples=60 --param max_iter=3 {view} --npz"
    assert main([*shlex.split(arguments), str(tmp_path / "a.npz")]) == 0
    with np.load(tmp_path / "a.npz") as arrays:
        widths = [arrays[name].shape[1] for name in sorted(arrays.files) if name.startswith("components")]
    assert widths == {"": [40, 60, 30], "--view 'view 2'": [60]}.get(view, [40, 30])


def test_run_writes_what_it_found(tmp_path: Path) -> None:
    wanted = RunRequest(
        "orl",
        "n2s2l",
        {"max_iter": 4, "alpha": 2.5, "n_components": None, "solver": "accelerated"},
        {"size": 16},
        split={"labelled_fraction": 0.3, "held_out_per_class": 1},
        seed=3,
    )
    given = (
        "run orl n2s2l --option size=16 --labelled 0.3 --held-out 1 --seed 3 --param max_iter=4e0 alpha=2.5"
    )
    files = ["--json", str(tmp_path / "run.json"), "--npz", str(tmp_path / "arrays")]
    assert main([*given.split(), "--param", "solver=accelerated", "n_components=auto", *files]) == 0
    plain = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    record = run_request(wanted)
    assert plain["key"] == wanted.key
    assert plain["request"] == json.loads(wanted.canonical())
    assert plain["objective"] == record.objective.tolist()
    assert plain["scores"] == dict(record.scores)
    assert {name: len(values) for name, values in plain["terms"].items()} == dict.fromkeys(record.terms, 5)
    assert len(plain["seconds"]) == 5
    with np.load(tmp_path / "arrays", allow_pickle=False) as arrays:
        assert set(arrays) == set(record.arrays) | set(record.rows)
        assert np.array_equal(arrays["components"], record.arrays["components"])


def test_a_file_of_ones_own_is_run_on(tmp_path: Path, capsys: Capture) -> None:
    pictures, people = faces()
    path = tmp_path / "faces.mat"
    path.write_bytes(mat(fea=by_columns(pictures), gnd=people))
    written, again = tmp_path / "run.json", tmp_path / "again.json"
    asked = ["run", str(path), "nmf", "--param", "n_components=4", "max_iter=2", "--labelled", "1"]
    assert main([*asked, "--option", "unknown=3", "--json", str(written)]) == 0
    said = capsys.readouterr().out
    assert "40 samples of 1024 pixels each. Pictures 32 high and 32 wide, stored column by column." in said
    assert "38 of 40 labelled" in said
    assert main([*asked, "--option", "unknown=3", "--json", str(again)]) == 0
    keys = [json.loads(file.read_text())["key"] for file in (written, again)]
    assert keys[0] == keys[1], "the same file is the same request"
    capsys.readouterr()
    assert main([*asked, "--option", "flip=true", "label=none", "image_shape=32x32"]) == 0
    assert "stored row by row, as asked. No labels are used." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "option", "says"),
    [
        ("gone.mat", "flip=true", "There is no file"),
        ("small.csv", "flop=1", "There is no correction 'flop'"),
        ("small.csv", "size=wide", "size=wide is not a number"),
        ("small.csv", "views=z", "views must name columns"),
    ],
)
def test_a_file_that_cannot_be_used_is_a_sentence(
    tmp_path: Path, capsys: Capture, file: str, option: str, says: str
) -> None:
    (tmp_path / "small.csv").write_text("a,b,label\n1,2,0\n3,4,1\n5,6,0\n7,8,1\n")
    assert says in refusal(capsys, "run", str(tmp_path / file), "nmf", "--option", option)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("run mnist nmf", "unknown data set 'mnist'; choose one of"),
        ("run orl nnmf", "There is no method 'nnmf'. There are:"),
        ("run orl nmf --param alpha=1", "nmf has no parameter 'alpha'. It takes:"),
        ("run orl nmf --param max_iter", "--param takes NAME=VALUE, not 'max_iter'"),
        ("run orl nmf --param max_iter=", "max_iter= is not a number"),
        ("run orl nmf --param max_iter=many", "max_iter=many is not a number"),
        ("run orl nmf --param max_iter=1.5", "max_iter=1.5 is not a whole number"),
        ("run orl nmf --param max_iter=auto", "max_iter=auto is not a number"),
        ("run orl nmf --param tol=inf", "tol=inf is not a number"),
        ("run orl nmf --param tol=-1", "tol=-1.0 is too small"),
        ("run orl nmf --param tol=1 tol=2", "--param tol is given twice"),
        ("run orl nmf --param solver=magic", "choose from multiplicative, accelerated"),
        ("run orl nmf --param random_state=1", "random_state is set by --seed"),
        ("run orl nmf --option width=1", "no option 'width'; its options: size"),
        ("run orl nmf --option size=3", "size must be an integer from 8 to 112, not 3"),
        ("run orl nmf --option size=big", "size=big is not a number"),
        ("run orl nmf --labelled few", "labelled=few is not a number"),
        ("run orl nmf --labelled 1.5", "labelled_per_class must be a whole number"),
        ("run orl nmf --labelled 11", "Person 1 has 10 rows, too few for 11 labelled"),
        ("run orl nmf --held-out -1", "held_out_per_class must be at least 0"),
        ("run orl nmf --seed -1", "seed must be from 0"),
        ("run swimmer pca --param n_components=500", "n_components=500 is more than the data hold"),
        ("run orl nmf --json /no/such/folder/x.json", "there is no such folder"),
        ("run orl nmf --npz /", "it is a folder"),
        ("run orl nmf --json x.out --npz x.out", "it is named twice"),
        ("run mine.mat nmf --json mine.mat", "it is named twice, and would be overwritten"),
        ("runs export any /no/such/folder/x.zip", "there is no such folder"),
    ],
)
def test_bad_input_is_answered_with_a_sentence(capsys: Capture, arguments: str, says: str) -> None:
    assert says in refusal(capsys, *arguments.split())


@pytest.mark.parametrize("arguments", ["", "fly", "run", "run orl", "list --html", "run orl nmf --seed x"])
def test_a_command_that_is_none_is_answered_with_the_usage(capsys: Capture, arguments: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments.split())
    assert ended.value.code == 2
    assert "usage: python -m experiments" in capsys.readouterr().err


def test_help_names_what_can_be_run(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    for word in ("swimmer", "n2s2l", "--labelled", "NAME=VALUE"):
        assert word in said


def test_ctrl_c_ends_a_run_with_what_it_has_found(tmp_path: Path, capsys: Capture, invent: Invent) -> None:
    def interrupted(iteration: int) -> float:
        if iteration == 7:
            signal.raise_signal(signal.SIGINT)
        return 100.0 / iteration

    before = signal.getsignal(signal.SIGINT)
    assert main(["run", "swimmer", invent(interrupted), "--json", str(tmp_path / "x.json")]) == 130
    assert signal.getsignal(signal.SIGINT) is before
    assert "status" in capsys.readouterr().out
    plain = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert (plain["status"], plain["iterations"]) == ("stopped", 7)
    assert "accuracy_euclidean" in plain["scores"]


def test_a_second_ctrl_c_does_not_wait_for_the_step(capsys: Capture, invent: Invent) -> None:
    def interrupted(iteration: int) -> float:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("the step went on")

    assert main(["run", "swimmer", invent(interrupted)]) == 130
    assert capsys.readouterr().err == "python -m experiments run: interrupted\n"


def test_ctrl_c_while_everything_is_loaded_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    class Loading(ModuleType):
        def __getattr__(self, name: str) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, main.__module__, Loading(main.__module__))
    assert program.carry_out(["list"]) == 130
    assert capsys.readouterr().err == "python -m experiments: interrupted\n"


def test_a_run_that_diverges_or_breaks_has_failed(tmp_path: Path, capsys: Capture, invent: Invent) -> None:
    file = tmp_path / "x.json"
    assert main(["run", "swimmer", invent(lambda i: np.inf), "--json", str(file)]) == 1
    assert "diverged" in capsys.readouterr().out
    assert json.loads(file.read_text(encoding="utf-8"))["objective"] == [1000.0, None]

    def breaking(iteration: int) -> float:
        raise ZeroDivisionError("parts of nothing")

    assert main(["run", "swimmer", invent(breaking)]) == 1
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "ZeroDivisionError: parts of nothing" in said.err


class Terminal(io.StringIO):
    """Standard error as somebody watches it."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_one_line_of_a_terminal(monkeypatch: pytest.MonkeyPatch, invent: Invent) -> None:
    def slowly(iteration: int) -> float:
        sleep(0.03)
        return 100.0 / iteration

    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert main(["run", "swimmer", invent(slowly), "--param", "max_iter=20"]) == 0
    shown = terminal.getvalue()
    assert "preparing: neighbours, 40%" in shown
    assert "iteration 0   objective 1000" in shown
    assert "\n" not in shown
    assert 3 <= shown.count("\r") < 20, "often enough to see it move, not at every step"
    assert shown.endswith("\r\033[K"), "the line is cleared for the summary"


def test_it_is_a_program(repository: Path, ready_python: ReadyPython) -> None:
    ended = ready_python.run(["-m", "experiments", "run", "orl", "nnmf"], cwd=repository)
    assert ended.returncode == 2
    assert ended.stderr.startswith("python -m experiments run: There is no method 'nnmf'.")
    assert ended.stderr.count("\n") == 1


_TO_NOBODY = """
import os, runpy, sys
reading, writing = os.pipe()
os.close(reading)
os.dup2(writing, sys.stdout.fileno())
runpy.run_module("experiments", run_name="__main__", alter_sys=True)
"""


def test_a_reader_who_has_seen_enough_is_no_error(repository: Path, ready_python: ReadyPython) -> None:
    ended = ready_python.run(["-c", _TO_NOBODY, "list"], cwd=repository)
    assert ended.stderr == ""


def test_parameters_come_from_a_file_and_a_flag_goes_before(tmp_path: Path, capsys: Capture) -> None:
    file, again = tmp_path / "params.json", tmp_path / "again.json"
    file.write_text('{"n_components": 5, "max_iter": 6, "tol": 0}', encoding="utf-8")
    assert main(["run", "swimmer", "nmf", "--params", str(file), "--json", str(again)]) == 0
    assert re.search(r"^iterations +6$", capsys.readouterr().out, re.M)
    # What a run has written is a file of parameters too.
    assert main(["run", "swimmer", "nmf", "--params", str(again), "--param", "max_iter=2"]) == 0
    assert re.search(r"^iterations +2$", capsys.readouterr().out, re.M)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"alpha": 1}', "nmf has no parameter 'alpha'"),
        ("{", "is not JSON"),
        ("[1]", "holds no parameters"),
        ('{"tol": "small"}', "tol=small is not a number"),
        ('{"random_state": 1}', "random_state is set by --seed"),
        ('{"tol": [1]}', "tol"),
    ],
)
def test_a_file_of_parameters_that_makes_no_sense_is_a_sentence(
    tmp_path: Path, capsys: Capture, content: str, says: str
) -> None:
    (tmp_path / "p.json").write_text(content, encoding="utf-8")
    assert says in refusal(capsys, "run", "swimmer", "nmf", "--params", str(tmp_path / "p.json"))
    assert "cannot be read" in refusal(capsys, "run", "swimmer", "nmf", "--params", str(tmp_path / "none"))


def test_splits_give_mean_and_spread(tmp_path: Path, capsys: Capture) -> None:
    written = tmp_path / "all.json"
    assert main(["run", "iris", "nmf", "--splits", "3", "--json", str(written)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines[:3]] == ["0", "1", "2"]
    found = [run["scores"]["accuracy_euclidean"] for run in json.loads(written.read_text())]
    spread = f"{np.mean(found):.4f} ± {np.std(found, ddof=1):.4f}"
    assert f"accuracy_euclidean  {spread}" in lines[4:]
    assert "--npz is for one run" in refusal(
        capsys, "run", "iris", "nmf", "--splits", "2", "--npz", str(tmp_path / "x")
    )


def test_what_is_written_is_all_it_takes_to_repeat_a_run(tmp_path: Path, capsys: Capture) -> None:
    pictures, people = faces()
    path, written = tmp_path / "faces.mat", tmp_path / "run.json"
    path.write_bytes(mat(fea=by_columns(pictures), gnd=people))
    options = ["--option", "label=gnd", "--quiet", "--json", str(written), "--npz", str(tmp_path / "a.npz")]
    assert main(["run", str(path), "nmf", "--param", "max_iter=2", *options]) == 0
    assert capsys.readouterr().out == ""
    plain = json.loads(written.read_text())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert plain["files"] == [{"name": "faces.mat", "sha256": digest}]
    assert plain["reading"] == {"label": "gnd"}
    assert plain["versions"]["partwise"].startswith(own_version.own_version().partition("+")[0])
    with np.load(tmp_path / "a.npz") as arrays:
        rows = [arrays[f"rows_{name}"] for name in ("labelled", "unlabelled", "held_out")]
    assert rows[0].tolist() == plain["rows"]["rows_labelled"]
    assert np.array_equal(np.sort(np.concatenate(rows)), np.arange(len(people)))


def test_a_run_is_kept_and_bundled(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARTWISE_DATABASE_URL", f"sqlite:///{tmp_path / 'runs.db'}")
    file = tmp_path / "run.zip"
    assert main([*SHORT, "--keep", "Swimming", "--bundle", str(file)]) == 0
    assert "on the shared shelf" in capsys.readouterr().out
    assert main(["runs", "list"]) == 0
    assert "Swimming" in capsys.readouterr().out
    parcel = unbundle(file)
    assert (parcel.name, parcel.iterations) == ("Swimming", 6)
    assert parcel.outcome.versions["partwise"] == own_version.own_version()


def test_the_version_is_told_with_the_commit(repository: Path, tmp_path: Path, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"partwise {own_version.own_version()}, python ")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "3.1"\n')
    assert own_version.described(tmp_path) == "3.1", "no history, no commit"
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -q -m x"):
        subprocess.run(["git", "-C", str(tmp_path), *command.split()], check=True)
    clean = own_version.described(tmp_path)
    assert re.fullmatch(r"3\.1\+[0-9a-f]{12}", clean)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "3.1"\n\n')
    assert own_version.described(tmp_path) == f"{clean}.changed"


def test_ctrl_c_does_not_wait_for_data_or_a_graph(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    released = threading.Event()

    def slowly(request: RunRequest) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        released.wait(60)  # As a library call, which no signal reaches.

    monkeypatch.setattr(run_module, "prepare", slowly)
    assert main(SHORT) == 130
    released.set()
    assert capsys.readouterr().err == "python -m experiments run: interrupted\n"


def test_what_may_not_be_written_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "permission denied" in refusal(capsys, *SHORT, "--json", str(tmp_path / "r.json"))


def test_a_run_that_predicts_nothing_leaves_all_else(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "plain.csv").write_text("a,b\n1,2\n3,4\n5,6\n")
    files = ["--predictions", str(tmp_path / "p.csv"), "--json", str(tmp_path / "r.json")]
    assert main(["run", str(tmp_path / "plain.csv"), "nmf", "--param", "max_iter=2", *files]) == 2
    assert "No sample is labelled" in capsys.readouterr().err
    assert json.loads((tmp_path / "r.json").read_text())["iterations"] == 2
    assert not (tmp_path / "p.csv").exists()


def test_a_fault_of_the_disk_names_the_file_and_no_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def full(path: Path, *ignored: object, **named: object) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_text", full)
    assert main([*SHORT, "--quiet", "--json", str(tmp_path / "r.json")]) == 1
    said = capsys.readouterr().err
    assert said == f"python -m experiments run: {tmp_path / 'r.json'}: No space left on device\n"


def test_predicted_classes_are_written_with_their_margin(tmp_path: Path) -> None:
    file, npz = tmp_path / "p.csv", tmp_path / "a.npz"
    given = ["run", "iris", "n2s2l", "--param", "max_iter=5", "--predictions", str(file), "--npz", str(npz)]
    assert main([*given, "--json", str(tmp_path / "r.json")]) == 0
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    with np.load(npz) as arrays:
        assert [int(row["row"]) for row in rows] == arrays["rows_unlabelled"].tolist()
    assert {row["predicted"] for row in rows} <= set(datasets.load("iris").target_names)
    assert all(0 <= float(row["margin"]) <= 1 for row in rows)
    right = np.mean([row["predicted"] == row["known"] for row in rows])
    scores = json.loads((tmp_path / "r.json").read_text())["scores"]
    assert right == pytest.approx(scores["accuracy_euclidean"])
