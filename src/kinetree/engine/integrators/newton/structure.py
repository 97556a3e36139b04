"""The linear equations of an implicit step over the structure of a machine, nowhere solved for its
accelerations.

A formulation answers vdot with  M vdot + G^T lam = f,  G vdot = gamma.  With what is left of a
                                 step, r = c f - psi - d, and
changes of positions that follow those of velocities, the equations of Newton's method times M are

    [ M + c C + c^2 K    -c f_x      G^T ] [ dv ]   [ M r_v ]
    [  ...            1 - c xdot_x    0  ] [ dx ] = [ r_x   ]         dq = c N dv
    [ G + ...              0          0  ] [ .  ]   [ G r_v ]

and no entry of the full Jacobian M^-1 (...) is ever formed. The matrix: `newton_matrix.py`. In deep
trees each freedom would still meet all outboard of it; so there the twists of bodies are unknowns
beside the freedoms (`body_equations.py`).
"""

from ....kernel.algebra.blas1 import copy, fill
from ....kernel.decorators import internal_kernel
from ....kernel.tables.state import parts
from ...dynamics.kinematics import kinematics
from ...equations.interface import rates
from ..memory import FREEDOMS
from ..methods.adams_differences import NEXT
from ..methods.bdf_differences import CHANGE, NEWTON, PREDICTED, PSI, SLOPE
from ..stepping import OK
from .body_equations import ask_bodies, body_residual, carry, keep_bodies, push_bodies
from .direct_differences import keep_present, take_differences
from .direct_equations import ACCELERATIONS, TWISTS, ask, residual
from .matrix import (
    BASE,
    LAM,
    OTHER,
    PRESENT,
    RIGHT,
    A,
    factorise_structure,
    first_speed,
    groups,
    loops,
    present_times,
    solve_structure,
    unknowns,
)

RENEW, LINEARISE, FACTOR, FOLLOW, CORRECT = range(5)  # what is asked of `over_structure`


@internal_kernel
def renew_present(tables, work, run, t):
    """P alone at the state in NEXT; answers a Status."""
    y = run.vectors[NEXT]
    if run.control[0].newton == FREEDOMS:
        status = ask(tables, work, run.memory[0], t, y, run.vectors, ACCELERATIONS)
        if status == OK:
            keep_present(tables, work, run)
        return status
    q, v, _ = parts(tables, y)
    kinematics(tables, work, q, v)
    keep_bodies(tables, work, run, run.entries[PRESENT])
    return OK


@internal_kernel
def linearise_freedoms(tables, work, run, t):
    """P, C and K at the state in NEXT, where the formulation was asked for accelerations and
    multipliers last.
    """
    vectors, nv = run.vectors, tables.settings[0].nv
    y, a, lam = vectors[NEXT], run.unknowns[A][:nv], run.unknowns[LAM][: work.lam.shape[0]]
    copy(work.vdot, a)
    copy(work.lam, lam)
    status = ask(tables, work, run.memory[0], t, y, vectors, ACCELERATIONS)
    if status != OK:
        return status
    keep_present(tables, work, run)
    residual(tables, work, y, a, lam, vectors, ACCELERATIONS, run.unknowns[BASE])
    return take_differences(tables, work, t, run, ACCELERATIONS)


@internal_kernel
def linearise_bodies(tables, work, run, t):
    """The same over the bodies of a tree."""
    y, nobody = run.vectors[NEXT], groups(run.lists)[1][:0]
    q, v, _ = parts(tables, y)
    kinematics(tables, work, q, v)
    status = ask_bodies(tables, work, run, t, y, nobody, 0, run.unknowns[RIGHT])
    if status != OK:
        return status
    carry(tables, work, run)
    keep_bodies(tables, work, run, run.entries[PRESENT])
    body_residual(tables, work, run, run.unknowns[BASE])
    return take_differences(tables, work, t, run, TWISTS)


@internal_kernel
def linearise_structure(tables, work, run, t):
    """Over freedoms, or over bodies; answers a Status."""
    if run.control[0].newton == FREEDOMS:
        return linearise_freedoms(tables, work, run, t)
    return linearise_bodies(tables, work, run, t)


@internal_kernel
def follow_velocities(tables, work, run, c):
    """Positions of the trial state in NEXT, and what is carried along, from its velocities; their
    change into CHANGE.
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
    vectors, trial, right, left = (
        run.vectors,
        run.vectors[NEXT],
        run.unknowns[RIGHT],
        run.unknowns[OTHER],
    )
    delta, nq, nv, nx = (
        vectors[NEWTON],
        tables.settings[0].nq,
        tables.settings[0].nv,
        tables.settings[0].nx,
    )
    free, own, at = unknowns(run.lists)[0], loops(run.lists), first_speed(run.lists)
    for i in range(trial.shape[0]):
        delta[i] = c * vectors[SLOPE, i] - vectors[PSI, i] - vectors[CHANGE, i]
    fill(left, 0.0)
    for k in range(nv):
        left[at + k] = delta[nq + k]
    if at > 0:
        push_bodies(tables, work, left)
    present_times(run, left, right)
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
def over_structure(tables, work, what, run, number):
    """All that a step asks, as one kernel with an address: `number` is t, or c. A Status, or
    whether there are factors.
    """
    if what == RENEW:
        return renew_present(tables, work, run, number)
    if what == LINEARISE:
        return linearise_structure(tables, work, run, number)
    if what == FACTOR:
        return 1 if factorise_structure(work, run, number) else 0
    if what == FOLLOW:
        follow_velocities(tables, work, run, number)
    else:
        correct_structure(tables, work, run, number)
    return OK
