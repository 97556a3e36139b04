"""Bodies as nodes: their increments over a step, and their poses during it.

A node is the center of mass of a body with its frame. Over a step from START it is displaced by d
and rotated by the Rodrigues vector r. The increments are stored, because velocities from
differences of positions lose momentum by rounding.

    END      x + d, R(r) R
    AVERAGE  (START + END) / 2, not a rotation, but every point of the body is at its average
    MIDDLE   x + d/2, G(r) R, the frame at half the rotation

Joints and forces are evaluated by the kernels of the elements, with the bodies at one of these.
"""

from ...kernel.algebra.quaternion import quat_matrix
from ...kernel.algebra.rodrigues import (
    half,
    mean9,
    rotation_vector,
    turn_quaternion,
    turned,
    unturn,
)
from ...kernel.algebra.spatial import join, store6
from ...kernel.algebra.vec3 import (
    add,
    cross,
    load3,
    load9,
    matmul,
    rotate,
    rotate_t,
    scale,
    store3,
    store9,
    sub,
)
from ...kernel.decorators import inline, kernel
from ...kernel.tables.poses import AVERAGE, END, MIDDLE, START, node_pose

EXACT, MIDPOINT, TRAPEZOIDAL, ALPHA, STATIC = range(5)  # methods
PAD = 1e-12  # inertia added, relative to that of the body at the length of the model
FLAT = 1e-14  # determinant of the inertia below which it counts as zero
ALPHA_M, ALPHA_F, BETA, GAMMA = range(4)  # columns of the coefficients of generalized alpha


@inline
def in_space(tables, x, o):
    """Displacement and rotation of a node from its degrees of freedom at x[o:]."""
    if tables.freedoms.shape[0] == 6:
        return (x[o], x[o + 1], x[o + 2]), (x[o + 3], x[o + 4], x[o + 5])
    if tables.freedoms[2] == 5:
        return (x[o], x[o + 1], 0.0), (0.0, 0.0, x[o + 2])
    if tables.freedoms[2] == 4:
        return (x[o + 1], 0.0, x[o]), (0.0, x[o + 2], 0.0)
    return (0.0, x[o], x[o + 1]), (x[o + 2], 0.0, 0.0)


@inline
def store_pose(poses, b, x, R):
    """Store position and rotation matrix of body b."""
    row = poses[b]
    row[0], row[1], row[2] = x
    for k in range(9):
        row[3 + k] = R[k]


@inline
def symmetric(I):
    """Nine numbers of a symmetric matrix stored as xx xy xz yy yz zz."""
    return I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]


@inline
def node_inertia(tables, b):
    """Inertia of a body about its center of mass, made regular.

    A body without inertia about some axis, like a slender rod or a point that a joint holds, gets a
    little: a joint is eliminated after its bodies (blocks.py), and each body needs a pivot of its
    own.
    """
    I = tables.links[b].I_com
    xx, xy, xz, yy, yz, zz = I[0], I[1], I[2], I[3], I[4], I[5]
    trace = xx + yy + zz
    if (
        xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
        <= FLAT * trace * trace * trace
    ):
        pad = PAD * (trace + tables.links[b].mass * tables.settings[0].length ** 2)
        xx, yy, zz = xx + pad, yy + pad, zz + pad
    return symmetric((xx, xy, xz, yy, yz, zz))


