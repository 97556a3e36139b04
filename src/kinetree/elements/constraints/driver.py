"""A driver prescribes a joint coordinate as a function of time (rheonomic constraint):  g = s
- f(t).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...core.checks import check_inputs
from ...core.quantities import MotionOfCoordinate, Reference
from ..joints.contract import check_coordinate
from ..signals.contract import negated
from .contract import Constraint, Effort
from .coordinates import effort_on


@dataclass(frozen=True)
class Driver(Constraint):
    """Prescribed motion of a joint coordinate.

    Parameters
    ----------
    coordinate : str
        Name of a joint coordinate, such as "A.angle".
    motion : float, time function or callable
        Value of the coordinate over time (rad, or m for a displacement): a number, a time function
        such as `kt.Sine`, or a Python function of time.

    See Also
    --------
    kt.PoseDriver : Prescribes position and orientation of a body.
    kt.TorsionSpring : Motor with a given torque.
    kt.inverse_dynamics : Efforts that produce a given motion.

    Notes
    -----
    .. math::
        g = s - f(t) = 0

    :math:`s` is the coordinate (rad, or m) and :math:`f` the `motion`. The channel `force` is the
    effort of the motor on the coordinate (N m, or N for a displacement), positive where it acts to
    increase the coordinate; times the rate of the coordinate it is the power put into the model.

    Examples
    --------
    The torque that holds a rod horizontally is -m g l / 2 about the hinge.

    >>> import kinetree as kt
    >>> model = kt.Model("arm")
    >>> rod = model.body("rod", kt.rod(mass=1.0, length=1.0, along="x"))
    >>> hinge = model.joint("A", kt.Revolute(axis="y"), model.ground, rod.end("-"))
    >>> motor = model.constraint("motor", kt.Driver("A.angle", 0.0))
    >>> sol = kt.simulate(model, until=0.1)
    >>> print(f"{sol['motor.force'][0]:.3f} N m")
    -4.905 N m
    """

    coordinate: Reference
    motion: MotionOfCoordinate

    kind = "driver"
    driven = True
    prescribes = True
    markers = (0, 0)

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "Driver: coordinate")
        check_inputs(self, "motion")

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def counted(self, signs: Mapping[str, float]) -> Driver:
        return (
            self
            if signs[self.coordinate] > 0.0
            else replace(self, motion=negated(self.motion, "Driver: motion"))
        )

    def lower(self, to: Any, name: str, markers: Any) -> None:
        to.relation(name, (to.sensor(self.coordinate), 1.0))["signal"] = to.signal(
            self.motion, "motion"
        )

    def effort(self, name: str, units: tuple[str, ...]) -> Effort:
        return effort_on(name, self.coordinate, units[0])
