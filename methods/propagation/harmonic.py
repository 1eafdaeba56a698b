"""The harmonic field: labelled samples are held fast, all others average over their neighbours."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from methods.propagation.elimination import absorbed, absorbed_by_logs
from methods.propagation.spreading import spread_of
from methods.propagation.weights import LogGraph
from methods.rows import indicator
from methods.typing import Array, Codes

# Doubles hold exp(−700) to exp(700). With the heaviest edge at exp(600), what a double cannot hold
# is at least e¹⁰⁰ times lighter than an edge of exp(−600), and whoever has such an edge takes no notice
# of it: shares below 10⁻⁴⁰ may come out as 0, all others are as accurate as the weights.
_HEADROOM = 600.0


class HarmonicField:
    """Energy ½ Σ wᵢⱼ‖fᵢ−fⱼ‖² over all F that equal Y at labelled samples, the heaviest edge being 1."""

    def __init__(self, graph: LogGraph, codes: Codes, n_classes: int) -> None:
        self.graph, self.Y = graph, indicator(codes, n_classes)
        self.labelled = codes >= 0
        reached = graph.reached_from(self.labelled)
        self.free = np.flatnonzero(reached & ~self.labelled)
        self.cut_off = ~reached
        log_degrees = graph.log_degrees()
        self.degrees = np.exp(log_degrees - graph.heaviest)
        self.averaging = graph.weights(log_degrees)

    def begin(self, F: Array) -> Array:
        """Return F with labels in place, and zero where no label will ever arrive."""
        F = np.where(self.labelled[:, None], self.Y, F)
        F[self.cut_off] = 0
        return F

    def look(self, F: Array) -> Array:
        """Return the average of every sample's neighbours."""
        return np.asarray(self.averaging @ F)

    def sweep(self, neighbours: Array) -> Array:
        """Give unlabelled samples the average of their neighbours."""
        return self.begin(neighbours)

    def energy(self, F: Array, neighbours: Array) -> dict[str, float]:
        """Return the smoothness, and the fit: how far labelled samples are from their labels, nothing."""
        misfit = F[self.labelled] - self.Y[self.labelled]
        return {
            "smoothness": spread_of(self.degrees, F, neighbours),
            "fit": float(np.square(misfit).sum()),
        }

    def solution(self) -> Array:
        """Return (D_uu − W_uu)⁻¹ W_ul Y_l beside the labels."""
        F = self.begin(self.Y)
        if self.free.size:
            F[self.free] = self._by_logs() if self._beyond_doubles() else self._by_weights()
        return F

    def _by_weights(self) -> Array:
        W = self.graph.weights(self.graph.heaviest - _HEADROOM)[self.free]
        B = W @ self.Y
        return absorbed(W[:, self.free], B.sum(axis=1), B)

    def _by_logs(self) -> Array:
        logs = self.graph.dense_logs()[self.free]
        log_B = np.column_stack([logsumexp(logs[:, column > 0], axis=1) for column in self.Y.T])
        return absorbed_by_logs(logs[:, self.free], logsumexp(log_B, axis=1), log_B)

    def _beyond_doubles(self) -> bool:
        """Say whether some sample hangs on an edge that doubles cannot hold beside the heaviest."""
        limit = self.graph.heaviest - 2 * _HEADROOM
        return self.graph.lightest < limit and self._weakest_tie() < limit

    def _weakest_tie(self) -> float:
        """Return the lightest edge of the heaviest tree from the labels to all unlabelled samples (Prim)."""
        logs = self.graph.dense_logs()[self.free]
        best = logs[:, self.labelled].max(axis=1)
        logs, waiting, weakest = logs[:, self.free], np.ones(best.size, dtype=bool), np.inf
        for _ in range(best.size):
            nearest = int(np.where(waiting, best, -np.inf).argmax())
            weakest = min(weakest, float(best[nearest]))
            waiting[nearest] = False
            np.maximum(best, logs[nearest], out=best)
        return weakest
