"""Cylinders must start within their stroke: a wrong closed length would shoot the machine off its end stops."""

from __future__ import annotations

from ..errors import AssemblyError
from ..forces.hydraulic_cylinder import HydraulicCylinder
from .initial import COINCIDE, marker_distance
from .system import System

_BEYOND = 0.02  # of the stroke: as far as a piston may be pressed into a stop at the start


def check_strokes(system: System) -> None:
    """Refuse a position in which a cylinder is shorter or longer than it can be; positions must be up to date."""
    compiled = system.compiled
    for row, element in zip(compiled.tables.forces, compiled.model.forces.values()):
        if isinstance(element.spec, HydraulicCylinder):
            _check(element.name, element.spec, marker_distance(system.work, row, "p_iF", "p_jM"), COINCIDE * system.length)


def _check(name: str, spec: HydraulicCylinder, length: float, nothing: float) -> None:
    if length <= nothing:
        raise AssemblyError(f"force {name!r}: its markers coincide at the start, so that the cylinder has no direction. "
                            "Draw its two ends apart.")
    if spec.closed_length is None:
        return
    extension = length - spec.closed_length
    if not -_BEYOND * spec.stroke <= extension <= (1.0 + _BEYOND) * spec.stroke:
        raise AssemblyError(f"force {name!r}: the markers start {length:.6g} m apart, an extension of {extension:.6g} m with "
                            f"closed_length {spec.closed_length:g}; the stroke is {spec.stroke:g} m. Change the position, "
                            "closed_length or stroke.")
