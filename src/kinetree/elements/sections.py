"""Cross-sections of beams: stiffness in tension, shear, torsion and bending, and inertia per
length.

The x axis of a section is along the beam, y and z are across. Strains are in the order (extension
x, shear y, shear z, twist x, bending y, bending z); stiffness and mass are in the same order. The
line of a beam passes through the origin of its sections. The equations of motion use the mass
center e, where the strains are  gamma_e = gamma + kappa x e  and kappa.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core.checks import LARGE, check, check_flags, shape_of
from ..core.quantities import (
    KilogramsPerCubicMetre,
    Matrix,
    Metres,
    Pascals,
    Plain,
    SecondMoment,
    SectionInertia,
    SectionMass,
    SectionPoint,
    SquareMetres,
    UserClass,
)
from ..errors import ModelError
from ..kernel.frames import number, numbers, symmetric_matrix
from ..kernel.linalg import eigvalsh, inv, product
from ..kernel.mathematics import tanh


@dataclass(frozen=True, eq=False)
class Section(UserClass):
    r"""Cross-section of a beam: stiffness and mass per length.

    `circle`, `rectangle`, `tube`, `i_beam` and `of` make a section from dimensions and material.

    Parameters
    ----------
    stiffness : (6,) or (6, 6) array_like
        Six numbers EA, GAy, GAz, GJ, EIy, EIz (N and N m^2), or a symmetric positive definite
        matrix.
    mass : float or (6, 6) array_like
        Mass per length (kg/m), or the symmetric matrix [[m, -m e~], [m e~, J]] about the line.
    inertia : (3,) or (3, 3) array_like, optional
        Inertia per length about x, y, z through the mass center (kg m). By default that of a round
        bar.
    width : float, default 0.0
        Size along y, for drawing and for the strain of the outer fiber (m).
    height : float, default 0.0
        Size along z (m).
    round : bool, default True
        Whether the section is drawn as an ellipse.
    centre : (2,) array_like, default (0.0, 0.0)
        Coordinates y and z of the mass center, relative to the line of the beam (m).

    See Also
    --------
    kt.Model.beam : Add a beam to a model.

    Notes
    -----
    .. math::
        (N_x, N_y, N_z, M_x, M_y, M_z)^T = C\,\varepsilon

    The strains :math:`\varepsilon` are in the order (extension x, shear y, shear z, twist x,
    bending y, bending z); x is along the beam, y and z are across, through the line of the beam.
    :math:`C` is the `stiffness`. Section forces (N) and moments (N m) are positive along and about
    the axes on the face towards the "+" end: tension is positive. Off-diagonal entries of C define
    the tension center, at which a force :math:`N_x` does not bend, and the shear center, at which
    :math:`N_y` and :math:`N_z` do not twist.

    Examples
    --------
    A bar with EA = 1 MN.

    >>> import kinetree as kt
    >>> section = kt.Section(stiffness=(1e6, 4e5, 4e5, 80.0, 100.0, 100.0), mass=0.8)
    >>> print(f"{section.mass:.1f} kg/m, {section.stiffness[0, 0]:.0f} N")
    0.8 kg/m, 1000000 N
    """

    _internal = ("mirrored",)
    stiffness: Matrix
    mass: SectionMass
    inertia: SectionInertia = field(default_factory=lambda: np.zeros(3))
    width: Metres = 0.0  # across, as it is drawn: along y and z
    height: Metres = 0.0
    round: bool = True
    centre: SectionPoint = (0.0, 0.0)

    def __post_init__(self) -> None:
        check(self, "width", "height", at_least_zero=True)
        check_flags(self, "round")
        C = symmetric_matrix(self.stiffness, 6, "Section: stiffness")
        m, centre, J = _heavy(self)
        if m < 1.0 / LARGE:
            raise ModelError(
                f"Section: a mass of {m:g} kg/m is too small to compute with; use SI units."
            )
        lowest = eigvalsh(_unscaled(C))[0] if (np.diag(C) > 0.0).all() else -1.0
        if not lowest > 1e-12:
            raise ModelError(
                f"Section: the stiffness is not positive definite (diagonal {_shown(np.diag(C))}); "
                "every strain "
                "must cost energy. Give all six numbers, and couplings smaller than them."
            )
        if eigvalsh(J)[0] < 0.0:
            raise ModelError(
                f"Section: the inertia {_shown(np.diag(J))} has a negative principal moment."
            )
        if (
            not J.any() and shape_of(self.mass) == ()
        ):  # a round bar as stiff in bending as in stretching
            r2 = max(C[4, 4], C[5, 5]) / C[0, 0]
            J = m * r2 * np.diag([2.0, 1.0, 1.0])
        if eigvalsh(J)[0] <= 0.0:
            raise ModelError(
                f"Section: the inertia {_shown(np.diag(J))} leaves a turn without inertia; give "
                "three "
                "positive numbers."
            )
        for name, value in (("stiffness", C), ("mass", m), ("centre", centre), ("inertia", J)):
            object.__setattr__(self, name, value)

    def mirrored(self) -> Section:
        """Return the section in a mirror: C' = Q C Q, e_y' = -e_y.

        x and z are mirrored with the line; y is across them.
        """
        Q = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
        return replace(
            self,
            stiffness=Q[:, None] * self.stiffness * Q,
            centre=np.asarray(self.centre) * [-1.0, 1.0],
            inertia=Q[:3, None] * self.inertia * Q[:3],
        )

    @classmethod
    def of(
        cls,
        area: SquareMetres,
        Iy: SecondMoment,
        Iz: SecondMoment,
        J: SecondMoment,
        E: Pascals,
        density: KilogramsPerCubicMetre,
        poisson: Plain = 0.3,
        G: Pascals | None = None,
        shear: tuple[Plain, Plain] = (1.0, 1.0),
        width: Metres = 0.0,
        height: Metres = 0.0,
        round: bool = False,
    ) -> Section:
        r"""Make a section from area, second moments, torsion constant and material.

        Parameters
        ----------
        area : float
            Area A (m^2).
        Iy : float
            Second moment of area for bending about y (m^4).
        Iz : float
            Second moment of area for bending about z (m^4).
        J : float
            Torsion constant (m^4).
        E : float
            Young's modulus (Pa).
        density : float
            Mass of the material per volume (kg/m^3).
        poisson : float, default 0.3
            Poisson's ratio (1), above -1 and at most 0.5.
        G : float, optional
            Shear modulus (Pa). By default E / (2 (1 + poisson)).
        shear : (float, float), default (1.0, 1.0)
            Shear correction factors along y and z (1).
        width : float, default 0.0
            Size along y, for drawing and for the strain of the outer fiber (m).
        height : float, default 0.0
            Size along z (m).
        round : bool, default False
            Whether the section is drawn as an ellipse.

        Returns
        -------
        Section
            The section.

        Notes
        -----
        .. math::
            C = \mathrm{diag}(E A,\; k_y G A,\; k_z G A,\; G J,\; E I_y,\; E I_z)

        :math:`k_y` and :math:`k_z` are the factors `shear`. The line of the beam passes through the
        centroid.

        Examples
        --------
        A bar of 1 cm^2 of steel.

        >>> import kinetree as kt
        >>> section = kt.Section.of(1e-4, 1e-9, 2e-9, 2e-9, E=2.1e11, density=7850.0)
        >>> print(f"{section.mass:.4f} kg/m")
        0.7850 kg/m
        """
        A, iy, iz, j, e, rho = (
            number(v, f"Section: {name}", positive=True)
            for name, v in (
                ("area", area),
                ("Iy", Iy),
                ("Iz", Iz),
                ("J", J),
                ("E", E),
                ("density", density),
            )
        )
        g = (
            e / (2.0 * (1.0 + _poisson(poisson)))
            if G is None
            else number(G, "Section: G", positive=True)
        )
        along_y, along_z = numbers(shear, 2, "Section: shear").tolist()
        return cls(
            np.array([e * A, along_y * g * A, along_z * g * A, g * j, e * iy, e * iz]),
            rho * A,
            rho * np.array([iy + iz, iy, iz]),
            width,
            height,
            round,
        )

    @classmethod
    def rectangle(
        cls,
        width: Metres,
        height: Metres,
        E: Pascals,
        density: KilogramsPerCubicMetre,
        poisson: Plain = 0.3,
        G: Pascals | None = None,
        shear: tuple[Plain, Plain] | None = None,
    ) -> Section:
        """Make a rectangular section.

        Parameters
        ----------
        width : float
            Size along y (m).
        height : float
            Size along z (m).
        E : float
            Young's modulus (Pa).
        density : float
            Mass of the material per volume (kg/m^3).
        poisson : float, default 0.3
            Poisson's ratio (1), above -1 and at most 0.5.
        G : float, optional
            Shear modulus (Pa). By default E / (2 (1 + poisson)).
        shear : (float, float), optional
            Shear correction factors along y and z (1). By default 5/6.

        Returns
        -------
        Section
            The section.

        Notes
        -----
        The torsion constant is that of Saint-Venant's series.

        Examples
        --------
        A flat bar of aluminum.

        >>> import kinetree as kt
        >>> section = kt.Section.rectangle(width=0.02, height=0.05, E=7e10, density=2700.0)
        >>> print(f"{section.mass:.4f} kg/m")
        2.7000 kg/m
        """
        b, h = _length(width, "rectangle: width"), _length(height, "rectangle: height")
        long, short = max(b, h), min(b, h)
        tail = sum(tanh(n * math.pi * long / (2.0 * short)) / n**5 for n in range(1, 40, 2))
        J = long * short**3 / 3.0 * (1.0 - 192.0 / math.pi**5 * short / long * tail)
        return cls.of(
            b * h,
            b * h**3 / 12.0,
            h * b**3 / 12.0,
            J,
            E,
            density,
            poisson,
            G,
            (5.0 / 6.0, 5.0 / 6.0) if shear is None else shear,
            b,
            h,
        )

    @classmethod
    def circle(
        cls,
        radius: Metres,
        E: Pascals,
        density: KilogramsPerCubicMetre,
        poisson: Plain = 0.3,
        G: Pascals | None = None,
        shear: tuple[Plain, Plain] | None = None,
    ) -> Section:
        """Make a solid circular section.

        Parameters
        ----------
        radius : float
            Radius of the bar (m).
        E : float
            Young's modulus (Pa).
        density : float
            Mass of the material per volume (kg/m^3).
        poisson : float, default 0.3
            Poisson's ratio (1), above -1 and at most 0.5.
        G : float, optional
            Shear modulus (Pa). By default E / (2 (1 + poisson)).
        shear : (float, float), optional
            Shear correction factors along y and z (1). By default those of [Cowper1966].

        Returns
        -------
        Section
            The section.

        Examples
        --------
        A round bar of steel.

        >>> import kinetree as kt
        >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
        >>> print(f"{section.mass:.4f} kg/m")
        2.4662 kg/m
        """
        r = _length(radius, "circle: radius")
        I = math.pi * r**4 / 4.0
        return cls.of(
            math.pi * r * r,
            I,
            I,
            2.0 * I,
            E,
            density,
            poisson,
            G,
            _cowper(0.0, poisson) if shear is None else shear,
            2.0 * r,
            2.0 * r,
            True,
        )

    @classmethod
    def tube(
        cls,
        radius: Metres,
        inner: Metres,
        E: Pascals,
        density: KilogramsPerCubicMetre,
        poisson: Plain = 0.3,
        G: Pascals | None = None,
        shear: tuple[Plain, Plain] | None = None,
    ) -> Section:
        """Make a circular section with a hole.

        Parameters
        ----------
        radius : float
            Outer radius (m).
        inner : float
            Inner radius (m), smaller than `radius`.
        E : float
            Young's modulus (Pa).
        density : float
            Mass of the material per volume (kg/m^3).
        poisson : float, default 0.3
            Poisson's ratio (1), above -1 and at most 0.5.
        G : float, optional
            Shear modulus (Pa). By default E / (2 (1 + poisson)).
        shear : (float, float), optional
            Shear correction factors along y and z (1). By default those of [Cowper1966].

        Returns
        -------
        Section
            The section.

        Examples
        --------
        A steel tube.

        >>> import kinetree as kt
        >>> section = kt.Section.tube(radius=0.02, inner=0.018, E=2.1e11, density=7850.0)
        >>> print(f"{section.mass:.4f} kg/m")
        1.8743 kg/m
        """
        r, i = _length(radius, "tube: radius"), _length(inner, "tube: inner")
        if i >= r:
            raise ModelError(f"tube: inner {i:g} must be less than radius {r:g}.")
        I = math.pi * (r**4 - i**4) / 4.0
        return cls.of(
            math.pi * (r * r - i * i),
            I,
            I,
            2.0 * I,
            E,
            density,
            poisson,
            G,
            _cowper(i / r, poisson) if shear is None else shear,
            2.0 * r,
            2.0 * r,
            True,
        )

    @classmethod
    def i_beam(
        cls,
        width: Metres,
        height: Metres,
        flange: Metres,
        web: Metres,
        E: Pascals,
        density: KilogramsPerCubicMetre,
        poisson: Plain = 0.3,
        G: Pascals | None = None,
        shear: tuple[Plain, Plain] | None = None,
    ) -> Section:
        """Make an I section with two equal flanges.

        Parameters
        ----------
        width : float
            Width of the flanges along y (m).
        height : float
            Total height along z (m).
        flange : float
            Thickness of the flanges (m).
        web : float
            Thickness of the web (m).
        E : float
            Young's modulus (Pa).
        density : float
            Mass of the material per volume (kg/m^3).
        poisson : float, default 0.3
            Poisson's ratio (1), above -1 and at most 0.5.
        G : float, optional
            Shear modulus (Pa). By default E / (2 (1 + poisson)).
        shear : (float, float), optional
            Shear correction factors along y and z (1). By default shear along z is carried by the
            web, shear along y by the flanges.

        Returns
        -------
        Section
            The section.

        Notes
        -----
        The torsion constant is that of thin walls.

        Examples
        --------
        A steel beam.

        >>> import kinetree as kt
        >>> section = kt.Section.i_beam(0.1, 0.2, flange=0.01, web=0.006, E=2.1e11, density=7850.0)
        >>> print(f"{section.mass:.4f} kg/m")
        24.1780 kg/m
        """
        b, h, f, w = (
            _length(v, f"i_beam: {name}")
            for name, v in (("width", width), ("height", height), ("flange", flange), ("web", web))
        )
        inside = h - 2.0 * f
        if inside <= 0.0 or w >= b:
            raise ModelError(
                f"i_beam: flanges of {f:g} and a web of {w:g} do not fit into {b:g} x {h:g}."
            )
        A = 2.0 * b * f + inside * w
        return cls.of(
            A,
            (b * h**3 - (b - w) * inside**3) / 12.0,
            (2.0 * f * b**3 + inside * w**3) / 12.0,
            (2.0 * b * f**3 + inside * w**3) / 3.0,
            E,
            density,
            poisson,
            G,
            (5.0 / 3.0 * b * f / A, inside * w / A) if shear is None else shear,
            b,
            h,
        )

    def moved(self, y: Metres, z: Metres) -> Section:
        """Return the section with its axis moved to (y, z) relative to the line of the beam.

        Parameters
        ----------
        y : float
            New position of the axis along y (m).
        z : float
            New position of the axis along z (m).

        Returns
        -------
        Section
            The moved section.

        Notes
        -----
        A rail that is welded to the side of a beam has such a section.

        Examples
        --------
        >>> import kinetree as kt
        >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
        >>> print(section.moved(0.05, 0.0).centre)
        (0.05, 0.0)
        """
        e = np.array([0.0, *numbers([y, z], 2, "moved: y and z")])
        T = shift(-e)
        return replace(
            self, stiffness=product(T.T, self.stiffness, T), centre=tuple(self.centre + e[1:])
        )

    def __repr__(self) -> str:
        return f"<section: {self.mass:g} kg/m, stiffness {_shown(np.diag(self.stiffness))}>"


def _length(value: float, what: str) -> float:
    """Check a length whose fourth power, a second moment, must be a finite number."""
    found = number(value, what, positive=True)
    if not LARGE**-0.25 <= found <= LARGE**0.25:
        raise ModelError(f"{what} of {found:g} m is no size of a section; use SI units.")
    return found


def _cowper(m: float, nu: float) -> tuple[float, float]:
    """Shear factors of a tube with radii in the ratio m.  [Cowper1966]"""
    nu, a = _poisson(nu), (1.0 + m * m) ** 2
    k = 6.0 * (1.0 + nu) * a / ((7.0 + 6.0 * nu) * a + (20.0 + 12.0 * nu) * m * m)
    return k, k


def _poisson(value: Any) -> float:
    """Check Poisson's ratio; at -1 a material has no finite shear stiffness."""
    nu = number(value, "Section: poisson")
    if not -1.0 < nu <= 0.5:
        raise ModelError(f"Section: poisson must lie above -1 and be at most 0.5, got {nu:g}.")
    return nu


