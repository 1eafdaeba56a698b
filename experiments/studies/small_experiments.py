"""Small experiments with made-up numbers that show what is wrong in print: what came of them is shipped.

Each returns whether it shows what is claimed, and the figures. `corrections` of a method's `SPEC` says in
words what is put right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from methods.coefficients import feature_map
from methods.kernel.poly_nmf import PolyNMF
from methods.propagation.elimination import absorbed

ExperimentResult = tuple[bool, str]
Experiment = Callable[[], ExperimentResult]
_Matrix = NDArray[np.float64]


def _rng() -> np.random.Generator:
    return np.random.default_rng(0)


def sums_are_twice_the_traces() -> ExperimentResult:
    """Show that sums over ordered pairs count every pair twice, traces of the Laplacian once."""
    S = np.triu(_rng().random((7, 7)), 1)
    S, V = S + S.T, _rng().random((7, 3))
    pairs = float((S * np.square(V[:, None] - V).sum(axis=2)).sum())
    trace = float(np.trace(V.T @ (np.diag(S.sum(axis=1)) - S) @ V))
    return bool(np.isclose(pairs, 2 * trace)), f"{pairs:.3f} over pairs, {trace:.3f} as a trace."


def unscaled_start_is_far_off() -> ExperimentResult:
    """Show how much larger the first objective is from random factors that are not scaled to the data."""
    rng = _rng()
    X, U, V = rng.random((80, 400)), rng.random((80, 78)), rng.random((78, 400))
    model = U @ V
    scaled = model * (np.sum(X * model) / np.square(model).sum())
    far, near = (float(np.square(X - one).sum()) for one in (model, scaled))
    return (
        far > 500 * near,
        f"{far:,.0f} at an unscaled start, {near:,.0f} once scaled: {far / near:,.0f} times.",
    )


def direct_solver_loses_weak_ties() -> ExperimentResult:
    """Show what LAPACK makes of two samples tied by 1, and to labelled ones by 2·10⁻¹⁸ and 10⁻¹⁸."""
    W, to_labelled = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[2e-18, 1e-18]] * 2)
    system = np.diag(W.sum(axis=1) + to_labelled.sum(axis=1)) - W
    try:
        direct = f"{np.linalg.solve(system, to_labelled)[0, 0]:.3f}"
    except np.linalg.LinAlgError:
        direct = "no answer"
    share = float(absorbed(W.copy(), to_labelled.sum(axis=1), to_labelled)[0, 0])
    text = f"Two thirds is right: LAPACK has {direct}, elimination without subtraction {share:.3f}."
    return bool(np.isclose(share, 2 / 3)) and direct != "0.667", text


def alike_parts_explode() -> ExperimentResult:
    """Show coefficients by plain and by steadied pseudo-inverse where two parts are nearly alike."""
    rng = _rng()
    part = rng.random(50)
    parts = np.stack([part, part + 1e-4 * rng.random(50)])
    noisy = parts[0] + 0.05 * rng.standard_normal(50)
    sizes = {}
    for how in ("pinv", "ridge"):
        linear = feature_map(parts, how)
        assert linear is not None
        sizes[how] = float(np.abs(noisy @ linear).max())
    text = (
        f"Largest coefficient {sizes['pinv']:.1f} by pseudo-inverse, {sizes['ridge']:.2f} with a small ridge."
    )
    return sizes["pinv"] > 5 * sizes["ridge"], text


def energy_is_best_left_whole() -> ExperimentResult:
    """Show where M-matrices come to if the step of U takes the graph's energy whole, or in two halves."""
    rng = _rng()
    X, U, V = rng.random((40, 24)), rng.random((40, 6)), rng.random((24, 6))
    S = (np.arange(24)[:, None] // 4 == np.arange(24) // 4).astype(float) - np.eye(24)
    ends = [_graph_embedding(X, U.copy(), V.copy(), S, whole=whole) for whole in (False, True)]
    return ends[1] < ends[0], f"After 40 iterations {ends[0]:.2f} in halves, {ends[1]:.2f} whole."


def _graph_embedding(X: _Matrix, U: _Matrix, V: _Matrix, S: _Matrix, *, whole: bool) -> float:
    D = S.sum(axis=1)
    L = np.diag(D) - S
    for _ in range(40):
        plus, minus = (V * V * D[:, None]).sum(axis=0), (V * (S @ V)).sum(axis=0)
        top, below = (0.0, plus - minus) if whole else (minus, plus)
        U *= (X @ V + U * top) / (U @ (V.T @ V) + U * below)
        lengths = np.linalg.norm(U, axis=0)
        U, V = U / lengths, V * lengths
        numerator, denominator = X.T @ U, V @ (U.T @ U)
        V = np.column_stack(
            [
                np.linalg.solve(np.diag(d / v) + L, x)
                for d, v, x in zip(denominator.T, V.T, numerator.T, strict=True)
            ]
        )
    return float(np.square(X - U @ V.T).sum() + (V * (L @ V)).sum())


def printed_rule_ends_early() -> ExperimentResult:
    """Show when LNMF's parts change by less than 10⁻⁴, and how sparse they are then and later."""
    rng = _rng()
    X, W, H = rng.random((400, 60)) ** 3, rng.random((400, 10)), rng.random((10, 60))
    W /= W.sum(axis=0)
    ended, hoyer = 0, [0.0, 0.0]
    for iteration in range(1, 301):
        H = np.sqrt(H * (W.T @ (X / (W @ H))))
        changed = W * ((X / (W @ H)) @ H.T) / H.sum(axis=1)
        changed /= changed.sum(axis=0)
        if not ended and np.linalg.norm(changed - W) / np.sqrt(W.size) < 1e-4:
            ended, hoyer[0] = iteration, _hoyer(changed)
        W = changed
    hoyer[1] = _hoyer(W)
    text = f"It ends after {ended} iterations at sparsity {hoyer[0]:.2f}; after 300 it is {hoyer[1]:.2f}."
    return 0 < ended < 60 and hoyer[1] > 1.2 * hoyer[0], text


def _hoyer(W: _Matrix) -> float:
    root = np.sqrt(len(W))
    ratios = np.abs(W).sum(axis=0) / np.linalg.norm(W, axis=0)
    return float(np.mean((root - ratios) / (root - 1)))


def equation_20_does_not_conform() -> ExperimentResult:
    """Show that BᵀHHᵀ cannot be formed for six samples and three parts, and that BHHᵀ has the shape of B."""
    B, H = _rng().random((6, 3)), _rng().random((3, 6))
    meant = B @ H @ H.T
    try:
        return False, f"BᵀHHᵀ is {(B.T @ H @ H.T).shape}."
    except ValueError:
        return meant.shape == B.shape, "BᵀH is (3 × 6)(3 × 6): no product. BHHᵀ is 6 × 3, as B is."


def equation_4_follows_no_gradient() -> ExperimentResult:
    """Show where polynomial NMF comes to by the printed rule and by the gradient's, from one start."""
    X, ends = _rng().random((30, 12)), {}
    for variant in ("printed", "gradient"):
        model = PolyNMF(n_components=4, variant=variant, max_iter=200, tol=0, random_state=0).fit(X)
        ends[variant] = float(model.objective_curve_[-1])
    text = f"After 200 iterations {ends['printed']:.1f} as printed, {ends['gradient']:.1f} with H in place."
    return ends["printed"] > 1.05 * ends["gradient"], text


def singular_values_root_the_modulus() -> ExperimentResult:
    """Show that squaring the root by singular values gives |K|, not K, where K is indefinite."""
    K = np.array([[1.0, 2.0], [2.0, 1.0]])
    U, values, _ = np.linalg.svd(K)
    squared = (U * values) @ U.T
    text = f"K = [[1, 2], [2, 1]] comes back as [[{squared[0, 0]:.0f}, {squared[0, 1]:.0f}], …]."
    return not np.allclose(squared, K), text


def pairs_with_oneself_halve_eta() -> ExperimentResult:
    """Show S_W with pairs (x_i, x_i) as a share of what it is without, at two labels a class."""
    X = _rng().random((6, 4))
    apart = X[:, None] - X
    alike = np.arange(6)[:, None] // 2 == np.arange(6) // 2
    with_self, without = (
        np.einsum("ij,ijf,ijg->fg", mask, apart, apart) / mask.sum()
        for mask in (alike, alike & ~np.eye(6, dtype=bool))
    )
    share = float(np.trace(with_self) / np.trace(without))
    return bool(
        np.isclose(share, 0.5)
    ), f"S_W is {share:.2f} of itself, which is as if η = 10 were {10 * share:.0f}."


def samples_explain_themselves() -> ExperimentResult:
    """Show the weight a sample gives itself in its own ℓ1 code unless it is kept out."""
    X = _rng().standard_normal((5, 8))
    X /= np.linalg.norm(X, axis=0)
    codes, prices = [], []
    for upper in (None, 0):
        # a = p − q and the error r − s, all of them zero or more.
        A = np.hstack([X, -X, np.eye(5), -np.eye(5)])
        bounds = [(0, upper if i % 8 == 0 and i < 16 else None) for i in range(A.shape[1])]
        solved: Any = linprog(np.ones(A.shape[1]), A_eq=A, b_eq=X[:, 0], bounds=bounds)
        codes.append(float(solved.x[0] - solved.x[8]))
        prices.append(float(solved.fun))
    text = f"As printed a_i = {codes[0]:.2f} at price {prices[0]:.2f}; without it {prices[1]:.2f}."
    return bool(np.isclose(codes[0], 1)) and prices[1] > prices[0], text


def transposed_codes_are_another_penalty() -> ExperimentResult:
    """Show the penalty of scores by the codes of each sample, by (I − A), and by A transposed."""
    A, f = _rng().random((6, 6)), _rng().random(6)
    np.fill_diagonal(A, 0)
    wanted = sum(float(f[i] - A[i] @ f) ** 2 for i in range(6))
    rows, columns = (float(np.square(f - M @ f).sum()) for M in (A, A.T))
    text = f"{wanted:.2f} by its definition, {rows:.2f} with rows α_iᵀ, {columns:.2f} transposed."
    return bool(np.isclose(wanted, rows)) and not np.isclose(wanted, columns), text


def printed_hinge_is_none() -> ExperimentResult:
    """Show the printed hinge loss (1 − zf where zf > 0, else 0) of a wrong and of a clearly right answer."""
    printed = [1 - margin if margin > 0 else 0.0 for margin in (-1.0, 2.0)]
    meant = [max(0.0, 1 - margin) for margin in (-1.0, 2.0)]
    wrong, right = (f"{ours:.0f} (meant {theirs:.0f})" for ours, theirs in zip(printed, meant, strict=True))
    text = f"Wrong by 1: {wrong}; right by 2: {right}."
    return printed != meant, text


def few_labels_reach_nobody() -> ExperimentResult:
    """Show for how many noisy samples no mixture of labelled ones comes within ε = 0.05."""
    rng = _rng()
    means, y = rng.random((10, 64)), np.arange(600) % 10
    rows = means[y] + 0.1 * rng.standard_normal((600, 64))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    out_of_reach = {}
    for labelled in (2, 30):
        basis = np.linalg.qr(rows[: 10 * labelled].T)[0]
        test_rows = rows[300:]
        missed = np.linalg.norm(test_rows - (test_rows @ basis) @ basis.T, axis=1)
        out_of_reach[labelled] = 100 * float(np.mean(missed > 0.05))
    text = f"{out_of_reach[2]:.0f} % with two labels a class, {out_of_reach[30]:.0f} % with thirty."
    return out_of_reach[2] > 50 > out_of_reach[30], text


def large_beta_overflows() -> ExperimentResult:
    """Show when the objective is no number any more by the printed rule, at β = 1 and at the paper's 10⁸."""
    ended = {beta: _printed_iterations(beta, most=100) for beta in (1.0, 1e8)}
    text = f"No number any more after {ended[1e8]} iterations; at β = 1 it still is one after {ended[1.0]}."
    return ended[1.0] == 100 > ended[1e8], text


def _printed_iterations(beta: float, most: int) -> int:
    """Return how many iterations of the printed rule, on one view, have made the objective no number."""
    rng = _rng()
    X, U, V = rng.random((20, 60)), rng.random((20, 6)), rng.random((6, 60))
    X /= np.linalg.norm(X, axis=0)
    Y, E = np.eye(3)[:, np.arange(30) % 3], np.eye(6)
    for iteration in range(1, most + 1):
        labelled = V[:, :30]
        with np.errstate(all="ignore"):
            # γ is the paper's, 10².
            W = np.linalg.solve(beta * labelled @ labelled.T + 100 * E, beta * labelled @ Y.T)
            E = np.diag(1 / (2 * np.sqrt(np.square(W).sum(axis=1) + 1e-8)))
            U *= (X @ V.T) / (U @ V @ V.T)
            pull = np.hstack([beta * W @ Y, np.zeros((6, 30))])
            V *= np.sqrt((U.T @ X + np.maximum(pull, 0)) / (U.T @ U @ V + np.maximum(-pull, 0)))
            error = np.square(X - U @ V).sum() + beta * np.square(W.T @ V[:, :30] - Y).sum()
        if not np.isfinite(error):
            return iteration
    return most


def scale_escapes_the_penalty() -> ExperimentResult:
    """Show that longer rows of V, with U and W as much shorter, lower γ‖W‖₂,₁ and change no error."""
    rng = _rng()
    U, V, W, X, Y = (rng.random(shape) for shape in ((9, 3), (3, 8), (3, 2), (9, 8), (2, 8)))
    errors, penalties = [], []
    for scale in (1, 10):
        errors.append(
            np.square(X - U / scale @ (V * scale)).sum() + np.square((W / scale).T @ (V * scale) - Y).sum()
        )
        penalties.append(np.linalg.norm(W / scale, axis=1).sum())
    text = f"Errors {errors[0]:.2f} and {errors[1]:.2f}, penalty {penalties[0]:.2f} and {penalties[1]:.2f}."
    return bool(np.isclose(*errors) and penalties[1] < 0.2 * penalties[0]), text
