"""Linear equations of an implicit step over the structure of a model.

A formulation computes vdot from  M vdot + G^T lam = f,  G vdot = gamma.  With the residual of a
step, r = c f - psi - d, and changes of positions that follow from those of velocities, the
equations of Newton's method times M are

    [ M + c C + c^2 K    -c f_x      G^T ] [ dv ]   [ M r_v ]
    [  ...            1 - c xdot_x    0  ] [ dx ] = [ r_x   ]         dq = c N dv
    [ G + ...              0          0  ] [ .  ]   [ G r_v ]

so that the full Jacobian M^-1 (...) is never formed. The matrix is that of matrix.py. In deep trees
each degree of freedom would still be coupled with all bodies outboard of it, so there the twists of
bodies are additional unknowns (body_equations.py).
"""

from ....kernel.algebra.blas1 import copy, fill
from ....kernel.decorators import internal_kernel
from ....kernel.tables.state import parts
from ...dynamics.constraint import evaluate_aims
from ...dynamics.kinematics import kinematics
from ...equations.interface import rates
from ..memory import ARTICULATED, DOFS
from ..methods.adams_formulas import NEXT
from ..methods.bdf_formulas import CHANGE, NEWTON, PREDICTED, PSI, SLOPE
from ..stepping import OK
from .articulated_step import correct_articulated
from .body_equations import (
    body_residual,
    evaluate_bodies,
    joint_wrenches,
    store_bodies,
    twists_of_speeds,
)
from .body_rows import differentiate_rows
from .direct_differences import difference_equations, store_present
from .direct_equations import ACCELERATIONS, TWISTS, evaluate_equations, residual
from .element_derivatives import linearize_elements
from .load_derivatives import linearize_loads, loads_suffice
from .matrix import (
    BASE,
    LAM,
    OTHER,
    RIGHT,
    A,
    factorize_structure,
    first_speed,
    groups,
    loops,
    multiply_present,
    solve_structure,
    unknowns,
)

# operations
RENEW, LINEARIZE, FACTOR, FOLLOW, CORRECT, CORRECT_ARTICULATED = range(6)


@internal_kernel
def renew_present(tables, work, run, t):
    """Compute P alone at the state in NEXT; returns a Status."""
    y = run.vectors[NEXT]
    if run.control[0].newton == DOFS:
        status = evaluate_equations(tables, work, run.memory[0], t, y, run.vectors, ACCELERATIONS)
        if status == OK:
            store_present(tables, work, run)
        return status
    q, v, _ = parts(tables, y)
    kinematics(tables, work, q, v)
    evaluate_aims(tables, work, t)
    store_bodies(tables, work, run)
    return OK


@internal_kernel
def linearize_dofs(tables, work, run, t):
    """Compute P, C and K at the state in NEXT, over the degrees of freedom; returns a Status.

    C and K are those of the loads alone while these suffice.

    Reads  work.vdot, work.lam of the last evaluation of the formulation
    """
    if loads_suffice(run):
        status = linearize_loads(tables, work, run, t)
        return renew_present(tables, work, run, t) if status == OK else status
    vectors, nv = run.vectors, tables.settings[0].nv
    y, a, lam = vectors[NEXT], run.unknowns[A][:nv], run.unknowns[LAM][: work.lam.shape[0]]
    copy(work.vdot, a)
    copy(work.lam, lam)
    status = evaluate_equations(tables, work, run.memory[0], t, y, vectors, ACCELERATIONS)
    if status != OK:
        return status
    store_present(tables, work, run)
    residual(tables, work, y, a, lam, vectors, ACCELERATIONS, run.unknowns[BASE])
    return difference_equations(tables, work, t, run, ACCELERATIONS)


@internal_kernel
def linearize_bodies(tables, work, run, t):
    """Compute P, C and K at the state in NEXT, over the bodies; returns a Status."""
    copy(work.lam, run.unknowns[LAM][: work.lam.shape[0]])
    return differentiate_bodies(tables, work, run, t, work.vdot)


