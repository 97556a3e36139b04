"""Trapezoidal rule: mean of the forces at both ends of the step; joints as in midpoint.py.

With `printed` it is the rule that [Yun2005, eqs. (37a), (40)] call trapezoidal: the midpoint rule.
"""

from ....kernel.decorators import kernel
from ...beams.nodal import MIDPOINT, TRAPEZOIDAL
from .structural import advance_nodes


@kernel
def step(tables, work, rhs, project, run):
    """One step of the trapezoidal rule."""
    return advance_nodes(
        tables, work, run, MIDPOINT if tables.settings[0].printed > 0 else TRAPEZOIDAL
    )