@kernel
def load_nodes(tables, work, y):
    """Set the nodes at START from a state (q, v)."""
    nq = tables.settings[0].nq
    store_pose(work.poses[START], 0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for place in (END, AVERAGE, MIDDLE):
        store_pose(
            work.poses[place], 0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        )
    for b in range(1, tables.links.shape[0]):
        link, node = tables.links[b], work.nodes[b]
        i, k = link.iq, nq + link.iv
        node.mass, node.iq, node.iv = link.mass, link.iq, link.iv
        store9(node.J, node_inertia(tables, b))
        store3(node.com, load3(link.com))
        R = quat_matrix(y[i + 3], y[i + 4], y[i + 5], y[i + 6])
        c, w = rotate(R, load3(link.com)), (y[k + 3], y[k + 4], y[k + 5])
        store_pose(work.poses[START], b, add((y[i], y[i + 1], y[i + 2]), c), R)
        store3(node.w, w)
        store3(node.v, add((y[k], y[k + 1], y[k + 2]), cross(rotate(R, w), c)))


@inline
def end_velocity(tables, node, R_i, h, method):
    """Velocity of the center of mass, and angular velocity in body axes, at END.

    convected, as printed:  v = R_f (2/h R_a^T d - R_i^T v_i),  R_f R_a^T = (I + R(r)) / 2
                                                                [Yun2005, eqs. (28), (35a)]
    """
    if method == ALPHA:
        v = node.v_end
        return (v[0], v[1], v[2]), (v[3], v[4], v[5])
    d, r, v = load3(node.d), load3(node.r), load3(node.v)
    w = sub(scale(2.0 / h, rotate_t(R_i, r)), load3(node.w))
    if tables.settings[0].convected == 1:
        d = scale(1.0 / h, d)
        return add(d, rotate(turned(r), sub(d, v))), w
    return sub(scale(2.0 / h, d), v), w


@inline
def store_prediction_errors(node, R_i, h, v, w, report):
    """Store mean accelerations of the step and their change, for the next prediction.

    Writes  the errors that predictions with and without them would have had, into the report
    """
    z, s, lag = rotate_t(R_i, load3(node.r)), 0.5 * h * h, 0.5 * (h + report.lag)
    for k in range(6):
        plain = node.d[k] - h * node.v[k] if k < 3 else z[k - 3] - h * node.w[k - 3]
        report.plain = max(report.plain, abs(plain))
        report.bent = max(report.bent, abs(plain - s * node.a[k]))
        report.curved = max(report.curved, abs(plain - s * (node.a[k] + lag * node.vdot[k])))
        mean = (v[k] - node.v[k]) / h if k < 3 else (w[k - 3] - node.w[k - 3]) / h
        node.vdot[k], node.a[k] = (mean - node.a[k]) / lag, mean


@kernel
def store_nodes(tables, work, y, h, method):
    """Store the state (q, v) at END, which becomes START.

    Quaternions follow the rotations and stay of unit length.
    """
    nq = tables.settings[0].nq
    report = work.report[0]
    report.plain, report.bent, report.curved = 0.0, 0.0, 0.0
    for b in range(1, tables.links.shape[0]):
        node = work.nodes[b]
        i, k = node.iq, nq + node.iv
        x, _ = node_pose(work.poses[END], b)
        _, R_i = node_pose(work.poses[START], b)
        v, w = end_velocity(tables, node, R_i, h, method)
        turn_quaternion(y, i + 3, load3(node.r))
        R = quat_matrix(y[i + 3], y[i + 4], y[i + 5], y[i + 6])
        c = rotate(R, load3(node.com))
        if method != ALPHA:
            store_prediction_errors(node, R_i, h, v, w, report)
        store3(node.v, v)
        store3(node.w, w)
        store_pose(work.poses[START], b, x, R)
        p, u = sub(x, c), sub(v, cross(rotate(R, w), c))
        for n in range(3):
            y[i + n], y[k + n], y[k + 3 + n] = p[n], u[n], w[n]
    report.lag = h


@inline
def update_pose(tables, work, b, h, method, rho):
    """Compute poses and velocities of a node from its increments."""
    node, poses = work.nodes[b], work.poses
    x_i, R_i = node_pose(poses[START], b)
    d, r = load3(node.d), load3(node.r)
    x, R = add(x_i, d), matmul(turned(r), R_i)
    store_pose(poses[END], b, x, R)
    if method == ALPHA:
        alpha_rates(node, R_i, h, rho)
    elif method != STATIC:
        store_pose(poses[AVERAGE], b, add(x_i, scale(0.5, d)), mean9(R_i, R))
    if method == MIDPOINT:
        store_pose(poses[MIDDLE], b, add(x_i, scale(0.5, d)), matmul(turned(half(r)), R_i))
    if method == EXACT or method == MIDPOINT:
        store6(work.rates[b], join(scale(1.0 / h, r), scale(1.0 / h, d)))
    elif method == STATIC:
        store6(work.rates[b], (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    else:
        v, w = end_velocity(tables, node, R_i, h, method)
        store6(work.rates[b], join(rotate(R, w), v))
    if method != ALPHA and method != STATIC:
        v, w = end_velocity(tables, node, R_i, h, method)
        for k in range(3):
            node.v_end[k], node.v_end[3 + k] = v[k], w[k]


@inline
def alpha_rates(node, R_i, h, rho):
    """Velocities and accelerations of generalized alpha at END [Arnold2007, Bruels2012].

    D = (d/h, phi/h),       phi = rotation vector in body axes
    a = (D - v - h (1/2 - beta) a_n) / (h beta)
    v_end = v + h (1 - gamma) a_n + h gamma a
    vdot_end = ((1 - alpha_m) a + alpha_m a_n - alpha_f vdot_n) / (1 - alpha_f)
    """
    phi = rotate_t(R_i, rotation_vector(load3(node.r)))
    am, af, be, ga = rho[ALPHA_M], rho[ALPHA_F], rho[BETA], rho[GAMMA]
    for k in range(6):
        D = node.d[k] / h if k < 3 else phi[k - 3] / h
        v = node.v[k] if k < 3 else node.w[k - 3]
        a = (D - v - h * (0.5 - be) * node.a[k]) / (h * be)
        node.v_end[k] = v + h * (1.0 - ga) * node.a[k] + h * ga * a
        node.vdot_end[k] = ((1.0 - am) * a + am * node.a[k] - af * node.vdot[k]) / (1.0 - af)


@kernel
def update_poses(tables, work, h, method, rho):
    """Compute poses and velocities of all nodes from their increments."""
    for b in range(1, tables.links.shape[0]):
        update_pose(tables, work, b, h, method, rho)


@inline
def shift_node(work, b, dx, t):
    """Displace the end of a node further by dx and rotate it by t; R_f = R(r) R stays exact."""
    node = work.nodes[b]
    store3(node.d, add(load3(node.d), dx))
    store3(node.r, add(load3(node.r), unturn(load3(node.r), t)))


@kernel
def place_body(tables, work, b, place):
    """Place body b at a row of `work.poses`, with the present velocities."""
    body = work.bodies[b]
    if b == 0:
        return
    x, R = node_pose(work.poses[place], b)
    w, v = load3(work.rates[b]), load3(work.rates[b, 3:])
    c = rotate(R, load3(work.nodes[b].com))
    p = sub(x, c)
    store9(body.R, R)
    store3(body.p, p)
    store3(body.O, p)
    store6(body.V, join(w, sub(v, cross(w, c))))


@kernel
def place_body_in_middle(tables, work, b):
    """Place body b at the middle of the step, where its frame is a rotation."""
    if b > 0:
        _, R_i = node_pose(work.poses[START], b)
        node = work.nodes[b]
        x, _ = node_pose(work.poses[AVERAGE], b)
        store_pose(work.poses[MIDDLE], b, x, matmul(turned(half(load3(node.r))), R_i))
        place_body(tables, work, b, MIDDLE)


@inline
def to_center(tables, work, b, out):
    """Wrench on body b, as force and moment about its center of mass."""
    body = work.bodies[b]
    F = body.F
    f, m = (F[3], F[4], F[5]), (F[0], F[1], F[2])
    m = sub(m, cross(rotate(load9(body.R), load3(tables.links[b].com)), f))
    for k in range(3):
        out[k], out[3 + k] = f[k], m[k]
