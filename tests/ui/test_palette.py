"""Methods that are shown side by side have colours one can tell apart."""

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
    ],
)
def test_no_two_of_a_comparison_share_a_colour(together, theme):
    assert len({palette.colour(method, theme) for method in together}) == len(together)


def test_every_method_has_a_colour_in_both_themes():
    for method in method_specs():
        assert palette.colour(method, "light") != palette.colour(method, "dark")
