"""Trapezoidal rule: mean of the forces at both ends of the step; joints as in midpoint.py."""

from ....kernel.decorators import kernel
from ...beams.nodal import TRAPEZOIDAL
from .structural import advance_nodes


@kernel
def step(tables, work, rhs, project, run):
    """One step of the trapezoidal rule."""
    return advance_nodes(tables, work, run, TRAPEZOIDAL)
