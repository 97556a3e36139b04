"""Cylinders must start within their stroke: a wrong closed length would shoot the machine off its end stops."""

from __future__ import annotations

import numpy as np

from ..errors import AssemblyError
from ..forces.hydraulic_cylinder import HydraulicCylinder
from .system import System

_BEYOND = 0.02  # of the stroke: as far as a piston may be pressed into a stop at the start


def check_strokes(system: System) -> None:
    """Refuse a position in which a cylinder is shorter or longer than it can be; positions must be up to date."""
    compiled = system.compiled
    for row, element in zip(compiled.tables.forces, compiled.model.forces.values()):
        spec = element.spec
        if isinstance(spec, HydraulicCylinder) and spec.closed_length is not None:
            length = _distance(system, row)
            extension = length - spec.closed_length
            if not -_BEYOND * spec.stroke <= extension <= (1.0 + _BEYOND) * spec.stroke:
                raise AssemblyError(f"force {element.name!r}: the markers start {length:.6g} m apart, an extension of "
                                    f"{extension:.6g} m with closed_length {spec.closed_length:g}; the stroke is "
                                    f"{spec.stroke:g} m. Change the position, closed_length or stroke.")


def _distance(system: System, row) -> float:
    bodies = system.work.bodies
    a, b = (bodies[row[i]]["R"].reshape(3, 3) @ row[p] + bodies[row[i]]["p"] for i, p in (("i", "p_iF"), ("j", "p_jM")))
    return float(np.linalg.norm(b - a))
