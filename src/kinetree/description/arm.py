"""A planar arm: links in a vertical plane, rigid or with assumed modes, in chains and closed loops.

    arm = kt.Arm("crane", gravity=9.81)
    boom = arm.link("boom", "A", length=3.0, density=7.5, EI=4.3e5, modes=2, start=0.8)
    jib = arm.link("jib", "B", on=boom, length=2.0, density=5.5, start=-1.2)
    arm.payload(jib, 10.0)
    sol = kt.simulate(arm.model(), 2.0)

The boom rotates about the ground and bends; the jib is rigid and hangs at the tip of the boom. The
x axis of a link runs along it from its joint. Angles are measured from the link it is attached to,
positive from x to z.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..core.checks import flag, is_number, numbers, whole
from ..core.quantities import (
    CoordinateSpeed,
    CoordinateValue,
    Kilograms,
    KilogramsPerMetre,
    KilogramSquareMetres,
    Matrix,
    Metres,
    NewtonSquareMetres,
    Radians,
)
from ..errors import ModelError, counted, short
from ..kernel.frames import IDENTITY, Pose, number
from ..kernel.linalg import rank
from .arm_shapes import Integrals, Shape, integrals, shapes
from .names import check_name

if TYPE_CHECKING:
    from ..symbolic.planar import Equations
    from .model import Model

REVOLUTE, TRANSLATIONAL, FIXED = KINDS = "revolute", "translational", "fixed"
SLENDER = 0.012  # radius of the links in drawings, of the longest link


@dataclass(frozen=True)
class Lump:
    """A mass (kg) with an inertia (kg m^2) at a place on the axis of a link."""

    mass: float
    inertia: float
    at: float


@dataclass(eq=False)
class Link:
    """One link of an arm, in its own axes.

    Made by `Arm.link`.

    Attributes
    ----------
    name : str
        Its name.
    number : int
        Its number, counted from 1.
    joint : str
        Name of its joint.
    kind : str
        Kind of its joint.
    on : Link or None
        Link to which it is attached; None for the ground.
    at : tuple of float
        Place of attachment (m).
    length : float
        Length from its joint to its tip (m).
    density : float
        Mass per length (kg/m).
    mass : float
        Mass of the link (kg).
    com : tuple of float
        Center of mass in the plane of the arm (m).
    inertia : float
        Moment of inertia about the center of mass (kg m^2).
    EI : float
        Bending stiffness (N m^2).
    modes : tuple
        Shapes of the assumed modes.
    slope : bool
        Whether links at its tip rotate with the slope of the deflection.
    along : float
        Direction of a translational joint in the axes of the link before (rad).
    angle : float
        Angle to the link before where the joint coordinate is zero (rad).
    start : float
        Initial value of its joint coordinate (rad or m).
    speed : float
        Initial rate of its joint coordinate (rad/s or m/s).
    lumps : list
        Point masses on the link.
    arguments : dict
        Arguments of `Arm.link`, as they were given.
    depth : float
        Height of the section (m); 0 if it is not known.
    sense : int
        Sign of the joint coordinate: -1 if it is positive from z to x, else 1.
    look : tuple
        Outlines that are drawn in place of its line.
    X_LB : Pose
        Axes of the body in those of the link.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.Arm("crane").link("boom", "A", length=3.0, density=7.5)
    <link 1 'boom': rigid>
    """

    name: str
    number: int
    joint: str
    kind: str
    on: Link | None
    at: tuple[float, float]  # where on that link, or on the ground
    length: float
    density: float  # mass per length, kg/m; of a rigid link by `mass`, `com` and `inertia` instead
    mass: float
    com: tuple[float, float]
    inertia: float  # about the centre of mass
    EI: float
    modes: tuple[Shape, ...]
    slope: bool
    along: float
    angle: float
    start: float
    speed: float
    lumps: list[Lump] = field(default_factory=list)
    arguments: dict[str, Any] = field(default_factory=dict)  # as the user gave it
    depth: float = 0.0  # height of the section, m; 0 where it is not known
    sense: int = 1  # of the joint: -1 where it counts z towards x
    look: tuple[Any, ...] = ()  # how it is drawn, in the axes of the body; by default a tube
    # axes in which the body is described, in those of the link: what its channels and markers refer
    # to
    X_LB: Pose = IDENTITY

    @cached_property
    def integrals(self) -> Integrals:
        """Integrals of the mode shapes over the length."""
        return integrals(self.modes, self.length, self.density, self.EI)

    @property
    def flexible(self) -> bool:
        """Whether the link has assumed modes."""
        return bool(self.modes)

    def is_tip(self, at: tuple[float, float]) -> bool:
        """Return whether a place is the tip of the link.

        Parameters
        ----------
        at : tuple of float
            Place (x, z) in the axes of the link (m).

        Returns
        -------
        bool
            Whether it is the tip.
        """
        return (
            self.length > 0.0 and at[1] == 0.0 and math.isclose(at[0], self.length, rel_tol=1e-12)
        )

    def __repr__(self) -> str:
        return f"<link {self.number} {self.name!r}: {counted(len(self.modes), 'mode') if self.modes else 'rigid'}>"


@dataclass(frozen=True)
class Closure:
    """A pin that closes a loop, between a place on one link and a place on another or on the
    ground.
    """

    name: str
    first: Link
    p_first: tuple[float, float]
    second: Link | None
    p_second: tuple[float, float]


TERMS = EXACT, HALF_CORIOLIS, CONSTANT_ELASTIC, UNDEFLECTED_GRAVITY = (
    "exact",
    "half-coriolis",
    "constant-elastic",
    "undeflected-gravity",
)
SHORTEST = 1e-60  # m: curvatures of a shorter link, 1 / length^2, leave no room to compute


class Arm:
    """A planar mechanism of rigid and flexible links, whose equations of motion are generated.

    `Arm.model` returns a model with these equations, `Arm.equations` the equations alone.

    Parameters
    ----------
    name : str, default "arm"
        Name of the arm.
    gravity : float, default 9.81
        Acceleration of gravity, downwards (m/s^2).
    terms : {"exact", "half-coriolis", "constant-elastic", "undeflected-gravity"}, default "exact"
        Terms of the equations: the exact ones, or one of the approximations as printed in [LeeJoo]:
        eq. (31), eqs. (62)-(66) or eq. (59).

    Attributes
    ----------
    links : list of Link
        The links, in the order in which they were added.

    Examples
    --------
    >>> import kinetree as kt
    >>> arm = kt.Arm("crane")
    >>> boom = arm.link("boom", "A", length=3.0, density=7.5, EI=4.3e5, modes=2, start=0.8)
    >>> jib = arm.link("jib", "B", on=boom, length=2.0, density=5.5, start=-1.2)
    >>> arm
    <arm 'crane': 2 links, 0 loops>
    """

    def __init__(self, name: str = "arm", gravity: float = 9.81, terms: str = EXACT) -> None:
        self.name, self.gravity = check_name(name, "arm"), number(gravity, f"arm {name!r}: gravity")
        if not isinstance(terms, str) or terms not in TERMS:
            raise ModelError(
                f"arm {name!r}: terms must be one of {', '.join(map(repr, TERMS))}, got "
                f"{short(terms)}."
            )
        self.terms = terms
        self.links: list[Link] = []
        self.closures: list[Closure] = []
        self.X_WA = IDENTITY  # axes of the plane in the world

    def link(
        self,
        name: str,
        joint: str,
        *,
        on: Link | None = None,
        at: Matrix = None,
        length: Metres = 0.0,
        density: KilogramsPerMetre = 0.0,
        mass: Kilograms | None = None,
        com: Matrix = None,
        inertia: KilogramSquareMetres | None = None,
        EI: NewtonSquareMetres = 0.0,
        modes: int = 0,
        shape: str | Sequence[Any] = "clamped-free",
        slope: bool = False,
        hub: KilogramSquareMetres = 0.0,
        kind: str = REVOLUTE,
        along: Radians = 0.0,
        angle: Radians = 0.0,
        start: CoordinateValue = 0.0,
        speed: CoordinateSpeed = 0.0,
        depth: Metres = 0.0,
    ) -> Link:
        """Add a link that is attached to another link or to the ground.

        Parameters
        ----------
        name : str
            Name of the link, unique in the arm.
        joint : str
            Name of its joint, unique in the arm.
        on : Link, optional
            Link to which it is attached; by default the ground.
        at : float or array_like, shape (2,), optional
            Point of attachment, x or (x, z) in the axes of the other link (m); by default its tip, or
            the origin of the ground.
        length : float, default 0.0
            Length (m).
        density : float, default 0.0
            Mass per length of a uniform link (kg/m).
        mass : float, optional
            Mass of a rigid link (kg), in place of `density`.
        com : float or array_like, shape (2,), optional
            Center of mass, x or (x, z) in the axes of the link (m); by default the middle.
        inertia : float, optional
            Moment of inertia about the center of mass (kg m^2); by default that of a uniform rod.
        EI : float, default 0.0
            Bending stiffness (N m^2).
        modes : int, default 0
            Number of assumed modes; 0 for a rigid link.
        shape : str or sequence, default "clamped-free"
            Shapes of the modes: a name, or a list of functions (deflection, slope, curvature) of x.
        slope : bool, default False
            Whether a link at the tip rotates with the slope of the tip.
        hub : float, default 0.0
            Moment of inertia of the joint that rotates with the link (kg m^2).
        kind : {"revolute", "translational", "fixed"}, default "revolute"
            Kind of joint.
        along : float, default 0.0
            Direction of a translational joint in the axes of the other link (rad).
        angle : float, default 0.0
            Angle to the other link where the joint coordinate is zero (rad).
        start : float, default 0.0
            Initial joint coordinate (rad or m).
        speed : float, default 0.0
            Initial joint speed (rad/s or m/s).
        depth : float, default 0.0
            Height of the section (m), for the strain of the outer fiber and for drawings.

        Returns
        -------
        Link
            The link.

        Raises
        ------
        ModelError
            If a name is taken or an argument is wrong.

        Examples
        --------
        >>> import kinetree as kt
        >>> arm = kt.Arm("crane")
        >>> arm.link("boom", "A", length=3.0, density=7.5, EI=4.3e5, modes=2)
        <link 1 'boom': 2 modes>
        """
        what, given = (
            f"link {short(name)}",
            {key: value for key, value in locals().items() if key not in ("self", "name")},
        )
        length, density, EI, hub, depth = (
            number(given[quantity], f"{what}: {quantity}", at_least_zero=True)
            for quantity in ("length", "density", "EI", "hub", "depth")
        )
        along, angle, start, speed = (
            number(given[quantity], f"{what}: {quantity}")
            for quantity in ("along", "angle", "start", "speed")
        )
        slope = flag(slope, f"{what}: slope")
        self._check(name, joint, on, kind, what)
        places = _at(on, at, what)
        rigid = _rigid(length, density, mass, com, inertia, what)
        count = self._count(modes, shape, what)
        _check_flexible(count, length, density, EI, what)
        found = (
            shapes(shape, count, length, what)
            if count or not isinstance(shape, str) or shape != "clamped-free"
            else ()
        )
        _check_modes(found, length, what)
        _check_slope(slope, found, length, what)
        link = Link(
            name,
            len(self.links) + 1,
            joint,
            kind,
            on,
            places,
            length,
            density,
            *rigid,
            EI,
            found,
            slope,
            along,
            angle,
            start,
            speed,
            [Lump(0.0, hub, 0.0)] if hub else [],
            given,
            depth,
        )
        self.links.append(link)
        return link

    def payload(
        self,
        link: Link,
        mass: Kilograms,
        inertia: KilogramSquareMetres = 0.0,
        at: Metres | None = None,
    ) -> None:
        """Add a mass on the axis of a link.

        Parameters
        ----------
        link : Link
            The link.
        mass : float
            Mass (kg).
        inertia : float, default 0.0
            Moment of inertia (kg m^2).
        at : float, optional
            Place on the axis of the link (m); by default its tip.

        Raises
        ------
        ModelError
            If the link is not part of this arm or the place is not on the link.

        Examples
        --------
        >>> import kinetree as kt
        >>> arm = kt.Arm("crane")
        >>> boom = arm.link("boom", "A", length=3.0, density=7.5)
        >>> arm.payload(boom, 10.0)
        """
        if not self._has(link):
            raise ModelError(f"payload: give a link of arm {self.name!r}, got {short(link)}.")
        what = f"payload on {link.name!r}"
        place = link.length if at is None else number(at, f"{what}: at")
        if link.flexible and not 0.0 <= place <= link.length:
            raise ModelError(
                f"{what}: at = {place:g} m is not on the link, which is {link.length:g} m long."
            )
        link.lumps.append(
            Lump(
                number(mass, f"{what}: mass", at_least_zero=True),
                number(inertia, f"{what}: inertia", at_least_zero=True),
                place,
            )
        )

    def close(
        self,
        name: str,
        first: Link,
        second: Link | None = None,
        *,
        at_first: Matrix = None,
        at_second: Matrix = None,
    ) -> Closure:
        """Close a loop with a pin between two links, or a link and the ground.

        Parameters
        ----------
        name : str
            Name of the pin, unique in the arm.
        first : Link
            First link.
        second : Link, optional
            Second link; by default the ground.
        at_first : float or array_like, shape (2,), optional
            Place on the first link, x or (x, z) in its axes (m); by default its tip.
        at_second : float or array_like, shape (2,), optional
            Place on the second link (m); by default its tip, or the origin of the ground.

        Returns
        -------
        Closure
            The pin.

        Raises
        ------
        ModelError
            If a name is taken or the links are not part of this arm.

        Examples
        --------
        >>> import kinetree as kt
        >>> arm = kt.Arm("four-bar")
        >>> crank = arm.link("crank", "A", length=0.5, density=1.0, start=1.0)
        >>> coupler = arm.link("coupler", "B", on=crank, length=1.2, density=1.0, start=-1.0)
        >>> rocker = arm.link("rocker", "D", at=(1.1, 0.0), length=0.75, density=1.0, start=1.5)
        >>> pin = arm.close("C", coupler, rocker)
        >>> arm
        <arm 'four-bar': 3 links, 1 loop>
        """
        what = f"pin {short(name)}"
        self._new_name(name, what)
        if (
            first is second
            or not self._has(first)
            or (second is not None and not self._has(second))
        ):
            raise ModelError(
                f"{what}: give two links of arm {self.name!r}, or a link and the ground."
            )
        closure = Closure(
            name, first, _at(first, at_first, what), second, _at(second, at_second, what)
        )
        self.closures.append(closure)
        return closure

    def model(self) -> Model:
        """Return a model with the generated equations of motion, for every analysis of Kinetree.

        Returns
        -------
        Model
            The model; its joints have the names given to the links.

        Examples
        --------
        >>> import kinetree as kt
        >>> arm = kt.Arm("pendulum")
        >>> link = arm.link("rod", "A", length=0.5, density=2.0, start=0.3)
        >>> sol = kt.simulate(arm.model(), 0.1)
        >>> sol.success
        True
        """
        from ..symbolic.carrier_model import carrier_model

        return carrier_model(self)

    def equations(self) -> Equations:
        """Return the equations of motion as symbols.

        Returns
        -------
        Equations
            Mass matrix, velocity terms, gravity, stiffness and loops as polynomials.

        Examples
        --------
        >>> import kinetree as kt
        >>> arm = kt.Arm("pendulum")
        >>> link = arm.link("rod", "A", length=0.5, density=2.0)
        >>> len(arm.equations().q)
        1
        """
        from ..symbolic.planar import derive

        return derive(self)

    # --- checks
    # -----------------------------------------------------------------------------------------------------

    def _check(self, name: str, joint: str, on: Link | None, kind: str, what: str) -> None:
        self._new_name(name, what)
        self._new_name(joint, f"{what}: joint")
        if name == joint:
            raise ModelError(f"{what}: the joint needs a name of its own.")
        if on is not None and not self._has(on):
            raise ModelError(f"{what}: `on` must be a link of arm {self.name!r}, got {short(on)}.")
        if not isinstance(kind, str) or kind not in KINDS:
            raise ModelError(
                f"{what}: kind must be one of {', '.join(map(repr, KINDS))}, got {short(kind)}."
            )

    def _has(self, link: object) -> bool:
        return any(link is own for own in self.links)

    def _new_name(self, name: str, what: str) -> None:
        check_name(name, what)
        if name in {n for link in self.links for n in (link.name, link.joint)} | {
            c.name for c in self.closures
        }:
            raise ModelError(f"{what}: the name {name!r} is taken; names are unique in an arm.")

    @staticmethod
    def _count(modes: int, shape: str | Sequence[Any], what: str) -> int:
        if not isinstance(shape, (str, tuple, list)):
            raise ModelError(
                f"{what}: shape must be a name like 'clamped-free', or a list of (deflection, "
                "slope, curvature), "
                f"got {short(shape)}."
            )
        most = 40 if isinstance(shape, str) else len(shape)
        return whole(modes, f"{what}: modes", 0, most)

    def __repr__(self) -> str:
        return (
            f"<arm {self.name!r}: {counted(len(self.links), 'link')}, "
            f"{counted(len(self.closures), 'loop')}>"
        )


def _at(link: Link | None, at: Any, what: str) -> tuple[float, float]:
    """A place in the axes of a link, by default its tip, or of the ground, by default its origin;
    one number is x.
    """
    if at is None:
        return (link.length, 0.0) if link else (0.0, 0.0)
    given = _in_plane(at, f"{what}: a place, x or (x, z),")
    if link is not None and link.flexible and not link.is_tip(given) and not (given[0] <= 0.0):
        raise ModelError(
            f"{what}: the flexible link {link.name!r} carries other parts only at its tip "
            f"({link.length:g} m) or at its root (x <= 0), not at {given}. Divide the link there."
        )
    return given[0], given[1]


def _in_plane(given: Any, what: str) -> tuple[float, float]:
    """A point (x, z) of the plane; one number is x."""
    if is_number(given):
        return number(given, what), 0.0
    x, z = numbers(given, 2, what).tolist()
    return x, z


def _rigid(
    length: float, density: float, mass: Any, com: Any, inertia: Any, what: str
) -> tuple[float, tuple[float, float], float]:
    """(mass, centre, inertia about it); those of a uniform beam where nothing else is said."""
    if density > 0.0 and (mass is not None or com is not None or inertia is not None):
        raise ModelError(
            f"{what}: give either a density (kg/m) or a mass with its center and inertia, not both."
        )
    m = density * length if mass is None else number(mass, f"{what}: mass", at_least_zero=True)
    x, z = (0.5 * length, 0.0) if com is None else _in_plane(com, f"{what}: com, x or (x, z),")
    own = (
        m * length**2 / 12.0
        if inertia is None
        else number(inertia, f"{what}: inertia", at_least_zero=True)
    )
    return m, (x, z), own


def _check_flexible(count: int, length: float, density: float, EI: float, what: str) -> None:
    if count and not (length > SHORTEST and density > 0.0 and EI > 0.0):
        raise ModelError(
            f"{what}: a flexible link needs a length, a density (kg/m) and EI (N m^2)."
        )


def _check_modes(found: tuple[Shape, ...], length: float, what: str) -> None:
    if found and rank(integrals(found, length, 1.0, 1.0).n) < len(found):
        raise ModelError(
            f"{what}: its {len(found)} modes are linearly dependent. Use other shapes, or fewer."
        )
    for k, one in enumerate(found, 1):
        if abs(float(one.psi(0.0))) > 1e-9:
            raise ModelError(
                f"{what}: mode {k} is not zero at x = 0, where the joint holds the link. Use shapes "
                "that are zero there."
            )


def _check_slope(slope: bool, found: tuple[Shape, ...], length: float, what: str) -> None:
    if slope and any(abs(float(one.psi(length))) <= 1e-9 for one in found):
        raise ModelError(
            f"{what}: slope=True needs shapes whose tip moves, and the tip of these shapes does not."
        )
