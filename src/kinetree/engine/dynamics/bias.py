"""Generalised forces f of  M vdot = f - G^T lam:  applied forces less inertia at vdot = 0
                         (recursive Newton-Euler).

    P_i = I (A - g) + V x* (I V) - F,   f_k = tau_k - h_k . sum of P over the bodies outboard of
                                        freedom k

Equals Q^ = B^T Q - B^T M Bdot qdot of [Lee1994, eq. (22)], with the gyroscopic term the paper
leaves out.
"""

from ...kernel.algebra.spatial import add6, add_to6, apply, dot6, load6, load21, sub6
from ...kernel.decorators import kernel


@kernel
def bias_forces(tables, work):
    """Reads bodies (I, A, F, bias = gyroscopic wrench) and f = tau; writes f and bodies (bias =
    wrench carried).
    """
    links, bodies, dofs, gravity, f = (
        tables.links,
        work.bodies,
        work.dofs,
        tables.settings[0].gravity,
        work.f,
    )
    lift = (0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2])
    for i in range(1, links.shape[0]):
        body = bodies[i]
        inertia = apply(load21(body.I), add6(load6(body.A), lift))
        add_to6(body.bias, sub6(inertia, load6(body.F)))
    for i in range(links.shape[0] - 1, 0, -1):
        link = links[i]
        P = load6(bodies[i].bias)
        for k in range(link.iv, link.iv + link.nv):
            f[k] -= dot6(load6(dofs[k].h), P)
        if link.parent > 0:
            add_to6(bodies[link.parent].bias, P)
