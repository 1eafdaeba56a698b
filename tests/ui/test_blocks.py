"""Blocks of bytes: what Python packs is what the script in the browser reads."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.blocks import packed, unpacked

READ = """
import { unpack } from "./ui/static/blocks.js";
const given = Buffer.concat(await process.stdin.toArray());
// Not at a multiple of four of its buffer, as Streamlit may hand it over.
const shifted = new Uint8Array(given.length + 3);
shifted.set(given, 3);
const read = [given, shifted.subarray(3)].map((bytes) => {
  const { header, ...arrays } = unpack(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  const plain = Object.entries(arrays).map(([name, array]) => [name, [array.constructor.name, [...array]]]);
  return { header, arrays: Object.fromEntries(plain) };
});
console.log(JSON.stringify(read));
"""
KINDS = {"f4": "Float32Array", "i4": "Int32Array", "u2": "Uint16Array", "u1": "Uint8Array"}


def test_the_browser_reads_what_is_packed(repository: Path) -> None:
    node = shutil.which("node")
    assert node, "`make test` installs it"
    arrays = {
        f"{kind} {count}": (np.arange(count) * 1.5 + 3).astype(f"<{kind}")
        for kind in KINDS
        for count in (0, 1, 2, 5)
    }
    block = packed({"words": "läuft …", "none": None}, arrays)
    command = [node, "--input-type=module", "-e", READ]
    done = subprocess.run(command, input=block, capture_output=True, cwd=repository, check=True)
    for read in json.loads(done.stdout):
        assert read["header"]["words"] == "läuft …"
        assert read["arrays"] == {name: [KINDS[name[:2]], array.tolist()] for name, array in arrays.items()}


@given(st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 9)), max_size=6), st.text())
def test_it_reads_back(wanted: list[tuple[str, int]], words: str) -> None:
    arrays = {str(n): np.arange(count, dtype=f"<{kind}") for n, (kind, count) in enumerate(wanted)}
    block = packed({"words": words}, arrays)
    header, found = unpacked(block)
    assert header == {"words": words}
    assert list(found) == list(arrays)
    assert all(np.array_equal(found[name], arrays[name]) for name in arrays)
    with pytest.raises(ValueError, match="more in this block"):
        unpacked(block + b"\0\0\0\0")


def test_what_the_browser_could_not_read_is_not_packed() -> None:
    with pytest.raises(TypeError, match="curve must be one of f4, i4, u2, u1, not f8"):
        packed({}, {"curve": np.zeros(2)})
