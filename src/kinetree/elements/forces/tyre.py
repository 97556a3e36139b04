"""Tire on a road: a radial spring and damper (elements/roads/contact.py), and slip forces at the points of
contact.

    e_x = a x n / cos g,   e_y = n x e_x              forward and to the left in the road plane;
                                                      a: wheel axis, n: normal
    V = v + (w - Omega a) x r,   Omega = w . a        velocity of the contact point without spin
    kappa = (Omega R_e - V_x) / max(|V_x|, V_0),   tan(alpha) = V_y / max(|V_x|, V_0)

V_0 keeps the slip finite: a tire at rest is a damper, and a car on a slope creeps at
g sin(slope) m V_0 / C_kappa. With relaxation lengths the slip is a state that follows with a delay,
and at rest a spring: the car does not move.  [Pacejka2002, sec. 7.2, 8.6]

    s_k k' = Omega R_e - V_x - |V_x| k,       s_a a' = V_y - |V_x| a
    |V_x| at least |slip velocity| |k|, so that k stays below one
    kappa = k + fade tau (Omega R_e - V_x) / s_k      damping of that spring, which fades out
                                                      from rest to |V_x| = V_0

F_x acts with the arm R_e about the axis, so that a rolling tire dissipates power in slip only.

Directions are smooth signs, equal to 1 or -1 except near rest: the direction of travel, which turns
the pneumatic trail, changes between V_x = -V_0 and V_0; the direction of rolling, which the rolling
resistance opposes, between Omega R_e = -V_0 / 100 and V_0 / 100:

    sign(V, width) = sin(pi/2 max(-1, min(V / width, 1)))

In a corner between two features of the road there are two contacts with loads L_k. Each has its own
slip; the law is evaluated at the total load and weighted with the share of the contact, so that
stiffness counts once and friction in total as the loads do:

    F_k = L_k / (L_1 + L_2) law(L_1 + L_2, slips of k)

Relaxed slips follow velocities that are averaged with these shares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.checks import check, check_rows
from ...core.quantities import (
    Metres,
    MetresPerSecond,
    NewtonSecondsPerMetre,
    NewtonsPerMetre,
    Seconds,
)
from ...errors import ModelError, short
from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.vec3 import add, cross, dot, scale, sub
from ...kernel.decorators import inline, kernel
from ...kernel.frames import Pose
from ...kernel.intrinsics import call_tyre
from ...kernel.tables.fault import check_all, set_fault
from ...kernel.usercode.registry import address_of
from ..controllers.contract import State
from ..roads.contact import rest
from ..roads.road import FLAT, Road
from ..tyres.catalogue import KIND, ROLLS, USER, direction, law_answer
from ..tyres.contract import TyreLaw
from .contract import Force, push
from .wheel import (
    check_crown,
    check_on_road,
    check_road,
    contact_at,
    contact_energy,
    heed_road,
    hub_motion,
    obstacle_deflections,
    obstacle_depth,
    radial,
    read_depths,
)

(
    RADIUS,
    STIFFNESS,
    DAMPING,
    FADE,
    CROWN,
    ROLLING,
    SLOW,
    RELAX_X,
    RELAX_Y,
    CALM,
    LAW,
    PROFILE,
    ROAD,
    PARAMETERS,
    SPANS,
) = range(15)  # numbers of a tyre in the pool
READINGS = (
    ("slip", "1"),
    ("slip_angle", "rad"),
    ("camber", "rad"),
    ("longitudinal_force", "N"),
    ("lateral_force", "N"),
    ("load", "N"),
    ("overturning_moment", "N m"),
    ("rolling_moment", "N m"),
    ("aligning_moment", "N m"),
    ("speed", "m/s"),
    ("deflection", "m"),
)


@dataclass(frozen=True)
class Tyre(Force):
    r"""Tire on a road: radial spring and damper, and slip forces.

    Parameters
    ----------
    radius : float
        Unloaded radius (m).
    stiffness : float
        Radial stiffness (N/m).
    law : TyreLaw or callable
        Law of the slip forces: `kt.tyres.Linear`, `kt.tyres.Fiala`, `kt.tyres.MagicFormula`, or a
        function f(load, kappa, alpha, camber, parameters, out) that fills `out` with the forces F_x
        and F_y in N and the moment M_z in N m.
    road : Road, default Road()
        Road under the tire. By default flat ground at z = 0.
    damping : float, default 0.0
        Radial damping coefficient (N s/m).
    rolling_radius : float, optional
        Effective rolling radius (m). By default the unloaded radius minus a third of the
        deflection.
    relaxation : (float, float), optional
        Longitudinal and lateral relaxation lengths (m). By default the forces follow without delay.
    slow : float, default 1.0
        Speed V_0 that keeps the slip finite near rest (m/s).
    calm : float, default 0.04
        Damping time tau of a tire with relaxation lengths near rest (s).
    fade : float, default 0.01
        Depth over which the radial damping grows from zero to its full value (m).
    crown : float, default 0.0
        Radius of the tread across the wheel (m), as of a motorcycle; 0 is a thin disc.
    parameters : sequence of float, default ()
        Numbers that are passed to a law of the user.

    See Also
    --------
    kt.Wheel : Without slip forces.
    kt.Road : Profile and obstacles.
    kt.tyres.read_tir : Read a tire property file.

    Notes
    -----
    .. math::
        \kappa = \frac{\Omega R_e - V_x}{\max(|V_x|, V_0)}, \qquad
        \tan\alpha = \frac{V_y}{\max(|V_x|, V_0)}

    :math:`\Omega` is the spin about the wheel axis (rad/s), :math:`R_e` the rolling radius,
    :math:`V_x` and :math:`V_y` are the velocities of the contact point without spin (m/s), and
    :math:`V_0` is the speed `slow`. The wheel axis is the y axis of the marker, which is on the
    rotating body. Axes and signs are those of ISO 8855 at the point of contact: x forward, y to the
    left, z up. The slip :math:`\kappa` is positive when driving; the slip angle :math:`\alpha` is
    positive where the tire drifts to the left, and its lateral force is then negative, to the
    right. With relaxation lengths :math:`\sigma_\kappa` and :math:`\sigma_\alpha` the slips are
    states:

    .. math::
        \sigma_\kappa\,\dot k = \Omega R_e - V_x - |V_x|\,k, \qquad
        \sigma_\alpha\,\dot a = V_y - |V_x|\,a

    [Pacejka2002, sec. 7.2, 8.6]

    Examples
    --------
    A wheel is pressed 10 mm into the road.

    >>> import kinetree as kt
    >>> model = kt.Model("wheel")
    >>> rotor = kt.rotor(inertia=1.0, along="y", mass=20.0)
    >>> wheel = model.body("wheel", rotor, position=(0, 0, 0.29))
    >>> free = model.float(wheel)
    >>> law = kt.tyres.Fiala(cornering=6e4, longitudinal=8e4, friction=0.9)
    >>> tyre = model.force("tyre", kt.Tyre(radius=0.3, stiffness=2e5, law=law), wheel)
    >>> sol = kt.simulate(model, until=1e-4)
    >>> print(f"{sol['tyre.load'][0]:.1f} N, {sol['tyre.deflection'][0]:.3f} m")
    2000.0 N, 0.010 m
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
    meanings = {
        "slip": "longitudinal slip kappa, positive when driving, negative when braking",
        "slip_angle": "alpha, positive where the contact point drifts to the left",
        "camber": "inclination of the wheel plane, positive where its top leans to the right",
        "longitudinal_force": "F_x on the wheel, positive forward",
        "lateral_force": "F_y on the wheel, positive to the left",
        "load": "F_z of the road on the wheel, never negative",
        "overturning_moment": "M_x about the forward axis, by the right-hand rule",
        "rolling_moment": "M_y about the axis to the left; resistance is negative when rolling forward",
        "aligning_moment": "M_z about the upward normal, by the right-hand rule",
        "speed": "velocity V_x of the contact point along the forward axis, without spin",
        "deflection": "depth of the rim in the ground, negative above it",
        "relaxed_slip": "longitudinal slip that follows with the relaxation length",
        "relaxed_slope": "tangent of the slip angle that follows with the relaxation length",
    }
    look = "roller"

    def __post_init__(self) -> None:
        check(self, "radius", "stiffness", "fade", "slow", positive=True)
        check(self, "damping", "calm", at_least_zero=True)
        check(self, "rolling_radius", positive=True, optional=True)
        if self.relaxation is not None:
            check_rows(self, relaxation=2)
            if min(self.relaxation) <= 0.0:
                raise ModelError(
                    f"Tyre: relaxation must be two positive lengths, got {short(self.relaxation)}."
                )
        if not isinstance(self.law, TyreLaw) and not callable(self.law):
            raise ModelError(
                "Tyre: law must be one of kt.tyres, such as kt.tyres.Fiala(...), or a function "
                "f(load, kappa, "
                f"alpha, camber, parameters, out), got {short(self.law)}."
            )
        check_rows(self, parameters=None)
        check_crown(self)
        check_road(self.road, "Tyre")

    def mirrored(self, S: np.ndarray) -> Tyre:
        """Return the tire with left and right exchanged, also in a law of kt.tyres; the road
        is unchanged.
        """
        if S[1] > 0.0 > np.prod(S):
            raise ModelError(
                "a mirror across x or z would make a tyre roll backwards; mirror the assembly "
                "across y and turn it."
            )
        return (
            replace(self, law=self.law.mirrored())
            if isinstance(self.law, TyreLaw) and np.prod(S) < 0.0
            else self
        )

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        return (*READINGS, *obstacle_deflections(self.road))

    def meaning(self, label: str) -> str:
        return self.meanings.get(label) or obstacle_depth(label)

    @property
    def kinks(self) -> Sequence[tuple[str, float]]:
        """Depths at which contact begins, on the ground and on each obstacle."""
        return tuple((label, 0.0) for label, _ in self.readings[len(READINGS) - 1 :])

    def own_states(self) -> tuple[State, ...]:
        return (
            ()
            if self.relaxation is None
            else (State("relaxed_slip", 0.0, 0.1), State("relaxed_slope", 0.0, 0.1))
        )

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
        row["count"], row["first"] = (
            len(spans),
            to.pool(
                [
                    self.radius,
                    self.stiffness,
                    self.damping,
                    self.fade,
                    self.crown,
                    self.rolling_radius or 0.0,
                    self.slow,
                    relax_x,
                    relax_y,
                    self.calm,
                    law,
                    profile,
                    road,
                    len(self.parameters),
                    len(spans),
                    *np.ravel(spans),
                ]
            ),
        )


