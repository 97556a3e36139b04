"""A tyre on a road: a radial spring and damper (roads/contact.py), and forces of slip at every point of contact.

    e_x = a x n / cos g,   e_y = n x e_x                 forward and to the left in the plane of the road; a: axis, n: normal
    V = v + (w - Omega a) x r,   Omega = w . a           the contact point, carried by the wheel without its spin
    kappa = (Omega R_e - V_x) / max(|V_x|, V_0),   tan(alpha) = V_y / max(|V_x|, V_0)

V_0 keeps slip finite: a tyre at rest is a damper, and a car on a slope creeps at g sin(slope) m V_0 / C_kappa. With relaxation
lengths slip is a state that follows, and at rest a spring: the car stays where it is.           [Pacejka2002, sec. 7.2, 8.6]

    s_k k' = Omega R_e - V_x - |V_x| k,       s_a a' = V_y - |V_x| a,     |V_x| at least |slip velocity| |k|: k stays below one
    kappa = k + fade tau (Omega R_e - V_x) / s_k          damping of that spring, fading out from rest to |V_x| = V_0

F_x acts with the arm R_e about the axis, so that a rolling tyre turns power into slip and none into anything else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..annotations import Metres, MetresPerSecond, NewtonSecondsPerMetre, NewtonsPerMetre, Seconds
from ..control.contract import State
from ..errors import ModelError
from ..frames import Pose, number, numbers
from ..num.callback import call_tyre
from ..num.dense import fill
from ..num.fault import accuse, check_all
from ..num.jit import inline, kernel
from ..num.vec3 import add, cross, dot, scale, sub
from ..roads.contact import approach, features, plane, press, touch
from ..roads.road import FLAT, Road
from ..tyres.catalogue import KIND, USER, law_answer
from ..tyres.contract import TyreLaw
from ..usercode.code import address_of
from .contract import Force, push
from .wheel import check_crown, check_on_road, check_road, contact_energy, heed_road, hub_motion, obstacle_deflections

(RADIUS, STIFFNESS, DAMPING, FADE, CROWN, ROLLING, SLOW, RELAX_X, RELAX_Y, CALM, LAW, PROFILE, ROAD, PARAMETERS,
 SPANS) = range(15)  # numbers of a tyre in the pool
READINGS = (("slip", "1"), ("slip_angle", "rad"), ("camber", "rad"), ("longitudinal_force", "N"), ("lateral_force", "N"),
            ("load", "N"), ("overturning_moment", "N m"), ("rolling_moment", "N m"), ("aligning_moment", "N m"),
            ("speed", "m/s"), ("deflection", "m"))


@dataclass(frozen=True)
class Tyre(Force):
    """A tyre about the y axis of its marker, which is on the turning wheel; signs of ISO 8855.

    radius           unloaded (m)
    stiffness        radial (N/m)
    law              of kt.tyres (Linear, Fiala, MagicFormula), or a function f(load, kappa, alpha, camber, parameters, out)
                     that fills out with F_x, F_y (N) and M_z (N m)
    road             kt.Road; by default flat ground at z = 0
    damping          radial (N s/m)
    rolling_radius   effective; by default the unloaded one less a third of the deflection (m)
    relaxation       lengths along and across; None: forces follow at once (m)
    slow             V_0, see below (m/s)
    calm             tau, damping of a tyre with relaxation lengths near rest (s)
    fade             depth within which the damper comes in (m)
    crown            radius of the tread across, as of a motorcycle; 0 is a thin disc (m)
    parameters       handed to a law of the user
    """

    radius: Metres
    stiffness: NewtonsPerMetre
    law: TyreLaw | Callable
    road: Road = FLAT
    damping: NewtonSecondsPerMetre = 0.0
    rolling_radius: Metres | None = None
    relaxation: Sequence[Metres] | None = None
    slow: MetresPerSecond = 1.0
    calm: Seconds = 0.04
    fade: Metres = 0.01
    crown: Metres = 0.0
    parameters: Sequence[float] = ()

    kind = "tyre"
    markers = (1, 1)
    look = "roller"

    def __post_init__(self) -> None:
        for name in ("radius", "stiffness", "fade", "slow"):
            number(getattr(self, name), f"Tyre: {name}", positive=True)
        for name in ("damping", "calm"):
            number(getattr(self, name), f"Tyre: {name}", at_least_zero=True)
        if self.rolling_radius is not None:
            number(self.rolling_radius, "Tyre: rolling_radius", positive=True)
        if self.relaxation is not None and min(numbers(self.relaxation, 2, "Tyre: relaxation")) <= 0.0:
            raise ModelError(f"Tyre: relaxation must be two positive lengths, got {self.relaxation!r}.")
        if not isinstance(self.law, TyreLaw) and not callable(self.law):
            raise ModelError("Tyre: law must be one of kt.tyres, such as kt.tyres.Fiala(...), or a function f(load, kappa, "
                             f"alpha, camber, parameters, out), got {self.law!r}.")
        numbers(self.parameters, np.size(self.parameters), "Tyre: parameters")
        check_crown(self.crown, self.radius, "Tyre")
        check_road(self.road, "Tyre")

    def mirrored(self, S: np.ndarray) -> Tyre:
        """Left and right change places, also in a law of kt.tyres; the road stays where it is."""
        if S[1] > 0.0 > np.prod(S):
            raise ModelError("a mirror across x or z would make a tyre roll backwards; mirror the assembly across y and turn it.")
        return replace(self, law=self.law.mirrored()) if isinstance(self.law, TyreLaw) and np.prod(S) < 0.0 else self

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        return (*READINGS, *obstacle_deflections(self.road))

    @property
    def kinks(self) -> Sequence[tuple[str, float]]:
        """Where it touches down, on the ground and on each obstacle."""
        return tuple((label, 0.0) for label, _ in self.readings[len(READINGS) - 1 :])

    def own_states(self) -> tuple[State, ...]:
        return () if self.relaxation is None else (State("relaxed_slip", 0.0, 0.1), State("relaxed_slope", 0.0, 0.1))

    def check_place(self, poses: Sequence[Pose]) -> None:
        check_on_road(self.road, self.radius, poses[0])

    def lower(self, row, to) -> None:
        profile, road = self.road.lower(to)
        spans, (relax_x, relax_y) = self.road.spans(self.radius), self.relaxation or (0.0, 0.0)
        if isinstance(self.law, TyreLaw):
            row["mode"], law = KIND[self.law.kind], to.pool(self.law.numbers())
        else:
            row["mode"], law = USER, to.pool(self.parameters)
            row["address"] = address_of(self.law, "tyre")
        row["count"], row["first"] = len(spans), to.pool([
            self.radius, self.stiffness, self.damping, self.fade, self.crown, self.rolling_radius or 0.0, self.slow,
            relax_x, relax_y, self.calm, law, profile, road, len(self.parameters), len(spans), *np.ravel(spans)])


@inline
def axes(a, normal, upright):
    """Forward and to the left on the road."""
    e_x = scale(1.0 / upright, cross(a, normal))
    return e_x, cross(normal, e_x)


@inline
def patch(n, a, normal, upright, r, depth, velocity, w):
    """Axes of the contact, speeds of the carried point along them, speed of slip, and the rolling radius."""
    e_x, e_y = axes(a, normal, upright)
    spin = dot(w, a)
    carried = add(velocity, cross(sub(w, scale(spin, a)), r))
    rolling = n[ROLLING] if n[ROLLING] > 0.0 else n[RADIUS] - depth / 3.0
    along = dot(carried, e_x)
    return e_x, e_y, along, dot(carried, e_y), spin * rolling - along, rolling


@inline
def slips(force, n, x, along, across, slip):
    """kappa and tan(alpha)."""
    if n[RELAX_X] == 0.0:
        size = max(abs(along), n[SLOW])
        return slip / size, across / size
    near = 0.5 * n[CALM] * (1.0 + math.cos(math.pi * min(abs(along) / n[SLOW], 1.0)))
    return x[force.ix] + near * slip / n[RELAX_X], x[force.ix + 1] + near * across / n[RELAX_Y]


@inline
def follow(force, n, x, along, across, slip, work):
    """Rates of the relaxed slips."""
    if n[RELAX_X] > 0.0:
        k, a = x[force.ix], x[force.ix + 1]
        work.xdot[force.ix] += (slip - max(abs(along), abs(slip * k)) * k) / n[RELAX_X]
        work.xdot[force.ix + 1] += (across - max(abs(along), abs(across * a)) * a) / n[RELAX_Y]


@inline
def law_forces(force, n, tables, work, load, kappa, slope, camber, speed):
    """F_x, F_y, M_x, M_y, M_z of whatever law."""
    first = int(n[LAW])
    if force.mode != USER:
        return law_answer(force.mode, tables.pool[first:], load, kappa, slope, camber, speed)
    out = work.user[2][0:3]
    fill(out, 0.0)
    if call_tyre(force.address, (load, kappa, math.atan(slope), camber, tables.pool[first:].ctypes.data, int(n[PARAMETERS]),
                                 out.ctypes.data)) != 0:
        accuse(work.report[0])
    check_all(work.report[0], out)
    return out[0], out[1], 0.0, 0.0, out[2]


@inline
def contact(force, n, k, t, x, p, velocity, w, a, tables, work):
    """All of one contact: depth, normal, arm, load, axes, speeds, slips, forces and moments of the law."""
    normal, height = plane(tables, int(n[PROFILE]), int(n[ROAD]), k, p)
    depth, upright, r = touch(normal, height, a, n[RADIUS], n[CROWN])
    load = press(depth, approach(normal, velocity, w, r, depth), n[STIFFNESS], n[DAMPING], n[FADE])
    e_x, e_y, along, across, slip, rolling = patch(n, a, normal, upright, r, depth, velocity, w)
    kappa, slope = slips(force, n, x, along, across, slip)
    camber, law = math.asin(min(max(dot(a, normal), -1.0), 1.0)), (0.0, 0.0, 0.0, 0.0, 0.0)
    if load > 0.0:
        law = law_forces(force, n, tables, work, load, kappa, slope, camber, along)
    return normal, depth, r, load, e_x, e_y, along, across, slip, rolling, kappa, slope, camber, law


@kernel
def apply(force, t, q, v, x, tables, work):
    marker, n = tables.markers[force.im], tables.pool[force.first :]
    p, velocity, w, a = hub_motion(marker, work.bodies)
    heed_road(n[SPANS], force.first + SPANS, p, velocity, tables, work)
    for k in range(features(tables, int(n[ROAD]))):
        normal, _, r, load, e_x, e_y, along, across, slip, rolling, _, _, _, law = contact(
            force, n, k, t, x, p, velocity, w, a, tables, work)
        if k == 0:
            follow(force, n, x, along, across, slip, work)
        if load > 0.0:
            arm = -dot(cross(r, e_x), a)
            f = add(scale(load, normal), add(scale(law[0], e_x), scale(law[1], e_y)))
            couple = add(add(scale(law[2], e_x), scale(law[3], e_y)),
                         sub(scale(law[4], normal), scale(law[0] * (rolling - arm), a)))
            push(marker, work.bodies, couple, f, add(p, r))


@kernel
def read(force, t, q, v, x, tables, work, out):
    """Slips on the ground; forces and moments of all contacts together, each in its own axes."""
    marker, n = tables.markers[force.im], tables.pool[force.first :]
    p, velocity, w, a = hub_motion(marker, work.bodies)
    fill(out, 0.0)
    for k in range(features(tables, int(n[ROAD]))):
        _, depth, _, load, _, _, along, _, _, _, kappa, slope, camber, law = contact(
            force, n, k, t, x, p, velocity, w, a, tables, work)
        if k == 0:
            out[0], out[1], out[2], out[9] = kappa, math.atan(slope), camber, along
        out[3] += law[0]
        out[4] += law[1]
        out[5] += load
        for j in range(3):
            out[6 + j] += law[2 + j]
        out[10 + k] = max(depth, -n[RADIUS])  # of what is far away, no more than that it is


@kernel
def energy(force, t, q, x, tables, work):
    marker, n = tables.markers[force.im], tables.pool[force.first :]
    return contact_energy(tables, int(n[PROFILE]), int(n[ROAD]), marker, work.bodies, n[RADIUS], n[CROWN], n[STIFFNESS])
