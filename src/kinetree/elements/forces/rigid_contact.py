"""Rigid contact of two shapes: unilateral rows with restitution and Coulomb friction.

The places of a pair are unilateral rows (unilateral.py) along the normal n at the point C of contact:

    u = n.(v_b - v_a),      u' = F.A + n.((w_b - w_a) x C') + n'.(v_b - v_a)

n and C are those of the pair. Their rates are differences of order 4 along the motion of the two
shapes, so that no pair needs its curvatures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ...core.checks import check
from ...core.quantities import MetresPerSecond, Plain
from ...errors import ModelError, short
from ...kernel.algebra.rodrigues import turned
from ...kernel.algebra.spatial import angular, load6
from ...kernel.algebra.vec3 import add, dot, matmul, norm, scale, sub
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.frames import Pose
from ..controllers.contract import State
from ..shapes.contract import Shape
from ..shapes.cylinder import Cylinder
from ..shapes.half_space import HalfSpace
from ..shapes.points import meet_point, places_of, point_pair
from .contact_law import ContactLaw
from .contact_motion import (
    FLAT,
    MOTION,
    REACH,
    SECOND,
    SHAPES,
    STRAIGHT,
    WAY,
    bending,
    falling,
    heed_gap,
    pair_numbers,
    sides,
    slip,
    turns,
)
from .contract import ZERO, frame, point_motion
from .unilateral import (
    APART,
    BLOWS,
    LAWS,
    is_loaded,
    meaning_of_state,
    mode_of,
    push_rows,
    states_of,
    tangents,
    write_direction,
)

SEEN = 20.0  # short ways that a step may pass: the sign of the gap is checked inside steps
UPRIGHT = 1.0 - 1e-8  # cosine of the angle between the axis of a cylinder and a normal


@dataclass(frozen=True)
class RigidContact(ContactLaw):
    r"""Rigid contact of two shapes, with impacts and Coulomb friction.

    Parameters
    ----------
    restitution : float, default 0.0
        Ratio e of the normal speeds after and before an impact, from 0 to 1.
    friction : float, default 0.0
        Coefficient of friction.
    impact : {"newton", "poisson"}, default "newton"
        Law of impact: e is the ratio of the speeds, or that of the impulses of expansion and
        compression.
    several : {"simultaneous", "sequential"}, optional
        What happens when several contacts with restitution are struck at once. All together, or
        one after the other, the fastest first. By default the run ends with an error that asks for
        one of the two.
    rest_speed : float, default 1e-05
        Speed of impact (m/s) below which a contact stays closed.

    See Also
    --------
    kt.Contact : Compliant contact.
    kt.JointStop : Rigid stops of a joint coordinate.
    kt.Model.contact : Adds a contact between two shapes.

    Notes
    -----
    .. math::
        g \ge 0, \quad \lambda_N \ge 0, \quad g\,\lambda_N = 0, \qquad
        |\lambda_T| \le \mu\,\lambda_N, \qquad u_N^+ = -e\,u_N^-

    :math:`g` is the gap (m), :math:`\lambda` the force on the second shape (N) and :math:`u` its
    velocity relative to the first at the point of contact (m/s) [Pfeiffer1996]. A contact is apart,
    slides or sticks. Each change is located to rounding, and the integrator restarts there. A block
    therefore stops at the exact time and stays at rest. Impacts act through all joints and closed
    loops. The events of a contact are `impact`, `close`, `slide`, `stick` and `lift`, as in
    ``sol.events["touch.impact"]``.

    A half-space touches each corner of a box, a hull or a polygon, the ends of a capsule and the rims
    of a cylinder. A ball touches every shape, a roller a profile, and a capsule a capsule, at one place.

    The channels are `gap` (m, positive while the shapes are apart), `normal` and `friction` (N,
    magnitudes of the resultants), `count` (places that are closed) and `sticking` (places that stick).

    Examples
    --------
    A ball falls from 0.5 m and bounces with half of its speed.

    >>> import kinetree as kt
    >>> model = kt.Model("bounce")
    >>> ball = model.body("ball", kt.sphere(mass=1.0, radius=0.1), position=(0, 0, 0.6))
    >>> free = model.float(ball)
    >>> floor, round_ = kt.shapes.HalfSpace().on(model.ground), kt.shapes.Ball(0.1).on(ball)
    >>> touch = model.contact("touch", floor, round_, kt.RigidContact(restitution=0.5))
    >>> sol = kt.simulate(model, until=0.4)
    >>> v = sol["ball.velocity.z"]
    >>> print(f"{v.min():.2f} m/s, then {v.max():.2f} m/s")
    -3.13 m/s, then 1.56 m/s
    """

    restitution: Plain = 0.0
    friction: Plain = 0.0
    impact: str = "newton"
    several: str | None = None
    rest_speed: MetresPerSecond = 1e-5

    kind = "rigid-contact"
    meanings = {
        "gap": "smallest distance of the two shapes",
        "normal": "magnitude of the sum of the normal forces",
        "friction": "magnitude of the sum of the friction forces",
        "count": "number of places that are closed",
        "sticking": "number of places that stick",
    }
    readings = (("gap", "m"), ("normal", "N"), ("friction", "N"), ("count", "1"), ("sticking", "1"))

    def __post_init__(self) -> None:
        check(self, "restitution", "friction", at_least_zero=True)
        check(self, "rest_speed", positive=True)
        check_impact(self)

    def between(self, a: Shape, b: Shape) -> Self:
        law = super().between(a, b)
        _, _, first, second = law.pair
        places_of(first, second)
        return law

    @property
    def places(self) -> int:
        """Number of places at which the shapes can touch."""
        _, _, a, b = self.pair
        return places_of(a, b)

    def own_states(self) -> tuple[State, ...]:
        return states_of(self.places, self.friction > 0.0)

    def meaning(self, label: str) -> str:
        return self.meanings[label] if label in self.meanings else meaning_of_state(label)

    def check_place(self, poses: Sequence[Pose]) -> None:
        _, swapped, a, b = self.pair
        plane, other = reversed(poses) if swapped else poses
        up = sum(plane.R[k, 2] * other.R[k, 2] for k in range(3))
        if isinstance(a, HalfSpace) and isinstance(b, Cylinder) and abs(up) > UPRIGHT:
            raise ModelError(
                "RigidContact: a cylinder that stands on its end has no single point of contact. "
                "Put three or four balls on its rim, each with a contact of its own, or use the "
                "compliant kt.Contact."
            )

    def lower(self, row, to) -> None:
        _, swapped, a, b = self.pair
        rough = self.friction > 0.0
        for _ in range(self.places):
            place = to.place_row(row, 3 if rough else 1, 4 if rough else 1)
            place["friction"] = self.friction
            set_impact(place, self)
            first, last = to.rows["markers"][row["im"]], to.rows["markers"][row["im"] + 1]
            if swapped:
                first, last = last, first
            place["i"], place["j"] = first["body"], last["body"]
        self.lower_pair(row, to, ())
        row["mode"], row["input"][1] = point_pair(a, b), self.places


def check_impact(spec) -> None:
    """Check restitution and laws of impact of a unilateral element."""
    what = type(spec).__name__
    if spec.restitution > 1.0:
        raise ModelError(
            f"{what}: restitution must lie between 0 and 1, got {short(spec.restitution)}."
        )
    impact, several = getattr(spec, "impact", "newton"), getattr(spec, "several", None)
    if not isinstance(impact, str) or impact not in LAWS:
        raise ModelError(f"{what}: impact must be 'newton' or 'poisson', got {short(impact)}.")
    if not (several is None or isinstance(several, str)) or several not in BLOWS:
        raise ModelError(
            f"{what}: several must be 'simultaneous', 'sequential' or None, got {short(several)}."
        )


def set_impact(place, spec) -> None:
    """Write the law of impact of an element into the record of a place."""
    place["restitution"], place["rest_speed"] = spec.restitution, spec.rest_speed
    place["law"] = LAWS[getattr(spec, "impact", "newton")]
    place["together"] = BLOWS[getattr(spec, "several", None)]


@inline
def turning(s, w, R):
    """The rotation R after it has turned with the angular velocity w for a short time s."""
    return matmul(turned(scale(s, w)), R)


@internal_kernel
def meeting(tables, work, force, k):
    """Gap, point and normal of place k."""
    a, b = sides(tables, force)
    at_a = force.first + SHAPES + 1
    at_b = at_a + int(pair_numbers(tables, force)[SECOND])
    R_a, R_b = frame(a, work.bodies), frame(b, work.bodies)
    p_a, p_b = point_motion(a, work.bodies)[0], point_motion(b, work.bodies)[0]
    return meet_point(force.mode, tables, at_a, at_b, R_a, p_a, R_b, p_b, k, work.touch)


@internal_kernel
def at_time(tables, work, force, k, s):
    """Point and normal of place k after the time s, seen by an observer that moves with the marker
    of shape a without turning.
    """
    a, b = sides(tables, force)
    at_a = force.first + SHAPES + 1
    at_b = at_a + int(pair_numbers(tables, force)[SECOND])
    p_a, v_a = point_motion(a, work.bodies)
    p_b, v_b = point_motion(b, work.bodies)
    w_a = angular(load6(work.bodies[a.body].V))
    w_b = angular(load6(work.bodies[b.body].V))
    R_a, R_b = turning(s, w_a, frame(a, work.bodies)), turning(s, w_b, frame(b, work.bodies))
    p_b = add(p_b, scale(s, sub(v_b, v_a)))
    return meet_point(force.mode, tables, at_a, at_b, R_a, p_a, R_b, p_b, k, work.touch)


@internal_kernel
def contact_rates(tables, work, force, k):
    """Rates of the point and of the normal of place k."""
    a, b = sides(tables, force)
    n = pair_numbers(tables, force)
    v_a, v_b = point_motion(a, work.bodies)[1], point_motion(b, work.bodies)[1]
    w_a = angular(load6(work.bodies[a.body].V))
    w_b = angular(load6(work.bodies[b.body].V))
    speed = norm(sub(v_b, v_a)) + (norm(w_a) + norm(w_b)) * n[REACH]
    if speed == 0.0:
        return v_a, ZERO
    s = n[WAY] / speed
    _, C_1, n_1 = at_time(tables, work, force, k, -2.0 * s)
    _, C_2, n_2 = at_time(tables, work, force, k, -s)
    _, C_3, n_3 = at_time(tables, work, force, k, s)
    _, C_4, n_4 = at_time(tables, work, force, k, 2.0 * s)
    C = add(scale(8.0, sub(C_3, C_2)), sub(C_1, C_4))
    e = add(scale(8.0, sub(n_3, n_2)), sub(n_1, n_4))
    return add(v_a, scale(1.0 / (12.0 * s), C)), scale(1.0 / (12.0 * s), e)


@kernel
def meet(tables, work, force, k, t, q, v, x, out):
    gap, point, normal = meeting(tables, work, force, k)
    place = tables.places[int(force.input[0]) + k]
    point_rate, normal_rate = ZERO, ZERO
    if mode_of(x, place) != APART or gap <= pair_numbers(tables, force)[WAY]:
        point_rate, normal_rate = contact_rates(tables, work, force, k)
    i, j = work.bodies[place.i], work.bodies[place.j]
    out[0] = gap
    write_direction(out, 0, i, j, normal, point, point_rate, normal_rate)
    if place.rows > 1:
        e_1, e_2 = tangents(normal)
        write_direction(out, 1, i, j, e_1, point, point_rate, ZERO)
        write_direction(out, 2, i, j, e_2, point, point_rate, ZERO)


@kernel
def apply(tables, work, force, t, q, v, x):
    a, b = sides(tables, force)
    n = pair_numbers(tables, force)
    rim = norm(turns(a, b, work.bodies)[0]) * n[REACH]
    for k in range(force.input[1]):
        place = tables.places[int(force.input[0]) + k]
        if mode_of(x, place) == APART:
            gap, point, normal = meeting(tables, work, force, k)
            u = slip(a, b, work.bodies, point)
            fall, closing = falling(tables, a, b, normal), abs(dot(u, normal))
            if n[MOTION] == STRAIGHT:
                fall = abs(fall) + bending(n, a, b, work.bodies, point, u)
            else:
                closing = (closing if n[MOTION] == FLAT else norm(u)) + rim
            heed_gap(tables, work, n, max(gap, 0.0) + SEEN * n[WAY], closing, fall)
        if is_loaded(work, place):
            push_rows(tables, work, force, place, t, q, v, x, meet)


@kernel
def read(tables, work, force, t, q, v, x, out):
    load, rub, least = ZERO, ZERO, 1e300
    count, sticking = 0, 0
    for k in range(force.input[1]):
        place = tables.places[int(force.input[0]) + k]
        gap, _, normal = meeting(tables, work, force, k)
        least = min(least, gap)
        mode = mode_of(x, place)
        if mode == APART:
            continue
        count, sticking = count + 1, sticking + (1 if mode == 2 else 0)
        load = add(load, scale(work.place_loads[place.row], normal))
        if place.rows > 1:
            e_1, e_2 = tangents(normal)
            rub = add(rub, scale(work.place_loads[place.row + 1], e_1))
            rub = add(rub, scale(work.place_loads[place.row + 2], e_2))
    out[0], out[1], out[2], out[3], out[4] = least, norm(load), norm(rub), count, sticking
