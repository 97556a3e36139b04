"""Checks of K and M before they are used, with messages that name the likely mistake."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ModelError
from .part import Part
from .supported import Supported
from .ties import rigid_shape

ROUNDING = 1e-6  # of the largest entry; programs write matrices with six digits or more
MOTIONS = ("travel along x", "travel along y", "travel along z") + (
    "rotation about x",
    "rotation about y",
    "rotation about z",
)


def asymmetry(A: Any) -> float:
    """Largest difference of A and its transpose, relative to the largest entry."""
    return float(abs(A - A.T).max() / abs(A).max())


def rigid_forces(part: Part) -> np.ndarray:
    """Largest nodal force of each rigid motion, relative to those of single nodes."""
    R = rigid_shape(part.X, part.com)
    scale = np.array([1.0] * 3 + [part.size] * 3)
    return np.asarray(abs(part.K @ (R / scale)).max(0) / abs(part.K).max())


def check_matrices(part: Part, supported: Supported) -> None:
    """Refuse a stiffness without exactly six rigid motions, and masses that are not positive."""
    forces = rigid_forces(part)
    if forces.max() > ROUNDING:
        worst = int(forces.argmax())
        raise ModelError(
            f"K of part {part.name!r} is not that of a free part: a {MOTIONS[worst]} needs a force of "
            f"{forces[worst]:.1e} of the largest entry of K. Export K without supports, in the order and "
            "unit of the nodes; springs to ground belong into the model."
        )
    weights = part.Ms.diagonal()
    if weights.min() <= 0.0:
        row = int(weights.argmin())
        raise ModelError(
            f"the mass of node {part.numbers[row]} of part {part.name!r} is {weights[row]:.3g} kg. Every node "
            "needs a positive mass on the diagonal of M."
        )
    _refuse_negative(part, bool(part.K.diagonal().min() < 0.0))
    _positive(part, supported)


def _positive(part: Part, supported: Supported) -> None:
    """K supported at six unknowns is positive definite: solve for random loads."""
    rng = np.random.default_rng(5)
    F = rng.normal(size=(len(supported.kept), 3))
    inner = supported.K[supported.kept][:, supported.kept]
    y = supported.factors.solve(F)
    left = np.abs(inner @ y - F).max()
    if left < 1e-4:
        _refuse_negative(part, bool((np.einsum("yk,yk->k", F, y) <= 0.0).any()))
    else:
        pieces = _pieces(part)
        raise ModelError(
            f"the stiffness of part {part.name!r} is singular beyond its six rigid motions"
            + (f": the mesh falls into {pieces} pieces." if pieces > 1 else ".")
            + " Merge nodes that coincide, and check that every node belongs to an element."
        )


def _refuse_negative(part: Part, negative: bool) -> None:
    if negative:
        raise ModelError(
            f"the stiffness of part {part.name!r} is indefinite: some load moves its points against itself. "
            "Check the signs of K, and that it is the elastic stiffness of the part at rest."
        )


def _pieces(part: Part) -> int:
    from scipy.sparse.csgraph import connected_components

    return int(connected_components(part.Ms, directed=False, return_labels=False))
