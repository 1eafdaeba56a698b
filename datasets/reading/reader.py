"""Reads any supported upload into an `Understood`; runs in the process that decodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from datasets import dataset_files
from datasets.image_views import ALL_VIEWS
from datasets.reading.archives import entries, is_tar, is_zip, unpacked_alone
from datasets.reading.arrays import Arrays, read_arrays
from datasets.reading.arrow_tables import parse_delimited, parse_parquet
from datasets.reading.companions import SUFFIXES, each_with_documents, read_views, read_with_companions
from datasets.reading.documents import read_text_files
from datasets.reading.draft import Draft, plain, some
from datasets.reading.hdf5 import is_hdf5, read_hdf5
from datasets.reading.images import is_picture, read_pictures
from datasets.reading.limits import Limits, UploadError
from datasets.reading.mat5 import is_mat5, read_mat5
from datasets.reading.npy import MAGIC as NPY_MAGIC
from datasets.reading.npy import read_npy, read_npz
from datasets.reading.number_files import number_files, read_number_files
from datasets.reading.picture_rows import checked_pixels, picture_rows
from datasets.reading.smaller import checked_samples, fewer_samples, resized_rows
from datasets.reading.source import ACCEPTED, File
from datasets.reading.sparse_text import MATRIX_MARKET, is_svmlight, read_matrix_market, read_svmlight
from datasets.reading.tables import NoFeaturesError, as_numbers, read_table
from datasets.reading.triplets import Entries, draft_of, entries_in, remark, sizes_in_one_line
from datasets.reading.understood import Understood, finish, make_image_views
from datasets.text import TEXT_OPTIONS

# Where the data set is left, in the folder of the job.
DATASET = "dataset"
_TEXT_CORRECTIONS = tuple(option.name for option in TEXT_OPTIONS)
CORRECTIONS = (
    *("flip", "image_shape", "label", "pixels", "samples", "size", "transpose", "triplets"),
    *("unknown", "views"),
    *_TEXT_CORRECTIONS,
)
_TABLES = {".csv": False, ".tsv": True, ".tab": True}
_SVMLIGHT = {".svm", ".libsvm", ".svmlight"}
# Pickles by their first bytes, whatever the file is called.
_PICKLES = tuple(bytes([0x80, protocol]) for protocol in range(2, 6))
_DATA_SUFFIXES = {".mat", ".npz", ".npy", ".parquet", ".mtx", *_TABLES, *_SVMLIGHT}


def understood_in(folder: Path, arguments: dict[str, Any]) -> dict[str, Any]:
    """Read the files that were handed over; leave the data set in the folder and return the rest.

    Carried out in the process that decodes (see `sandbox`), where libraries may do what they like.
    """
    files = [File(name, Path(path).read_bytes()) for name, path in arguments["files"]]
    with np.errstate(all="ignore"):
        # Numbers near the end of their range overflow in sums, which decides nothing here.
        result = _understood(files, Limits(**arguments["limits"]), _checked(arguments["corrections"]))
    made = folder / DATASET
    made.mkdir()
    dataset_files.write(result.dataset, made)
    return {item.name: getattr(result, item.name) for item in fields(result) if item.name != "dataset"}


def _understood(files: Sequence[File], bounds: Limits, corrections: Mapping[str, Any]) -> Understood:
    samples = checked_samples(corrections.get("samples"))
    # Views made of pictures are no names of what is in the file.
    made = corrections.get("views") in (ALL_VIEWS, [ALL_VIEWS], (ALL_VIEWS,))
    named = {name: value for name, value in corrections.items() if not (made and name == "views")}
    reading = _Reading(bounds, named)
    draft = reading.draft(files)
    picture_rows(
        draft,
        columns_usual=reading.columns_usual,
        flip=corrections.get("flip", False),
        image_shape=corrections.get("image_shape"),
        pixels=checked_pixels(corrections.get("pixels")),
    )
    stored = draft.image_shape
    if samples is not None:
        fewer_samples(draft, samples, corrections)
    resized_rows(draft, corrections.get("size"), bounds)
    if made:
        make_image_views(draft, bounds)
    result = finish(draft, files, corrections)
    return replace(result, stored_shape=stored)


def _checked(corrections: Mapping[str, object]) -> dict[str, Any]:
    for name in corrections:
        if name not in CORRECTIONS:
            raise UploadError(f"There is no correction {name!r}; there are {', '.join(CORRECTIONS)}.")
    for name in ("flip", "transpose", "triplets"):
        if not isinstance(corrections.get(name) or False, bool):
            raise UploadError(f"{name} must be True or False, not {corrections[name]!r}.")
    for option in TEXT_OPTIONS:
        try:
            option.check(corrections.get(option.name, option.default))
        except ValueError as error:
            raise UploadError(f"{error}.") from error
    return {name: value for name, value in corrections.items() if value is not None}


@dataclass
class _Reading:
    """One upload on its way to a draft, by the format its first bytes and its name show."""

    limits: Limits
    corrections: Mapping[str, Any]
    # MATLAB keeps the columns of a matrix together, and so do pictures that went through it.
    columns_usual: bool = False

    @property
    def turned(self) -> bool:
        """Whether columns are to be taken as samples."""
        return bool(self.corrections.get("transpose", False))

    def draft(self, files: Sequence[File]) -> Draft:
        """Read these files into a draft."""
        if len(files) == 1:
            return self._single_file(files[0])
        if all(is_picture(file) for file in files):
            return self._pictures(files)
        if all(file.suffix == ".txt" for file in files):
            return read_text_files(files, self.limits, self.corrections.get("label"), self.corrections)
        odd = [plain(file.name) for file in files if not is_picture(file)]
        are = "is" if len(odd) == 1 else "are"
        raise UploadError(
            f"Several files at once must all be pictures; {some(odd)} {are} not. "
            f"Take away the files that do not belong. {ACCEPTED}"
        )

    def _single_file(self, file: File, inside: bool = False) -> Draft:
        data = file.data
        if data.startswith(NPY_MAGIC):
            return self._arrays({"X": read_npy(data, file.name, self.limits)}, "a NumPy array", [])
        if data.startswith(b"PAR1"):
            return self._table(partial(parse_parquet, data, self.limits), "a Parquet table")
        if is_mat5(data) or is_hdf5(data):
            return self._matlab(data)
        if file.suffix == ".npz" and is_zip(data):
            return self._arrays(*_named(read_npz(file, self.limits), "NumPy arrays"))
        if (is_zip(data) or is_tar(data)) and not inside:
            alone = unpacked_alone(file, self.limits)
            return self._archive(file) if alone is None else self._single_file(alone, inside=True)
        if is_picture(file):
            return self._pictures([file])
        return self._text(file)

    def _text(self, file: File) -> Draft:
        """Read a text format; an UploadError if the file has none of those supported."""
        data = file.data
        if data[:14].lower() == MATRIX_MARKET:
            return read_matrix_market(data, self.limits, transpose=self.turned)
        self._refuse_foreign(file)
        if file.suffix in _SVMLIGHT or (file.suffix not in _TABLES and is_svmlight(data)):
            return read_svmlight(data, self.limits, transpose=self.turned)
        if file.suffix in _TABLES or file.suffix in (".txt", ".data", ".dat", ""):
            tabs = _TABLES.get(file.suffix, False)
            text = sizes_in_one_line(data)
            return self._table(partial(parse_delimited, text, self.limits, tabs=tabs), "a table")
        raise UploadError(f"{plain(file.name)} is of no kind that is known here. {ACCEPTED}")

    def _refuse_foreign(self, file: File) -> None:
        data = file.data
        if data.startswith(_PICKLES) or file.suffix in (".pkl", ".pickle", ".joblib"):
            raise UploadError(f"{plain(file.name)} is a Python pickle, which is never loaded. {ACCEPTED}")
        if file.suffix in (".mat", ".npz", ".npy", ".parquet", ".mtx", ".zip", ".tar", ".gz", ".tgz"):
            raise UploadError(
                f"{plain(file.name)} is damaged, or not a {file.suffix} file"
                + (" of MATLAB 5 or 7.3; save it with save(…, '-v7')." if file.suffix == ".mat" else ".")
            )

    def _matlab(self, data: bytes) -> Draft:
        self.columns_usual = True
        if is_hdf5(data):
            return self._arrays(*_named(read_hdf5(data, self.limits), "a MATLAB 7.3 file"))
        return self._arrays(*_named(read_mat5(data, self.limits), "a MATLAB file"))

    def _arrays(self, arrays: Arrays, format: str, left_out: Sequence[str]) -> Draft:
        return read_arrays(
            arrays,
            format,
            self.limits,
            label=self.corrections.get("label"),
            views=self.corrections.get("views"),
            transpose=self.turned,
            triplets=self.corrections.get("triplets"),
            left_out=tuple(left_out),
        )

    def _table(self, parse: Callable[..., Any], format: str) -> Draft:
        """Read a table; three columns may list the entries of a matrix."""
        table = self._as_written(parse)
        entries = None if table is None else self._entries(table)
        if entries is not None and entries.sureness != "possible":
            return draft_of(entries, format, table.column_names, turned=self.turned)
        draft = self._rows(parse, format, table)
        if entries is not None:
            draft.notes.append(remark("The table", entries))
            draft.corrections += ("triplets",)
        return draft

    def _as_written(self, parse: Callable[..., Any]) -> Any:
        """Return the table as it lies in the file; None for one that can be read turned alone."""
        try:
            return parse(transpose=False)
        except UploadError:
            if not self.turned:
                raise
            return None

    def _entries(self, table: Any) -> Entries | None:
        """Return the matrix that a table may list; None where its columns were chosen."""
        triplets = self.corrections.get("triplets")
        if triplets is None and {"label", "views"} & set(self.corrections):
            return None
        return entries_in(
            as_numbers(table) if len(table.column_names) == 3 else np.empty((0, 0)),
            self.limits,
            names=table.column_names,
            triplets=triplets,
        )

    def _rows(self, parse: Callable[..., Any], format: str, table: Any) -> Draft:
        """Read a table, a sample a row; one that has samples in columns alone, as genes have, is turned."""
        try:
            return self._upright(parse(transpose=True) if self.turned else table, format)
        except NoFeaturesError as refusal:
            if self.turned:
                raise
            try:
                draft = self._upright(parse(transpose=True), format)
            except UploadError:
                raise refusal from None
            draft.notes.append("Samples were in columns, so the table was turned.")
            return draft

    def _upright(self, table: Any, format: str) -> Draft:
        label, views = self.corrections.get("label"), self.corrections.get("views")
        return read_table(table, format, self.limits, label, views, self.corrections)

    def _pictures(self, files: Iterator[File] | Sequence[File]) -> Draft:
        return read_pictures(files, self.limits, self.corrections.get("size"), self.corrections.get("label"))

    def _archive(self, archive: File) -> Draft:
        """Read the pictures of an archive; if there are none its texts, or its only data file."""
        others: list[File] = []
        pictures = self._sifted(archive, others)
        first = next(pictures, None)
        if first is not None:
            draft = self._pictures(chain([first], pictures))
            draft.left_out += [f"{plain(file.name)} (not a picture)" for file in others]
            return draft
        texts = [file for file in others if file.suffix == ".txt"]
        data = [file for file in others if file.suffix in _DATA_SUFFIXES]
        matrices = [file for file in data if file.suffix == ".mtx"]
        beside = [file for file in others if file not in matrices]
        if len(data) == len(matrices) == 1 and SUFFIXES & {file.suffix for file in beside}:
            return read_with_companions(matrices[0], beside, self.limits, transpose=self.turned)
        if each_with_documents(matrices, beside):
            return read_views(matrices, beside, self.limits, self.corrections.get("views"))
        if numbers := number_files(others):
            draft = self._arrays(*_named(read_number_files(numbers, self.limits), "files of numbers"))
            draft.left_out += [f"{plain(file.name)} (not used)" for file in others if file not in numbers]
            return draft
        if len(data) == 1 and len(texts) < 2:
            return self._single_file(data[0], inside=True)
        if texts:
            draft = read_text_files(texts, self.limits, self.corrections.get("label"), self.corrections)
            draft.left_out += [
                f"{plain(file.name)} (not a .txt file)" for file in others if file not in texts
            ]
            return draft
        held = some(plain(file.name) for file in others) or "nothing usable"
        raise UploadError(
            f"The archive holds {held}; pictures or .txt files, one folder for each class, or one data file "
            "are accepted."
        )

    def _sifted(self, archive: File, others: list[File]) -> Iterator[File]:
        for file in entries(archive, self.limits):
            if is_picture(file):
                yield file
            else:
                others.append(file)


def _named(contents: tuple[Arrays, list[str]], format: str) -> tuple[Arrays, str, list[str]]:
    arrays, left_out = contents
    return arrays, format, left_out
