"""Force elements over a step.

Each element gives its wrenches at the pose where the method evaluates forces, with the mean or the
present velocities. With the energy-conserving method springs give their discrete gradient (column
DISCRETE of the catalogue). For other elements that store energy, the force at the middle is
corrected along the motion, so that it does the work of its energy:

    F = F_m + (E_i - E_f - F^c_m.z) z / z.z,     z = (d, r)  of its bodies
                                                                [Gonzalez1996, eq. (2.15)]

with F^c_m.z = -dE/ds along z from differences of the energy, of order four. Derivatives of forces
by the end of the step are difference quotients: the elements are few, and their errors do not slow
Newton's method. The work is that of the applied forces.
"""

from ...elements.controllers.catalogue import control
from ...elements.forces.catalogue import (
    APPLY,
    DISCRETE,
    ENERGY,
    apply_force,
    discrete_force,
    force_energy,
)
from ...elements.joints.sensors import TURN_X
from ...kernel.algebra.blas1 import copy, fill
from ...kernel.algebra.rodrigues import turned
from ...kernel.algebra.spatial import store6
from ...kernel.algebra.vec3 import add, load3, matmul, scale
from ...kernel.decorators import inline, kernel
from ...kernel.tables.fault import FORCE, set_fault_element
from ...kernel.tables.poses import AVERAGE, END, MIDDLE, START, node_pose
from .nodal import (
    EXACT,
    MIDPOINT,
    TRAPEZOIDAL,
    place_body,
    place_body_in_middle,
    store_pose,
    to_center,
)
from .rows import INCREMENT, perturb_node, put_change, restore_node

SPAN = 0.05  # of the step: increment for the derivative of an energy along it
PLANE = 1e-10  # of a wrench: largest part across the plane of a planar model
HALF_MOMENTS = 39  # `printed`: springs on an angle as in [Yun2005, eqs. (39d), (39h)]
NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inline
def place_of_forces(method):
    """Row of `work.poses` at which a method evaluates forces."""
    if method == EXACT:
        return AVERAGE
    return MIDDLE if method == MIDPOINT else END


@inline
def list_of(tables, k):
    """Position of the list of a force element in `spots`; 0 for a beam."""
    return tables.spots[tables.primitives.shape[0] + k]


@inline
def put_bodies(tables, work, k, place):
    """Place the bodies of an element at a row of `work.poses`."""
    at = list_of(tables, k)
    for b in range(tables.spots[at]):
        if place == MIDDLE:
            place_body_in_middle(tables, work, tables.spots[at + 1 + b])
        else:
            place_body(tables, work, tables.spots[at + 1 + b], place)


@kernel
def energy_at(tables, work, k, place, t, x):
    """Energy of an element with its bodies at a row of `work.poses`."""
    put_bodies(tables, work, k, place)
    force = tables.forces[k]
    return force_energy(tables.kernels[force.kind, ENERGY], tables, work, force, t, x, x)


@inline
def energy_along(tables, work, k, s, t, x):
    """Energy of an element with its bodies a fraction s of the step after the middle."""
    at = list_of(tables, k)
    for n in range(tables.spots[at]):
        b = tables.spots[at + 1 + n]
        node = work.nodes[b]
        place_body_in_middle(tables, work, b)
        p, R = node_pose(work.poses[MIDDLE], b)
        store_pose(
            work.poses[MIDDLE],
            b,
            add(p, scale(s, load3(node.d))),
            matmul(turned(scale(s, load3(node.r))), R),
        )
        place_body(tables, work, b, MIDDLE)
    force = tables.forces[k]
    return force_energy(tables.kernels[force.kind, ENERGY], tables, work, force, t, x, x)


@inline
def gather(tables, work, k, out):
    """Copy the wrenches on the bodies of an element to `work.wrenches[out]`."""
    at = list_of(tables, k)
    for n in range(tables.spots[at]):
        to_center(tables, work, tables.spots[at + 1 + n], work.wrenches[out, n])


