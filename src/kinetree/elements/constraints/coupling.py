"""Linear relations between joint coordinates:  g = s1 - ratio s2 - offset,  or  g = a1 s1 + a2 s2 +
... - offset.

Gears, racks and pinions, belts; differentials and planetary gears, which join three or more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...core.checks import check, flag
from ...core.quantities import CoordinateValue, Metres, Radians, Reference
from ...errors import ModelError, explains_arguments, short
from ...kernel.frames import number, numbers
from ..joints.contract import check_coordinate
from .contract import Constraint, Effort
from .coordinates import effort_on
from .teeth import tooth_numbers

_WAYS = "give first, second and ratio, or terms={'A.angle': 1, 'B.angle': 1, 'C.angle': -2} of which the sum is the offset"


@dataclass(frozen=True)
class Coupling(Constraint):
    r"""Linear relation between joint coordinates.

    Parameters
    ----------
    first : str, optional
        Name of the first joint coordinate, such as "A.angle".
    second : str, optional
        Name of the joint coordinate that `ratio` multiplies.
    ratio : float, optional
        Ratio of their rates (1, or m/rad between a displacement and an angle).
    offset : float, optional
        Value of `first` minus `ratio` times `second` (rad, or m for a displacement). By default the
        relation holds with the values of the initial position.
    terms : dict of str to float, optional
        Factors by the names of any number of coordinates, instead of `first`, `second` and `ratio`:
        the sum of factor times coordinate equals `offset` (1, or m/rad).
    pressure_angle : float, optional
        Pressure angle of teeth in their normal section (rad), as of `kt.Gear`. By default there are
        no forces of teeth on the bearings.
    helix_angle : float, default 0.0
        Helix angle of the teeth of `first` (rad), positive for a right-hand helix.

    See Also
    --------
    kt.Gear : Ratio given by numbers of teeth.
    kt.RackAndPinion : Ratio given by a radius.
    kt.Differential : Three coordinates.
    kt.PlanetaryGear : Three coordinates, ratio given by numbers of teeth.
    kt.Driver : Coordinate as a function of time.

    Notes
    -----
    .. math::
        g = s_1 - r\,s_2 - s_0 = 0, \qquad\text{or}\qquad
        g = a_1 s_1 + a_2 s_2 + \ldots - s_0 = 0

    :math:`s_1` and :math:`s_2` are the coordinates `first` and `second`, :math:`r` is the `ratio`,
    :math:`s_0` the `offset`, and :math:`a_k` are the factors in `terms`. With a positive ratio both
    coordinates grow together. The channel `force` is the effort on the first
    coordinate (N m, or N for a displacement), positive where it acts to increase it; the effort on
    another coordinate is that times the quotient of their factors. The relation transmits efforts
    along the coordinates only: the bearings carry forces of teeth only if `pressure_angle` is given,
    and no forces of a belt.

    Examples
    --------
    A belt drive with the ratio 2: the second wheel follows the first.

    >>> import kinetree as kt
    >>> model = kt.Model("belt", gravity=(0, 0, 0))
    >>> for name in ("A", "B"):
    ...     wheel = model.body(f"wheel {name}", kt.rotor(inertia=0.1))
    ...     axle = model.joint(name, kt.Revolute(axis="z"), model.ground, wheel)
    >>> belt = model.constraint("belt", kt.Coupling("A.angle", "B.angle", ratio=2.0))
    >>> motor = model.constraint("motor", kt.Driver("B.angle", kt.Ramp(1.0)))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['A.angle'][-1]:.3f} rad")
    2.000 rad
    """

    first: Reference | None = None
    second: Reference | None = None
    ratio: float | None = None
    offset: CoordinateValue | None = None
    terms: dict[Reference, float] | None = None
    pressure_angle: Radians | None = None
    helix_angle: Radians = 0.0

    kind = "coupling"
    markers = (0, 0)

    def __post_init__(self) -> None:
        if self.terms is None:
            self._check_pair()
        else:
            self._check_terms(self.terms)
        check(self, "offset", optional=True)
        check_teeth(self.pressure_angle, self.helix_angle, "Coupling")
        if self.pressure_angle is not None and self.terms is not None:
            raise ModelError("Coupling: pressure_angle is that of two wheels; give first, second.")

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
            raise ModelError(f"Coupling: terms replace first, second and ratio; {_WAYS}.")
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
        """Factors by the names of the coordinates, for both forms of the arguments."""
        if self.terms is not None:
            return {name: float(factor) for name, factor in self.terms.items()}
        return {str(self.first): 1.0, str(self.second): -float(self.ratio or 0.0)}

    def mirrored(self, S: np.ndarray) -> Coupling:
        return replace(self, helix_angle=-self.helix_angle) if self.helix_angle else self

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

    def lower(self, to: Any, name: str, markers: Any) -> None:
        p = to.relation(
            name, *((to.sensor(coordinate), factor) for coordinate, factor in self.factors.items())
        )
        p["offset"] = (
            to.leave_open(name, "offset", "offset", 0.0) if self.offset is None else self.offset
        )
        if self.pressure_angle is not None:
            one, two = _place(to, str(self.first)), _place(to, str(self.second))
            ratio, angle = float(self.ratio or 0.0), self.pressure_angle
            p["first"] = to.pool(tooth_numbers(one, two, ratio, angle, self.helix_angle))
            p["a_i"][0] = 1.0

    def effort(self, name: str, units: tuple[str, ...]) -> Effort:
        first, factor = next(iter(self.factors.items()))
        return effort_on(name, first, units[0])._replace(factor=-factor)


def _place(to: Any, coordinate: str) -> tuple[Any, str]:
    """Place of the joint of a coordinate, and how the coordinate is measured."""
    place, label = to.places[coordinate.rpartition(".")[0]], coordinate.rpartition(".")[2]
    return place, place.spec.joint.sensors[place.spec.joint.labels.index(label)]


def check_teeth(pressure_angle: Any, helix_angle: Any, what: str) -> None:
    """Check the angles of teeth."""
    if (
        pressure_angle is not None
        and not 0.0 <= number(pressure_angle, f"{what}: pressure_angle") < 0.5 * math.pi
    ):
        raise ModelError(
            f"{what}: pressure_angle must lie between 0 and pi/2 rad, got {short(pressure_angle)}; "
            "that of usual teeth is 0.349 rad (20 degrees)."
        )
    if not abs(number(helix_angle, f"{what}: helix_angle")) < 0.5 * math.pi:
        raise ModelError(
            f"{what}: helix_angle must lie between -pi/2 and pi/2 rad, got {short(helix_angle)}."
        )
    if helix_angle and pressure_angle is None:
        raise ModelError(f"{what}: helix_angle needs pressure_angle, too.")


@explains_arguments
def Gear(
    first: Reference,
    second: Reference,
    teeth: tuple[float, float],
    internal: bool = False,
    pressure_angle: Radians | None = None,
    helix_angle: Radians = 0.0,
) -> Coupling:
    r"""Couple the angles of two wheels in mesh.

    Parameters
    ----------
    first : str
        Name of the joint coordinate of the first wheel, such as "A.angle".
    second : str
        Name of the joint coordinate of the wheel that meshes with it.
    teeth : (float, float)
        Numbers of teeth of the first and of the second wheel (1, or m for pitch radii).
    internal : bool, default False
        Whether the smaller wheel runs inside the larger one, so that both rotate in the same
        direction. External wheels rotate in opposite directions.
    pressure_angle : float, optional
        Pressure angle in the normal section of the teeth (rad), usually 0.349 (20 degrees). With it
        the bearings carry the forces of the teeth. By default they carry none.
    helix_angle : float, default 0.0
        Helix angle of the first wheel at its pitch circle (rad), positive for a right-hand helix.

    Returns
    -------
    Coupling
        The relation between the two coordinates.

    See Also
    --------
    kt.Coupling : The general relation.
    kt.PlanetaryGear : Sun, ring and carrier.

    Notes
    -----
    .. math::
        z_1 s_1 = -z_2 s_2 + \text{const} \quad\text{(external)}, \qquad
        z_1 s_1 = z_2 s_2 + \text{const} \quad\text{(internal)}

    :math:`s_1` and :math:`s_2` are the angles `first` and `second` (rad) about parallel axes of the
    same direction, and :math:`z_1, z_2` the numbers of `teeth`. External wheels turn in opposite
    directions. The channel `force` is the torque on the first wheel (N m), positive in the
    direction of its angle.

    With a `pressure_angle` :math:`\alpha` and a `helix_angle` :math:`\beta` the teeth transmit the
    torque T on the first wheel by a force at the pitch point. Its part along the pitch circles is
    :math:`F_t = T / r_1`. The part :math:`|F_t| \tan\alpha / \cos\beta` pushes the wheels apart, or a
    pinion in a ring towards its own axis, and :math:`F_t \tan\beta` acts along the axes. The force
    is part of the reactions of both joints, and does not change the motion. It needs parallel axes
    on the same body, drawn at their distance, from which the pitch radii follow. The pitch point
    lies in the plane through the first joint; put the joints in the middle of the teeth.

    Examples
    --------
    20 teeth drive 60 teeth.

    >>> import kinetree as kt
    >>> model = kt.Model("gear", gravity=(0, 0, 0))
    >>> for name in ("A", "B"):
    ...     wheel = model.body(f"wheel {name}", kt.rotor(inertia=0.1))
    ...     axle = model.joint(name, kt.Revolute(axis="z"), model.ground, wheel)
    >>> mesh = model.constraint("mesh", kt.Gear("A.angle", "B.angle", teeth=(20, 60)))
    >>> motor = model.constraint("motor", kt.Driver("A.angle", kt.Ramp(3.0)))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['B.angle'][-1]:.3f} rad")
    -1.000 rad
    """
    n1, n2 = _teeth(teeth, "Gear")
    check_teeth(pressure_angle, helix_angle, "Gear")
    ratio = (1.0 if flag(internal, "Gear: internal") else -1.0) * n2 / n1
    return Coupling(first, second, ratio, pressure_angle=pressure_angle, helix_angle=helix_angle)


@explains_arguments
def RackAndPinion(
    rack: Reference,
    pinion: Reference,
    radius: Metres,
    pressure_angle: Radians | None = None,
    helix_angle: Radians = 0.0,
) -> Coupling:
    r"""Couple the displacement of a rack with the angle of its pinion.

    Parameters
    ----------
    rack : str
        Name of the coordinate of a translational joint, such as "slide.displacement".
    pinion : str
        Name of the coordinate of a revolute joint, such as "shaft.angle".
    radius : float
        Pitch radius of the pinion (m). With a negative radius the rack moves the other way.
    pressure_angle : float, optional
        Pressure angle in the normal section of the teeth (rad), usually 0.349 (20 degrees). With it
        guide and bearing carry the forces of the teeth, as with `kt.Gear`.
    helix_angle : float, default 0.0
        Helix angle of the teeth (rad); the force on the rack along the axis of the pinion is its
        tangent times the force along the rack.

    Returns
    -------
    Coupling
        The relation between the two coordinates.

    See Also
    --------
    kt.Coupling : The general relation.
    kt.Screw : Rotation and advance of the same body.

    Notes
    -----
    .. math::
        s = r\,\varphi + \text{const}

    :math:`s` is the displacement `rack` (m), :math:`\varphi` the angle `pinion` (rad) and :math:`r`
    the `radius`: with a positive radius the rack moves forward when the pinion turns forward. The
    channel `force` is the force on the rack (N), positive in the direction of its displacement.
    Without a `pressure_angle` only the force along the rack and the torque about the pinion are
    transmitted: bearings and guides carry no forces of teeth.

    Examples
    --------
    A pinion of 20 mm turns by 1 rad.

    >>> import kinetree as kt
    >>> model = kt.Model("steering", gravity=(0, 0, 0))
    >>> rack = model.body("rack", kt.rod(mass=1.0, length=0.5, along="x"))
    >>> guide = model.joint("slide", kt.Translational(axis="x"), model.ground, rack)
    >>> wheel = model.body("wheel", kt.rotor(inertia=0.01))
    >>> shaft = model.joint("shaft", kt.Revolute(axis="z"), model.ground, wheel)
    >>> pair = kt.RackAndPinion("slide.displacement", "shaft.angle", radius=0.02)
    >>> mesh = model.constraint("mesh", pair)
    >>> motor = model.constraint("motor", kt.Driver("shaft.angle", kt.Ramp(1.0)))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['slide.displacement'][-1]:.3f} m")
    0.020 m
    """
    radius = number(radius, "RackAndPinion: radius")
    if radius == 0.0:
        raise ModelError("RackAndPinion: radius must not be zero.")
    check_teeth(pressure_angle, helix_angle, "RackAndPinion")
    return Coupling(rack, pinion, radius, pressure_angle=pressure_angle, helix_angle=helix_angle)


@explains_arguments
def Differential(carrier: Reference, left: Reference, right: Reference) -> Coupling:
    r"""Couple a carrier with the mean of its two shafts.

    Parameters
    ----------
    carrier : str
        Name of the joint coordinate of the carrier, such as "carrier.angle".
    left : str
        Name of the joint coordinate of the left shaft, measured from the housing.
    right : str
        Name of the joint coordinate of the right shaft, measured from the housing.

    Returns
    -------
    Coupling
        The relation between the three coordinates.

    See Also
    --------
    kt.Coupling : The general relation.
    kt.PlanetaryGear : Sun, ring and carrier.

    Notes
    -----
    .. math::
        2\,\varphi_c = \varphi_l + \varphi_r + \text{const}

    :math:`\varphi_c, \varphi_l, \varphi_r` are the angles `carrier`, `left` and `right` (rad), all
    positive in the same direction. Both shafts receive half the torque of the carrier. The channel
    `force` is the torque on the carrier (N m), positive in the direction of its angle. Only torques
    about the axes are transmitted: the bearings carry no tooth forces.

    Examples
    --------
    The left shaft is held; the right one turns twice as fast as the carrier.

    >>> import kinetree as kt
    >>> model = kt.Model("axle", gravity=(0, 0, 0))
    >>> for name in ("carrier", "left", "right"):
    ...     wheel = model.body(f"{name} wheel", kt.rotor(inertia=0.1))
    ...     shaft = model.joint(name, kt.Revolute(axis="y"), model.ground, wheel)
    >>> spider = kt.Differential("carrier.angle", "left.angle", "right.angle")
    >>> axle = model.constraint("axle", spider)
    >>> brake = model.constraint("brake", kt.Driver("left.angle", 0.0))
    >>> motor = model.constraint("motor", kt.Driver("carrier.angle", kt.Ramp(1.0)))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['right.angle'][-1]:.3f} rad")
    2.000 rad
    """
    _check_all("Differential", carrier=carrier, left=left, right=right)
    return Coupling(terms={carrier: 2.0, left: -1.0, right: -1.0})


@explains_arguments
def PlanetaryGear(
    sun: Reference, ring: Reference, carrier: Reference, teeth: tuple[float, float]
) -> Coupling:
    r"""Couple sun, ring and planet carrier of a planetary gear.

    Parameters
    ----------
    sun : str
        Name of the joint coordinate of the sun wheel, such as "sun.angle".
    ring : str
        Name of the joint coordinate of the ring wheel, measured from the housing.
    carrier : str
        Name of the joint coordinate of the planet carrier, measured from the housing.
    teeth : (float, float)
        Numbers of teeth of sun and ring (1, or m for pitch radii).

    Returns
    -------
    Coupling
        The relation between the three coordinates.

    See Also
    --------
    kt.Coupling : The general relation.
    kt.Gear : Two wheels with fixed axes.

    Notes
    -----
    The equation of Willis, with the numbers of teeth z:

    .. math::
        z_s\,(\varphi_s - \varphi_c) = -z_r\,(\varphi_r - \varphi_c) + \text{const}

    :math:`\varphi_s, \varphi_r, \varphi_c` are the angles `sun`, `ring` and `carrier` (rad), all
    positive in the same direction. The channel `force` is the torque on the sun (N m), positive in
    the direction of its angle. Only torques about the axes are transmitted: the bearings carry no
    tooth forces.

    Examples
    --------
    The ring is held: the carrier turns by z_sun / (z_sun + z_ring) of the sun.

    >>> import kinetree as kt
    >>> model = kt.Model("gearbox", gravity=(0, 0, 0))
    >>> for name in ("sun", "ring", "carrier"):
    ...     wheel = model.body(f"{name} wheel", kt.rotor(inertia=0.1))
    ...     shaft = model.joint(name, kt.Revolute(axis="z"), model.ground, wheel)
    >>> gear = kt.PlanetaryGear("sun.angle", "ring.angle", "carrier.angle", teeth=(20, 60))
    >>> planets = model.constraint("planets", gear)
    >>> brake = model.constraint("brake", kt.Driver("ring.angle", 0.0))
    >>> motor = model.constraint("motor", kt.Driver("sun.angle", kt.Ramp(4.0)))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['carrier.angle'][-1]:.3f} rad")
    1.000 rad
    """
    z_sun, z_ring = _teeth(teeth, "PlanetaryGear")
    _check_all("PlanetaryGear", sun=sun, ring=ring, carrier=carrier)
    return Coupling(terms={sun: z_sun, ring: z_ring, carrier: -(z_sun + z_ring)})


def _check_all(what: str, **coordinates: str) -> None:
    """Check three coordinate names, all different."""
    for name, value in coordinates.items():
        check_coordinate(value, f"{what}: {name}")
    if len(set(coordinates.values())) < len(coordinates):
        raise ModelError(
            f"{what}: name three different coordinates, got "
            f"{', '.join(map(repr, coordinates.values()))}."
        )


def _teeth(teeth: Any, what: str) -> tuple[float, ...]:
    return tuple(
        number(float(n), f"{what}: teeth", positive=True)
        for n in numbers(teeth, 2, f"{what}: teeth")
    )
