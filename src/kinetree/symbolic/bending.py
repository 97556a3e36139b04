"""Bending of a body that becomes a flexible link: modes, mass per length, and stiffness in the
plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.checks import check, check_flags, row, whole
from ..description.beam import Beam
from ..description.body import Body
from ..errors import ModelError
from ..kernel.frames import number
from ..kernel.linalg import norm, product
from .plane import Plane


@dataclass(frozen=True)
class Bending:
    """Bending of a body that becomes a link of a planar arm (`derive`).

    Parameters
    ----------
    count : int, default 2
        Number of modes.
    shape : str or sequence, optional
        Shapes as in `Arm.link`; by default "clamped-free", or "polynomial" if a body is fixed to the
        tip and bends it.
    EI : float, optional
        Bending stiffness of a body that is not a beam (N m^2).
    slope : bool, optional
        Whether a link at the tip rotates with the slope of the tip; by default if there is one and
        the shapes allow it.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.Bending(3, EI=4e3)
    Bending(count=3, shape=None, EI=4000.0, slope=None)
    """

    count: int = 2
    shape: str | Sequence[Any] | None = None
    EI: float | None = None
    slope: bool | None = None

    def __post_init__(self) -> None:
        whole(self.count, "Bending: count", least=0)
        check(self, "EI", positive=True, optional=True)
        if self.slope is not None:
            check_flags(self, "slope")
        if self.shape is not None and not isinstance(self.shape, str):
            row(
                self.shape,
                "Bending: shape",
                "a name like 'clamped-free', or a list of (deflection, slope, curvature)",
            )


def ends_of(body: Body) -> list[np.ndarray]:
    ends = body.properties.ends
    if len(ends) != 2:
        raise ModelError(
            f"body {body.name!r} is to be flexible, but does not have two ends: describe it as a "
            "beam (model.beam) or a kt.rod."
        )
    return [np.asarray(p, float) for p in ends.values()]


def beam_numbers(body: Body, bends: Bending, length: float, plane: Plane) -> tuple[float, float]:
    """Mass per length and bending stiffness in the plane."""
    what = f"body {body.name!r}"
    a, b = ends_of(body)
    if abs(float(product(plane.X_WA.R[:, 1], plane.X_WB[body.name].R, b - a))) > 1e-9 * length:
        raise ModelError(
            f"{what} does not lie in the plane of the mechanism, as a flexible link must."
        )
    if isinstance(body, Beam):
        return body.section.mass, _section(body, plane, bends.EI)
    if bends.EI is None:
        raise ModelError(
            f"derive: {what} is not a beam: give its stiffness, kt.Bending({bends.count}, EI=...), "
            "or describe it with model.beam."
        )
    if norm(np.asarray(body.properties.com, float) - 0.5 * (a + b)) > 1e-6 * length:
        raise ModelError(
            f"{what} is to be flexible, but its mass is not uniform: its mass center is not in the "
            "middle."
        )
    return float(body.properties.mass) / length, number(bends.EI, f"{what}: EI", positive=True)


def _section(beam: Beam, plane: Plane, EI: float | None) -> float:
    """EI of a straight beam for bending in the plane, which must be a principal plane of its
    section.
    """
    bent = max(np.abs(node.R - beam.nodes[0].R).max() for node in beam.nodes)
    if bent > 1e-9:
        raise ModelError(
            f"beam {beam.name!r} is curved or twisted; a flexible link is straight. Divide it, or "
            "simulate its elements with a structural integrator."
        )
    if any(beam.section.centre):
        raise ModelError(
            f"beam {beam.name!r} has the mass center of its section at {beam.section.centre} m, "
            "off its line; a flexible link has it on its line. Simulate its elements with a "
            "structural integrator."
        )
    if EI is not None:
        return number(EI, f"beam {beam.name!r}: EI", positive=True)
    C = beam.section.stiffness
    n = np.concatenate(
        [np.zeros(3), product(beam.nodes[0].R.T, plane.X_WB[beam.name].R.T, plane.X_WA.R[:, 1])]
    )
    stiff = float(product(n, C, n))
    if np.abs(product(C, n) - stiff * n).max() > 1e-9 * stiff:
        raise ModelError(
            f"beam {beam.name!r} would also bend out of the plane: rotate its section (`up`) so "
            "that a principal axis is normal to the plane, or give kt.Bending(..., EI=...)."
        )
    return stiff


def depth_of(body: Body, plane: Plane) -> float:
    """Depth of the section in the plane, if it is known."""
    if not isinstance(body, Beam):
        return 0.0
    across = np.abs(product(body.nodes[0].R.T, plane.X_WB[body.name].R.T, plane.X_WA.R[:, 1]))
    return body.section.height if across[1] > across[2] else body.section.width