def _unscaled(C: np.ndarray) -> np.ndarray:
    d = np.sqrt(np.diag(C))
    return C / d[:, None] / d


def _shown(values: np.ndarray) -> str:
    return ", ".join(f"{v:.3g}" for v in values)


def _heavy(section: Section) -> tuple[float, tuple[float, float], np.ndarray]:
    """Mass, mass centre and inertia about it, checked, from these or from a 6x6 matrix of mass."""
    y, z = numbers(section.centre, 2, "Section: centre (y, z)").tolist()
    J = symmetric_matrix(section.inertia, 3, "Section: inertia")
    if shape_of(section.mass) in ((), None):
        return number(section.mass, "Section: mass", positive=True), (y, z), J
    if y or z or J.any():
        raise ModelError(
            "Section: a 6x6 mass includes mass center and inertia; leave out centre= and inertia=."
        )
    return _taken_apart(symmetric_matrix(section.mass, 6, "Section: mass"))


def _taken_apart(M: np.ndarray) -> tuple[float, tuple[float, float], np.ndarray]:
    """m, e and J_e of  [[m, -m e~], [m e~, J_e - m e~ e~]]:  the kinetic energy of velocities (v,
    w) on the line.
    """
    m = number(
        float(np.trace(M[:3, :3])) / 3.0,
        "Section: mass (the mean of its first three entries)",
        positive=True,
    )
    e = np.array([M[5, 1], M[3, 2], M[4, 0]]) / m
    size = np.sqrt(m * np.diag(M)[3:].max(initial=0.0))
    if (
        np.abs(M[:3, :3] - m * np.eye(3)).max() > 1e-9 * m
        or np.abs(M[3:, :3] - m * cross_matrix(e)).max() > 1e-9 * size
    ):
        raise ModelError(
            "Section: the mass is not that of a section: its 3x3 blocks must be [[m, -m e~], [m "
            "e~, J]], with one "
            "mass m per length and a mass centre e, where e~ w = e x w. Its diagonal is "
            f"{_shown(np.diag(M))}."
        )
    if abs(e[0]) * m > 1e-9 * size:
        raise ModelError(
            f"Section: the mass has its centre {e[0]:g} m ahead along the beam; it must lie in the "
            "section, x = 0."
        )
    return m, (float(e[1]), float(e[2])), M[3:, 3:] + product(m * cross_matrix(e), cross_matrix(e))


