"""One step of a structural method, in as many parts as it needs, and the work done in it.

A state is (q, v, x), followed by the work of every force element and of the drivers, and by the
accelerations and multipliers of the last step. A part that does not converge is solved from another
prediction, and then halved. Each part conserves energy, so a run continues where a plain Newton
method would give up.
"""

from ...elements.joints.sensors import ALONG, TURN_X, TURN_Z, on_turn, raw_angle, round_of, slide_at
from ...kernel.algebra.blas1 import copy, fill
from ...kernel.algebra.spatial import join, store6
from ...kernel.algebra.vec3 import add, cross, load3, load9, matmul, rotate
from ...kernel.decorators import inline, kernel
from ...kernel.tables.fault import NO_FAULT, clear_fault, record_failure
from ...kernel.tables.poses import AVERAGE, END, START, node_pose
from ...kernel.tables.status import Status
from ..dynamics.constraint import drift, evaluate_aims, prescribed
from .elements import beam_work, begin_beams
from .history import carry_history
from .loads import begin_loads, controllers, list_of, mean_wrenches, work_done
from .newton import solve_step
from .nodal import ALPHA, ALPHA_F, ALPHA_M, EXACT, MIDPOINT, TRAPEZOIDAL, store_nodes
from .predictor import fit_accelerations, local_error, predict
from .rows import ALL_ROWS, equations, first_row, place_attached, row_wrench

OK, OUT_OF_PLANE, TOO_COARSE = int(Status.OK), int(Status.OUT_OF_PLANE), int(Status.TOO_COARSE)
INTERRUPTED, USER_CODE = int(Status.INTERRUPTED), int(Status.USER_CODE)
DEEPEST = 10  # halvings of a step
TURN = 6.283185307179586


@inline
def start_rates(tables, work):
    """Set the present velocities to those at the start of the step."""
    for b in range(1, tables.links.shape[0]):
        node = work.nodes[b]
        _, R = node_pose(work.poses[START], b)
        store6(work.rates[b], join(rotate(R, load3(node.w)), load3(node.v)))


@kernel
def begin_part(tables, work, t, x, method):
    """Compute the quantities at the start of a part.

    Strains and energies; also forces and rates of states, where the method uses both ends.
    """
    start_rates(tables, work)
    begin_beams(tables, work, method)
    fill(work.xdot, 0.0)
    if method >= TRAPEZOIDAL:
        controllers(tables, work, t, x, START)
    begin_loads(tables, work, t, x, method)
    copy(work.xdot, work.xdot_start)


@kernel
def add_work(tables, work, t, h, x, totals, method, rho):
    """Add the work over the part to the totals: every force element, then the drivers."""
    middle, both = method == EXACT or method == MIDPOINT, method == ALPHA
    for e in range(tables.elements.shape[0]):
        totals[tables.elements[e].force] += beam_work(tables, work, e, h, method, rho)
    fill(work.xdot, 0.0)
    if tables.forces.shape[0] > 0:
        controllers(tables, work, t - 0.5 * h if middle else t, x, AVERAGE if middle else END)
    for k in range(tables.forces.shape[0]):
        if list_of(tables, k) > 0:
            mean_wrenches(tables, work, k, t - 0.5 * h if middle else t, h, x, method, 0)
            totals[k] += work_done(tables, work, k, both)
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if p.signal >= 0:
            moved = prescribed(tables, work, n, 0, t)[0] - prescribed(tables, work, n, 0, t - h)[0]
            lam = work.multipliers[p.ig]
            totals[tables.forces.shape[0]] -= moved * (
                0.5 * (lam + work.lam[p.ig]) if both else lam
            )
        if p.aim >= 0:
            totals[tables.forces.shape[0]] += orientation_work(
                tables, work, n, t, h, END if both else AVERAGE
            )


@kernel
def orientation_work(tables, work, n, t, h, average):
    """Work of the rows of a prescribed orientation on their bodies over the step."""
    at, total = tables.spots[n], 0.0
    place_attached(tables, work, average)
    evaluate_aims(tables, work, t - 0.5 * h if average == AVERAGE else t)
    row_wrench(tables, work, n, ALL_ROWS, average, 0)
    for b in range(tables.spots[at]):
        node = work.nodes[tables.spots[at + 1 + b]]
        for j in range(3):
            total -= work.wrenches[0, b, j] * node.d[j] + work.wrenches[0, b, 3 + j] * node.r[j]
    return total


