"""Closed loops and consistent velocities, compiled: the usual way of an assembly.

Gauss-Newton is that of `positions.py`, which calls it for small models. The other kernels are for the
cases of a study (`studies/cases/start.py`); their equations and limits are those of `velocities.py`,
`change_points.py` and `accelerations.py`. They decide clear cases only: any doubt is a status, and
the case is then assembled by `prepare.py`.

The least step and all ranks follow from rotations of the rows of a scaled Jacobian A,

    W A = S Z^T,      A^+ b = Z S^-1 W b,      left null space: the rows of W with small s

(kernel/linalg/singular_values.py).
"""

from __future__ import annotations

from ..elements.joints.sensors import TURN_X, on_turn, sensor_value, without_turns
from ..engine.dynamics.constraint import (
    constraint_accelerations,
    constraint_jacobian,
    constraint_values,
    constraint_velocities,
)
from ..engine.dynamics.kinematics import (
    bias_accelerations,
    kinematics,
    positions,
    shift_coordinates,
)
from ..kernel.algebra.blas1 import copy, fill
from ..kernel.decorators import inline, kernel
from ..kernel.linalg.singular_values import orthogonal_rows
from ..kernel.tables.records import Tables
from ..kernel.tables.workspace import Work
from ..kernel.types import IntVector, Matrix, Vector

CLOSED, OPEN, TURNED, DOUBTFUL, BENT, RATES, CONTRADICTION = range(7)
ITERATIONS = 60
HALVINGS = 12
CUT = 1e-9  # singular values of velocities below this are rounding errors
MET = 1e-8  # deviation of velocities that counts as none
SMALL, ZERO = 1e-4, 1e-8  # singular values that are examined, and redundant ones
STEP = 1e-4  # of a difference quotient of G
BENDING = 1e-5  # change of redundant rows, above the error of that quotient
ACCELERATIONS = 1e-6  # of gamma, that no accelerations satisfy


@inline
def largest(values):
    """The largest magnitude; NaN if any value is NaN."""
    most = 0.0
    for k in range(values.shape[0]):
        if not abs(values[k]) <= most:
            most = abs(values[k])
    return most


@inline
def scaled_values(tables, work, t, q, x, scale, g):
    """g in meters; returns the largest."""
    positions(tables, work, q)
    constraint_values(tables, work, t, q, x)
    for k in range(g.shape[0]):
        g[k] = work.g[k] * scale[k]
    return largest(g)


@inline
def follow_turns(tables, work, q, x):
    """Angles with counted turns at the present position, on the turn nearest to x."""
    for k in range(tables.sensors.shape[0]):
        sensor = tables.sensors[k]
        if sensor.kind >= TURN_X:
            x[sensor.ix] = sensor_value(tables, sensor, q, x, work.bodies)


@kernel
def initial_turns(tables: Tables, work: Work, q: Vector, given: Vector, x: Vector):
    """x of counted angles at a position, on the turns of the given angles; NaN: within one turn."""
    positions(tables, work, q)
    for k in range(tables.sensors.shape[0]):
        sensor = tables.sensors[k]
        if sensor.kind < TURN_X:
            continue
        raw, period = without_turns(tables, sensor, work.bodies)
        wanted = given[sensor.ix]
        x[sensor.ix] = raw if wanted != wanted else on_turn(raw, period, wanted)


@kernel
def count_turns(tables: Tables, work: Work, q: Vector, x: Vector):
    """x of counted angles at the position q, on the turns nearest to x."""
    positions(tables, work, q)
    follow_turns(tables, work, q, x)


@inline
def rotated_rows(A, W, s):
    """A <- S Z^T, W <- the rotations, s <- S; returns the largest, or -1."""
    for i in range(W.shape[0]):
        fill(W[i], 0.0)
        W[i, i] = 1.0
    if not orthogonal_rows(A, W, s):
        return -1.0
    return largest(s)


@inline
def scaled_jacobian(tables, work, rows, columns, A):
    """G with scaled rows and columns; needs positions."""
    constraint_jacobian(tables, work)
    for i in range(rows.shape[0]):
        for j in range(columns.shape[0]):
            A[i, j] = work.G[i, j] * rows[i] * columns[j]


@inline
def add_solution(A, W, s, b, cut, x):
    """x <- A^+ b with the rotated rows, without singular values up to `cut`."""
    fill(x, 0.0)
    for i in range(s.shape[0]):
        if s[i] > cut:
            c = 0.0
            for k in range(s.shape[0]):
                c += W[i, k] * b[k]
            c /= s[i] * s[i]
            for j in range(x.shape[0]):
                x[j] += c * A[i, j]


