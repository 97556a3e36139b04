"""Newton's method over an open tree by articulated bodies with stiffness, O(bodies).

The unknowns are the changes da of the joint accelerations; those of velocities and positions follow
from the formula of the step, dv = c da and dq = c^2 da. With y_i = y_P + sum h_k da_k the twist of
body i is changed by c y_i and its pose by c^2 y_i, and Newton's equations are

    B_i y_i  =  phi_i - sum of phi over the children of i                        of the bodies
    h_k . phi_i + c^2 (y x h_k) . Phi_i + (c C_k + c^2 K_k) da_k  =  tau_k - h_k . Phi_i

Phi_i is the wrench that the joint of body i transmits at the present iterate, phi_i its change.
B_i has the inertia, the gyroscopic terms, the turning of the weight and of the inertia force m a
about O, and the elements on the body (element_matrices.py):

    m u                                                         u: displacement of the mass center
    r x m u + J w + c (w x J Omega + Omega x J w) + c^2 u x m a

Eliminated from the tips to the root, B stays a 6x6 matrix, which is not symmetric. It is that of
the present iterate in every iteration; only C and K of the elements are kept. The change of the
twists by the turning of the columns h is left out, an error of the size of the rotation over a
step. Vectors are about O (engine/dynamics/kinematics.py).
"""

from ....kernel.algebra.full_inertia import (
    add_to36,
    load36,
    store36,
)
from ....kernel.algebra.spatial import (
    add6,
    add_to6,
    angular,
    apply_rigid,
    linear,
    load6,
    load21,
    scale6,
    short_dot6,
    store6,
    sub6,
)
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.joint_inertia import joint_inertia
from ....kernel.tables.state import parts
from ...dynamics.kinematics import kinematics
from ...dynamics.loads import loads
from ...equations.interface import rates
from ..methods.adams_formulas import NEXT
from ..methods.bdf_formulas import CHANGE, NEWTON, PSI, SLOPE
from ..stepping import INTERRUPTED, OK, checked_status, count_evaluation
from .articulated_joints import articulated, eliminate_hinge, eliminate_joint, hinge_row
from .element_matrices import OWN, place_of, tie
from .matrix import BY_POSITION, BY_VELOCITY, A
from .symmetric_step import (
    accelerate_symmetrically,
    articulate_symmetrically,
    is_symmetric,
    unbalance_bodies,
)

_NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inline
def body_matrix(I, V, f, mass, c):
    """B of a rigid body without elements; f is m a of its mass center."""
    mx, my, mz = -I[11], I[8], -I[7]
    inverse = 1.0 / mass if mass > 0.0 else 0.0
    x, y, z = inverse * mx, inverse * my, inverse * mz
    g = c * c
    fx, fy, fz = g * f[0], g * f[1], g * f[2]
    along = fx * x + fy * y + fz * z
    # central inertia, times c
    yy, zz, xx = my * y, mz * z, mx * x
    Jxx, Jyy, Jzz = c * (I[0] - yy - zz), c * (I[3] - xx - zz), c * (I[5] - xx - yy)
    Jxy, Jxz, Jyz = c * (I[1] + mx * y), c * (I[2] + mx * z), c * (I[4] + my * z)
    p, q, r = angular(V)
    Lx = Jxx * p + Jxy * q + Jxz * r
    Ly = Jxy * p + Jyy * q + Jyz * r
    Lz = Jxz * p + Jyz * q + Jzz * r
    return (
        I[0] + (x * fx - along) + (q * Jxz - r * Jxy),
        I[1] + x * fy + (q * Jyz - r * Jyy) + Lz,
        I[2] + x * fz + (q * Jzz - r * Jyz) - Ly,
        0.0,
        I[7] + fz,
        I[8] - fy,
        I[1] + y * fx + (r * Jxx - p * Jxz) - Lz,
        I[3] + (y * fy - along) + (r * Jxy - p * Jyz),
        I[4] + y * fz + (r * Jxz - p * Jzz) + Lx,
        I[9] - fz,
        0.0,
        I[11] + fx,
        I[2] + z * fx + (p * Jxy - q * Jxx) + Ly,
        I[4] + z * fy + (p * Jyy - q * Jxy) - Lx,
        I[5] + (z * fz - along) + (p * Jyz - q * Jxz),
        I[12] + fy,
        I[13] - fx,
        0.0,
        0.0,
        I[9],
        I[12],
        mass,
        0.0,
        0.0,
        I[7],
        0.0,
        I[13],
        0.0,
        mass,
        0.0,
        I[8],
        I[11],
        0.0,
        0.0,
        0.0,
        mass,
    )


