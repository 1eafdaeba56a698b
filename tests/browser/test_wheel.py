"""The wheel: built, installed where only its requirements are (and another `datasets`), opened, run, killed.

What takes a server of its own is shown on the one that is installed here.
"""

from __future__ import annotations

import hashlib
import re
import signal
import socket
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from experiments.engine.service import UNWATCHED
from scripts.app_server import Server, free_port, started
from tests.browser.conftest import WIDE, Tabs, open_page, settle, wait_for
from tests.datasets.upload_files import faces, mat
from tests.waiting import until

SMALL = "/live?data.orl.size=16&method=nmf"
ANOTHER = 'WHOSE = "another\'s"\n'
USE = """
import sys
from partwise import N2S2L, load, read
import datasets
assert datasets.WHOSE == "another's"
from pathlib import Path
Path("t.csv").write_text("a,b,label\\n" + "\\n".join(f"{i},{i % 7},{i % 3}" for i in range(30)))
table = read("t.csv")
steps = list(N2S2L(n_components=4, n_discriminative=3, max_iter=3).iterate(table.X, table.y))
assert len(steps) == 4 and table.n_classes == 3
ours = {"methods", "experiments", "ui", "pages"}
assert not ours & {name.partition(".")[0] for name in sys.modules}
"""
VERSION = """
from partwise import main
main(["--version"])
"""


