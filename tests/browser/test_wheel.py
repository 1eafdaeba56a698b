"""The wheel: built, installed where only its requirements are (and another `datasets`), opened, run, killed.

What takes a server of its own is shown on the one that is installed here.
"""

from __future__ import annotations

import hashlib
import re
import signal
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import psycopg
import pytest
from playwright.sync_api import Browser, Page, expect

from scripts import nginx, postgres
from scripts.app_server import Server
from tests.browser.conftest import LONG, SETTLED, WIDE, Tabs, open_page, settle, visiting, wait_for
from tests.browser.installed_app import Servers
from tests.datasets.upload_files import faces, mat
from tests.waiting import until
from ui.web.affinity import COOKIE

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


@pytest.fixture(scope="module")
def servers(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """The servers for the tests here: starting one takes longer than any of them."""
    with postgres.serving() as database:
        servers = Servers(installed / "partwise", tmp_path_factory.mktemp("servers"), database)
        yield servers
        servers.close()


@pytest.fixture(scope="module")
def tabs(browser: Browser, servers: Servers) -> Tabs:
    """Visitors of the first server, one after the other."""
    return Tabs(browser, servers["a"])


def test_a_deep_link_on_a_fresh_server_shows_that_page_alone_and_runs(servers: Servers, tabs: Tabs) -> None:
    fresh = servers["a"]
    before = event_loops(fresh)
    with tabs.lend(WIDE, {}) as (page, witness):
        open_page(page, f"{SMALL}&live.nmf.max_iter=12")
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        expect(page.get_by_role("heading", level=1)).to_have_text("Watch the parts form")
        expect(page.get_by_text("Page not found")).to_have_count(0)
        assert event_loops(fresh) > before
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator(".root[data-status='max_iter']").wait_for()
        assert not witness.complaints
    # Streamlit forgets whoever has left when the next one leaves, which may be never.
    until(lambda: event_loops(fresh) == before, "the server holds on to a visitor who has left")


def test_a_run_on_uploaded_data_comes_back_on_another_server(page: Page, tabs: Tabs, tmp_path: Path) -> None:
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


def test_a_killed_server_loses_no_finished_run_and_the_other_resumes(servers: Servers, tabs: Tabs) -> None:
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
        servers.end("a", signal.SIGKILL)
        assert servers["a"].url in page.url, "it is started again where it was"
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


def named(page: Page) -> str:
    """Return the server that a browser is bound to."""
    return next(found["value"] for found in page.context.cookies() if found["name"] == COOKIE)


def pictures(page: Page) -> int:
    return int(page.locator(".root[data-frames]").first.get_attribute("data-frames") or 0)


def written_down(run: str, database: str) -> bool:
    with psycopg.connect(database) as connection, suppress(psycopg.errors.UndefinedTable):
        return bool(connection.execute("SELECT id FROM partwise_runs WHERE id = %s", [run]).fetchall())
    return False


def test_a_run_is_watched_from_another_server_and_found_when_its_own_has_ended(
    browser: Browser, servers: Servers
) -> None:
    """Behind a real nginx."""
    with ExitStack() as stack:
        ports = [urlsplit(servers[name].url).port or 0 for name in ("a", "b")]
        address = stack.enter_context(nginx.before(ports, nginx.settings("Several servers")))
        mine = stack.enter_context(visiting(browser, None))
        mine.goto(f"{address}/live?{urlencode({**LONG, 'data.orl.size': '16'})}")
        mine.wait_for_selector(SETTLED)
        mine.get_by_role("button", name="Run", exact=True).click()
        expect(mine.locator(".root[data-frames]")).to_be_visible()
        here = named(mine)
        there = "b" if here == "a" else "a"
        run = wait_for(mine, "new URLSearchParams(location.search).get('run')")

        theirs = stack.enter_context(visiting(browser, None))
        theirs.context.add_cookies([{"name": COOKIE, "value": there, "url": address}])

        until(
            lambda: written_down(run, servers.database),
            "a run is written down some seconds after it began",
            pause=0.1,
        )
        theirs.goto(mine.evaluate("location.href"))
        expect(theirs.get_by_text(f"goes on at another server, {here}:").first).to_be_visible()
        expect(theirs.locator(".root[data-frames]")).to_be_visible()
        seen = pictures(theirs)
        until(lambda: pictures(theirs) > seen + 1)
        assert named(theirs) == there, "who watches stays where they are"

        servers.end(here, signal.SIGTERM)
        expect(theirs.get_by_text("The app was closed while this ran").first).to_be_visible()
        # The open page goes on at the other server by itself, and has not forgotten its run.
        expect(mine.get_by_text("The app was closed while this ran").first).to_be_visible()
        assert named(mine) == there, "the cookie names who has answered"
        mine.get_by_role("button", name="Run", exact=True).click()
        expect(mine.get_by_text("The app was closed while this ran")).to_have_count(0)
        expect(mine.get_by_role("button", name="Pause", exact=True)).to_be_enabled()
