"""A run as one file: a zip with `run.json` (what was asked, curves, scores) and `arrays.npz`.

Reading one back treats it as what it is, a file from anybody: bounded before it is unpacked, nothing
in it executed, every value checked. Sentences it may hold are not taken over.
"""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets import DataUnavailableError, Limits, UploadError
from datasets.reading.archives import entries, is_zip
from datasets.reading.npy import read_npz
from datasets.reading.source import File
from datasets.uploads import is_upload
from experiments.engine.handle import ENDED
from experiments.requests.request import RunRequest
from experiments.store import Content, Outcome
from experiments.store.rows import checked_name, checked_tags
from experiments.take_away.parcel import Parcel

FORMAT, VERSION = "partwise run", 1
_DESCRIPTION, _ARRAYS = "run.json", "arrays.npz"
LIMITS = Limits(file_bytes=100_000_000, files=40, unpacked_bytes=200_000_000, cells=25_000_000)
_LONGEST_CURVE, _MOST_COLUMNS, _MOST_SNAPSHOTS, _MOST_SCORES = 200_001, 30, 400, 40
_WORD = re.compile(r"\w[\w .,()²¹/+-]{0,59}")
_VERSION_TEXT = re.compile(r"[\w.+-]{1,40}")


def bundle(parcel: Parcel) -> bytes:
    """Return a run as the bytes of a zip file."""
    arrays: dict[str, Any] = dict(parcel.content.arrays)
    held = io.BytesIO()
    np.savez_compressed(held, **arrays)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_DESCRIPTION, json.dumps(_described(parcel), indent=1, allow_nan=False))
        archive.writestr(_ARRAYS, held.getvalue(), zipfile.ZIP_STORED)
    return file.getvalue()


def _described(parcel: Parcel) -> dict[str, Any]:
    content, outcome = parcel.content, parcel.outcome
    columns = [_numbers(column) for column in content.curve.T]
    names = (*content.terms, *content.tracked)
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": parcel.name,
        "tags": list(parcel.tags),
        "request": json.loads(parcel.request.canonical()),
        "status": outcome.status,
        "message": outcome.message,
        "iteration": content.iteration,
        "objective": columns[0] if columns else [],
        "seconds": columns[1] if columns else [],
        "terms": dict(zip(content.terms, columns[2:], strict=False)),
        "tracked": dict(zip(names, columns[2:], strict=False)) if content.tracked else {},
        "scores": _finite(outcome.scores),
        "snapshots": [[number, _finite(scores)] for number, scores in outcome.snapshots],
        "versions": dict(outcome.versions),
        "ending": {name: outcome.ending.get(name) for name in ("discriminative", "warm", "resumed_at")},
    }


def unbundle(data: bytes) -> Parcel:
    """Return the run in a bundle; an UploadError (a ValueError) says in a sentence what is wrong."""
    if len(data) > LIMITS.file_bytes:
        raise UploadError("The bundle is larger than 100 MB, which is the limit.")
    if not is_zip(data):
        raise UploadError("This is not a bundle: a zip file is expected, as Take away makes it.")
    files = {entry.name: entry for entry in entries(File("bundle.zip", data), LIMITS)}
    if _DESCRIPTION not in files:
        raise UploadError(f"This is not the bundle of a run: there is no {_DESCRIPTION} in the zip file.")
    said = _description(files[_DESCRIPTION].data)
    arrays = _arrays(files[_ARRAYS]) if _ARRAYS in files else {}
    try:
        name, tags = checked_name(_text(said, "name")), checked_tags(_texts(said, "tags"))
        content = _content(said, arrays)
        return Parcel(_request(said), content, _outcome(said), name, tags)
    except UploadError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise UploadError(f"The bundle is damaged: {error}") from error


def _description(data: bytes) -> dict[str, Any]:
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UploadError(f"The bundle is damaged: its {_DESCRIPTION} cannot be read.") from error
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise UploadError(f"This is not the bundle of a run: its {_DESCRIPTION} says something else.")
    if said.get("version") != VERSION:
        raise UploadError(
            f"The bundle has format {said.get('version')!r}, and format {VERSION} is read here: "
            "use the Partwise that made it."
        )
    return said


