"""The trapezoidal rule (average acceleration): the mean of the forces at both ends; joints as those
of midpoint.py.

With `printed` it is what [Yun2005, eqs. (37a), (40)] call by this name, the midpoint rule.
"""

from ....kernel.decorators import kernel
from ...beams.nodal import MIDPOINT, TRAPEZOIDAL
from .structural import advance_nodes


@kernel
def step(tables, work, rhs, project, run):
    return advance_nodes(
        tables, work, run, MIDPOINT if tables.settings[0].printed > 0 else TRAPEZOIDAL
    )
