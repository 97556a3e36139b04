"""Compliant contact of two shapes: normal force with exact restitution, friction that sticks.

    F = k d^n (1 + chi d' / w)  >= 0,        d = -gap,      w the speed d' at first touch

A body that hits another one with the speed w leaves it with e w, whatever k, n and the masses, if

    chi (1 + e) = ln((1 + chi) / (1 - e chi))                          0 < chi < 1 / e

[follows from d'' m = -F: u du / (1 + chi u) = -k d^n dd / (m w^2) with u = d' / w between the two
instants d = 0]. The speed w is a state. It follows the speed w_0 with which the surfaces would meet
under gravity alone, the faster the smaller the gap, and keeps its value in contact:

    w' = r (w_0 - w) apart, 0 in contact,      w_0^2 = c^2 + 2 a gap,      r = RATE |u| / (gap + way)

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
from ...kernel.algebra.vec3 import add, dot, load3, neg, norm, scale, sub
from ...kernel.decorators import kernel
from ..controllers.contract import State
from .contact_law import ContactLaw
from .contact_motion import (
    FLAT,
    STATES,
    falling,
    heed_gap,
    meeting,
    relative_turn,
    sides,
    slip,
)
from .contact_response import (
    EXPONENT,
    PRESLIDING,
    REACH,
    WAY,
    K,
    bristle_rate,
    damping_factor,
    friction_force,
    normal_force,
    resistance,
)
from .contract import ZERO, push

RATE = 4.0  # of w: its error at the touch falls with the fourth power of the gap
SHORT = (
    1e-3  # of the thickness of a shape: grazing contacts shallower than 1e-7 of it can be missed
)


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
    }
    readings = (("gap", "m"), ("normal", "N"), ("friction", "N"), ("count", "1"))

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
        found: list[State] = []
        for k in range(1, self.places + 1):
            found.append(State(f"impact_speed{k}", 0.0, 1.0, "m/s"))
            if self.friction > 0.0:
                found += [
                    State(f"stick{k}_{axis}", 0.0, self.presliding, "m") for axis in ("x", "y", "z")
                ]
        return tuple(found)

    def meaning(self, label: str) -> str:
        if label.startswith("impact_speed"):
            return f"speed of approach at the first touch of place {label[12:]}"
        if label.startswith("stick"):
            place, axis = label[5:].split("_")
            return f"displacement of place {place} along world {axis} before it slides"
        return self.meanings[label]

    def lower(self, row, to) -> None:
        kind, swapped, a, b = self.pair
        static = self.friction if self.static is None else self.static
        # critical damping of a body that sticks under its own weight
        time = 2.0 * math.sqrt(self.presliding / (9.81 * max(self.friction, 1e-3)))
        row["mode"], row["count"] = kind, self.places
        row["first"] = to.pool(
            [
                *(self.stiffness, self.exponent, damping_factor(self.restitution), self.rest_speed),
                *(self.friction, static - self.friction, self.stribeck, self.presliding, time),
                *(self.rolling, SHORT * min(a.thickness, b.thickness), a.reach + b.reach),
                *(self.kernels.flat, swapped, len(a.numbers), 4 if self.friction > 0.0 else 1),
                *a.numbers,
                *b.numbers,
            ]
        )


@kernel
def apply(tables, work, force, t, q, v, x):
    a, b = sides(tables, force)
    n = tables.pool[force.first :]
    bodies, step = work.bodies, int(n[STATES])
    w = relative_turn(a, b, bodies)
    for k in range(force.count):
        gap, point, normal = meeting(tables, work, force, k)
        u, ix = slip(a, b, bodies, point), force.ix + k * step
        closing, fall = -dot(u, normal), falling(tables, a, b, normal)
        if gap > 0.0:
            turning = norm(w) * n[REACH]
            speed = (abs(closing) if n[FLAT] > 0.0 else norm(u)) + turning
            heed_gap(tables, work, n, gap, speed, fall)
            rate = RATE * (speed + math.sqrt(abs(fall) * n[WAY])) / (gap + n[WAY])
            towards = max(closing, 0.0)
            target = math.sqrt(max(towards * towards + 2.0 * fall * gap, 0.0))
            work.xdot[ix] += rate * (target - x[ix])
            for j in range(1, step):
                work.xdot[ix + j] -= rate * x[ix + j]
            continue
        load = normal_force(n, gap, closing, x[ix])
        f = scale(load, normal)
        if step > 1:
            along, z = add(u, scale(closing, normal)), load3(x[ix + 1 : ix + 4])
            z = sub(z, scale(dot(z, normal), normal))
            zdot = bristle_rate(z, along, n[PRESLIDING])
            f = add(f, friction_force(n, load, along, z, zdot))
            for j in range(3):
                work.xdot[ix + 1 + j] += zdot[j]
        couple = resistance(n, load, w, normal)
        push(b, bodies, couple, f, point)
        push(a, bodies, neg(couple), neg(f), point)


@kernel
def read(tables, work, force, t, q, v, x, out):
    a, b = sides(tables, force)
    n = tables.pool[force.first :]
    step, least, pressed, rubbed, count = int(n[STATES]), math.inf, ZERO, ZERO, 0.0
    for k in range(force.count):
        gap, point, normal = meeting(tables, work, force, k)
        least = min(least, gap)
        if gap < 0.0:
            u, ix = slip(a, b, work.bodies, point), force.ix + k * step
            closing = -dot(u, normal)
            load = normal_force(n, gap, closing, x[ix])
            count += 1.0
            pressed = add(pressed, scale(load, normal))
            if step > 1:
                along, z = add(u, scale(closing, normal)), load3(x[ix + 1 : ix + 4])
                z = sub(z, scale(dot(z, normal), normal))
                zdot = bristle_rate(z, along, n[PRESLIDING])
                rubbed = add(rubbed, friction_force(n, load, along, z, zdot))
    out[0], out[1], out[2], out[3] = least, norm(pressed), norm(rubbed), count


@kernel
def energy(tables, work, force, t, q, x):
    """k d^(n + 1) / (n + 1) of all places."""
    total, power = 0.0, tables.pool[force.first + EXPONENT] + 1.0
    for k in range(force.count):
        gap = meeting(tables, work, force, k)[0]
        if gap < 0.0:
            total += tables.pool[force.first + K] * (-gap) ** power / power
    return total