@inline
def unbalance(tables, work, run, c, a):
    """Root to tips: accelerations, unbalanced wrenches and the matrices B of all bodies.

    Writes  bodies (A; bias = I A + V x* I V - F; F = 0, the sum of later changes), run.factors
    """
    links, bodies, dofs, gravity = tables.links, work.bodies, work.dofs, tables.settings[0].gravity
    store6(bodies[0].A, (0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2]))
    for i in range(1, links.shape[0]):
        link, body = links[i], bodies[i]
        acc = add6(load6(bodies[link.parent].A), load6(body.c))
        for k in range(link.iv, link.iv + link.nv):
            acc = add6(acc, scale6(a[k], load6(dofs[k].h)))
        store6(body.A, acc)
        I = load21(body.I)
        p = add6(apply_rigid(I, acc), load6(body.bias))
        store6(body.bias, sub6(p, load6(body.F)))
        store6(body.F, _NOTHING)
        store36(articulated(run, i), body_matrix(I, load6(body.V), linear(p), link.mass, c))
        if place_of(tables, run.lists, i)[0] >= 0:
            add_to36(articulated(run, i), tie(tables, work, run, i, OWN, c))
    store6(bodies[0].A, _NOTHING)


@inline
def articulate_stiffly(tables, work, run, c, a):
    """Tips to root: B and b of the articulated bodies."""
    links, bodies, dofs = tables.links, work.bodies, work.dofs
    C, K = run.entries[BY_VELOCITY], run.entries[BY_POSITION]
    for i in range(links.shape[0] - 1, 0, -1):
        link, body, k = links[i], bodies[i], links[i].iv
        if link.nv != 1 or place_of(tables, run.lists, i)[1] > 0:
            eliminate_joint(tables, work, run, i, c, a)
            B, b = load36(articulated(run, i)), load6(body.F)
        else:
            J = joint_inertia(tables, link, k)
            B, b = eliminate_hinge(
                dofs[k],
                hinge_row(tables, run, k),
                load36(articulated(run, i)),
                load6(body.F),
                load6(body.bias),
                work.f[k] - J * a[k],
                J + c * (C[k] + c * K[k]),
                c * c,
            )
        if link.parent > 0:
            P = bodies[link.parent]
            add_to36(articulated(run, link.parent), B)
            add_to6(P.F, b)
            add_to6(P.bias, load6(body.bias))


@inline
def accelerate_stiffly(tables, work, run, c, out):
    """Root to tips: out = c da."""
    links, bodies, dofs = tables.links, work.bodies, work.dofs
    for i in range(1, links.shape[0]):
        link = links[i]
        y_P = load6(bodies[link.parent].A)
        y = y_P
        for k in range(link.iv, link.iv + link.nv):
            row = hinge_row(tables, run, k)
            left = dofs[k].u - short_dot6(load6(row), y_P)
            for j in range(link.iv, k):
                left -= row[6 + j - link.iv] * out[j] / c
            da = dofs[k].d * left
            out[k] = c * da
            y = add6(y, scale6(da, load6(dofs[k].h)))
        store6(bodies[i].A, y)


@internal_kernel
def correct_articulated(tables, work, run, t):
    """Evaluate the equations at the state in NEXT and compute delta of the present d.

    Returns a Status.
    """
    memory, vectors, y = run.memory[0], run.vectors, run.vectors[NEXT]
    nq, nv, c, delta = tables.settings[0].nq, tables.settings[0].nv, memory.c, vectors[NEWTON]
    if not count_evaluation(memory, work.report[0]):
        return INTERRUPTED
    work.report[0].evaluations += 1
    q, v, x = parts(tables, y)
    kinematics(tables, work, q, v)
    loads(tables, work, t, q, v, x)
    a, inverse = run.unknowns[A], 1.0 / c
    for k in range(nv):
        a[k] = inverse * (vectors[PSI, nq + k] + vectors[CHANGE, nq + k])
    if is_symmetric(run):
        unbalance_bodies(tables, work, a)
        articulate_symmetrically(tables, work, run, c, a)
        accelerate_symmetrically(tables, work, c, delta[nq : nq + nv])
    else:
        unbalance(tables, work, run, c, a)
        articulate_stiffly(tables, work, run, c, a)
        accelerate_stiffly(tables, work, run, c, delta[nq : nq + nv])
    for k in range(nv):
        v[k] += delta[nq + k]
    rates(tables, work, q, v, y, vectors[SLOPE])
    for i in range(nq):
        delta[i] = c * vectors[SLOPE, i] - vectors[PSI, i] - vectors[CHANGE, i]
    for i in range(nq + nv, y.shape[0]):
        delta[i] = c * vectors[SLOPE, i] - vectors[PSI, i] - vectors[CHANGE, i]
    return checked_status(work, OK, t, y)  # the norm of delta shows whether it is finite
