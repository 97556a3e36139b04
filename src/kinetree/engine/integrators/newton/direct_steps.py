"""Newton's method for the constrained equations at the end of a step [Gear1985].

    matrix [dv, dx, c dlam ] = [ -c (M a + G^T lam - f),  c xdot - psi - d,  nu - G v ]

    matrix [dw,  . ,  .    ] = [ 0, 0, -g / c - G dv ],    G dv = nu - G v

    q = q^p - psi + c N (v + w)

The matrix is that of matrix.py. Both levels use the selected rows; w is the effect of the second set
of multipliers, in the metric of the matrix itself, so that one factorization serves both. The loop
of corrections is that of iteration.py; multipliers have a part in it (multipliers.py). Long closed
chains are evaluated body by body (body_direct.py).
"""

from ....kernel.algebra.blas1 import copy, fill
from ....kernel.algebra.convergence import all_finite
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.state import parts
from ...equations.interface import rates
from ...kkt.range_space import refactor
from ..memory import BODIES
from ..methods.adams_formulas import NEXT, WEIGHT
from ..methods.bdf_formulas import CHANGE, NEWTON, PREDICTED, PSI, SLOPE
from ..stepping import NOT_FINITE, OK
from .body_direct import (
    evaluate_by_bodies,
    factorize_projection_anew,
    residual_by_bodies,
    store_present_bodies,
)
from .direct_differences import difference_equations, store_present
from .direct_equations import (
    VELOCITIES,
    acceleration,
    evaluate_equations,
    position_gap,
    residual,
)
from .iteration import (
    ITERATIONS,
    LAST_FACTORS,
    NEGLIGIBLE,
    NEW_DERIVATIVES,
    iterate_corrections,
)
from .load_derivatives import linearize_loads, loads_suffice
from .matrix import (
    BASE,
    LAM,
    OTHER,
    RIGHT,
    A,
    W,
    first_speed,
    groups,
    loops,
    solve_structure,
    solve_structure_twice,
    unknowns,
)
from .multipliers import (
    change_of_multipliers,
    keep,
    predict_multipliers,
    velocities_of_multipliers,
)
from .structure import differentiate_bodies

# groups of columns per correction that may follow before new derivatives, which cost as much
PER_CORRECTION = 8
ENOUGH = 4  # corrections of a projection above which its matrix is factorized again


@inline
def evaluate_state(tables, work, run, t, y):
    """Evaluate the equations at a state; returns a Status."""
    if run.control[0].newton == BODIES:
        return evaluate_by_bodies(tables, work, run, t, y)
    return evaluate_equations(tables, work, run.memory[0], t, y, run.vectors, VELOCITIES)


@inline
def right_side(tables, work, run, c, y):
    """Write the residual of the equations, with reversed sign, into row RIGHT."""
    free, nx, _ = unknowns(run.lists)
    at, own, nv = first_speed(run.lists), loops(run.lists), tables.settings[0].nv
    vectors, nq = run.vectors, tables.settings[0].nq
    base, right, a = run.unknowns[BASE], run.unknowns[RIGHT], run.unknowns[A][:nv]
    acceleration(tables, c, y, vectors, a)
    if run.control[0].newton == BODIES:
        residual_by_bodies(tables, work, run, y, a, run.unknowns[LAM], base)
    else:
        residual(tables, work, y, a, run.unknowns[LAM], vectors, VELOCITIES, base)
    fill(right, 0.0)
    for k in range(nv):
        right[at + k] = -c * base[at + k]
    for k in range(nx):
        i = nq + nv + k
        right[free + k] = -c * base[free + k] - vectors[PSI, i] - (y[i] - vectors[PREDICTED, i])
    for k in range(work.report[0].rank):
        r = own + work.selected[k]
        right[r] = -base[r]


@internal_kernel
def solve_corrections(tables, work, run, t, c, y):
    """All corrections from the right-hand side in row RIGHT; w <- w + dw, so that g = 0.

    The rows of the first equations give G dv, so that both are solved at once.
    """
    at, own, nv = first_speed(run.lists), loops(run.lists), tables.settings[0].nv
    right, moved, w = run.unknowns[RIGHT], run.unknowns[OTHER], run.unknowns[W]
    if work.report[0].rank == 0:
        solve_structure(run, right)
        return OK
    fill(moved, 0.0)
    if not position_gap(tables, work, t, y, c, right[own:], moved[own:]):
        return NOT_FINITE
    solve_structure_twice(run, right, moved)
    for k in range(nv):
        w[k] += moved[at + k]
    return OK