@inline
def axes(a, normal, upright):
    """Directions e_x (forward) and e_y (left) on the road."""
    e_x = scale(1.0 / upright, cross(a, normal))
    return e_x, cross(normal, e_x)


@inline
def patch(n, a, normal, upright, r, depth, velocity, w):
    """Axes of the contact, velocities of the contact point along them, slip velocity, and
    rolling radius.
    """
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
def follow(work, force, n, x, part, seen):
    """Rates of the relaxed slips, weighted with the share of one contact."""
    if n[RELAX_X] > 0.0:
        k, a, along, across, slip = x[force.ix], x[force.ix + 1], seen[4], seen[5], seen[6]
        work.xdot[force.ix] += part * (slip - max(abs(along), abs(slip * k)) * k) / n[RELAX_X]
        work.xdot[force.ix + 1] += (
            part * (across - max(abs(along), abs(across * a)) * a) / n[RELAX_Y]
        )


@inline
def law_forces(tables, work, force, n, load, kappa, slope, camber, along, slip):
    """F_x, F_y, M_x, M_y, M_z of any law."""
    first = int(n[LAW])
    if force.mode != USER:
        return law_answer(
            force.mode,
            tables.pool[first:],
            load,
            kappa,
            slope,
            camber,
            along,
            direction(along, n[SLOW]),
            direction(along + slip, ROLLS * n[SLOW]),
        )
    out = work.user[2][0:3]
    fill(out, 0.0)
    if (
        call_tyre(
            force.address,
            (
                load,
                kappa,
                math.atan(slope),
                camber,
                tables.pool[first:].ctypes.data,
                int(n[PARAMETERS]),
                out.ctypes.data,
            ),
        )
        != 0
    ):
        set_fault(work.report[0])
    check_all(work.report[0], out)
    return out[0], out[1], 0.0, 0.0, out[2]


