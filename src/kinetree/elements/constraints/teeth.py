"""Forces between the teeth of two wheels, or of a pinion and a rack, on their bearings.

The gear itself is a relation between two coordinates, whose motion does not depend on the bearings.
Its effort T on the first coordinate is transmitted by a force at the pitch point P, whose parts are
known by the angles of the teeth (alpha in the normal section, beta at the pitch circle):

    F_t = T / r         along the pitch circles                        [Niemann2003, ch. 21]
    F_r = |F_t| tan(alpha) / cos(beta)        apart, or into the ring of an internal gear
    F_a = F_t tan(beta)                       along the axes

P and all directions are fixed in the body that carries both axes. The bearings of the wheels get
the force at P instead of the torque about the axes.
"""

from __future__ import annotations

import math

import numpy as np

from ...errors import ModelError
from ...kernel.algebra.vec3 import add, load3, load9, rotate, scale
from ...kernel.decorators import inline, internal_kernel

PARALLEL = 1e-9


def tooth_numbers(first, second, ratio: float, alpha: float, beta: float) -> list[float]:
    """Carrier, P, and the vectors D and E of the force F = T D + |T| E on the first wheel.

    `first` and `second` are the places and the kinds of the two coordinates.
    """
    (one, kind_1), (two, kind_2) = first, second
    if one.i != two.i:
        raise ModelError(
            "the forces of teeth need both joints on the same body, the first body of each, as the "
            f"housing of a gearbox; joints {one.spec.name!r} and {two.spec.name!r} have different "
            "ones."
        )
    if kind_2[:4] != "turn" or kind_1[:4] not in ("turn", "slid"):
        raise ModelError(
            "the forces of teeth are those of two wheels, or of a rack (first) and a pinion (second)."
        )
    a_1, a_2 = _axis(one, kind_1), _axis(two, kind_2)
    radial, axial = math.tan(alpha) / math.cos(beta), math.tan(beta)
    if kind_1[:4] == "slid":
        if abs(float(np.dot(a_1, a_2))) > PARALLEL:
            raise ModelError("a rack with teeth must move across the axis of its pinion.")
        u = math.copysign(1.0, ratio) * np.cross(a_1, a_2)  # from the pinion to the rack
        P, D, E = two.X_iF.p + abs(ratio) * u, a_1 + axial * a_2, radial * u
        return [float(one.i), *P, *D, *E]
    if np.linalg.norm(np.cross(a_1, a_2)) > PARALLEL:
        raise ModelError("the forces of teeth are known for wheels with parallel axes only.")
    way = two.X_iF.p - one.X_iF.p
    way = way - float(np.dot(way, a_1)) * a_1
    d = float(np.linalg.norm(way))
    if d < PARALLEL:
        raise ModelError(
            f"the axes of joints {one.spec.name!r} and {two.spec.name!r} coincide; draw them at "
            "their distance, from which the pitch circles follow."
        )
    # r_2 / r_1 = |ratio|; the axes may point against each other
    external = ratio * float(np.dot(a_1, a_2)) < 0.0
    r_1 = d / (1.0 + abs(ratio)) if external else d / abs(1.0 - abs(ratio))
    side = 1.0 if external or abs(ratio) < 1.0 else -1.0  # P from the axis of wheel 1, along u
    u = way / d
    t = side * np.cross(a_1, u)  # tangent at P, in the direction of rotation of wheel 1
    into = -1.0 if external or abs(ratio) > 1.0 else 1.0  # of the radial force on wheel 1
    P, D = one.X_iF.p + side * r_1 * u, (t - axial * a_1) / r_1
    return [float(one.i), *P, *D, *(into * side * radial / r_1 * u)]


def _axis(place, kind: str) -> np.ndarray:
    """Axis of a coordinate in the body of frame F."""
    if kind not in ("turn_x", "turn_z", "slide_x", "slide_y", "slide_z"):
        raise ModelError(f"joint {place.spec.name!r} has no fixed axis for teeth.")
    return place.X_iF.R[:, "xyz".index(kind[-1])]


@inline
def has_teeth(p):
    """Whether a relation between two coordinates has the numbers of teeth at `p.first`."""
    return p.sensors == 2 and p.a_i[0] > 0.0


@internal_kernel
def tooth_force(tables, work, p, effort):
    """Force on the first wheel and its point P, in world axes, for the effort on its coordinate."""
    numbers = tables.pool[p.first :]
    carrier = work.bodies[int(numbers[0])]
    R = load9(carrier.R)
    P = add(load3(carrier.p), rotate(R, load3(numbers[1:])))
    F = add(scale(effort, load3(numbers[4:])), scale(abs(effort), load3(numbers[7:])))
    return P, rotate(R, F)
