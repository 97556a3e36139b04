"""A planar arm in words: links in a vertical plane, rigid or with assumed modes, in chains and
closed loops.

    arm = kt.Arm("crane", gravity=9.81)
    boom = arm.link("boom", "A", length=3.0, density=7.5, EI=4.3e5, modes=2, start=0.8)      turns
                                                                                             about
                                                                                             the
                                                                                             ground
    jib = arm.link("jib", "B", on=boom, length=2.0, density=5.5, start=-1.2)                 rigid,
                                                                                             at the
                                                                                             tip of
                                                                                             the
                                                                                             boom
    arm.payload(jib, 10.0)
    sol = kt.simulate(arm.model(), 2.0)

The x axis of a link runs along it from its joint; angles are counted from the link it hangs on, x
towards z positive.
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
from ..errors import ModelError, short
from ..kernel.frames import IDENTITY, Pose, number
from ..kernel.linalg import rank
from .arm_shapes import Integrals, Shape, integrals, shapes
from .names import check_name

if TYPE_CHECKING:
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
    """One link; its number counts from one. Lengths in m, in its own axes."""

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
    look: tuple = ()  # how it is drawn, in the axes of the body; by default a tube
    # axes in which the body is described, in those of the link: what its channels and markers refer
    # to
    X_LB: Pose = IDENTITY

    @cached_property
    def integrals(self) -> Integrals:
        return integrals(self.modes, self.length, self.density, self.EI)

    @property
    def flexible(self) -> bool:
        return bool(self.modes)

    def is_tip(self, at: tuple[float, float]) -> bool:
        return (
            self.length > 0.0 and at[1] == 0.0 and math.isclose(at[0], self.length, rel_tol=1e-12)
        )

    def __repr__(self) -> str:
        return f"<link {self.number} {self.name!r}: {f'{len(self.modes)} modes' if self.modes else 'rigid'}>"


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
    """Links, payloads and pins of a planar machine; `model()` is it with generated equations,
    `equations()` these alone.
    """

    def __init__(self, name: str = "arm", gravity: float = 9.81, terms: str = EXACT) -> None:
        """`terms` are those of the equations: "exact", or one of them as printed in [LeeJoo]:
        "half-coriolis" (31), "constant-elastic" (62)-(66), "undeflected-gravity" (59); see
        `symbolic/printed_terms.py` for what is wrong with it.
        """
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
        shape: str | Sequence = "clamped-free",
        slope: bool = False,
        hub: KilogramSquareMetres = 0.0,
        kind: str = REVOLUTE,
        along: Radians = 0.0,
        angle: Radians = 0.0,
        start: CoordinateValue = 0.0,
        speed: CoordinateSpeed = 0.0,
        depth: Metres = 0.0,
    ) -> Link:
        """Add a link that turns (or slides) at a joint on another link (its tip, unless `at` says
        where) or on the ground.

        length, density    m, kg/m: a uniform beam; or `mass`, `com` (x, z) and `inertia` about it
                           of a rigid link
        EI, modes, shape   bending stiffness (N m^2), number of modes, and which: a name, or
                           (deflection, slope, curvature) of x
        slope              whether what hangs at the tip turns with it
        hub                inertia of the joint that turns with the link, kg m^2
        kind               "revolute", "translational": slides `along` that angle in the axes of the
                           other link, or "fixed"
        angle              to the other link, where the joint is at zero
        start, speed       of the joint: rad and rad/s, or m and m/s
        depth              height of the section (m): for the strain of the outer fibre, and as it
                           is drawn
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
        """A mass (kg) with an inertia (kg m^2) on the axis of a link, at its tip unless `at` says
        where (m).
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
        """A pin between two links, or a link and the ground: at their tips, unless `at_first` and
        `at_second` say where.
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
        """A kt.Model of the same joints whose equations of motion are generated: for every analysis
        of Kinetree.
        """
        from ..symbolic.carrier_model import skeleton as carrier_model

        return carrier_model(self)

    def equations(self):
        """The equations of motion, derived: M, velocity terms, gravity, stiffness and loops as
        polynomials.
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
    def _count(modes: int, shape: str | Sequence, what: str) -> int:
        if not isinstance(shape, (str, tuple, list)):
            raise ModelError(
                f"{what}: shape must be a name like 'clamped-free', or a list of (deflection, "
                "slope, curvature), "
                f"got {short(shape)}."
            )
        most = 40 if isinstance(shape, str) else len(shape)
        return whole(modes, f"{what}: modes", 0, most)

    def __repr__(self) -> str:
        return f"<arm {self.name!r}: {len(self.links)} links, {len(self.closures)} loops>"


def _at(link: Link | None, at, what: str) -> tuple[float, float]:
    """A place in the axes of a link, by default its tip, or of the ground, by default its origin;
    one number is x.
    """
    if at is None:
        return (link.length, 0.0) if link else (0.0, 0.0)
    given = _in_plane(at, f"{what}: a place, x or (x, z),")
    if link is not None and link.flexible and not link.is_tip(given) and not (given[0] <= 0.0):
        raise ModelError(
            f"{what}: on the flexible link {link.name!r} things hang at its tip ({link.length:g} "
            "m) or where it is "
            f"held (x <= 0), not at {given}. Divide the link there."
        )
    return given[0], given[1]


def _in_plane(given: Any, what: str) -> tuple[float, float]:
    """A point (x, z) of the plane; one number is x."""
    if is_number(given):
        return number(given, what), 0.0
    x, z = numbers(given, 2, what).tolist()
    return x, z


def _rigid(
    length: float, density: float, mass, com, inertia, what: str
) -> tuple[float, tuple[float, float], float]:
    """(mass, centre, inertia about it); those of a uniform beam where nothing else is said."""
    if density > 0.0 and (mass is not None or com is not None or inertia is not None):
        raise ModelError(
            f"{what}: give either a density (kg/m) or a mass with its centre and inertia, not both."
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
            f"{what}: its {len(found)} modes are not independent of each other. Take other shapes, "
            "or fewer."
        )
    for k, one in enumerate(found, 1):
        if abs(float(one.psi(0.0))) > 1e-9:
            raise ModelError(
                f"{what}: mode {k} moves at x = 0, where the joint holds the link. Take shapes "
                "that are held there."
            )


def _check_slope(slope: bool, found: tuple[Shape, ...], length: float, what: str) -> None:
    if slope and any(abs(float(one.psi(length))) <= 1e-9 for one in found):
        raise ModelError(
            f"{what}: its tip stands still and cannot hand on its slope; take shapes whose tip "
            "moves."
        )