def _arrays(file: File) -> dict[str, NDArray[Any]]:
    found, left_out = read_npz(file, LIMITS)
    if left_out:
        raise UploadError(f"The bundle is damaged: its {_ARRAYS} holds something that is no array.")
    for name, array in found.items():
        if not re.fullmatch(r"[a-z]\w{0,39}", name) or not isinstance(array, np.ndarray) or array.ndim > 4:
            raise UploadError(f"The bundle is damaged: its {_ARRAYS} holds what no run has found.")
    return found


def _request(said: Mapping[str, Any]) -> RunRequest:
    given = said["request"]
    if not isinstance(given, dict) or not isinstance(given.get("dataset"), str):
        raise UploadError("The bundle is damaged: it does not say what was run.")
    if is_upload(given["dataset"]):
        raise UploadError(
            "This run was made on data that somebody uploaded; they are not in the bundle, so it cannot be "
            "opened here. Its arrays and curves can be read with NumPy and as JSON."
        )
    try:
        request = RunRequest(**given)
        request.canonical()
    except (ValueError, TypeError, KeyError, AttributeError, DataUnavailableError) as error:
        raise UploadError(f"What the bundle asks for cannot be run here: {error}") from error
    return request


def _content(said: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Content:
    terms, tracked = said["terms"], said.get("tracked") or {}
    if not isinstance(terms, dict) or not isinstance(tracked, dict):
        raise ValueError("terms must be lists by name.")
    further = {name: values for name, values in tracked.items() if name not in terms}
    columns = [said["objective"], said["seconds"], *terms.values(), *further.values()]
    for name in (*terms, *further):
        _check_word(name)
    if len(columns) > _MOST_COLUMNS or any(not isinstance(column, list) for column in columns):
        raise ValueError("the curves must be lists.")
    if len({len(column) for column in columns}) > 1 or len(columns[0]) > _LONGEST_CURVE:
        raise ValueError("the curves must have the same length.")
    curve = np.array([[_number(value) for value in column] for column in columns], dtype=np.float64).T
    return Content(
        tuple(terms), curve.reshape(-1, len(columns)), arrays, _whole(said, "iteration"), tuple(further)
    )


def _outcome(said: Mapping[str, Any]) -> Outcome:
    if said["status"] not in ENDED:
        raise ValueError(f"status must be one of {', '.join(sorted(ENDED))}.")
    snapshots = said["snapshots"]
    if not isinstance(snapshots, list) or len(snapshots) > _MOST_SNAPSHOTS:
        raise ValueError("there are too many snapshots.")
    versions = said["versions"]
    for name, version in versions.items():
        _check_word(name)
        if not _VERSION_TEXT.fullmatch(version):
            raise ValueError("versions must be short.")
    ending = said.get("ending") or {}
    return Outcome(
        said["status"],
        "",
        _scores(said["scores"]),
        [(int(_number(number)), _scores(scores)) for number, scores in snapshots],
        dict(versions),
        {
            "discriminative": None
            if ending.get("discriminative") is None
            else _whole(ending, "discriminative"),
            "warm": bool(ending.get("warm")),
            "resumed_at": None if ending.get("resumed_at") is None else _whole(ending, "resumed_at"),
        },
    )


def _scores(given: Any) -> dict[str, float]:
    if not isinstance(given, dict) or len(given) > _MOST_SCORES:
        raise ValueError("scores must be numbers by name.")
    for name in given:
        _check_word(name)
    return {name: _number(value) for name, value in given.items() if value is not None}


def _check_word(name: Any) -> None:
    if not isinstance(name, str) or not _WORD.fullmatch(name):
        raise ValueError("names must be short words.")


def _number(value: Any) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"a number is expected, not {str(value)[:20]!r}.")
    return float(value)


def _whole(said: Mapping[str, Any], name: str) -> int:
    value = said[name]
    if isinstance(value, bool) or not isinstance(value, int) or not -1 <= value < 2**31:
        raise ValueError(f"{name} must be a whole number.")
    return value


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"{name} must be text.")
    return value


def _texts(said: Mapping[str, Any], name: str) -> list[str]:
    values = said.get(name, [])
    if not isinstance(values, list) or any(not isinstance(value, str) for value in values):
        raise ValueError(f"{name} must be a list of words.")
    return values


def _numbers(values: NDArray[np.float64]) -> list[float | None]:
    # JSON has no infinity: where a run diverged there is null.
    return [float(value) if math.isfinite(value) else None for value in values]


def _finite(scores: Mapping[str, float | None]) -> dict[str, float]:
    return {
        name: float(value) for name, value in scores.items() if value is not None and math.isfinite(value)
    }
