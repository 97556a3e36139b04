"""Joint-space mass matrix by composite bodies.

    Ic_i = I_i + sum over children Ic_j,      M_kl = h_l . (Ic_i h_k)

J_k of `kernel/tables/joint_inertia.py` is added to M_kk. It equals B^T M B of [Lee1994, eq. (22)].
"""

from ...kernel.algebra.spatial import add_to21, apply, dot6, load6, load21
from ...kernel.decorators import internal_kernel, kernel
from ...kernel.tables.joint_inertia import joint_inertia
from .modal_mass_matrix import modal_mass_matrix


@kernel
def mass_matrix(tables, work):
    """M of a model; bodies with modes need another walk from each body to the ground."""
    if tables.flexible.shape[0] > 0:
        modal_mass_matrix(tables, work)
    else:
        rigid_mass_matrix(tables, work)


@internal_kernel
def rigid_mass_matrix(tables, work):
    """Both triangles of M, zero between branches.

    Reads bodies (I), dofs (h). Writes M, and composite inertias into bodies (I).
    """
    links, bodies, dofs, M = tables.links, work.bodies, work.dofs, work.M
    for i in range(links.shape[0] - 1, 0, -1):
        link = links[i]
        I = load21(bodies[i].I)
        if link.parent > 0:
            add_to21(bodies[link.parent].I, I)
        for k in range(link.iv, link.iv + link.nv):
            U = apply(I, load6(dofs[k].h))
            l = k
            while l >= 0:
                entry = dot6(load6(dofs[l].h), U)
                M[k, l] = entry
                M[l, k] = entry
                l = tables.dof_parent[l]
            M[k, k] += joint_inertia(tables, link, k)
