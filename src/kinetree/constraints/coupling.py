"""Joint coordinates in a fixed relation:  g = s1 - ratio s2 - offset,  or  g = a1 s1 + a2 s2 + ...
- offset.

Gears, racks and pinions, belts; differentials and planetary gears, which join three or more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..annotations import CoordinateValue, Metres, Reference
from ..checks import check, flag
from ..errors import ModelError, explains_arguments, short
from ..frames import number, numbers
from ..joints.contract import check_coordinate
from .contract import Constraint, Effort
from .coordinates import effort_on

_WAYS = "give first, second and ratio, or terms={'A.angle': 1, 'B.angle': 1, 'C.angle': -2} of which the sum is the offset"


@dataclass(frozen=True)
class Coupling(Constraint):
    """first = ratio * second + offset; an offset of None keeps the coordinates as they are
    assembled.

    first, second   joint coordinates, like "A.angle"
    ratio           of their rates (1, or m/rad between a slide and a hinge)
    offset          of the first (rad, or m on a slide)
    terms           any number of coordinates with factors, in place of first, second and ratio: the
                    sum of factor * coordinate is
                    the offset (1, or m/rad)

    It joins efforts along the coordinates and nothing else: the bearings of wheels carry no tooth
    forces or belt pulls. The channel `force` is the effort on the first coordinate; that on another
    is it times the quotient of their factors.
    """

    first: Reference | None = None
    second: Reference | None = None
    ratio: float | None = None
    offset: CoordinateValue | None = None
    terms: dict[Reference, float] | None = None

    kind = "coupling"
    markers = (0, 0)

    def __post_init__(self) -> None:
        if self.terms is None:
            self._check_pair()
        else:
            self._check_terms(self.terms)
        check(self, "offset", optional=True)

    def _check_pair(self) -> None:
        check_coordinate(self.first, "Coupling: first")
        check_coordinate(self.second, "Coupling: second")
        if self.first == self.second:
            raise ModelError(
                f"Coupling: {self.first!r} is coupled with itself; name two coordinates."
            )
        check(self, "ratio")
        if self.ratio == 0.0:
            raise ModelError(
                "Coupling: ratio 0 couples nothing; use Driver(first, 0) to hold a coordinate."
            )

    def _check_terms(self, terms: dict[str, float]) -> None:
        if not (self.first is None and self.second is None and self.ratio is None):
            raise ModelError(f"Coupling: terms stand in place of first, second and ratio; {_WAYS}.")
        if not isinstance(terms, dict) or len(terms) < 2:
            raise ModelError(
                "Coupling: terms must be a dict of at least two coordinates with their factors, "
                f"got {short(terms)}; {_WAYS}."
            )
        for name, factor in terms.items():
            check_coordinate(name, "Coupling: a key of terms")
            if number(factor, f"Coupling: factor of {name!r} in terms") == 0.0:
                raise ModelError(
                    f"Coupling: the factor of {name!r} in terms is 0, so it is not coupled; leave "
                    "it out."
                )

    @property
    def factors(self) -> dict[str, float]:
        """The coordinates with their factors, whichever way they were given."""
        if self.terms is not None:
            return {name: float(factor) for name, factor in self.terms.items()}
        return {str(self.first): 1.0, str(self.second): -float(self.ratio or 0.0)}

    def counted(self, signs: Mapping[str, float]) -> Coupling:
        if self.terms is not None:
            return replace(
                self, terms={name: signs[name] * factor for name, factor in self.terms.items()}
            )
        first, second = signs[str(self.first)], signs[str(self.second)]
        offset = None if self.offset is None else first * self.offset
        return replace(self, ratio=first * second * float(self.ratio or 0.0), offset=offset)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return tuple(self.factors)

    def lower(self, to, name, markers) -> None:
        p = to.relation(
            name, *((to.sensor(coordinate), factor) for coordinate, factor in self.factors.items())
        )
        p["offset"] = (
            to.leave_open(name, "offset", "offset", 0.0) if self.offset is None else self.offset
        )

    def effort(self, name: str, units: tuple[str, ...]) -> Effort:
        first, factor = next(iter(self.factors.items()))
        return effort_on(name, first, units[0])._replace(factor=-factor)


@explains_arguments
def Gear(
    first: Reference, second: Reference, teeth: tuple[float, float], internal: bool = False
) -> Coupling:
    """Two wheels in mesh with `teeth` (or radii) of first and second; external wheels turn against
    each other.

    Only the torques about the axes are joined: the bearings of the wheels carry no tooth forces.

    first, second   joint coordinates, like "A.angle"
    teeth           of the first and of the second wheel (1, or m for radii)
    internal        whether the smaller wheel runs inside the larger: both turn the same way
    """
    n1, n2 = _teeth(teeth, "Gear")
    return Coupling(first, second, (1.0 if flag(internal, "Gear: internal") else -1.0) * n2 / n1)


@explains_arguments
def RackAndPinion(rack: Reference, pinion: Reference, radius: Metres) -> Coupling:
    """A rack (displacement) driven by a pinion (angle) of the given pitch radius.

    Only force and torque along the coordinates are joined: bearings and guides carry no tooth
    forces.

    rack     coordinate of a slide, like "rack.displacement"
    pinion   coordinate of a hinge, like "shaft.angle"
    radius   pitch radius of the pinion (m)
    """
    radius = number(radius, "RackAndPinion: radius")
    if radius == 0.0:
        raise ModelError("RackAndPinion: radius must not be zero.")
    return Coupling(rack, pinion, radius)


@explains_arguments
def Differential(carrier: Reference, left: Reference, right: Reference) -> Coupling:
    """The carrier turns by the mean of its two shafts:  2 carrier = left + right.

    Only the torques about the axes are joined: the bearings of the wheels carry no tooth forces.

    carrier, left, right   joint coordinates, like "axle.angle", counted from the housing
    """
    _check_all("Differential", carrier=carrier, left=left, right=right)
    return Coupling(terms={carrier: 2.0, left: -1.0, right: -1.0})


@explains_arguments
def PlanetaryGear(
    sun: Reference, ring: Reference, carrier: Reference, teeth: tuple[float, float]
) -> Coupling:
    """Sun, ring wheel and carrier of the planets between them:  (sun - carrier) z_sun = -(ring -
    carrier) z_ring,  after Willis.

        Only the torques about the axes are joined: the bearings of sun, ring wheel and carrier carry no
        tooth forces.

        sun, ring, carrier   joint coordinates, like "sun.angle", counted from the housing
        teeth                of sun and ring wheel (1, or m for radii)
    """
    z_sun, z_ring = _teeth(teeth, "PlanetaryGear")
    _check_all("PlanetaryGear", sun=sun, ring=ring, carrier=carrier)
    return Coupling(terms={sun: z_sun, ring: z_ring, carrier: -(z_sun + z_ring)})


def _check_all(what: str, **coordinates: str) -> None:
    """Three coordinates, no two the same."""
    for name, value in coordinates.items():
        check_coordinate(value, f"{what}: {name}")
    if len(set(coordinates.values())) < len(coordinates):
        raise ModelError(
            f"{what}: name three different coordinates, got "
            f"{', '.join(map(repr, coordinates.values()))}."
        )


def _teeth(teeth, what: str) -> tuple[float, ...]:
    return tuple(
        number(float(n), f"{what}: teeth", positive=True)
        for n in numbers(teeth, 2, f"{what}: teeth")
    )
