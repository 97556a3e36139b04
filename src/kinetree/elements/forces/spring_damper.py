"""Translational spring-damper-actuator (TSDA) between two points.  [Lee1994, sec. 5]

l = |p_j - p_i|,  u = (p_j - p_i) / l,  F on j = u F(l, ldot),  F on i = -u F(l, ldot)
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check, check_inputs
from ...core.quantities import (
    ForceLaw,
    InputInNewtons,
    InputInNewtonSecondsPerMetre,
    Metres,
    NewtonsPerMetre,
)
from ...errors import AssemblyError
from ...kernel.algebra.vec3 import norm, scale, store3, sub
from ...kernel.decorators import kernel
from ...kernel.tables.poses import END, START
from .contract import Force, ends, line, point_at, push_apart
from .laws import law_energy, law_force, law_over, law_rest, lower_law


@dataclass(frozen=True)
class SpringDamper(Force):
    r"""Spring, damper and actuator between two markers.

    Parameters
    ----------
    stiffness : float, default 0.0
        Stiffness of the spring (N/m).
    damping : float, time function or str, default 0.0
        Damping coefficient (N s/m): a number, a time function, or the output of a controller by
        name.
    length : float, optional
        Free length (m). By default the spring is free of force in the initial position.
    force : float, time function or str, default 0.0
        Force of the actuator (N), positive where it pushes the markers apart: a number, a time
        function, or the output of a controller by name, such as "pid.force".
    law : Polynomial, Characteristic or callable, optional
        Spring law instead of `stiffness`, or a function law(t, x, xdot) of time, length and its
        rate that returns the force of spring and damper in the direction of growing length (N).

    See Also
    --------
    kt.TorsionSpring : Spring, damper and motor on a joint coordinate.
    kt.Bushing : Springs and dampers in six directions.
    kt.Cable : Pulls only.

    Notes
    -----
    .. math::
        F = -k\,(l - l_0) - c\,\dot l + f, \qquad l = |p_2 - p_1|

    :math:`p_1` and :math:`p_2` are the positions of the markers, :math:`l` their distance (m),
    :math:`k` the `stiffness`, :math:`l_0` the free `length`, :math:`c` the `damping` and :math:`f`
    the `force` of the actuator. F acts along the line between the markers (N). It is positive where
    it pushes them apart; the channel `force` has this sign, so that a stretched spring has a
    negative force. [Lee1994, sec. 5]

    Examples
    --------
    A spring is stretched by 20 mm.

    >>> import kinetree as kt
    >>> model = kt.Model("oscillator", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)), position=(0.52, 0, 0))
    >>> free = model.float(block)
    >>> element = kt.SpringDamper(stiffness=1000.0, damping=5.0, length=0.5)
    >>> spring = model.force("spring", element, model.ground, block)
    >>> sol = kt.simulate(model, until=0.1)
    >>> print(f"{sol['spring.force'][0]:.1f} N, {sol['spring.energy'][0]:.2f} J")
    -20.0 N, 0.20 J
    """

    stiffness: NewtonsPerMetre = 0.0
    damping: InputInNewtonSecondsPerMetre = 0.0
    length: Metres | None = None
    force: InputInNewtons = 0.0
    law: ForceLaw | None = None

    kind = "spring-damper"
    markers = (2, 2)
    meanings = {
        "length": "distance between the two markers",
        "rate": "time derivative of the length, positive when the markers move apart",
        "force": "spring, damper and actuator together, positive where they push the markers apart",
    }
    look = "spring"
    actuators = ("",)
    readings = (("length", "m"), ("rate", "m/s"), ("force", "N"))

    def __post_init__(self) -> None:
        check(self, "stiffness")
        check(self, "length", at_least_zero=True, optional=True)
        check_inputs(self, "damping", "force")

    def check_start(self, length: float, nothing: float) -> None:
        """Raise an error if the markers coincide and the force has to push them apart."""
        push = self.force if isinstance(self.force, (int, float)) else 0.0
        pressed = (
            self.length
            if self.length is not None and (self.stiffness or self.law is not None)
            else 0.0
        )
        if length <= nothing and (pressed > nothing or push):
            why = (
                f"its free length is {pressed:g} m"
                if pressed > nothing
                else f"its actuator pushes with {push:g} N"
            )
            raise AssemblyError(
                f"its markers coincide at the start, where its force has no direction, and {why}. "
                "Draw its two "
                "ends apart."
            )

    def idle(self) -> SpringDamper:
        return SpringDamper(length=0.0)

    def lower(self, row, to) -> None:
        lower_law(row, to, self.law, self.stiffness, self.damping, self.force, "SpringDamper")
        row["rest"] = to.initial_distance() if self.length is None else self.length


@kernel
def apply(tables, work, force, t, q, v, x):
    i, j = ends(tables, force)
    p_i, p_j, u, length, rate = line(i, j, work.bodies)
    push_apart(
        i, j, work.bodies, scale(law_force(tables, work, force, t, length, rate), u), p_i, p_j
    )


@kernel
def discrete(tables, work, force, t, h, x):
    """Mean force over a step, along the mean d_a of the lines at both ends.

    With l_f^2 - l_i^2 = 2 d_a.(d_f - d_i) the spring does the work E_i - E_f.
    """
    i, j = ends(tables, force)
    p_i, p_j, u, length, rate = line(i, j, work.bodies)
    before = norm(sub(point_at(work, j, START), point_at(work, i, START)))
    after = norm(sub(point_at(work, j, END), point_at(work, i, END)))
    mean = 0.5 * (before + after)
    total, other = (
        law_over(tables, work, force, t, before, after, mean, rate),
        law_rest(tables, work, force, t, mean, rate),
    )
    push_apart(
        i,
        j,
        work.bodies,
        scale(other + (total - other) * (length / mean if mean > 0.0 else 0.0), u),
        p_i,
        p_j,
    )


@kernel
def read(tables, work, force, t, q, v, x, out):
    i, j = ends(tables, force)
    _, _, _, length, rate = line(i, j, work.bodies)
    store3(out, (length, rate, law_force(tables, work, force, t, length, rate)))


@kernel
def energy(tables, work, force, t, q, x):
    i, j = ends(tables, force)
    return law_energy(force, tables.pool, line(i, j, work.bodies)[3])