@inline
def contact(tables, force, n, k, at, x, p, velocity, w, a):
    """Contact with feature k without its forces: normal, arm, axes, velocities, slips, camber."""
    normal, depth, upright, r = contact_at(
        tables, (int(n[PROFILE]), int(n[ROAD])), (n[RADIUS], n[CROWN]), a, p, k, at
    )
    e_x, e_y, along, across, slip, rolling = patch(n, a, normal, upright, r, depth, velocity, w)
    kappa, slope = slips(force, n, x, along, across, slip)
    camber = math.asin(min(max(dot(a, normal), -1.0), 1.0))
    return normal, r, e_x, e_y, along, across, slip, rolling, kappa, slope, camber


@inline
def grip(tables, n, p, velocity, w, a):
    """Radial force; for both contacts the feature (-1: none) and its share of the total load; the
    total
    load; and the center from which the contacts are seen.
    """
    place, wheel = (int(n[PROFILE]), int(n[ROAD])), (n[RADIUS], n[CROWN])
    touched = rest(tables, place, wheel, a, p)
    load, share_i, share_j = radial(
        tables, place, wheel, a, p, velocity, w, (n[STIFFNESS], n[DAMPING], n[FADE]), touched
    )
    total = max(share_i + share_j, 1.0)
    return (
        load,
        ((touched[0], share_i / total), (touched[2], share_j / total)),
        load * total,
        touched[4],
    )