@internal_kernel
def differentiate_bodies(tables, work, run, t, accelerations):
    """The same with given accelerations, and the multipliers in row LAM."""
    y, nobody = run.vectors[NEXT], groups(run.lists)[1][:0]
    q, v, _ = parts(tables, y)
    kinematics(tables, work, q, v)
    status = evaluate_bodies(tables, work, run, t, y, nobody, 0, run.unknowns[RIGHT])
    if status != OK:
        return status
    joint_wrenches(tables, work, run, accelerations)
    store_bodies(tables, work, run)
    body_residual(tables, work, run, run.unknowns[BASE])
    status = difference_equations(tables, work, t, run, TWISTS)
    differentiate_rows(tables, run)
    return status


@internal_kernel
def linearize_structure(tables, work, run, t):
    """Compute P, C and K over degrees of freedom or bodies, or those of elements; returns a Status."""
    if run.control[0].newton == ARTICULATED:
        return linearize_elements(tables, work, run, t)
    if run.control[0].newton == DOFS:
        return linearize_dofs(tables, work, run, t)
    return linearize_bodies(tables, work, run, t)


@internal_kernel
def follow_velocities(tables, work, run, c):
    """Positions and quadratures of the trial state in NEXT from its velocities.

    Writes  rows NEXT, CHANGE
    """
    vectors, trial = run.vectors, run.vectors[NEXT]
    q, v, _ = parts(tables, trial)
    rates(tables, work, q, v, trial, vectors[SLOPE])
    for i in range(q.shape[0]):
        vectors[CHANGE, i] = c * vectors[SLOPE, i] - vectors[PSI, i]
        trial[i] = vectors[PREDICTED, i] + vectors[CHANGE, i]


@internal_kernel
def correct_structure(tables, work, run, c):
    """delta of the present d, from the slope at the state in NEXT."""
    vectors, trial, right = run.vectors, run.vectors[NEXT], run.unknowns[RIGHT]
    left = run.unknowns[OTHER]
    delta, nq, nv = vectors[NEWTON], tables.settings[0].nq, tables.settings[0].nv
    nx = tables.settings[0].nx
    free, own, at = unknowns(run.lists)[0], loops(run.lists), first_speed(run.lists)
    for i in range(trial.shape[0]):
        delta[i] = c * vectors[SLOPE, i] - vectors[PSI, i] - vectors[CHANGE, i]
    fill(left, 0.0)
    for k in range(nv):
        left[at + k] = delta[nq + k]
    if at > 0:
        twists_of_speeds(tables, work, left)
    multiply_present(run, left, right)
    for r in range(free + nx, own):
        right[r] = 0.0
    for k in range(work.report[0].rank, work.selected.shape[0]):
        right[own + work.selected[k]] = 0.0
    for k in range(nx):
        right[free + k] = delta[nq + nv + k]
    solve_structure(run, right)
    q, v, _ = parts(tables, trial)
    for k in range(nv):
        delta[nq + k] = right[at + k]
        v[k] += delta[nq + k]
    for k in range(nx):
        delta[nq + nv + k] = right[free + k]
    rates(tables, work, q, v, trial, vectors[SLOPE])
    for i in range(nq):
        delta[i] = c * vectors[SLOPE, i] - vectors[PSI, i] - vectors[CHANGE, i]


@internal_kernel
def structure_operation(tables, work, what, run, number):
    """All operations of a step as one kernel with an address; `number` is t or c.

    Returns a Status, or for FACTOR whether the matrix is regular.
    """
    if what == RENEW:
        return renew_present(tables, work, run, number)
    if what == LINEARIZE:
        return linearize_structure(tables, work, run, number)
    if what == CORRECT_ARTICULATED:
        return correct_articulated(tables, work, run, number)
    if what == FACTOR:
        return 1 if factorize_structure(work, run, number) else 0
    if what == FOLLOW:
        follow_velocities(tables, work, run, number)
    else:
        correct_structure(tables, work, run, number)
    return OK
