"""Dry and viscous friction along a joint coordinate, with a Stribeck curve.

    F = -(Fc + (Fs - Fc) exp(-(v / vs)^2)) tanh(v / v0) - c v

The jump of dry friction at rest is replaced by a steep slope, so a sticking joint creeps at a small
fraction of v0. A smaller v0 is closer to sticking and makes the equations stiffer (slope Fs / v0):
the integrator bdf takes large steps, adams small ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import CoordinateDamping, CoordinateEffort, CoordinateSpeed, Reference
from ...errors import ModelError
from ...kernel.decorators import inline, kernel
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate
from .contract import Force, act_on


@dataclass(frozen=True)
class JointFriction(Force):
    r"""Dry and viscous friction along a joint coordinate.

    Parameters
    ----------
    coordinate : str
        Name of a joint coordinate, such as "A.angle".
    coulomb : float
        Friction Fc while the joint slides (N m, or N for a displacement).
    static : float, optional
        Friction Fs at the onset of sliding (N m, or N for a displacement). By default it equals
        `coulomb`.
    stribeck : float, default 0.1
        Speed vs over which the static friction decays to the sliding one (rad/s, or m/s).
    viscous : float, default 0.0
        Coefficient c of viscous friction (N m s/rad, or N s/m for a displacement).
    transition : float, default 0.001
        Speed v0 below which the joint counts as sticking (rad/s, or m/s).

    See Also
    --------
    kt.TorsionSpring : Linear damping.
    kt.BumpStop : Stop at the end of the range.

    Notes
    -----
    .. math::
        F = -\Bigl(F_c + (F_s - F_c)\, e^{-(v / v_s)^2}\Bigr) \tanh(v / v_0) - c\,v

    :math:`v` is the rate of the coordinate (rad/s, or m/s), :math:`F_c` the `coulomb` and
    :math:`F_s` the `static` friction, :math:`v_s` the speed `stribeck`, :math:`c` the `viscous`
    coefficient and :math:`v_0` the speed `transition`. F is positive in the direction of the
    coordinate (N m, or N): it always acts against the rate. A sticking joint creeps at a small
    fraction of :math:`v_0`. A smaller :math:`v_0` makes the equations stiffer; use the
    integrator "switching" or "bdf".

    Examples
    --------
    A wheel spins at 2 rad/s against 0.3 N m of dry friction.

    >>> import kinetree as kt
    >>> model = kt.Model("wheel", gravity=(0, 0, 0))
    >>> wheel = model.body("wheel", kt.rotor(inertia=0.5, mass=1.0))
    >>> axle = model.joint("A", kt.Revolute("z"), model.ground, wheel, speed={"angle": 2.0})
    >>> friction = model.force("friction", kt.JointFriction("A.angle", coulomb=0.3))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['friction.torque'][0]:.2f} N m, {sol['A.angle.rate'][-1]:.2f} rad/s")
    -0.30 N m, 1.40 rad/s
    """

    coordinate: Reference
    coulomb: CoordinateEffort
    static: CoordinateEffort | None = None
    stribeck: CoordinateSpeed = 0.1
    viscous: CoordinateDamping = 0.0
    transition: CoordinateSpeed = 1e-3

    kind = "joint-friction"
    markers = (0, 0)
    meanings = {
        "rate": "time derivative v of the joint coordinate",
        "torque": "friction along the coordinate, with the sign opposite to the rate",
        "force": "friction along the displacement, with the sign opposite to the rate",
    }
    readings = (("rate", "rad/s"), ("torque", "N m"))

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "JointFriction: coordinate")
        check(self, "coulomb", "viscous", at_least_zero=True)
        check(self, "stribeck", "transition", positive=True)
        check(self, "static", optional=True)
        if self.static is not None and self.static < self.coulomb:
            raise ModelError(
                f"JointFriction: static {self.static!r} must not be less than coulomb "
                f"{self.coulomb!r}; what sticks "
                "holds more than what slides."
            )

    def counted(self, signs: Mapping[str, float]) -> JointFriction:
        return self  # the same both ways

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """A speed and a force where the coordinate is a displacement."""
        return (("rate", "m/s"), ("force", "N")) if units == ("m",) else self.readings

    def lower(self, row, to) -> None:
        static = self.coulomb if self.static is None else self.static
        row["sensor"] = to.sensor(self.coordinate)
        row["first"] = to.pool(
            [self.coulomb, static - self.coulomb, self.stribeck, self.viscous, self.transition]
        )


@inline
def rubbed(tables, work, force, v):
    """Rate of the coordinate, and friction along it."""
    rate, n, pool = (
        sensor_rate(tables, tables.sensors[force.sensor], v, work.bodies),
        force.first,
        tables.pool,
    )
    dry = pool[n] + pool[n + 1] * math.exp(-((rate / pool[n + 2]) ** 2))
    return rate, -dry * math.tanh(rate / pool[n + 4]) - pool[n + 3] * rate


@kernel
def apply(tables, work, force, t, q, v, x):
    act_on(tables, work, tables.sensors[force.sensor], rubbed(tables, work, force, v)[1])


@kernel
def read(tables, work, force, t, q, v, x, out):
    out[0], out[1] = rubbed(tables, work, force, v)


@kernel
def energy(tables, work, force, t, q, x):
    return 0.0