@pytest.fixture(scope="module")
def installed(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel in it, in a folder that nothing else is in; returns its `bin`."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "-q"]
    # What builds it is installed with the tools of the tests, so that no network is needed.
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(repository)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"partwise"}
    place = folder / "environment"
    venv.create(place)
    python = place / "bin" / "python"
    subprocess.run([*pip, "--python", str(python), "install", "--no-deps", str(wheel)], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    # Its requirements are those of the tests, lent rather than installed once more.
    (packages / "zz_requirements.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (packages / "datasets").mkdir()
    (packages / "datasets" / "__init__.py").write_text(ANOTHER)
    return place / "bin"


def carried_out(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_runs_and_the_library_is_used(installed: Path, tmp_path: Path, repository: Path) -> None:
    said = carried_out(tmp_path, f"{installed}/partwise", "run", "iris", "nmf", "--param", "max_iter=3")
    assert "iterations        3" in said
    readme = (repository / "README.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert block is not None
    code = block.group(1).replace("size=64", "size=16").replace("n_components=78", "n_components=50")
    # All in one process: that it loads scikit-learn is most of what it takes.
    *steps, versions = carried_out(tmp_path, f"{installed}/python", "-c", USE + code + VERSION).splitlines()
    assert len(steps) > 10
    assert re.match(r"partwise \d+\.\d+\.\d+", versions)


def event_loops(server: Server) -> int:
    """Count the event loops of a server: Streamlit has one for each session, and one for itself."""
    loops = 0
    for file in Path(f"/proc/{server.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # Closed meanwhile.
            loops += "eventpoll" in str(file.readlink())
    return loops


class App:
    """The app of the wheel, which can be killed and started again where it was."""

    def __init__(self, installed: Path, folder: Path) -> None:
        self._folder, self._port = folder, free_port()
        self._command = [f"{installed}/partwise", "--no-browser", "--port", str(self._port)]
        self._running = ExitStack()
        self.server = self._start()

    def restart(self) -> None:
        """Kill it as the system does, and start it on what it has left."""
        self.server.process.send_signal(signal.SIGKILL)
        self.server.process.wait()
        self._running.close()
        self.server = self._start()

    def end(self) -> None:
        self._running.close()
        assert "Traceback" not in self.server.log.read_text()
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", self._port)) != 0, "its port is free again"

    def _start(self) -> Server:
        settings = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1", UNWATCHED: "10"}
        return self._running.enter_context(started(self._command, self._port, self._folder, **settings))


@pytest.fixture(scope="module")
def app(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """One app for the tests here: starting it takes longer than any of them."""
    app = App(installed, tmp_path_factory.mktemp("app"))
    yield app
    app.end()


@pytest.fixture(scope="module")
def tabs(browser: Browser, app: App) -> Tabs:
    """Visitors of that app, one after the other."""
    return Tabs(browser, app.server)


def test_a_deep_link_on_a_fresh_server_shows_that_page_alone_and_runs(app: App, tabs: Tabs) -> None:
    before = event_loops(app.server)
    with tabs.lend(WIDE, {}) as (page, witness):
        open_page(page, f"{SMALL}&live.nmf.max_iter=12")
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        expect(page.get_by_role("heading", level=1)).to_have_text("Watch the parts form")
        expect(page.get_by_text("Page not found")).to_have_count(0)
        assert event_loops(app.server) > before
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator(".root[data-status='max_iter']").wait_for()
        assert not witness.complaints
    # Streamlit forgets whoever has left when the next one leaves, which may be never.
    until(lambda: event_loops(app.server) == before, "the server holds on to a visitor who has left")


def test_a_run_on_uploaded_data_comes_back_on_another_server(
    page: Page, app: App, tabs: Tabs, tmp_path: Path
) -> None:
    """Uploaded, run, bundled; brought in on another server, which asks for the file; the same page again."""
    bundle, other, same = (tmp_path / name for name in ("run.zip", "my faces.mat", "called otherwise.mat"))
    pictures, people = faces()
    same.write_bytes(mat(fea=pictures.reshape(len(pictures), -1), gnd=people))
    other.write_bytes(same.read_bytes())
    here = run_on(page, other)
    assert len(here["numbers"]) >= 2
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("button", name="Keep on the Runs page").click()
    settle(page)
    page.get_by_role("link", name="Runs", exact=True).click()
    page.locator(".runs .name").first.click()
    page.get_by_role("button", name="Take away").click()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Bundle").click()
    taken.value.save_as(bundle)
    other.write_bytes(same.read_bytes() + b"\0")

    with tabs.lend(WIDE, {}) as (there, _):
        open_page(there, "/runs")
        there.get_by_text("Bring in a bundle").click()
        there.locator("input[type=file]").set_input_files(bundle)
        expect(there.get_by_text("1 run brought in")).to_be_visible()
        expect(there.get_by_text("which is not here now")).to_be_visible()
        expect(there.get_by_role("button", name="Open in Live run")).to_have_count(0)
        file = there.locator("input[type=file]:not([accept*=zip])")
        file.set_input_files(other)
        digests = [hashlib.sha256(path.read_bytes()).hexdigest()[:12] for path in (other, same)]
        said = re.compile(rf"begins with {digests[0]}, that of my faces.mat with {digests[1]}")
        expect(there.get_by_text(said)).to_be_visible()
        file.set_input_files(same)
        there.get_by_role("button", name="Open in Live run").click()
        there.locator(".root[data-status='max_iter'][data-iteration='12']").wait_for()
        assert what_is_shown(there) == here


def run_on(page: Page, file: Path) -> dict[str, Any]:
    """Hand a file over, have a run on it, and return what is shown of it."""
    open_page(page, "/data?look=own&method=nmf&live.nmf.max_iter=12&live.nmf.n_components=9")
    page.locator('input[type="file"]').set_input_files(file)
    page.get_by_role("button", name="Use these data").click()
    page.wait_for_url("**upload-**")
    page.get_by_role("link", name="Live run").click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".root[data-status='max_iter'][data-iteration='12']").wait_for()
    return what_is_shown(page)


def what_is_shown(page: Page) -> dict[str, Any]:
    """The data, the numbers of the method and where its run has ended."""
    settle(page)
    sidebar = page.get_by_test_id("stSidebar")
    numbers = page.locator('[data-testid="stMain"]').get_by_label(re.compile("as a number$"))
    return {
        "data": sidebar.get_by_role("combobox", name="Data", exact=True).input_value(),
        "rows": page.get_by_text(re.compile("of them labelled")).inner_text(),
        "iteration": page.locator(".root[data-status]").first.get_attribute("data-iteration"),
        "numbers": numbers.evaluate_all("all => all.map(one => one.value)"),
    }


def test_a_killed_server_loses_no_finished_run_and_the_other_resumes(app: App, tabs: Tabs) -> None:
    with tabs.lend(WIDE, {}) as (page, _):
        finished = f"{SMALL}&live.nmf.max_iter=25"
        open_page(page, finished)
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator(".root[data-status='max_iter']").wait_for()
        finished += "&run=" + wait_for(page, "new URLSearchParams(location.search).get('run')")
        open_page(
            page, f"{SMALL}&live.nmf.max_iter=5000&live.nmf.tol=0&live.nmf.solver=multiplicative&pace=50"
        )
        page.get_by_role("button", name="Run", exact=True).click()
        view = page.locator(".root[data-iteration]").first
        until(lambda: int(view.get_attribute("data-iteration") or 0) >= 150, "the run does not get on")
        app.restart()
        # The finished one is shown from the store, without being run again.
        open_page(page, finished)
        page.locator(".root[data-status='max_iter'][data-iteration='25']").wait_for()
        page.get_by_role("link", name="Runs", exact=True).click()
        expect(page.locator(".runs tr[data-status='interrupted']")).to_have_count(1)
        expect(page.locator(".runs tr[data-status='max_iter']")).to_have_count(1)
        page.locator(".runs tr[data-status='interrupted'] .name").click()
        expect(page.get_by_text(re.compile(r"go on from iteration \d\d"))).to_be_visible()
        page.get_by_role("button", name="Resume").click()
        page.locator(".root[data-status='running']").wait_for()
        page.get_by_role("button", name="Stop", exact=True).click()
        page.locator(".root[data-status='stopped']").wait_for()
        page.get_by_role("link", name="Runs", exact=True).click()
        expect(page.locator(".runs tr[data-status='stopped']")).to_have_count(1)
        expect(page.locator(".runs tr[data-status='interrupted']")).to_have_count(0)
