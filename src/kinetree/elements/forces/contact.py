"""Compliant contact of two shapes: normal force with exact restitution, friction that sticks.

    F = k d^n (1 + chi d' / w)  >= 0,        d = -gap,      w the speed d' at first touch

A body that hits another one with the speed w leaves it with e w, whatever k, n and the masses, if

    chi (1 + e) = ln((1 + chi) / (1 - e chi))                          0 < chi < 1 / e

[follows from d'' m = -F: u du / (1 + chi u) = -k d^n dd / (m w^2) with u = d' / w between the two
instants d = 0]. The speed w is a state. It follows the speed w_0 with which the surfaces would meet
under gravity alone, the faster the smaller the gap, and keeps its value in contact:

    w' = r (w_0 - w) apart, 0 in contact,      w_0^2 = c^2 + 2 a gap,
    r = RATE |u| gap / ((gap + way) (gap + NEAR way))

c is the closing speed and a the acceleration of closing due to gravity. The lag of w is
proportional to the gap and vanishes at the touch.

Friction is the elastic-plastic model of [Dupont2002] in its vector form, scaled by the load. The
state z is the tangential displacement of the contact before it slides, at most `presliding` = D:

    f = -mu F (z + T z') / D, at most mu F,
    z' = u - alpha(|z| / D) max(u.z, 0) z / (|z| D)
    alpha = 0 up to |z| / D = 0.95 (it sticks, and does not creep), 1 from 1 on, smooth between

u is the velocity of b relative to a along the surface, mu = mu_c + (mu_s - mu_c) exp(-(u/u_s)^2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Metres, MetresPerSecond, Plain
from ...errors import ModelError, short
from ...kernel.algebra.vec3 import add, cross, dot, load3, neg, norm, scale, sub
from ...kernel.decorators import internal_kernel, kernel
from ..controllers.contract import State
from ..shapes.manifold import FRICTION, LOAD, WEIGHT, place
from .contact_approach import leave_far, sticks, watch
from .contact_law import ContactLaw
from .contact_motion import meeting, sides, slip, turns
from .contact_response import (
    EXPONENT,
    PRESLIDING,
    ROLLING,
    TIME,
    K,
    bristle_rate,
    damping_factor,
    friction_force,
    normal_force,
    resistance,
)
from .contract import ZERO, point_motion, push, push_apart

TINY = 1e-6  # of the presliding: places this near to each other do not twist


@dataclass(frozen=True)
class Contact(ContactLaw):
    r"""Compliant contact of two shapes, with restitution and friction.

    Parameters
    ----------
    stiffness : float
        Stiffness k (N/m^n); `kt.shapes.hertz` computes it from materials and radii.
    exponent : float, default 1.5
        Exponent n of the depth; 1.5 for round bodies (Hertz), 1 for a linear spring.
    restitution : float, default 0.5
        Ratio e of the speeds after and before an impact, from 0.05 to 1.
    friction : float, default 0.0
        Coefficient of sliding friction.
    static : float, optional
        Coefficient of friction at the onset of sliding. By default it equals `friction`.
    stribeck : float, default 0.1
        Speed over which the static friction decays to the sliding one (m/s).
    presliding : float, default 1e-05
        Largest displacement of a contact that sticks (m).
    rolling : float, default 0.0
        Lever arm of the rolling resistance (m): its torque is this times the normal force.
    rest_speed : float, default 0.01
        Speed of impact (m/s) below which the damping no longer grows.

    See Also
    --------
    kt.Model.contact : Adds a contact between two shapes.
    kt.shapes.hertz : Stiffness from materials and radii.
    kt.UserForce : Contact laws of your own.
    kt.Wheel : Wheel on a road.

    Notes
    -----
    .. math::
        F = k\,d^{\,n} \Bigl(1 + \chi\,\frac{\dot d}{w}\Bigr) \ge 0, \qquad
        \chi\,(1 + e) = \ln\frac{1 + \chi}{1 - e\,\chi}

    :math:`d` is the depth (m) and :math:`w` the speed of approach at the first touch (m/s). With
    this :math:`\chi` a body leaves with the speed :math:`e\,w`, whatever the stiffness, the
    exponent and the masses. Friction is the elastic-plastic model of [Dupont2002]: below the limit
    a contact sticks and does not creep. Adaptive integrators do not step over a contact: the gap
    and the relative speed limit their steps.

    A box and a cylinder touch a half-space with their corners and with points of their rims. The
    channel `gap` (m) is positive while the shapes are apart; `normal` and `friction` (N) are
    magnitudes of the resultants, and `count` is the number of places that touch.

    Examples
    --------
    A ball falls from 0.5 m and bounces with half of its speed.

    >>> import kinetree as kt
    >>> model = kt.Model("bounce")
    >>> ball = model.body("ball", kt.sphere(mass=1.0, radius=0.1), position=(0, 0, 0.6))
    >>> free = model.float(ball)
    >>> floor = kt.shapes.HalfSpace().on(model.ground)
    >>> law = kt.Contact(stiffness=1e7, restitution=0.5)
    >>> touch = model.contact("touch", floor, kt.shapes.Ball(0.1).on(ball), law)
    >>> sol = kt.simulate(model, until=0.4)
    >>> v = sol["ball.velocity.z"]
    >>> print(f"{v.min():.2f} m/s, then {v.max():.2f} m/s")
    -3.13 m/s, then 1.55 m/s
    """

    stiffness: Plain
    exponent: Plain = 1.5
    restitution: Plain = 0.5
    friction: Plain = 0.0
    static: Plain | None = None
    stribeck: MetresPerSecond = 0.1
    presliding: Metres = 1e-5
    rolling: Metres = 0.0
    rest_speed: MetresPerSecond = 0.01

    kind = "contact"
    meanings = {
        "gap": "smallest distance of the two shapes, negative in contact",
        "normal": "magnitude of the sum of the normal forces",
        "friction": "magnitude of the sum of the friction forces",
        "count": "number of places that touch",
        "slip": "speed of sliding at the center of the forces, 0 while the shapes are apart",
        "point_x": "center of the forces along world x; while the shapes are apart, the nearest place",
        "point_y": "the same along world y",
        "point_z": "the same along world z",
        "impact_speed": "speed of approach at the first touch",
        "stick_x": "displacement of the contact along world x before it slides",
        "stick_y": "displacement of the contact along world y before it slides",
        "stick_z": "displacement of the contact along world z before it slides",
        "twist": "turn of the contact about its normal before it slides",
    }
    readings = (
        *(("gap", "m"), ("normal", "N"), ("friction", "N"), ("count", "1"), ("slip", "m/s")),
        *(("point_x", "m"), ("point_y", "m"), ("point_z", "m")),
    )

    def __post_init__(self) -> None:
        check(self, "stiffness", "exponent", "stribeck", "presliding", "rest_speed", positive=True)
        check(self, "restitution", "friction", "rolling", at_least_zero=True)
        check(self, "static", optional=True)
        if not 0.05 <= self.restitution <= 1.0:
            raise ModelError(
                f"Contact: restitution must lie between 0.05 and 1, got {short(self.restitution)}."
            )
        if self.exponent < 1.0:
            raise ModelError(
                f"Contact: exponent must be at least 1, got {short(self.exponent)}; 1.5 is that of "
                "round bodies."
            )
        if self.static is not None and self.static < self.friction:
            raise ModelError(
                f"Contact: static {self.static!r} must not be less than friction {self.friction!r}."
            )

    def own_states(self) -> tuple[State, ...]:
        speed = State("impact_speed", 0.0, 1.0, "m/s")
        if self.friction == 0.0 and not self.static:
            return (speed,)
        stick = [State(f"stick_{axis}", 0.0, self.presliding, "m") for axis in "xyz"]
        return speed, *stick, State("twist", 0.0, self.presliding / self._size, "rad")

    @property
    def _size(self) -> float:
        """A length of the smaller shape (m)."""
        return min((shape.reach for shape in self.shapes or () if shape.reach), default=1.0)

    def lower(self, row, to) -> None:
        static = self.friction if self.static is None else self.static
        # critical damping of a body that sticks under its own weight
        time = 2.0 * math.sqrt(self.presliding / (9.81 * max(self.friction, 1e-3)))
        numbers = (
            *(self.stiffness, self.exponent, damping_factor(self.restitution), self.rest_speed),
            *(self.friction, static - self.friction, self.stribeck, self.presliding, time),
            *(self.rolling, self.rest_speed / self._size),
        )
        self.lower_pair(row, to, numbers)


@internal_kernel
def press(tables, work, force, x, count):
    """Write the normal forces; returns their sum, their centre and their mean direction."""
    a, b = sides(tables, force)
    n, touch = tables.pool[force.first :], work.touch
    total, centre, normal = 0.0, ZERO, ZERO
    for k in range(count):
        gap, point, way = place(touch, k)
        closing = -dot(slip(a, b, work.bodies, point), way)
        load = normal_force(n, gap, closing, x[force.ix], touch[k, WEIGHT])
        touch[k, LOAD] = load
        total += load
        centre, normal = add(centre, scale(load, point)), add(normal, scale(load, way))
    size = norm(normal)
    if total > 0.0 and size > 0.0:
        centre, normal = scale(1.0 / total, centre), scale(1.0 / size, normal)
    return total, centre, normal


@internal_kernel
def rub(tables, work, force, x, count, total, centre, normal):
    """Write the friction forces; returns the rates of the states z and psi."""
    a, b = sides(tables, force)
    n, touch, ix = tables.pool[force.first :], work.touch, force.ix
    z, psi, mean = load3(x[ix + 1 : ix + 4]), x[ix + 4], turns(a, b, work.bodies)[1]
    rate, moment, square = ZERO, 0.0, 0.0
    for k in range(count):
        load = touch[k, LOAD]
        _, point, way = place(touch, k)
        f = ZERO
        if load > 0.0:
            u, r = slip(a, b, work.bodies, point), sub(point, centre)
            u, arm = sub(u, scale(dot(u, way), way)), cross(normal, r)
            own = add(z, scale(psi, arm))
            own = sub(own, scale(dot(own, way), way))
            own_rate = bristle_rate(own, u, n[PRESLIDING])
            f = friction_force(n, load, u, own, own_rate)
            rate = add(rate, scale(load, own_rate))
            moment += load * dot(arm, own_rate)
            square += load * dot(arm, arm)
        touch[k, FRICTION], touch[k, FRICTION + 1], touch[k, FRICTION + 2] = f[0], f[1], f[2]
    turned = scale(dot(mean, normal), cross(normal, z))  # z turns with the bodies
    twist = moment / square if square > TINY * total * n[PRESLIDING] ** 2 else -psi / n[TIME]
    return add(scale(1.0 / total, rate), turned), twist


@kernel
def apply(tables, work, force, t, q, v, x):
    total, count, centre, normal = 0.0, 0, ZERO, ZERO
    if not leave_far(tables, work, force, x):
        count = meeting(tables, work, force)
        watch(tables, work, force, x, count)
        total, centre, normal = press(tables, work, force, x, count)
    if total <= 0.0:
        return
    a, b = sides(tables, force)
    n, touch, ix, xdot = tables.pool[force.first :], work.touch, force.ix, work.xdot
    if sticks(n):
        zdot, twist = rub(tables, work, force, x, count, total, centre, normal)
        for j in range(3):
            xdot[ix + 1 + j] += zdot[j]
        xdot[ix + 4] += twist
    for k in range(count):
        if touch[k, LOAD] > 0.0:
            _, point, way = place(touch, k)
            f = scale(touch[k, LOAD], way)
            if sticks(n):
                f = add(f, load3(touch[k, FRICTION : FRICTION + 3]))
            push_apart(a, b, work.bodies, f, point, point)
    if n[ROLLING] > 0.0:
        spin = turns(a, b, work.bodies)[0]
        couple = resistance(n, total, spin, normal)
        push(b, work.bodies, couple, ZERO, point_motion(b, work.bodies)[0])
        push(a, work.bodies, neg(couple), ZERO, point_motion(a, work.bodies)[0])


@kernel
def read(tables, work, force, t, q, v, x, out):
    count, least, touching = meeting(tables, work, force), math.inf, 0.0
    at, sliding = ZERO, 0.0
    for k in range(count):
        gap, point, _ = place(work.touch, k)
        at = point if gap < least else at
        least = min(least, gap)
        touching += 1.0 if gap < 0.0 else 0.0
    total, centre, normal = press(tables, work, force, x, count)
    pressed, rubbed = ZERO, ZERO
    if total > 0.0:
        a, b = sides(tables, force)
        at, u = centre, slip(a, b, work.bodies, centre)
        sliding = norm(sub(u, scale(dot(u, normal), normal)))
        if sticks(tables.pool[force.first :]):
            rub(tables, work, force, x, count, total, centre, normal)
        for k in range(count):
            pressed = add(pressed, scale(work.touch[k, LOAD], place(work.touch, k)[2]))
            if sticks(tables.pool[force.first :]):
                rubbed = add(rubbed, load3(work.touch[k, FRICTION : FRICTION + 3]))
    out[0], out[1], out[2], out[3] = least, norm(pressed), norm(rubbed), touching
    out[4], out[5], out[6], out[7] = sliding, at[0], at[1], at[2]


@kernel
def energy(tables, work, force, t, q, x):
    """k d^(n + 1) / (n + 1) of all places."""
    total, power = 0.0, tables.pool[force.first + EXPONENT] + 1.0
    count = meeting(tables, work, force)
    for k in range(count):
        gap = place(work.touch, k)[0]
        if gap < 0.0:
            total += work.touch[k, WEIGHT] * tables.pool[force.first + K] * (-gap) ** power / power
    return total
