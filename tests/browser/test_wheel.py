"""The wheel: built, installed where only its requirements are (and another `datasets`), opened, run."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import sysconfig
import venv
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from scripts.app_server import Server, free_port, started
from tests.browser.conftest import open_page, visiting
from tests.waiting import until

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


def test_a_deep_link_on_a_fresh_server_shows_that_page_alone_and_runs_and_its_port_is_free_again(
    installed: Path, tmp_path: Path, browser: Browser
) -> None:
    port = free_port()
    command = [f"{installed}/partwise", "--no-browser", "--port", str(port)]
    with started(command, port, tmp_path, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="1") as fresh:
        before = event_loops(fresh)
        with visiting(browser, fresh) as page:
            open_page(page, "/live?data.orl.size=16&method=nmf&live.nmf.max_iter=12")
            expect(page.get_by_role("heading", level=1)).to_have_count(1)
            expect(page.get_by_role("heading", level=1)).to_have_text("Watch the parts form")
            expect(page.get_by_text("Page not found")).to_have_count(0)
            assert event_loops(fresh) > before
            page.get_by_role("button", name="Run", exact=True).click()
            page.locator(".root[data-status='max_iter']").wait_for()
        # Streamlit forgets whoever has left when the next one leaves, which may be never.
        until(lambda: event_loops(fresh) == before, "the server holds on to a visitor who has left")
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
    assert "Traceback" not in fresh.log.read_text()
