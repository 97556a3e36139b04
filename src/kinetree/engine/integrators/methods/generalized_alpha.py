"""Generalised alpha on rotations: second order, with as much damping of fast oscillations as asked
for.

[Chung1993; Arnold2007; Bruels2012]; equations and multipliers at the end of the step, for smooth
reactions. A `spectral_radius` of 1 damps nothing, 0 annihilates what the step cannot resolve.
"""

from ....kernel.decorators import kernel
from ...beams.nodal import ALPHA
from .structural import advance_nodes


@kernel
def step(tables, work, rhs, project, run):
    return advance_nodes(tables, work, run, ALPHA)
