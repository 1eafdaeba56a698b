"""Methods that are shown side by side have colours one can tell apart."""

from itertools import combinations

import numpy as np
import pytest

from experiments.requests.library import method_specs
from ui import palette


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "together",
    [
        ("pca", "nmf", "lnmf", "lda", "mfa", "smfa", "n2s2l"),
        ("nmf", "cnmf", "sgnmf", "cca", "pcsc", "cotraining", "sulf"),
        ("n2s2l", "ndtf_3d", "nge", "nmf"),
        ("nmf", "lnmf", "poly_nmf", "gaussian_nmf"),
        ("pca", "kernel_pca", "nmf", "poly_nmf", "poly_kernel_nmf", "gaussian_nmf", "n2s2l", "lda"),
        ("ndtf_3d", "ntf", "nge", "ndtf_2d", "nmf"),
        ("pca", "lda", "nmf", "n2s2l", "hgf"),
        ("hgf", "hgf_cmn", "lnp", "cons"),
        ("pca", "semi_nmf", "nmf", "n2s2l"),
    ],
)
def test_no_two_of_a_comparison_share_a_colour(together, theme):
    assert len({palette.colour(method, theme) for method in together}) == len(together)


def lab(colour: str) -> np.ndarray:
    """A colour in CIE L*a*b*, where distances are as large as they look."""
    rgb = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ linear / [0.95047, 1, 1.08883])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_classes_on_a_map_can_be_told_apart(theme):
    colours = [lab(colour) for colour in palette.classes(theme)]
    assert min(np.linalg.norm(one - other) for one, other in combinations(colours, 2)) > 20


def test_every_method_has_a_colour_in_both_themes():
    for method in method_specs():
        assert palette.colour(method, "light") != palette.colour(method, "dark")