@kernel
def close_position(
    tables: Tables,
    work: Work,
    t: float,
    q: Vector,
    x: Vector,
    scale: Vector,
    holonomic: Vector,
    root: Vector,
    natural: Vector,
    A: Matrix,
    W: Matrix,
    s: Vector,
    g: Vector,
    step: Vector,
    q_new: Vector,
    x_new: Vector,
    rcond: float,
):
    """Gauss-Newton to the nearest closed position, in place; returns the violation (m) and the number
    of steps.

    root: one over the square root of the weights; holonomic: `scale` without rows of velocities
    alone.
    """
    length, n, tried = tables.settings[0].length, step.shape[0], 0
    error = scaled_values(tables, work, t, q, x, scale, g)
    for _ in range(ITERATIONS):
        if not error > 1e-13 * length:
            break
        scaled_jacobian(tables, work, holonomic, root, A)
        most = rotated_rows(A, W, s)
        if most < 0.0:
            break
        add_solution(A, W, s, g, rcond * most, step)
        longest = 0.0
        for j in range(n):
            step[j] = -step[j] * root[j]
            longest = max(longest, abs(step[j] * natural[j]))
        shorter = min(1.0, 0.5 / max(longest, 1e-300))
        for j in range(n):
            step[j] *= shorter
        new = error
        for _ in range(HALVINGS):
            copy(q, q_new)
            copy(x, x_new)
            shift_coordinates(tables, q_new, step)
            positions(tables, work, q_new)
            follow_turns(tables, work, q_new, x_new)
            new = scaled_values(tables, work, t, q_new, x_new, scale, g)
            if new < error or longest == 0.0:
                break
            for j in range(n):
                step[j] *= 0.5
        if not new < error * (1.0 - 1e-6):
            break
        copy(q_new, q)
        copy(x_new, x)
        error = new
        tried += 1
    return scaled_values(tables, work, t, q, x, scale, g), tried


@inline
def is_open(tables, work, error):
    """Whether the violation is above the level of rounding."""
    far = 0.0
    for i in range(work.bodies.shape[0]):
        for k in range(3):
            far = max(far, abs(work.bodies[i].p[k]))
    return not error <= 1e-11 * tables.settings[0].length + 1e-14 * far


@inline
def turned_over(work, pairs, axes):
    """Whether axes of a cut joint that are in line point opposite ways."""
    for n in range(axes.shape[0]):
        i, j = work.bodies[pairs[2 * n]], work.bodies[pairs[2 * n + 1]]
        along = 0.0
        for k in range(3):
            a, b = 0.0, 0.0
            for m in range(3):
                a += i.R[3 * k + m] * axes[n, m]
                b += j.R[3 * k + m] * axes[n, 3 + m]
            along += a * b
        if along < 0.0:
            return True
    return False


@kernel
def check_closed(tables: Tables, work: Work, error: float, pairs: IntVector, axes: Matrix):
    """CLOSED, OPEN or TURNED; needs positions."""
    if is_open(tables, work, error):
        return OPEN
    return TURNED if turned_over(work, pairs, axes) else CLOSED


@kernel
def consistent_speeds(
    tables: Tables,
    work: Work,
    t: float,
    v: Vector,
    rows: Vector,
    natural: Vector,
    dofs: IntVector,
    values: Vector,
    units: Vector,
    A: Matrix,
    W: Matrix,
    s: Vector,
    b: Vector,
):
    """v of least size with  G v = nu  and given speeds of tree joints; CLOSED or RATES.

    rows: scale of the rows of g over the size of the model. Needs positions.
    """
    count, n = rows.shape[0], v.shape[0]
    fill(v, 0.0)
    constraint_velocities(tables, work, t)
    for k in range(count):
        b[k] = work.nu[k] * rows[k]
    for k in range(values.shape[0]):
        b[count + k] = values[k] / units[k]
    most = largest(b)
    if most == 0.0:
        return CLOSED
    if count == 0:
        for k in range(values.shape[0]):
            v[dofs[k]] = values[k]
        return CLOSED
    constraint_jacobian(tables, work)
    for i in range(count):
        for j in range(n):
            A[i, j] = work.G[i, j] * rows[i] / natural[j]
    for k in range(values.shape[0]):
        fill(A[count + k], 0.0)
        A[count + k, dofs[k]] = 1.0 / natural[dofs[k]] / units[k]
    largest_value = rotated_rows(A, W, s)
    if largest_value < 0.0:
        return RATES
    add_solution(A, W, s, b, CUT * max(largest_value, 1.0), v)
    fastest = largest(v)
    for i in range(s.shape[0]):  # W A v - W b, by rows: W is orthogonal
        left = 0.0
        for j in range(n):
            left += A[i, j] * v[j]
        for k in range(s.shape[0]):
            left -= W[i, k] * b[k]
        if not abs(left) <= MET * max(fastest, most):
            return RATES
    for j in range(n):
        v[j] /= natural[j]
    return CLOSED


