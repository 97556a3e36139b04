"""Energy-conserving steps: exact discrete gradients of forces and beams, and exact discrete
derivatives of joints [Yun2005].

    M (v_f - v_i) / h = f_d - G_a^T lam,     (q_f - q_i) / h = (v_f + v_i) / 2,     g(q_f) = 0

Velocities of centers of mass are in the inertial frame, so that linear and angular momentum are
conserved with the energy. The printed forms are options: `printed` uses the forces of eqs. (39),
half-way through the step; `history` and `convected` use the beam of eq. (25).
"""

from ....kernel.decorators import kernel
from ...beams.nodal import EXACT, MIDPOINT
from .structural import advance_nodes


@kernel
def step(tables, work, rhs, project, run):
    """One energy-conserving step."""
    return advance_nodes(tables, work, run, MIDPOINT if tables.settings[0].printed > 0 else EXACT)
