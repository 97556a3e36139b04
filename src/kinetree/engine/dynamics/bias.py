"""Generalized forces f of  M vdot = f - G^T lam,  by the recursive Newton-Euler algorithm.

    P_i = I (A - g) + V x* (I V) - F
    f_k = tau_k - h_k . sum of P over the bodies outboard of joint k

f is the applied forces less the inertia forces at vdot = 0. It equals Q^ = B^T Q - B^T M Bdot qdot
of [Lee1994, eq. (22)], with the gyroscopic term that the paper omits.
"""

from ...kernel.algebra.spatial import add6, add_to6, apply_rigid, dot6, load6, load21, sub6
from ...kernel.decorators import kernel
from .modal_body import add_modal_forces


@kernel
def bias_forces(tables, work):
    """Generalized forces of all bodies.

    Reads bodies (I of the rigid body, A, F, bias = gyroscopic wrench) and f = tau.
    Writes f and bodies (bias = wrench through the joint).
    """
    links, bodies, dofs, f = tables.links, work.bodies, work.dofs, work.f
    gravity = tables.settings[0].gravity
    lift = (0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2])
    for i in range(1, links.shape[0]):
        body = bodies[i]
        inertia = apply_rigid(load21(body.I), add6(load6(body.A), lift))
        add_to6(body.bias, sub6(inertia, load6(body.F)))
    add_modal_forces(tables, work)
    for i in range(links.shape[0] - 1, 0, -1):
        link = links[i]
        P = load6(bodies[i].bias)
        for k in range(link.iv, link.iv + link.nv):
            f[k] -= dot6(load6(dofs[k].h), P)
        for k in range(link.modes):
            f[link.mode_iv + k] -= dot6(load6(dofs[link.column + k].h), P)
        if link.parent > 0:
            add_to6(bodies[link.parent].bias, P)