@kernel
def apply(tables, work, force, t, q, v, x):
    marker, n = tables.markers[force.im], tables.pool[force.first :]
    p, velocity, w, a = hub_motion(marker, work.bodies)
    heed_road(tables, work, n[SPANS], force.first + SPANS, p, velocity)
    _, contacts, total, at = grip(tables, n, p, velocity, w, a)
    if contacts[0][0] < 0:
        follow(work, force, n, x, 1.0, contact(tables, force, n, 0, p, x, p, velocity, w, a))
    for k, part in contacts:
        if k >= 0:
            seen = contact(tables, force, n, k, at, x, p, velocity, w, a)
            follow(work, force, n, x, part, seen)
            if total > 0.0:
                normal, r, e_x, e_y, along, _, slip, rolling, kappa, slope, camber = seen
                law = law_forces(tables, work, force, n, total, kappa, slope, camber, along, slip)
                arm = -dot(cross(r, e_x), a)
                f = add(scale(total, normal), add(scale(law[0], e_x), scale(law[1], e_y)))
                couple = add(
                    add(scale(law[2], e_x), scale(law[3], e_y)),
                    sub(scale(law[4], normal), scale(law[0] * (rolling - arm), a)),
                )
                push(marker, work.bodies, scale(part, couple), scale(part, f), add(p, r))


@kernel
def read(tables, work, force, t, q, v, x, out):
    """Mean slips of the contacts (on the ground where there is none), and total forces and
    moments.
    """
    marker, n = tables.markers[force.im], tables.pool[force.first :]
    p, velocity, w, a = hub_motion(marker, work.bodies)
    load, contacts, total, at = grip(tables, n, p, velocity, w, a)
    fill(out, 0.0)
    out[5] = load
    read_depths(tables, (int(n[PROFILE]), int(n[ROAD])), (n[RADIUS], n[CROWN]), a, p, out, 10)
    if contacts[0][0] < 0:
        _, _, _, _, along, _, _, _, kappa, slope, camber = contact(
            tables, force, n, 0, p, x, p, velocity, w, a
        )
        out[0], out[1], out[2], out[9] = kappa, math.atan(slope), camber, along
    for k, part in contacts:
        if k >= 0:
            _, _, _, _, along, _, slip, _, kappa, slope, camber = contact(
                tables, force, n, k, at, x, p, velocity, w, a
            )
            for j, value in ((0, kappa), (1, math.atan(slope)), (2, camber), (9, along)):
                out[j] += part * value
            if total > 0.0:
                law = law_forces(tables, work, force, n, total, kappa, slope, camber, along, slip)
                for j, value in ((3, law[0]), (4, law[1]), (6, law[2]), (7, law[3]), (8, law[4])):
                    out[j] += part * value


@kernel
def energy(tables, work, force, t, q, x):
    marker, n = tables.markers[force.im], tables.pool[force.first :]
    return contact_energy(
        tables,
        (int(n[PROFILE]), int(n[ROAD])),
        (n[RADIUS], n[CROWN]),
        marker,
        work.bodies,
        n[STIFFNESS],
    )
