"""The five papers whose tables, figures and claims are looked into here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

PaperId = Literal["n2s2l", "ndtf", "sulf", "s_rlsc", "gnmf_dpca"]


@dataclass(frozen=True)
class Paper:
    """A paper: what it is about, who wrote it, and its method in a word."""

    title: str
    authors: str
    short: str


_EACH = (
    Paper("Non-Negative Semi-Supervised Learning", "Wang, Yan, Zhang and Zhang", "N²S²L"),
    Paper("Multiplicative Nonnegative Graph Embedding", "Wang, Song, Yan, Zhang and Zhang", "NDTF"),
    Paper(
        "Semi-supervised Unified Latent Factor learning with multi-view data", "Jiang, Liu, Li and Lu", "SULF"
    ),
    Paper("Sparse regularization for semi-supervised classification", "Fan, Gu, Qiao and Zhang", "S-RLSC"),
    Paper(
        "An Efficient Nonnegative Matrix Factorization Approach in Flexible Kernel Space, and A "
        "New Discriminant "
        "Principal Component Analysis Method with Partial Supervision",
        "Zhang and Liu; Sun and Zhang",
        "GNMF and DPCA",
    ),
)
PAPERS: dict[PaperId, Paper] = dict(zip(get_args(PaperId), _EACH, strict=True))
