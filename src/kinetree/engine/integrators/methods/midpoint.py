"""The midpoint rule: forces half-way through the step; joints by their exact discrete derivatives."""

from ....kernel.decorators import kernel
from ...beams.nodal import MIDPOINT
from .structural import advance_nodes


@kernel
def step(tables, work, rhs, project, run):
    return advance_nodes(tables, work, run, MIDPOINT)
