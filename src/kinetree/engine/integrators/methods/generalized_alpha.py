"""Generalized alpha on rotations: second order, with adjustable damping of fast oscillations.

[Chung1993; Arnold2007; Bruels2012]. Equations and multipliers are those at the end of the step, for
smooth reactions. A `spectral_radius` of 1 damps nothing; 0 removes in one step the oscillations
that the step cannot resolve.
"""

from ....kernel.decorators import kernel
from ...beams.nodal import ALPHA
from .structural import advance_nodes


@kernel
def step(tables, work, rhs, project, run):
    """One step of generalized alpha."""
    return advance_nodes(tables, work, run, ALPHA)
