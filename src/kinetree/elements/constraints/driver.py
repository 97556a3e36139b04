"""A driver prescribes a joint coordinate as a function of time:  g = s - f(t)  (rheonomic)."""

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
    """Moves a coordinate like "A.angle" along a time function (or a number, or a callable).

    coordinate   of a joint, like "A.angle"
    motion       the coordinate over time (rad, or m on a slide)
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
