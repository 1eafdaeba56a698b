"""Canonical correlation analysis of two views (Hotelling, 1936) or more (Carroll, 1968)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.memory import copies
from methods.multiview.principal import PCA_COMPONENTS, View, principal_view
from methods.multiview.views import UNIT_SAMPLES, check_views, unit_rows
from methods.spec import Facts, Param, Spec
from methods.stepwise import Solver, StepwiseTransformer
from methods.typing import Array


class CCA(StepwiseTransformer):
    """Coordinates on which all views agree, the ones they agree on best first.

    With Q_p an orthonormal basis of the principal coordinates of view p, the shared coordinates G maximise
    Σ_p ‖Q_pᵀG‖², GᵀG = I. For two views this is classical CCA, and step i lets in the pair with the i-th
    largest correlation. `correlations_` holds them (for more views the mean over pairs of views),
    `components_` the weights of each view, and a row's embedding is the sum of what its views say.

    >>> rng = np.random.default_rng(0)
    >>> shared = rng.standard_normal((50, 1))
    >>> views = [np.hstack([shared, rng.standard_normal((50, 2))]) for _ in range(2)]
    >>> model = CCA(n_components=1, unit_samples=False).fit(views)
    >>> float(model.correlations_[0])
    1.0
    """

    components_: list[Array]  # type: ignore[assignment]  # one array a view, where others have one
    offset_: Array
    correlations_: Array

    def __init__(
        self, n_components: int | None = None, *, pca_components: int = 50, unit_samples: bool = True
    ) -> None:
        self.n_components = n_components
        self.pca_components = pca_components
        self.unit_samples = unit_samples

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Any] | None) -> _OneByOne:
        self._check_params()
        views = check_views(self, X, nonnegative=False)
        if len(views) < 2:
            raise ValueError(
                "CCA looks for what views have in common and was given one view: give at least two."
            )
        axes = [
            principal_view(view, int(self.pca_components), name)
            for name, view in zip(self.view_names_, self._scaled(views), strict=True)
        ]
        # A coordinate is shared if two views have it: beyond the second largest there is none.
        most = sorted(len(view.basis) for view in axes)[-2]
        k = int(self._resolved("n_components", Facts(views[0].shape[0], int(self.n_features_in_))))
        if self.n_components is not None and k > most:
            raise ValueError(f"n_components={k} is more than two views have axes: give at most {most}.")
        return _OneByOne(axes, min(k, most), views[0].dtype)

    def transform(self, X: Any) -> Array:
        """Return the shared coordinates of rows of which all views are given."""
        check_is_fitted(self, "components_")
        views = check_views(self, X, nonnegative=False, reset=False)
        Z = sum(view @ part.T for view, part in zip(self._scaled(views), self.components_, strict=True))
        return np.asarray(Z - self.offset_.astype(Z.dtype))

    def _scaled(self, views: list[Any]) -> list[Any]:
        return [unit_rows(view) for view in views] if self.unit_samples else views

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class _OneByOne(Solver):
    def __init__(self, axes: list[View], k: int, dtype: Any) -> None:
        n = axes[0].scores.shape[0]
        whitened = np.hstack([view.scores / view.lengths for view in axes])
        G, values, right = linalg.svd(whitened, full_matrices=False)
        signs = np.where(np.take_along_axis(G, np.abs(G).argmax(axis=0)[None], axis=0) < 0, -1.0, 1.0)
        self._all_scores = np.ascontiguousarray((G * signs)[:, :k] * np.sqrt(n), dtype=dtype)
        # A coordinate is the sum over views of (row − mean)·weights.
        mixture = np.sqrt(n) * (right * signs.T)[:k] / values[:k, None]
        ends = np.cumsum([len(view.basis) for view in axes])[:-1]
        self._all_parts = [
            (part / view.lengths) @ view.basis
            for part, view in zip(np.split(mixture, ends, axis=1), axes, strict=True)
        ]
        offset = sum(part @ view.mean for part, view in zip(self._all_parts, axes, strict=True))
        self._all_parts = [part.astype(dtype) for part in self._all_parts]
        self._all_offset = np.asarray(offset)
        agreement = (np.square(values) - 1) / (len(axes) - 1)
        self._left_over = np.append(np.cumsum(np.clip(agreement, 0, 1)[::-1])[::-1], 0.0)
        self._correlations = np.clip(agreement[:k], -1, 1)
        self._parts = [np.zeros_like(part) for part in self._all_parts]
        self._scores, self._offset = np.zeros_like(self._all_scores), np.zeros(k)
        self._count = 0

    def step(self) -> None:
        """Add one more coordinate."""
        index = self._count
        for part, whole in zip(self._parts, self._all_parts, strict=True):
            part[index] = whole[index]
        self._scores[:, index], self._offset[index] = self._all_scores[:, index], self._all_offset[index]
        self._count += 1
        self.done = self._count == self._scores.shape[1]

    def terms(self) -> dict[str, float]:
        """Return the sum of the correlations that are left out."""
        return {"correlation_left": float(self._left_over[self._count])}

    def arrays(self) -> dict[str, Any]:
        """Return weights of each view and shared coordinates, zero where not yet let in."""
        return {
            "components": self._parts,
            "embedding": self._scores,
            "offset": self._offset,
            "correlations": self._correlations,
        }


def _few(facts: Facts) -> int:
    return max(1, min(20, facts.n_samples - 1, facts.n_features))


SPEC = CCA.spec = Spec(
    id="cca",
    title="CCA",
    family="multiview",
    summary="The coordinates on which the views agree best; what only one view says is left out.",
    objective=r"\max_{G^\top G=I}\ \sum_p\lVert Q_p^\top G\rVert_F^2,\qquad \bar X^p=Q_p\Sigma_pB_p^\top,"
    r"\quad\text{two views: } \rho_i=\sigma_i^2-1",
    update=r"[Q_1,\dots,Q_P]=G\,\Sigma\,B^\top\ \text{(singular value decomposition)},"
    r"\qquad\text{largest }\sigma_i\text{ first}",
    references=(
        "H. Hotelling. Relations between two sets of variates. Biometrika 28, 1936.",
        "J. D. Carroll. Generalization of canonical correlation analysis to three or more sets of "
        "variables. APA 1968.",
        "K. Chaudhuri, S. M. Kakade, K. Livescu and K. Sridharan. Multi-view clustering via canonical "
        "correlation analysis. ICML 2009.",
    ),
    params=(
        Param(
            "n_components",
            "int",
            None,
            "How many shared coordinates are kept.",
            symbol="k",
            least=1,
            low=1,
            high=200,
            auto=_few,
            words="Shared coordinates",
        ),
        PCA_COMPONENTS,
        UNIT_SAMPLES,
    ),
    estimator=CCA,
    needs=frozenset({"views"}),
    monotone=True,
    signed=True,
    memory=copies(dense=2.5, span=3),
    cost="The principal axes of each view, O(m·N·min(m, N)), and one SVD of N × (axes of all views).",
    corrections=(
        "CCA is for two views, and the papers that compare with it report the best pair. More than two are "
        "taken at once here (Carroll 1968), which for two is the same; pass two views for a pair."
    ),
    recognition="embedding",
)