@inline
def part_outside(A, s, cut, n):
    """n less its projection onto the rows of Z^T with large s, in place."""
    for _ in range(2):
        for i in range(s.shape[0]):
            if s[i] > cut:
                c = 0.0
                for j in range(n.shape[0]):
                    c += A[i, j] * n[j]
                c /= s[i] * s[i]
                for j in range(n.shape[0]):
                    n[j] -= c * A[i, j]


@inline
def length_of(n):
    total = 0.0
    for j in range(n.shape[0]):
        total += n[j] * n[j]
    return total**0.5


@inline
def moved_jacobian(tables, work, t, q, x, n, by, rows, natural, step, q_new, T):
    """G without units at the position q moved by `by` along n."""
    copy(q, q_new)
    for j in range(n.shape[0]):
        step[j] = by * n[j] / natural[j]
    shift_coordinates(tables, q_new, step)
    positions(tables, work, q_new)
    constraint_values(tables, work, t, q_new, x)
    constraint_jacobian(tables, work)
    for i in range(T.shape[0]):
        for j in range(T.shape[1]):
            T[i, j] = work.G[i, j] * rows[i] / natural[j]


@kernel
def check_regular(
    tables: Tables,
    work: Work,
    t: float,
    q: Vector,
    x: Vector,
    v: Vector,
    rank: int,
    rows: Vector,
    natural: Vector,
    ways: Matrix,
    A: Matrix,
    W: Matrix,
    s: Vector,
    b: Vector,
    step: Vector,
    q_new: Vector,
    T: Matrix,
    T_behind: Matrix,
):
    """CLOSED if G certainly has this rank here and nearby, and accelerations exist.

    DOUBTFUL, BENT, CONTRADICTION otherwise. Overwrites `ways`, the directions of the motions that are tried.
    """
    count, n = rows.shape[0], v.shape[0]
    if count == 0:
        return CLOSED
    positions(tables, work, q)
    constraint_values(tables, work, t, q, x)
    constraint_jacobian(tables, work)
    for i in range(count):
        for j in range(n):
            A[i, j] = work.G[i, j] * rows[i] / natural[j]
    most = rotated_rows(A, W, s)
    if most < 0.0:
        return DOUBTFUL
    size = max(1.0, most)
    large = 0
    for i in range(count):
        if s[i] > SMALL * size:
            large += 1
        elif not s[i] <= ZERO * size:
            return DOUBTFUL
    if large != rank:
        return DOUBTFUL
    if rank < min(count, n):
        for m in range(ways.shape[0]):
            way = ways[m]
            part_outside(A, s, SMALL * size, way)
            long = length_of(way)
            for j in range(n):
                way[j] /= long
            moved_jacobian(tables, work, t, q, x, way, STEP, rows, natural, step, q_new, T)
            moved_jacobian(tables, work, t, q, x, way, -STEP, rows, natural, step, q_new, T_behind)
            total = 0.0
            for i in range(count):
                if s[i] <= ZERO * size:
                    fill(step, 0.0)
                    for k in range(count):
                        for j in range(n):
                            step[j] += W[i, k] * (T[k, j] - T_behind[k, j])
                    part_outside(A, s, SMALL * size, step)
                    long = length_of(step) / (2.0 * STEP)
                    total += long * long
            if not total**0.5 <= BENDING:
                return BENT
    kinematics(tables, work, q, v)
    bias_accelerations(tables, work)
    constraint_accelerations(tables, work, t)
    for k in range(count):
        b[k] = work.gamma[k] * rows[k]
    gamma = largest(b)
    if gamma == 0.0:
        return CLOSED
    fastest = 0.0
    for j in range(n):
        fastest = max(fastest, abs(v[j] * natural[j]))
    for i in range(count):
        if s[i] <= ZERO * size:
            left = 0.0
            for k in range(count):
                left += W[i, k] * b[k]
            if not abs(left) <= ACCELERATIONS * max(fastest * fastest, gamma):
                return CONTRADICTION
    return CLOSED
