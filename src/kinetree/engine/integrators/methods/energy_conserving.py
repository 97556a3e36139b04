"""Energy-conserving steps: exact discrete gradients of forces and beams, and exact discrete
derivatives of joints [Yun2005].

    M (v_f - v_i) / h = f_d - G_a^T lam,     (q_f - q_i) / h = (v_f + v_i) / 2,     g(q_f) = 0

Velocities of centers of mass are in the inertial frame, so that linear and angular momentum are
conserved with the energy.
"""

from ....kernel.decorators import kernel
from ...beams.nodal import EXACT
from .structural import advance_nodes


@kernel
def step(tables, work, rhs, project, run):
    """One energy-conserving step."""
    return advance_nodes(tables, work, run, EXACT)
