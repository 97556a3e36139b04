"""The trapezoidal rule (average acceleration): the mean of the forces at both ends; joints as those
of midpoint.py.
"""

from ....kernel.decorators import kernel
from ...beams.nodal import TRAPEZOIDAL
from .structural import advance_nodes


@kernel
def step(tables, work, rhs, project, run):
    return advance_nodes(tables, work, run, TRAPEZOIDAL)