@inline
def advance_unknowns(tables, work, run, c, y):
    """Add the correction in RIGHT to all unknowns.

    Writes  row NEWTON, the change of y, or what the change of lam does to velocities if it is larger
    """
    nv, nx = tables.settings[0].nv, tables.settings[0].nx
    at, own, vectors, nq = (
        first_speed(run.lists),
        loops(run.lists),
        run.vectors,
        tables.settings[0].nq,
    )
    right, lam, w, delta = run.unknowns[RIGHT], run.unknowns[LAM], run.unknowns[W], vectors[NEWTON]
    q, v, _ = parts(tables, y)
    along = run.unknowns[OTHER][:nv]
    velocities_of_multipliers(tables, work, run, delta[nq : nq + nv])
    most, weight = change_of_multipliers(work, run, c), vectors[WEIGHT]
    for r in range(work.lam.shape[0]):
        lam[r] += right[own + r] / c
    for k in range(nv + nx):
        pushed = min(abs(delta[nq + k]), most / weight[nq + k]) if k < nv else 0.0
        delta[nq + k] = max(abs(right[at + k]), pushed)
        y[nq + k] += right[at + k]
    for k in range(nv):
        along[k] = v[k] + w[k]
    copy(lam[: work.lam.shape[0]], work.lam)
    rates(tables, work, q, along, y, vectors[SLOPE])
    for i in range(nq):
        fresh = from_rate(vectors, c, i)
        delta[i] = fresh - q[i]
        q[i] = fresh
    for i in range(nq + nv + nx, y.shape[0]):  # quadratures: no equation depends on them
        y[i] = from_rate(vectors, c, i)


@inline
def from_rate(vectors, c, i):
    """y_i from its rate in row SLOPE."""
    return vectors[PREDICTED, i] - vectors[PSI, i] + c * vectors[SLOPE, i]


@inline
def projection_is_slow(work, memory):
    """Whether the second matrix, that of the projection, is to be factorized again.

    Dense factors cost less than a few corrections, sparse ones of large models more.
    """
    report = work.report[0]
    return report.factorisations == 0 or memory.corrections > ENOUGH


@inline
def factorize_projection(tables, work, run, t, y):
    """Factorize the matrix of the projection at the last evaluated state; returns a Status."""
    if run.control[0].newton == BODIES:
        return factorize_projection_anew(tables, work, t, y)
    return refactor(tables, work)


@internal_kernel
def difference_residual(tables, work, run, t, c):
    """Compute all derivatives at the state in NEXT, and evaluate the equations there again."""
    y, vectors, a = run.vectors[NEXT], run.vectors, run.unknowns[A][: tables.settings[0].nv]
    acceleration(tables, c, y, vectors, a)
    if run.control[0].newton == BODIES:
        status = differentiate_bodies(tables, work, run, t, a)
        return evaluate_by_bodies(tables, work, run, t, y) if status == OK else status
    residual(tables, work, y, a, run.unknowns[LAM], vectors, VELOCITIES, run.unknowns[BASE])
    status = difference_equations(tables, work, t, run, VELOCITIES)
    if status == OK:
        status = evaluate_equations(tables, work, run.memory[0], t, y, vectors, VELOCITIES)
    return status


@internal_kernel
def prepare(tables, work, run, t, c, attempt):
    """Evaluate the equations at the predicted velocities and the positions that follow from them.

    An attempt with new derivatives computes all of them, or those of the loads. Returns a Status.
    """
    memory, vectors, y = run.memory[0], run.vectors, run.vectors[NEXT]
    status, by_loads = OK, loads_suffice(run)
    differentiate = attempt >= NEW_DERIVATIVES
    copy(vectors[PREDICTED], y)
    q, v, _ = parts(tables, y)
    rates(tables, work, q, v, y, vectors[SLOPE])
    for i in range(q.shape[0]):
        q[i] = from_rate(vectors, c, i)
    if differentiate and by_loads:
        status = linearize_loads(tables, work, run, t)
    if status == OK:
        status = evaluate_state(tables, work, run, t, y)
    if status == OK and work.g.shape[0] > 0 and projection_is_slow(work, memory):
        status = factorize_projection(tables, work, run, t, y)
    if status != OK:
        return status
    predict_multipliers(work, run, t)
    if differentiate and not by_loads:
        status = difference_residual(tables, work, run, t, c)
    if status == OK and attempt > LAST_FACTORS:
        if run.control[0].newton == BODIES:
            store_present_bodies(tables, work, run, y)
        else:
            store_present(tables, work, run)
    return status


@inline
def correct(tables, work, rhs, run, t, c, m):
    """One correction of all unknowns: the change of y in row NEWTON, y in NEXT; returns a Status.

    The first one uses the equations that `prepare` evaluated.
    """
    y, status = run.vectors[NEXT], OK
    if m > 0:
        status = evaluate_state(tables, work, run, t, y)
    if status != OK:
        return status
    right_side(tables, work, run, c, y)
    status = solve_corrections(tables, work, run, t, c, y)
    if status == OK:
        advance_unknowns(tables, work, run, c, y)
    return status


@inline
def iterate(tables, work, rhs, run, t, c):
    """(status, converged) from the predicted state: d in row CHANGE, y^p + d in NEXT."""
    vectors, y = run.vectors, run.vectors[NEXT]
    fill(run.unknowns[W][: tables.settings[0].nv], 0.0)
    most = ITERATIONS + groups(run.lists)[0].shape[0] // PER_CORRECTION
    status, converged = iterate_corrections(tables, work, correct, rhs, run, t, c, most, NEGLIGIBLE)
    if converged:
        keep(run, t, run.unknowns[LAM][: work.lam.shape[0]])
        for i in range(y.shape[0]):
            vectors[CHANGE, i] = y[i] - vectors[PREDICTED, i]
        if not all_finite(y):
            return NOT_FINITE, False
    return status, converged
