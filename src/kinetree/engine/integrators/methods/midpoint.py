"""Midpoint rule: forces at the middle of the step, exact discrete derivatives of joints."""

from ....kernel.decorators import kernel
from ...beams.nodal import MIDPOINT
from .structural import advance_nodes


@kernel
def step(tables, work, rhs, project, run):
    """One step of the midpoint rule."""
    return advance_nodes(tables, work, run, MIDPOINT)