@inline
def clear(tables, work, k):
    """Set the wrenches on the bodies of an element to zero."""
    at = list_of(tables, k)
    store6(work.bodies[0].F, NOTHING)
    for n in range(tables.spots[at]):
        store6(work.bodies[tables.spots[at + 1 + n]].F, NOTHING)


@inline
def applied_wrenches(tables, work, k, place, t, x, out):
    """Wrenches that an element applies at a row of `work.poses`."""
    put_bodies(tables, work, k, place)
    clear(tables, work, k)
    force = tables.forces[k]
    apply_force(tables.kernels[force.kind, APPLY], tables, work, force, t, x, x, x)
    gather(tables, work, k, out)


@inline
def correct_energy(tables, work, k, t, x, out):
    """Correct the wrenches at the middle so that they do the work of the energy."""
    E_f = energy_at(tables, work, k, END, t, x)
    slope = (
        8.0
        * (energy_along(tables, work, k, SPAN, t, x) - energy_along(tables, work, k, -SPAN, t, x))
        - energy_along(tables, work, k, 2.0 * SPAN, t, x)
        + energy_along(tables, work, k, -2.0 * SPAN, t, x)
    ) / (12.0 * SPAN)
    at, arm, size = list_of(tables, k), tables.settings[0].length ** 2, 0.0
    for n in range(tables.spots[at]):
        node = work.nodes[tables.spots[at + 1 + n]]
        for j in range(3):
            size += node.d[j] * node.d[j] + arm * node.r[j] * node.r[j]
    if size > 0.0:
        c = (work.stored[k] - E_f + slope) / size
        for n in range(tables.spots[at]):
            node = work.nodes[tables.spots[at + 1 + n]]
            for j in range(3):
                work.wrenches[out, n, j] += c * node.d[j]
                work.wrenches[out, n, 3 + j] += c * arm * node.r[j]


@inline
def turns(tables, k):
    """Is element k a spring on an angle?"""
    force = tables.forces[k]
    return (
        tables.kernels[force.kind, DISCRETE] != 0
        and force.sensor >= 0
        and tables.sensors[force.sensor].kind >= TURN_X
    )


@kernel
def mean_wrenches(tables, work, k, t, h, x, method, out):
    """Mean wrenches of an element over the step, about the centers of mass of its bodies.

    Writes  work.wrenches[out]
    """
    force, at = tables.forces[k], list_of(tables, k)
    if method == EXACT and tables.kernels[force.kind, DISCRETE] != 0:
        put_bodies(tables, work, k, AVERAGE)
        clear(tables, work, k)
        discrete_force(tables.kernels[force.kind, DISCRETE], tables, work, force, t, h, x)
        gather(tables, work, k, out)
    elif method == EXACT and (
        work.stored[k] != 0.0 or energy_at(tables, work, k, END, t, x) != 0.0
    ):
        applied_wrenches(tables, work, k, MIDDLE, t, x, out)
        correct_energy(tables, work, k, t, x, out)
    else:
        applied_wrenches(tables, work, k, place_of_forces(method), t, x, out)
    if tables.settings[0].printed == HALF_MOMENTS and turns(tables, k):
        for n in range(tables.spots[at]):
            for j in range(6):
                work.wrenches[out, n, j] *= 0.5
    set_fault_element(work.report[0], FORCE, k)
    if method == TRAPEZOIDAL:
        first = tables.spots[at + 1 + tables.spots[at] * (1 + tables.spots[at])]
        for n in range(tables.spots[at]):
            for j in range(6):
                work.wrenches[out, n, j] = 0.5 * (
                    work.wrenches[out, n, j] + work.began[first + n, j]
                )


@kernel
def controllers(tables, work, t, x, place):
    """Outputs of the controllers, with all bodies at a row of `work.poses`."""
    if tables.controllers.shape[0] == 0:
        return
    fill(work.outputs, 0.0)
    for b in range(1, tables.links.shape[0]):
        place_body(tables, work, b, place)
    control(tables.control_kernel[0], tables, work, t, x, x, x)