def cross_matrix(e: np.ndarray) -> np.ndarray:
    """Return e~ with e~ w = e x w."""
    return np.cross(e, np.eye(3)).T


def shift(e: np.ndarray, length: float = 1.0) -> np.ndarray:
    """T of  (gamma, length kappa) = T (gamma_e, length kappa):  gamma = gamma_e - kappa x e.

    Exact for the strains of kernel/algebra/strain.py: nodes at x + R e have  b_e = b + a x e / L,  and a.(a x
                                                                   e) = 0.
    """
    T = np.eye(6)
    T[:3, 3:] = cross_matrix(e) / length
    return T


def element_stiffness(section: Section, length: float) -> np.ndarray:
    """Stiffness of an element for (strain, length times curvature), energy = 1/2 e.C e.

    Residual bending flexibility [MacNeal1978]: the moment varies linearly along the element, M(s) =
    M - s e1 x N, so its
    flexibility is C^-1 + L^2/12 e1~^T (C^-1)_kk e1~ in the forces. Exact for the linear beam, and
    free.
    """
    flexible, cross = inv(section.stiffness), np.array([[0.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    flexible[:3, :3] += product(length**2 / 12.0 * cross.T, flexible[3:, 3:], cross)
    s = np.array([1.0, 1.0, 1.0, *[1.0 / length] * 3])
    return length * inv(flexible) * np.outer(s, s)
