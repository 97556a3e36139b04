"""Mass matrix of a tree with flexible parts, by composite bodies.

With the columns h_k^m of the markers m of a part and the composite inertias I_m outboard of them,

    M_kl = S^T S + sum over m  h_k^m . I_m h_l^m,      U_k <- U_k + sum over m  I_m h_k^m

for two modes, h_l . U_k for a mode and a degree of freedom l inboard of the part, and h_k^m . (I h_l)
for one outboard of marker m. Otherwise as in mass_matrix.py.
"""

from ...kernel.algebra.spatial import add_to6, add_to21, apply, dot6, load6, load21
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.joint_inertia import joint_inertia
from .modal_body import modal_mass, momenta


@inline
def put(M, k, l, value):
    """One entry in both triangles."""
    M[k, l] = value
    M[l, k] = value


@inline
def along_inboard(tables, work, i, k, U):
    """Entries of row k with the degrees of freedom of link i, up to k, and of all links inboard."""
    links, dofs, M = tables.links, work.dofs, work.M
    j = i
    while j > 0:
        link = links[j]
        if link.flexible == 0:
            for l in range(link.iv, min(k + 1, link.iv + link.nv)):
                put(M, k, l, dot6(load6(dofs[l].h), U))
        for l in range(link.modes):
            put(M, k, link.mode_iv + l, dot6(load6(dofs[link.column + l].h), U))
        j = link.parent


@internal_kernel
def begin_block(tables, work, f):
    """The block of M of the modes, without what hangs on the markers."""
    own = modal_mass(work, f)
    for k in range(f.n):
        for l in range(k + 1):
            put(work.M, f.iv + k, f.iv + l, own[k * f.n + l])


@internal_kernel
def add_marker(tables, work, i, I):
    """Add the composite inertia at a marker to the block of its modes and to their momenta."""
    link, dofs, M = tables.links[i], work.dofs, work.M
    f = tables.flexible[tables.links[link.parent].flexible - 1]
    U = momenta(work, f)
    for k in range(f.n):
        carried = apply(I, load6(dofs[link.column + k].h))
        add_to6(U[6 * k : 6 * k + 6], carried)
        for l in range(k + 1):
            entry = dot6(load6(dofs[link.column + l].h), carried)
            put(M, f.iv + k, f.iv + l, M[f.iv + k, f.iv + l] + entry)


@internal_kernel
def modal_mass_matrix(tables, work):
    """Both triangles of M, zero between branches.

    Reads bodies (I), dofs (h), modal. Writes M, composite inertias into bodies (I), and momenta of
    the modes with all that hangs on the markers into modal.
    """
    links, bodies, dofs = tables.links, work.bodies, work.dofs
    for j in range(tables.flexible.shape[0]):
        begin_block(tables, work, tables.flexible[j])
    for i in range(links.shape[0] - 1, 0, -1):
        link = links[i]
        I = load21(bodies[i].I)
        if link.parent > 0:
            add_to21(bodies[link.parent].I, I)
        if link.modes > 0:
            add_marker(tables, work, i, I)
        if link.flexible > 0:
            U = momenta(work, tables.flexible[link.flexible - 1])
            for k in range(link.nv):
                along_inboard(tables, work, link.parent, link.iv + k, load6(U[6 * k : 6 * k + 6]))
        else:
            for k in range(link.iv, link.iv + link.nv):
                along_inboard(tables, work, i, k, apply(I, load6(dofs[k].h)))
                work.M[k, k] += joint_inertia(tables, link, k)
