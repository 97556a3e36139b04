"""The plant of a described machine: sweeps over the tree, constraint primitives, force elements.
[Lee1994, eqs. (11)-(22)]
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
    constraint_jacobian,
    constraint_values,
    constraint_velocities,
)
from ..dynamics.continuity import unbroken_drivers
from ..dynamics.kinematics import coasting, kinematics, positions, shift_coordinates
from ..dynamics.loads import loads
from ..dynamics.mass_matrix import mass_matrix
from ..dynamics.state import kinematic_rates
from .interface import Plant


@internal_kernel
def equations(tables, work, t, q, v, x):
    """M, f, G, gamma at a state."""
    kinematics(tables, work, q, v)
    coasting(tables, work)
    loads(tables, work, t, q, v, x)
    bias_forces(tables, work)
    constraint_accelerations(tables, work, t)  # and G
    if is_packed(work):
        fill_rows(tables, work)  # first: of anchors it writes the columns
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
    work.report[0].far = far


@internal_kernel
def jacobian(tables, work, q):
    if is_packed(work):
        fill_rows(tables, work)
    else:
        constraint_jacobian(tables, work)


@internal_kernel
def velocities(tables, work, t, q):
    constraint_velocities(tables, work, t)


@internal_kernel
def shift(tables, work, q, delta):
    shift_coordinates(tables, q, delta)


TREE = Plant(
    equations, positions, values, jacobian, velocities, shift, kinematic_rates, unbroken_drivers
)


@cache
def addresses(follows_user_code: bool = False) -> np.ndarray:
    """Where its kernels lie; motions that cannot jump need nobody who looks."""
    return (
        TREE.addresses()
        if follows_user_code
        else TREE._replace(driver_is_continuous=None).addresses()
    )


def compile_kernels() -> None:
    """Compile or load all of them."""
    addresses(follows_user_code=True)
