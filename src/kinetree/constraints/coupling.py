"""Two joint coordinates in a fixed ratio:  g = s1 - ratio s2 - offset.  Gears, racks and pinions, belts."""

from __future__ import annotations

from dataclasses import dataclass

from ..annotations import Reference
from ..errors import ModelError
from ..frames import number, numbers
from ..joints.contract import check_coordinate
from .contract import Constraint, Effort
from .coordinates import effort_on


@dataclass(frozen=True)
class Coupling(Constraint):
    """first = ratio * second + offset; an offset of None keeps the coordinates as they are assembled.

    first, second   joint coordinates, like "A.angle"
    ratio           of their rates (1, or m/rad between a slide and a hinge)
    offset          of the first (rad, or m on a slide)
    """

    first: Reference
    second: Reference
    ratio: float
    offset: float | None = None

    kind = "coupling"
    markers = (0, 0)

    def __post_init__(self) -> None:
        check_coordinate(self.first, "Coupling: first")
        check_coordinate(self.second, "Coupling: second")
        if self.first == self.second:
            raise ModelError(f"Coupling: {self.first!r} is coupled with itself; name two coordinates.")
        number(self.ratio, "Coupling: ratio")
        if self.ratio == 0.0:
            raise ModelError("Coupling: ratio 0 couples nothing; use Driver(first, 0) to hold a coordinate.")
        if self.offset is not None:
            number(self.offset, "Coupling: offset")

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.first, self.second)

    def lower(self, to, name, markers) -> None:
        p = to.relation(name, to.sensor(self.first), to.sensor(self.second), -self.ratio)
        p["offset"] = to.leave_open(name, "offset", "offset", 0.0) if self.offset is None else self.offset

    def effort(self, name: str, units: tuple[str, ...]) -> Effort:
        return effort_on(name, self.first, units[0])


def Gear(first: Reference, second: Reference, teeth: tuple[float, float], internal: bool = False) -> Coupling:
    """Two wheels in mesh with `teeth` (or radii) of first and second; external wheels turn against each other.

    first, second   joint coordinates, like "A.angle"
    teeth           of the first and of the second wheel (1, or m for radii)
    internal        whether the smaller wheel runs inside the larger: both turn the same way
    """
    n1, n2 = (number(float(n), "Gear: teeth", positive=True) for n in numbers(teeth, 2, "Gear: teeth"))
    return Coupling(first, second, (1.0 if internal else -1.0) * n2 / n1)


def RackAndPinion(rack: Reference, pinion: Reference, radius: float) -> Coupling:
    """A rack (displacement) driven by a pinion (angle) of the given pitch radius.

    rack     coordinate of a slide, like "rack.displacement"
    pinion   coordinate of a hinge, like "shaft.angle"
    radius   pitch radius of the pinion (m)
    """
    if number(radius, "RackAndPinion: radius") == 0.0:
        raise ModelError("RackAndPinion: radius must not be zero.")
    return Coupling(rack, pinion, radius)
