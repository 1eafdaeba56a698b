"""What is in a bundle: opened, measured and checked in the process that decodes foreign bytes.

A bundle is a file from anybody. What comes out of here is small and plain but for the curve and the arrays,
which are left as .npy files: the server that is handed a bundle parses nothing else of it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets import Limits, UploadError
from datasets.reading import CORRECTIONS
from datasets.reading.archives import entries, is_zip
from datasets.reading.draft import plain
from datasets.reading.npy import read_npz
from datasets.reading.source import File

FORMAT, VERSION = "partwise run", 1
DESCRIPTION, ARRAYS, CURVE = "run.json", "arrays.npz", "curve.npy"
LIMITS = Limits(file_bytes=100_000_000, files=40, unpacked_bytes=200_000_000, cells=25_000_000)
# The curves of the longest run, and what was asked: parsing takes many times as much memory as the text.
_MOST_DESCRIPTION, _MOST_REQUEST = 40_000_000, 500_000
_LONGEST_CURVE, _MOST_COLUMNS, _MOST_SNAPSHOTS, _MOST_SCORES, _MOST_WORDS = 200_001, 30, 400, 40, 40
_LONGEST_TEXT = 1_000
_MOST_FILES, _LONGEST_READING = 5_000, 20_000
_SHA256 = re.compile(r"[0-9a-f]{64}")
_WORD = re.compile(r"\w[\w .,()²¹/+-]{0,59}")
_VERSION_TEXT = re.compile(r"[\w.+-]{1,40}")
_ARRAY_NAME = re.compile(r"[a-z]\w{0,39}", re.ASCII)
ARRAY_FILE = "array.{}.npy"


def unpacked_in(folder: Path, arguments: dict[str, Any]) -> dict[str, Any]:
    """Check a bundle, leave its curve and arrays in the folder, and return the rest."""
    data = Path(arguments["path"]).read_bytes()
    if not is_zip(data):
        raise UploadError("This is not a bundle: a zip file is expected, as Take away makes it.")
    files = {entry.name: entry for entry in entries(File("bundle.zip", data), LIMITS)}
    if DESCRIPTION not in files:
        raise UploadError(f"This is not the bundle of a run: there is no {DESCRIPTION} in the zip file.")
    description = _description(files[DESCRIPTION].data)
    arrays = _arrays(files[ARRAYS]) if ARRAYS in files else {}
    try:
        checked = {**_curves(folder, description), **_outcome(description), "request": _request(description)}
        checked |= {"name": _text(description, "name"), "tags": _texts(description, "tags")}
    except UploadError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise UploadError(f"The bundle is damaged: {error}") from error
    for name, array in arrays.items():
        np.save(folder / ARRAY_FILE.format(name), array, allow_pickle=False)
    return {**checked, "arrays": list(arrays)}


def _description(data: bytes) -> dict[str, Any]:
    if len(data) > _MOST_DESCRIPTION:
        raise UploadError(
            f"The bundle is damaged: its {DESCRIPTION} is larger than {_MOST_DESCRIPTION // 10**6} MB."
        )
    try:
        description = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UploadError(f"The bundle is damaged: its {DESCRIPTION} cannot be read.") from error
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise UploadError(f"This is not the bundle of a run: its {DESCRIPTION} says something else.")
    if description.get("version") != VERSION:
        raise UploadError(
            f"The bundle has format {repr(description.get('version'))[:20]}, "
            f"and format {VERSION} is read here: use the Partwise that made it."
        )
    return description


def _arrays(file: File) -> dict[str, NDArray[Any]]:
    arrays, left_out = read_npz(file, LIMITS)
    if left_out:
        raise UploadError(f"The bundle is damaged: its {ARRAYS} holds something that is no array.")
    if len(arrays) > LIMITS.files:
        raise UploadError(f"The bundle is damaged: its {ARRAYS} holds more arrays than a run has.")
    for name, array in arrays.items():
        if not _ARRAY_NAME.fullmatch(name) or not isinstance(array, np.ndarray) or array.ndim > 4:
            raise UploadError(f"The bundle is damaged: its {ARRAYS} holds what no run has found.")
    if sum(array.size for array in arrays.values()) > LIMITS.cells:
        raise UploadError(f"The arrays of the bundle hold more than {LIMITS.cells} numbers.")
    return arrays


def _request(description: Mapping[str, Any]) -> dict[str, Any]:
    request = description["request"]
    if not isinstance(request, dict) or not isinstance(request.get("dataset"), str):
        raise UploadError("The bundle is damaged: it does not say what was run.")
    if len(json.dumps(request)) > _MOST_REQUEST:
        raise UploadError("The bundle is damaged: what was run is described at too great a length.")
    return request


def _curves(folder: Path, description: Mapping[str, Any]) -> dict[str, Any]:
    terms, tracked = description["terms"], description.get("tracked") or {}
    if not isinstance(terms, dict) or not isinstance(tracked, dict):
        raise ValueError("terms must be lists by name.")
    further = {name: values for name, values in tracked.items() if name not in terms}
    columns = [description["objective"], description["seconds"], *terms.values(), *further.values()]
    for name in (*terms, *further):
        _check_word(name)
    if len(columns) > _MOST_COLUMNS or any(not isinstance(column, list) for column in columns):
        raise ValueError("the curves must be lists.")
    if len({len(column) for column in columns}) > 1 or len(columns[0]) > _LONGEST_CURVE:
        raise ValueError("the curves must have the same length.")
    curve = np.array([[_number(value) for value in column] for column in columns], dtype=np.float64).T
    np.save(folder / CURVE, curve.reshape(-1, len(columns)), allow_pickle=False)
    return {"terms": list(terms), "tracked": list(further), "iteration": _whole(description, "iteration")}


def _outcome(description: Mapping[str, Any]) -> dict[str, Any]:
    snapshots = description["snapshots"]
    if not isinstance(snapshots, list) or len(snapshots) > _MOST_SNAPSHOTS:
        raise ValueError("there are too many snapshots.")
    versions = description["versions"]
    if len(versions) > _MOST_WORDS:
        raise ValueError("there are too many versions.")
    for name, version in versions.items():
        _check_word(name)
        if not _VERSION_TEXT.fullmatch(version):
            raise ValueError("versions must be short.")
    ending = description.get("ending") or {}
    return {
        "status": _text(description, "status"),
        "scores": _scores(description["scores"]),
        "snapshots": [(int(_number(number)), _scores(scores)) for number, scores in snapshots],
        "versions": dict(versions),
        "ending": {
            "discriminative": _whole_or_none(ending, "discriminative"),
            "warm": bool(ending.get("warm")),
            "resumed_at": _whole_or_none(ending, "resumed_at"),
            "files": _files(ending.get("files") or []),
            "reading": _reading(ending.get("reading") or {}),
        },
    }


def _files(files: Any) -> list[tuple[str, str]]:
    if not isinstance(files, list) or len(files) > _MOST_FILES:
        raise ValueError("files must be a list, and not of thousands.")
    for entry in files:
        if not isinstance(entry, list) or len(entry) != 2 or not all(isinstance(part, str) for part in entry):
            raise ValueError("files must be pairs of a name and a SHA-256.")
        if entry[0] != plain(entry[0]) or not _SHA256.fullmatch(entry[1]):
            raise ValueError("files must be pairs of a plain name and a SHA-256.")
    return [(name, digest) for name, digest in files]


def _reading(reading: Any) -> dict[str, Any]:
    """Return the corrections an upload was read with: few, by name, and plain."""
    if not isinstance(reading, dict) or len(json.dumps(reading)) > _LONGEST_READING:
        raise ValueError("reading must be corrections by name, and short.")
    for name, value in reading.items():
        entries = value if isinstance(value, list) else [value]
        if name not in CORRECTIONS or not all(isinstance(entry, str | int | float) for entry in entries):
            raise ValueError("reading must hold corrections that there are.")
    return reading


def _scores(scores: Any) -> dict[str, float]:
    if not isinstance(scores, dict) or len(scores) > _MOST_SCORES:
        raise ValueError("scores must be numbers by name.")
    for name in scores:
        _check_word(name)
    return {name: _number(value) for name, value in scores.items() if value is not None}


def _check_word(name: Any) -> None:
    if not isinstance(name, str) or not _WORD.fullmatch(name):
        raise ValueError("names must be short words.")


def _number(value: Any) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"a number is expected, not {str(value)[:20]!r}.")
    return float(value)


def _whole_or_none(values: Mapping[str, Any], name: str) -> int | None:
    return None if values.get(name) is None else _whole(values, name)


def _whole(values: Mapping[str, Any], name: str) -> int:
    value = values[name]
    if isinstance(value, bool) or not isinstance(value, int) or not -1 <= value < 2**31:
        raise ValueError(f"{name} must be a whole number.")
    return value


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise ValueError(f"{name} must be text, and short.")
    return value


def _texts(fields: Mapping[str, Any], name: str) -> list[str]:
    values = fields.get(name, [])
    if not isinstance(values, list) or any(not isinstance(value, str) for value in values):
        raise ValueError(f"{name} must be a list of words.")
    if len(values) > _MOST_WORDS or any(len(value) > _LONGEST_TEXT for value in values):
        raise ValueError(f"{name} must be few and short.")
    return values
