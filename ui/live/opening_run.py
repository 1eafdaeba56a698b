"""The run that the first page opens with: stick figures that come apart into limbs."""

from __future__ import annotations

from experiments import RunRequest

# Every step multiplies the parts by what they should be: slow enough to watch, and limbs come out clean.
REQUEST = RunRequest(
    "swimmer", "nmf",
    {"n_components": 17, "solver": "multiplicative", "max_iter": 110, "tol": 0.0}, seed=3,
)  # fmt: skip
# Iterations a second, so that all is over in about four.
PACE = 25.0
# The figure whose parts are shown: arms up and out, one leg out, one down.
SAMPLE = 75
# How many figures there are: written out, for the data are loaded behind the first page.
SAMPLES = 256