@kernel
def count_turns(tables, work, x):
    """Angles between frames at the end, continuous over whole turns."""
    for k in range(tables.sensors.shape[0]):
        sensor = tables.sensors[k]
        if TURN_X <= sensor.kind <= TURN_Z:
            _, R_i = node_pose(work.poses[END], sensor.i)
            _, R_j = node_pose(work.poses[END], sensor.j)
            raw = raw_angle(
                sensor.kind, matmul(R_i, load9(sensor.R_iF)), matmul(R_j, load9(sensor.R_jM))
            )
            x[sensor.ix] = raw + TURN * round((x[sensor.ix] - raw) / TURN)
        elif sensor.kind == ALONG:
            raw = slide_at(tables, work, sensor, END)
            x[sensor.ix] = on_turn(raw, round_of(tables, sensor), x[sensor.ix])


@kernel
def accelerations(tables, work, h, method, rho, vdot):
    """Accelerations of the method in the coordinates of v, for generalized alpha."""
    for b in range(1, tables.links.shape[0]):
        node = work.nodes[b]
        k = node.iv
        if method == ALPHA:
            for j in range(6):
                node.a[j] = (
                    (1.0 - rho[ALPHA_F]) * node.vdot_end[j]
                    + rho[ALPHA_F] * node.vdot[j]
                    - rho[ALPHA_M] * node.a[j]
                ) / (1.0 - rho[ALPHA_M])
                node.vdot[j] = node.vdot_end[j]
            origin_acceleration(work, b, vdot, k)


@inline
def origin_acceleration(work, b, vdot, k):
    """Acceleration of the origin of a body:  a - R (wdot x c + w x (w x c))."""
    node = work.nodes[b]
    _, R = node_pose(work.poses[END], b)
    w = (node.v_end[3], node.v_end[4], node.v_end[5])
    wd, c = (node.vdot[3], node.vdot[4], node.vdot[5]), load3(node.com)
    out = rotate(R, add(cross(wd, c), cross(w, cross(w, c))))
    for j in range(3):
        vdot[k + j], vdot[k + 3 + j] = node.vdot[j] - out[j], wd[j]


@kernel
def report_closure(tables, work, t, x):
    """Largest constraint violation at the end of the step and its rate, in m and m/s.

    Writes  report.position_error, report.velocity_error
    """
    report, length = work.report[0], tables.settings[0].length
    report.position_error, report.velocity_error = 0.0, 0.0
    if tables.primitives.shape[0] == 0:
        return
    start_rates(tables, work)
    place_attached(tables, work, START)
    equations(tables, work, t, x)
    for n in range(tables.primitives.shape[0]):
        p, at = tables.primitives[n], tables.spots[n]
        for k in range(p.ng):
            row_wrench(tables, work, n, k, START, 0)
            rate = -prescribed(tables, work, n, 1, t)[1] if k == 0 and p.signal >= 0 else 0.0
            if p.aim >= 0:
                rate += drift(tables, work, p, k)
            for b in range(tables.spots[at]):
                V, f = work.rates[tables.spots[at + 1 + b]], work.wrenches[0, b]
                rate += (
                    V[0] * f[3]
                    + V[1] * f[4]
                    + V[2] * f[5]
                    + V[3] * f[0]
                    + V[4] * f[1]
                    + V[5] * f[2]
                )
            scale = 1.0 if tables.row_scale[p.ig + k] > 0.0 else length
            report.position_error = max(
                report.position_error, scale * abs(work.unbalanced[first_row(tables) + p.ig + k])
            )
            report.velocity_error = max(report.velocity_error, scale * abs(rate))


@inline
def halve(report, part):
    """Record that a part was halved; kept factors belong to another length."""
    report.halved, report.shortest, report.fresh = report.halved + 1, min(report.shortest, part), 0


