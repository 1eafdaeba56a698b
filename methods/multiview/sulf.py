"""Semi-supervised unified latent factors, SULF (Jiang, Liu, Li and Lu, 2013)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.checks import check_labels
from methods.coefficients import FEATURES
from methods.memory import copies
from methods.multiview.coding import codes_in_views
from methods.multiview.starts import resumed, start
from methods.multiview.unified import Labels, UnifiedFactors, Weighing
from methods.multiview.view_weights import first_weights
from methods.multiview.views import UNIT_SAMPLES, check_views, incomplete_views, is_multiview, unit_rows
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, TOL, Facts, Param, Spec
from methods.stepwise import StepwiseTransformer
from methods.typing import Array


class SULF(StepwiseTransformer):
    """One embedding for all views, shaped by the labels that are known.

    X is a list or mapping of views (or one matrix), y holds class codes, -1 where unknown, in any order.
    Fitted: `components_` (one k × features array a view), `embedding_` (samples × k, columns of length 1),
    `view_weights_` (π), `view_errors_`, `classifier_` (k × classes, the W that fits the embedding shown),
    `transduction_` (the class of every training row). SULF₁ is `beta=0`, SULF₂ `only_view=p` or one matrix,
    SULF₃ `weights="equal"`; `weights` may also be the numbers themselves.

    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(30) % 3
    >>> views = {"a": np.eye(3)[y] + 0.1 * rng.random((30, 3)), "b": rng.random((30, 8))}
    >>> model = SULF(n_components=3, max_iter=100, tol=0, random_state=0)
    >>> found = model.fit(views, np.where(np.arange(30) < 9, y, -1))
    >>> bool((model.predict(views) == y).all())
    True
    """

    components_: Any
    view_weights_: Array
    classifier_: Array
    classes_: Array

    def __init__(
        self,
        n_components: int | None = None,
        *,
        beta: float = 1e-3,
        gamma: float | None = None,
        gamma_share: float = 0.03,
        lam: float = 1000.0,
        weights: Any = "learned",
        only_view: int | None = None,
        rule: str = "split",
        unit_samples: bool = True,
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        features: str = "nnls",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.beta = beta
        self.gamma = gamma
        self.gamma_share = gamma_share
        self.lam = lam
        self.weights = weights
        self.only_view = only_view
        self.rule = rule
        self.unit_samples = unit_samples
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.features = features
        self.random_state = random_state

    def transform(self, X: Any) -> Array:
        """Return the coefficients of unseen samples in all views at once, weighted as in training.

        "nnls" keeps them zero or more, as the classifier has learned to expect; "ridge" and "pinv" do not.
        """
        check_is_fitted(self, "components_")
        self.spec.param("features").check(self.features)
        views = self._scaled(check_views(self, X, nonnegative=False, reset=False, holes=True))
        return codes_in_views(views, self._parts(), self.view_weights_, self.features)

    def predict(self, X: Any) -> Array:
        """Return the class for which W scores the coefficients of a sample highest."""
        scores = self.transform(X) @ self._checked_classifier()
        return np.asarray(self.classes_[scores.argmax(axis=1)])

    @property
    def transduction_(self) -> Array:
        """The class of every training row, from its own row of the embedding (as in the paper)."""
        return np.asarray(self.classes_[(self.embedding_ @ self._checked_classifier()).argmax(axis=1)])

    def _checked_classifier(self) -> Array:
        check_is_fitted(self, "components_")
        if not self.classes_.size:
            raise ValueError("SULF was fitted without labels, so there is no classifier: fit it with y.")
        return self.classifier_

    def _solver(
        self, X: Any, y: Any, warm_start: Mapping[str, Any] | None, mask: Any = None
    ) -> UnifiedFactors:
        self._check_params()
        checked = check_views(self, X, nonnegative=True, holes=True)
        views = incomplete_views(self.view_names_, checked, mask, self._scaled)
        n = views[0].shape[0]
        codes, self.classes_ = check_labels("SULF", y, n, least_classes=0 if self.beta == 0 else 2)
        labels = Labels.of(codes, self.classes_.size, views[0].dtype)
        facts = Facts(n, int(self.n_features_in_), n_labelled=labels.rows.size, n_classes=self.classes_.size)
        k = int(self._resolved("n_components", facts))
        named = dict(zip(self.view_names_, views, strict=True))
        H, V = start(self.init, warm_start, named, k, self.random_state)
        weights = first_weights(self.weights, self.only_view, len(views))
        weights, W = resumed(warm_start or {}, weights, (k, self.classes_.size), self._learns_weights())
        pull = float((warm_start or {}).get("label_pull", labels.pull(V)))  # It stays as it was at the start.
        return UnifiedFactors(views, H, V, weights, W, labels, self._weighing(pull), lone=not is_multiview(X))

    def _scaled(self, views: list[Any]) -> list[Any]:
        return [unit_rows(view) for view in views] if self.unit_samples else views

    def _parts(self) -> list[Array]:
        return list(self.components_) if isinstance(self.components_, (list, tuple)) else [self.components_]

    def _learns_weights(self) -> bool:
        return self.only_view is None and isinstance(self.weights, str) and self.weights == "learned"

    def _weighing(self, pull: float) -> Weighing:
        # Without β the classifier shapes nothing; it is still fitted, as sparse as it would be with it.
        share = self.gamma_share * 2 * pull
        ratio = share if self.gamma is None or self.beta == 0 else self.gamma / self.beta
        return Weighing(
            evenness=float(self.lam),
            beta=float(self.beta),
            gamma=float(ratio * self.beta),
            ratio=float(ratio),
            learns_weights=self._learns_weights(),
            printed=self.rule == "printed",
            pull=pull,
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = tags.input_tags.sparse = tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


SPEC = SULF.spec = Spec(
    id="sulf",
    title="SULF",
    family="multiview",
    summary="One set of coefficients explains every view and predicts the labels; views are weighted by fit.",
    objective=(
        r"\min_{U,V,\pi\ge0,\ \sum\pi^p=1}\ \sum_p\pi^p\lVert X^p-U^pV\rVert_F^2+\lambda\lVert\pi\rVert^2"
        r"+\beta\lVert W^\top V_l-Y\rVert_F^2+\gamma\sum_k\sqrt{\lVert w_k\rVert^2+\varepsilon}"
    ),
    update=(
        r"\begin{aligned}"
        r"W&=(\beta V_lV_l^\top+\gamma E)^{-1}\beta V_lY^\top,\qquad"
        r" U^p\leftarrow U^p\circ\frac{X^pV^\top}{U^pVV^\top}\\"
        r"V_l&\leftarrow V_l\circ\sqrt{\frac{Q_l+\beta(WY)^++\beta(WW^\top)^-V_l}"
        r"{PV_l+\beta(WY)^-+\beta(WW^\top)^+V_l+MV_l}},\qquad"
        r" V_{ul}\leftarrow V_{ul}\circ\frac{Q_{ul}}{PV_{ul}+MV_{ul}}\\"
        r"\pi&=\text{projection of }-c/2\lambda\text{ onto the simplex},\qquad"
        r" c^p=\lVert X^p-U^pV\rVert_F^2\\"
        r"P&=\sum_p\pi^pU^{p\top}U^p,\quad Q=\sum_p\pi^pU^{p\top}X^p,\quad"
        r" M=\operatorname{diag}\frac{\gamma\lVert w_k\rVert^2}{2\sqrt{\lVert w_k\rVert^2+\varepsilon}}"
        r"\end{aligned}"
    ),
    references=(
        "Y. Jiang, J. Liu, Z. Li and H. Lu. Semi-supervised unified latent factor learning with multi-view "
        "data. Machine Vision and Applications 25, 2014.",
    ),
    params=(
        N_COMPONENTS.but(paper="200 for images, 50 for documents"),
        Param(
            "beta",
            "float",
            1e-3,
            "How much predicting the labels counts beside explaining the views; 0 ignores them (SULF₁).",
            symbol="β",
            least=0.0,
            low=1e-3,
            high=1e8,
            scale="log",
            paper="10⁸, where its printed rule overflows",
        ),
        Param(
            "gamma_share",
            "float",
            0.03,
            "How few parts the classifier may use, as a share of the γ at which it uses none.",
            symbol="γ/γ_max",
            least=0.0,
            low=1e-4,
            high=1.0,
            scale="log",
            paper="γ = 100, whatever the scale",
            words="Sparsity of the classifier",
        ),
        Param(
            "gamma",
            "float",
            None,
            "The same as an absolute number; empty: the share decides.",
            symbol="γ",
            least=0.0,
            low=1e-6,
            high=1e6,
            scale="log",
            paper="100",
            advanced=True,
            words="Sparsity, absolute",
            unset="the share decides",
        ),
        Param(
            "lam",
            "float",
            1000.0,
            "How even the view weights are; it is weighed against squared errors, which grow with the data.",
            symbol="λ",
            # As even for any number of samples as the paper's value is for 2 000.
            preferred=lambda facts: float(f"{facts.n_samples / 2:.2g}"),
            least=0.0,
            low=1e-2,
            high=1e5,
            scale="log",
            paper="1000",
            words="Evenness of views",
        ),
        Param(
            "weights",
            "choice",
            "learned",
            "View weights learned from how well each view is explained, or all equal (SULF₃).",
            symbol="π",
            choices=("learned", "equal"),
            paper="learned",
            words="View weights",
        ),
        Param(
            "only_view",
            "int",
            None,
            "The number of the one view to learn from, counted from 0 (SULF₂); empty: all of them.",
            least=0,
            low=0,
            high=9,
            paper="all",
            unset="all of them",
            advanced=True,
        ),
        Param(
            "rule",
            "choice",
            "split",
            "The update of labelled rows: corrected, or as printed, which diverges (20 iterations of it).",
            choices=("split", "printed"),
            paper="printed",
        ),
        UNIT_SAMPLES,
        INIT,
        MAX_ITER,
        TOL,
        FEATURES.but(default="nnls", choices=("nnls", "ridge", "pinv"), paper=""),
        SEED,
    ),
    estimator=SULF,
    needs=frozenset({"labels", "nonnegative", "views"}),
    takes=frozenset({"holes"}),
    gives=frozenset({"components", "embedding", "transform", "predict", "objective"}),
    monotone=True,
    recognition="predict",
    memory=copies(3, labelled=2),
    cost="4·N·k·Σm_p per iteration (two products with each view) + O((N+Σm_p)k² + k³).",
    corrections=(
        "Rule 26 for labelled rows leaves out WWᵀ: it is not a descent rule, has no fixed point with W ≠ 0, "
        "and the objective rises (at the paper's β = 10⁸ it overflows). The rule here splits WWᵀ by sign and "
        "never raises the objective; rule='printed' shows 20 iterations of the other. γ means nothing while "
        "V may grow and W shrink, so rows of V (the paper's) have length 1; the pull M is what that costs, "
        "and without it the objective could rise as lengths are put right. The root in the rule for "
        "unlabelled rows is not needed and only slows it down. The weights π are a projection: no CVX. "
        "Labels move labelled rows of V alone, to v = (P + βWWᵀ)⁻¹(q + βWy) where others are P⁻¹q; W learns "
        "from the former and is asked about the latter. With little β they agree, with very much the parts "
        "become what classes look like; in between W misleads. Texts in several views, a fifth labelled, "
        "named rightly (dictionary in four languages, news, documentation): β = 10⁻³ 68, 61, 72 %; 10: 53, "
        "36, 44; 10⁸: 69, 62, 75; SULF₁ 67, 62, 68; NMF side by side 66, 61, 65; CoTra 46, 46, 63: the "
        "order in print, with its β. The lead is W's: on SULF₁ it names 71, 63, 72, more than SULF at 10⁸ on "
        "two of the three. Nor are parts always worth having: least squares on the words alone, all views "
        "side by side, names 58, 63, 75, as many as SULF or more on two of the three. On digits 10⁸ costs "
        "points and clusters: β is small by default."
    ),
)
