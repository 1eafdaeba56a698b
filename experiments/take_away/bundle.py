"""A run as one file: a zip with `run.json` (what was asked, curves, scores) and `arrays.npz`.

Reading one back treats it as what it is, a file from anybody: it is opened in a limited process
(`unpacking`), nothing in it is executed, every value is checked against what the run asks for. Sentences it
may hold are not taken over, and the run is marked as imported.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets import DataUnavailableError, UploadError
from datasets.dataset_files import mapped
from datasets.private_folder import passing_folder
from datasets.reading import sandbox
from datasets.reading.source import FileSource, received
from datasets.reading.understood import content_id
from datasets.uploads import is_upload
from experiments.engine.handle import ENDED
from experiments.requests.request import RunRequest
from experiments.store import Content, RunEnding
from experiments.store.rows import checked_name, checked_tags
from experiments.take_away.parcel import Parcel
from experiments.take_away.shapes import check_shapes
from experiments.take_away.unpacking import (
    ARRAY_FILE,
    ARRAYS,
    CURVE,
    DESCRIPTION,
    FORMAT,
    LIMITS,
    VERSION,
    unpacked_in,
)

_LONGEST_REASON = 300
# `files` and `reading` are those of an upload: what is needed to ask for it again, and to know it.
_OF_THE_ENDING = ("discriminative", "warm", "resumed_at", "files", "reading")


def bundle(parcel: Parcel) -> bytes:
    """Return a run as the bytes of a zip file."""
    arrays: dict[str, Any] = dict(parcel.content.arrays)
    held = io.BytesIO()
    np.savez_compressed(held, **arrays)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(DESCRIPTION, json.dumps(_described(parcel), indent=1, allow_nan=False))
        archive.writestr(ARRAYS, held.getvalue(), zipfile.ZIP_STORED)
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
        "ending": {name: outcome.ending.get(name) for name in _OF_THE_ENDING},
    }


def unbundle(source: FileSource) -> Parcel:
    """Return the run in a bundle; an UploadError (a ValueError) says in a sentence what is wrong."""
    with passing_folder() as folder:
        (file,) = received(
            source, "bundle.zip", LIMITS, folder, "A bundle is a zip file, as Take away makes it."
        )
        description = sandbox.carry_out(unpacked_in, folder, {"path": str(file.path)}, LIMITS, file.size)
        arrays = {name: mapped(folder / ARRAY_FILE.format(name)) for name in description["arrays"]}
        curve = mapped(folder / CURVE)
    request = _request(description["request"], description["ending"])
    content = Content(
        tuple(description["terms"]),
        np.asarray(curve, np.float64),
        arrays,
        description["iteration"],
        tuple(description["tracked"]),
    )
    try:
        if description["status"] not in ENDED:
            raise ValueError(f"status must be one of {', '.join(sorted(ENDED))}.")
        check_shapes(request, arrays)
        return Parcel(
            request,
            content,
            _outcome(description),
            checked_name(description["name"]),
            checked_tags(description["tags"]),
        )
    except (ValueError, DataUnavailableError) as error:
        raise UploadError(f"The bundle is damaged: {error}") from error


def _request(settings: dict[str, Any], ending: Mapping[str, Any]) -> RunRequest:
    if is_upload(settings["dataset"]):
        if not ending["files"]:
            raise UploadError(
                "This run was made on data that somebody uploaded; they are not in the bundle, and it does "
                "not say which file they were. Its arrays and curves can be read with NumPy and as JSON."
            )
        # Nobody's, until whoever brings it in is known: an id in a bundle may be one of another visitor.
        settings = {**settings, "dataset": content_id(ending["files"], ending["reading"], "nobody")}
    try:
        request = RunRequest(**settings)
        request.canonical()
    except (ValueError, TypeError, KeyError, AttributeError, DataUnavailableError) as error:
        # The error may repeat words of the bundle.
        reason = str(error)[:_LONGEST_REASON]
        raise UploadError(f"What the bundle asks for cannot be run here: {reason}") from error
    return request


def _outcome(description: Mapping[str, Any]) -> RunEnding:
    # Who hands a bundle in has not computed what is in it here.
    ending = {**description["ending"], "imported": True}
    snapshots = [(number, scores) for number, scores in description["snapshots"]]
    return RunEnding(
        description["status"], "", description["scores"], snapshots, description["versions"], ending
    )


def _numbers(values: NDArray[np.float64]) -> list[float | None]:
    # JSON has no infinity: where a run diverged there is null.
    return [float(value) if math.isfinite(value) else None for value in values]


def _finite(scores: Mapping[str, float | None]) -> dict[str, float]:
    return {
        name: float(value) for name, value in scores.items() if value is not None and math.isfinite(value)
    }
