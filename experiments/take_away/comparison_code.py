"""Pieces of scripts and notebooks: the file found by name and checked by hash, the numbers compared."""

from __future__ import annotations

import pprint
from collections.abc import Mapping, Sequence
from typing import Any

# Sums taken in another order (another machine, another library) differ in the last digits.
_COMPARE = """\
found = {"iterations": record.iterations, "objective": record.objective[-1], **record.scores}
for name, then in KEPT.items():
    print(f"{name:<20} {found[name]:>14.6g}   (then {then:.6g})")
differing = [name for name, then in KEPT.items() if not math.isclose(found[name], then, rel_tol=1e-9)]
if not differing:
    print("The same numbers.")
else:
    print("Not the same numbers:", ", ".join(differing))
    for name, then in VERSIONS.items():
        if record.versions.get(name) != then:
            print(f"{name} is {record.versions.get(name)} here, and was {then} then.")"""

_FIND = """\
# What was uploaded then. It is found by its name beside this, or named as an argument, and must be the same.
WANTED = {files}
FILES = {given} or [name for name, _ in WANTED]
if len(FILES) != len(WANTED):
    raise SystemExit(f"{{len(WANTED)}} files are needed: {{', '.join(name for name, _ in WANTED)}}")
for path, (name, digest) in zip(FILES, WANTED):
    if not os.path.isfile(path):
        raise SystemExit(f"{{path}} is not here. Put {{name}} into this folder, or name it as an argument.")
    with open(path, "rb") as file:
        held = hashlib.sha256(file.read()).hexdigest()
    if held != digest:
        hashes = f"its SHA-256 begins with {{held[:12]}}, that of the run's with {{digest[:12]}}"
        raise SystemExit(f"{{path}} is another file: {{hashes}}.")
# One file may be called anything; of several, names may be labels.
NAMES = [name for name, _ in WANTED]
DATA = datasets.keep(datasets.read(FILES, NAMES{corrections}))
"""


def comparison(numbers: Mapping[str, float], versions: Mapping[str, str]) -> str:
    """Return code that compares a `record` with what was found then."""
    stored = pprint.pformat(dict(numbers), width=96, sort_dicts=False)
    used = pprint.pformat(dict(versions), width=96, sort_dicts=False)
    return f"KEPT = {stored}\nVERSIONS = {used}\n{_COMPARE}"


def reading_code(files: Sequence[Sequence[str]], given: str, reading: Mapping[str, Any]) -> str:
    """Return code that finds the files of an upload, checks them, and reads them as they were read then.

    `given` is the expression for files that somebody names.
    """
    listed = pprint.pformat([(name, digest) for name, digest in files], width=96)
    corrections = f", **{pprint.pformat(dict(reading), width=96, sort_dicts=False)}" if reading else ""
    return _FIND.format(files=listed, given=given, corrections=corrections)