@kernel
def load_terms(tables, work, t, h, x, method, rho, tangent):
    """Subtract all forces except beams from the residual, and their derivatives from the matrix.

    Writes  work.xdot_forces, the rates of the states
    """
    size = tables.freedoms.shape[0]
    fill(work.xdot, 0.0)
    if tables.forces.shape[0] == 0 and tables.controllers.shape[0] == 0:
        return
    controllers(tables, work, t, x, AVERAGE if method == EXACT or method == MIDPOINT else END)
    for k in range(tables.forces.shape[0]):
        at = list_of(tables, k)
        if at == 0:
            continue
        mean_wrenches(tables, work, k, t, h, x, method, 0)
        for n in range(tables.spots[at]):
            f = size * (tables.spots[at + 1 + n] - 1)
            for j in range(size):
                work.unbalanced[f + j] -= work.wrenches[0, n, tables.freedoms[j]]
            if size < 6 and leaves_plane(tables, work, n):
                work.report[0].out_of_plane = k + 1
    # before the perturbed elements add theirs
    copy(work.xdot, work.xdot_forces)
    if tangent:
        for k in range(tables.forces.shape[0]):
            at = list_of(tables, k)
            if at > 0:
                for n in range(tables.spots[at]):
                    for j in range(size):
                        difference_force(tables, work, k, n, j, t, h, x, method, rho)


@inline
def difference_force(tables, work, k, n, j, t, h, x, method, rho):
    """Derivative of the wrenches of an element by component j of its node n."""
    at = list_of(tables, k)
    b, i = tables.spots[at + 1 + n], tables.freedoms[j]
    e = INCREMENT * tables.settings[0].length if i < 3 else INCREMENT
    for side in range(2):
        perturb_node(tables, work, b, i, e if side == 0 else -e, h, method, rho)
        mean_wrenches(tables, work, k, t, h, x, method, 1 + side)
        restore_node(tables, work, b)
    put_change(tables, work, at, n, j, -0.5 / e)


@inline
def leaves_plane(tables, work, n):
    """Whether the wrench on node n pushes or rotates it out of the plane, beyond rounding."""
    inside, outside = 0.0, 0.0
    for i in range(6):
        size = abs(work.wrenches[0, n, i])
        if i == tables.freedoms[0] or i == tables.freedoms[1] or i == tables.freedoms[2]:
            inside = max(inside, size)
        else:
            outside = max(outside, size)
    return outside > PLANE * (inside + tables.settings[0].force)


@kernel
def begin_loads(tables, work, t, x, method):
    """At the start of a step: energies of the elements, and wrenches if both ends count."""
    for k in range(tables.forces.shape[0]):
        at = list_of(tables, k)
        if at == 0:
            continue
        count = tables.spots[at]
        work.stored[k] = energy_at(tables, work, k, START, t, x)
        if method >= TRAPEZOIDAL:
            applied_wrenches(tables, work, k, START, t, x, 0)
            first = tables.spots[at + 1 + count * (1 + count)]
            for n in range(count):
                for j in range(6):
                    work.began[first + n, j] = work.wrenches[0, n, j]


@kernel
def work_done(tables, work, k, both):
    """Work of an element over the step with the wrenches in row 0.

    With `both`, with the mean of these and of those at the start.
    """
    at, total = list_of(tables, k), 0.0
    first = tables.spots[at + 1 + tables.spots[at] * (1 + tables.spots[at])]
    for n in range(tables.spots[at]):
        node = work.nodes[tables.spots[at + 1 + n]]
        for j in range(3):
            f, m = work.wrenches[0, n, j], work.wrenches[0, n, 3 + j]
            if both:
                f = 0.5 * (f + work.began[first + n, j])
                m = 0.5 * (m + work.began[first + n, 3 + j])
            total += f * node.d[j] + m * node.r[j]
    return total
