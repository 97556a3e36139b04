"""A free part whose frame is held: static responses and modes.

The matrix of the free part is factorized once, with six unknowns removed that just support it. A
load F, balanced by the frame, then has no reaction there, and the motion of the frame is subtracted:

    G F = P K_s^-1 P^T F        P = 1 - R C^T,    C^T R = 1

R are the rigid motions about the frame and C^T y is its motion. G is symmetric. This serves rigid
and mean frames alike, and any marker as the frame, with the same factors.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import ModelError
from .part import Part
from .ties import Tied

BATCH = 8
SEED = 7


class Supported:
    """K and M of a tied part, with one marker as the frame."""

    def __init__(self, part: Part, tied: Tied, frame: int = 0) -> None:
        self.part, self.tied = part, tied
        T = tied.T
        self.K = (T.T @ part.K @ T).tocsr()
        self.M = (T.T @ part.M @ T).tocsr()
        self.R = tied.rigid(tied.centers[frame], part.X)
        self.C = tied.C[frame]
        self.known = np.zeros(0), np.zeros((len(self.R), 0))  # modes found so far
        self._factorize()

    def _factorize(self) -> None:
        from scipy.linalg import qr
        from scipy.sparse.linalg import splu

        scaled = self.R / np.array([1.0] * 3 + [self.part.size] * 3)
        weights = np.where(self.K.diagonal() != 0.0, 1.0, 0.0)
        support = qr((scaled * weights[:, None]).T, mode="r", pivoting=True)[1][:6]
        self.kept = np.setdiff1d(np.arange(len(self.R)), support)
        inner = self.K[self.kept][:, self.kept].tocsc()
        try:
            self.factors = splu(
                inner,
                permc_spec="MMD_AT_PLUS_A",
                diag_pivot_thresh=0.0,
                options={"SymmetricMode": True},
            )
        except RuntimeError:
            raise ModelError(_loose(self.part)) from None

    def solve(self, F: np.ndarray) -> np.ndarray:
        """G F: the response to loads that the frame supports."""
        F = F - self.C @ (self.R.T @ F)
        y = np.zeros_like(F)
        y[self.kept] = self.factors.solve(np.ascontiguousarray(F[self.kept]))
        return y - self.R @ (self.C.T @ y)

    def modes(
        self,
        below: float | None,
        count: int | None = None,
        tell: Callable[[int, float], None] = lambda found, highest: None,
        seconds: float | None = None,
        held: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Squared frequencies and shapes (normalized to unit modal mass), ascending.

        below   angular frequency up to which all modes are found
        count   or how many; some more are found
        tell    called with the number of modes found and the highest angular frequency
        seconds time after which the search is given up
        held    (y, c) further functionals that are zero: markers that are fixed as well

        The search goes on in batches with the modes found projected out, so that modes of equal
        frequency are not missed: it ends with a batch entirely above the limit.
        """
        started = time.perf_counter()
        w2, V = self.known if held is None else (np.zeros(0), np.zeros((len(self.R), 0)))
        found = len(w2)
        inverse = self._held_inverse(held)
        most = len(self.kept) - 6 - (0 if held is None else held.shape[1])
        while not self._enough(w2, below, count):
            number = BATCH if count is None else max(2, min(2 * BATCH, count + 2 - found))
            number = min(number, most - found - 1)
            if number < 1:
                break
            new, shapes = self._batch(number, inverse, V, started, seconds)
            w2, V = np.append(w2, new), np.column_stack([V, shapes])
            order = np.argsort(w2)
            w2, V = w2[order], V[:, order]
            found = len(w2)
            tell(found, float(np.sqrt(max(w2[-1], 0.0))))
            if new[0] < 0.0:
                raise ModelError(
                    f"the stiffness of part {self.part.name!r} is indefinite: a mode has the squared "
                    f"frequency {new[0]:.3g} (rad/s)^2. Check the signs of K, or the elements."
                )
            if held is None:
                self.known = w2, V
            if count is None and below is not None and new.min() > below**2:
                break
        return w2, V

    @staticmethod
    def _enough(w2: np.ndarray, below: float | None, count: int | None) -> bool:
        """Whether the modes found earlier suffice: a whole batch is above the limit."""
        if count is not None:
            return len(w2) >= count + 2
        return below is not None and int((w2 > below**2).sum()) >= BATCH

    def _held_inverse(self, held: np.ndarray | None) -> Callable[[np.ndarray], np.ndarray]:
        """G, or G - G D (D^T G D)^-1 D^T G with functionals D that are zero as well."""
        if held is None or not held.shape[1]:
            return self.solve
        GD = self.solve(held)
        small = np.linalg.inv(held.T @ GD)
        return lambda F: (y := self.solve(F)) - GD @ (small @ (held.T @ y))

    def _batch(
        self,
        number: int,
        inverse: Callable[[np.ndarray], np.ndarray],
        V: np.ndarray,
        started: float,
        seconds: float | None,
    ) -> tuple[np.ndarray, np.ndarray]:
        from scipy.sparse.linalg import LinearOperator, eigsh

        MV = self.M @ V

        def apply(b: np.ndarray) -> np.ndarray:
            if seconds is not None and time.perf_counter() - started > seconds:
                raise ModelError(
                    f"{V.shape[1]} modes of part {self.part.name!r} were found in {seconds:g} s, not all "
                    "that were asked for. Lower upto=, use a coarser mesh, or raise seconds=."
                )
            y = inverse(b.ravel())
            return y - V @ (MV.T @ y)

        start = apply(np.random.default_rng(SEED).normal(size=len(self.R)))
        operator = LinearOperator(self.K.shape, matvec=apply, dtype=float)
        w2, shapes = eigsh(self.K, number, M=self.M, sigma=0.0, OPinv=operator, v0=start, tol=1e-10)
        order = np.argsort(w2)
        return w2[order], shapes[:, order]


def _loose(part: Part) -> str:
    return (
        f"the stiffness of part {part.name!r} is singular beyond its six rigid motions: a piece is not "
        "connected, or a node has no stiffness. Check that the mesh is one body with merged nodes."
    )


def hertz(w2: Any) -> np.ndarray:
    """Frequencies (Hz) from squared angular frequencies."""
    return np.sqrt(np.maximum(np.asarray(w2), 0.0)) / (2 * np.pi)
