"""The equations of motion of a described model: tree sweeps, constraints, force elements.

Source: [Lee1994, eqs. (11)-(22)].
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ...kernel.decorators import internal_kernel
from ...kernel.tables.sparse import fill_mass, fill_rows
from ...kernel.tables.workspace import is_packed
from ..dynamics.bias import bias_forces
from ..dynamics.constraint import (
    constraint_accelerations,
    constraint_values,
    constraint_velocities,
    fill_jacobian,
)
from ..dynamics.continuity import drivers_are_continuous
from ..dynamics.kinematics import (
    bias_accelerations,
    kinematic_rates,
    kinematics,
    positions,
    shift_coordinates,
)
from ..dynamics.loads import loads
from ..dynamics.mass_matrix import mass_matrix
from .interface import EquationsOfMotion


@internal_kernel
def equations(tables, work, t, q, v, x):
    """M, f, G, gamma and xdot at a state."""
    kinematics(tables, work, q, v)
    bias_accelerations(tables, work)
    loads(tables, work, t, q, v, x)
    bias_forces(tables, work)
    constraint_accelerations(tables, work, t)  # and G
    if is_packed(work):
        fill_rows(tables, work)  # first, because it writes the hinge columns of anchors
        fill_mass(tables, work)
    else:
        mass_matrix(tables, work)


@internal_kernel
def values(tables, work, t, q, x):
    constraint_values(tables, work, t, q, x)
    far = 0.0
    for i in range(work.bodies.shape[0]):
        p = work.bodies[i].p
        far = max(far, abs(p[0]), abs(p[1]), abs(p[2]))
    work.report[0].max_distance = far


@internal_kernel
def jacobian(tables, work, q):
    fill_jacobian(tables, work)


@internal_kernel
def velocities(tables, work, t, q):
    constraint_velocities(tables, work, t)


@internal_kernel
def shift(tables, work, q, delta):
    shift_coordinates(tables, q, delta)


TREE = EquationsOfMotion(
    equations,
    positions,
    values,
    jacobian,
    velocities,
    shift,
    kinematic_rates,
    drivers_are_continuous,
)


@cache
def addresses(follows_user_code: bool = False) -> np.ndarray:
    """Addresses of the kernels; models without user functions of time need no continuity check."""
    return (
        TREE.addresses()
        if follows_user_code
        else TREE._replace(driver_is_continuous=None).addresses()
    )


def compile_kernels() -> None:
    """Compile or load all kernels."""
    addresses(follows_user_code=True)