@kernel
def solve_part(tables, work, end, part, x_i, x, lam, method, rho, hold, twice):
    """Solve a part that ends at `end`; if `twice`, also from a second prediction."""
    status = OK
    for steady in range(2 if twice else 1):
        predict(tables, work, part, method, steady == 1)
        copy(x_i, x)
        copy(lam, work.multipliers)
        clear_fault(work.report[0])
        status = solve_step(tables, work, end, part, x_i, x, method, rho, hold and steady == 0)
        if status == OK or work.report[0].fault != NO_FAULT or work.report[0].stop != 0:
            break
        work.report[0].fresh = 0
    return status


@kernel
def step_parts(tables, work, t, h, y, x, method, rho, hold, tolerance):
    """Step from a state at t to t + h, in parts; returns a Status.

    y is the state with the work after it, x is scratch for its states. With a tolerance of its
    error (not 0) the step is taken whole or not at all; if not, nothing has changed.
    """
    s = tables.settings[0]
    nq, nv, nx, nf = s.nq, s.nv, s.nx, tables.forces.shape[0]
    x_i, totals = y[nq + nv : nq + nv + nx], y[nq + nv + nx : nq + nv + nx + nf + 1]
    vdot, lam = y[nq + nv + nx + nf + 1 : nq + 2 * nv + nx + nf + 1], y[nq + 2 * nv + nx + nf + 1 :]
    done, parts, depth = 0, 1, 0  # parts of h / parts, `done` of them taken
    work.report[0].halved, work.report[0].shortest = 0, h
    while done < parts:
        if work.report[0].stop != 0:
            return INTERRUPTED
        part = h / parts
        end = t + h if done + 1 == parts else t + (done + 1) * part
        if method == ALPHA:
            fit_accelerations(tables, work, part)
        begin_part(tables, work, end - part, x_i, method)
        status = solve_part(
            tables, work, end, part, x_i, x, lam, method, rho, hold or done > 0, tolerance == 0.0
        )
        if status != OK:
            if depth == DEEPEST or tolerance > 0.0 or work.report[0].fault != NO_FAULT:
                record_failure(work, end, y)
                return status if work.report[0].fault == NO_FAULT else USER_CODE
            done, parts, depth = 2 * done, 2 * parts, depth + 1
            halve(work.report[0], h / parts)
            continue
        if work.report[0].out_of_plane > 0:
            return OUT_OF_PLANE
        if tolerance > 0.0:
            work.report[0].error = local_error(tables, work, part, method, rho) / tolerance
            if not work.report[0].error <= 1.0:
                return TOO_COARSE
        copy(lam, work.lam)
        add_work(tables, work, end, part, x, totals, method, rho)
        if method == EXACT or method == MIDPOINT:
            for k in range(nx):
                x_i[k] += 2.0 * (x[k] - x_i[k])
        else:
            copy(x, x_i)
        count_turns(tables, work, x_i)
        accelerations(tables, work, part, method, rho, vdot)
        copy(work.multipliers, lam)
        if tables.settings[0].history == 1:
            carry_history(tables, work)
        store_nodes(tables, work, y, part, method)
        done += 1
        while depth > 0 and done % 2 == 0 and done < parts:
            done, parts, depth = done // 2, parts // 2, depth - 1
            work.report[0].fresh = 0
    if parts > 1:
        work.report[0].fresh = 0
    report_closure(tables, work, t + h, x_i)
    return OK


@kernel
def begin_accelerations(tables, work, y):
    """Store the accelerations and multipliers in `work` at a start.

    They go into the state, and for generalized alpha into the nodes.
    """
    s = tables.settings[0]
    first = s.nq + s.nv + s.nx + tables.forces.shape[0] + 1
    copy(work.vdot, y[first : first + s.nv])
    copy(work.lam, y[first + s.nv :])
    work.report[0].lag = 0.0
    for b in range(1, tables.links.shape[0]):
        node = work.nodes[b]
        k = node.iv
        _, R = node_pose(work.poses[START], b)
        w, c = load3(node.w), load3(node.com)
        wd = (work.vdot[k + 3], work.vdot[k + 4], work.vdot[k + 5])
        arm = rotate(R, add(cross(wd, c), cross(w, cross(w, c))))
        for j in range(3):
            node.vdot[j], node.vdot[3 + j] = work.vdot[k + j] + arm[j], wd[j]
        for j in range(6):
            node.a[j] = node.vdot[j]
