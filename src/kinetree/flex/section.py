"""Cross-sections of beams: stiffness against stretching, shearing, twisting and bending, and inertia per length.

Axes of a section: x along the beam, y and z across. Strains are in the order (stretch x, shear y, shear z, twist x, bend y,
bend z); stiffness and inertia are in that order too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ..annotations import (
    KilogramsPerCubicMetre,
    KilogramsPerMetre,
    Matrix,
    Metres,
    Pascals,
    SecondMoment,
    SectionInertia,
    SquareMetres,
)
from ..errors import ModelError
from ..frames import number, symmetric_matrix


@dataclass(frozen=True, eq=False)
class Section:
    """A section by numbers. `circle`, `rectangle`, `tube` and `i_beam` make one from sizes and material.

    stiffness       six numbers (EA, GAy, GAz, GJ, EIy, EIz) or a symmetric 6x6 matrix (N and N m^2)
    mass            per length (kg/m)
    inertia         per length about x, y, z, or a 3x3 matrix; by default that of a round bar (kg m)
    width, height   across, along y and z, for the strain of the outer fibre and as it is drawn (m)
    round           whether it is drawn round
    """

    stiffness: Matrix
    mass: KilogramsPerMetre
    inertia: SectionInertia = field(default_factory=lambda: np.zeros(3))
    width: Metres = 0.0  # across, as it is drawn: along y and z
    height: Metres = 0.0
    round: bool = True

    def __post_init__(self) -> None:
        C = symmetric_matrix(self.stiffness, 6, "Section: stiffness")
        J = symmetric_matrix(self.inertia, 3, "Section: inertia")
        lowest = np.linalg.eigvalsh(_unscaled(C))[0] if (np.diag(C) > 0.0).all() else -1.0
        if not lowest > 1e-12:
            raise ModelError(f"Section: the stiffness is not positive definite (diagonal {_shown(np.diag(C))}); every strain "
                             "must cost energy. Give all six numbers, and couplings smaller than them.")
        m = number(self.mass, "Section: mass", positive=True)
        if np.linalg.eigvalsh(J)[0] < 0.0:
            raise ModelError(f"Section: the inertia {_shown(np.diag(J))} has a negative principal moment.")
        if not J.any():  # a round bar as stiff in bending as in stretching
            r2 = max(C[4, 4], C[5, 5]) / C[0, 0]
            J = m * r2 * np.diag([2.0, 1.0, 1.0])
        if np.linalg.eigvalsh(J)[0] <= 0.0:
            raise ModelError(f"Section: the inertia {_shown(np.diag(J))} leaves a turn without inertia; give three "
                             "positive numbers.")
        object.__setattr__(self, "stiffness", C)
        object.__setattr__(self, "inertia", J)

    @classmethod
    def of(cls, area: SquareMetres, Iy: SecondMoment, Iz: SecondMoment, J: SecondMoment, E: Pascals,
           density: KilogramsPerCubicMetre, poisson: float = 0.3, G: Pascals | None = None,
           shear: tuple[float, float] = (1.0, 1.0), width: Metres = 0.0, height: Metres = 0.0, round: bool = False) -> Section:
        """From area, second moments, torsion constant and material; `shear` are the correction factors along y and z."""
        A, iy, iz, j, e, rho = (number(v, f"Section: {name}", positive=True) for name, v in (
            ("area", area), ("Iy", Iy), ("Iz", Iz), ("J", J), ("E", E), ("density", density)))
        g = e / (2.0 * (1.0 + number(poisson, "Section: poisson"))) if G is None else number(G, "Section: G", positive=True)
        return cls(np.array([e * A, shear[0] * g * A, shear[1] * g * A, g * j, e * iy, e * iz]), rho * A,
                   rho * np.array([iy + iz, iy, iz]), width, height, round)

    @classmethod
    def rectangle(cls, width: Metres, height: Metres, E: Pascals, density: KilogramsPerCubicMetre, poisson: float = 0.3,
                  G: Pascals | None = None, shear: tuple[float, float] | None = None) -> Section:
        """A rectangle, `width` along y and `height` along z; torsion by Saint-Venant's series, shear factors 5/6."""
        b, h = number(width, "rectangle: width", positive=True), number(height, "rectangle: height", positive=True)
        long, short = max(b, h), min(b, h)
        tail = sum(math.tanh(n * math.pi * long / (2.0 * short)) / n**5 for n in range(1, 40, 2))
        J = long * short**3 / 3.0 * (1.0 - 192.0 / math.pi**5 * short / long * tail)
        return cls.of(b * h, b * h**3 / 12.0, h * b**3 / 12.0, J, E, density, poisson, G,
                      shear or (5.0 / 6.0, 5.0 / 6.0), b, h)

    @classmethod
    def circle(cls, radius: Metres, E: Pascals, density: KilogramsPerCubicMetre, poisson: float = 0.3,
               G: Pascals | None = None, shear: tuple[float, float] | None = None) -> Section:
        """A full circle; shear factors by Cowper."""
        r = number(radius, "circle: radius", positive=True)
        I = math.pi * r**4 / 4.0
        return cls.of(math.pi * r * r, I, I, 2.0 * I, E, density, poisson, G,
                      shear or _cowper(0.0, poisson), 2.0 * r, 2.0 * r, True)

    @classmethod
    def tube(cls, radius: Metres, inner: Metres, E: Pascals, density: KilogramsPerCubicMetre, poisson: float = 0.3,
             G: Pascals | None = None, shear: tuple[float, float] | None = None) -> Section:
        """A circle of `radius` with a hole of radius `inner`; shear factors by Cowper."""
        r, i = number(radius, "tube: radius", positive=True), number(inner, "tube: inner", positive=True)
        if i >= r:
            raise ModelError(f"tube: inner {inner!r} must be less than radius {radius!r}.")
        I = math.pi * (r**4 - i**4) / 4.0
        return cls.of(math.pi * (r * r - i * i), I, I, 2.0 * I, E, density, poisson, G,
                      shear or _cowper(i / r, poisson), 2.0 * r, 2.0 * r, True)

    @classmethod
    def i_beam(cls, width: Metres, height: Metres, flange: Metres, web: Metres, E: Pascals,
               density: KilogramsPerCubicMetre, poisson: float = 0.3, G: Pascals | None = None,
               shear: tuple[float, float] | None = None) -> Section:
        """An I with flanges `width` along y and `flange` thick, `height` over all along z, a web `web` thick.

        Torsion as that of thin walls; shear along z by the web, along y by the flanges.
        """
        b, h, f, w = (number(v, f"i_beam: {name}", positive=True) for name, v in (
            ("width", width), ("height", height), ("flange", flange), ("web", web)))
        inside = h - 2.0 * f
        if inside <= 0.0 or w >= b:
            raise ModelError(f"i_beam: flanges of {flange!r} and a web of {web!r} do not fit into {width!r} x {height!r}.")
        A = 2.0 * b * f + inside * w
        return cls.of(A, (b * h**3 - (b - w) * inside**3) / 12.0, (2.0 * f * b**3 + inside * w**3) / 12.0,
                      (2.0 * b * f**3 + inside * w**3) / 3.0, E, density, poisson, G,
                      shear or (5.0 / 3.0 * b * f / A, inside * w / A), b, h)

    def __repr__(self) -> str:
        return f"<section: {self.mass:g} kg/m, stiffness {_shown(np.diag(self.stiffness))}>"


def _cowper(m: float, nu: float) -> tuple[float, float]:
    """Shear factors of a tube with radii in the ratio m.  [Cowper1966]"""
    a = (1.0 + m * m) ** 2
    k = 6.0 * (1.0 + nu) * a / ((7.0 + 6.0 * nu) * a + (20.0 + 12.0 * nu) * m * m)
    return k, k


def _unscaled(C: np.ndarray) -> np.ndarray:
    d = 1.0 / np.sqrt(np.diag(C))
    return C * np.outer(d, d)


def _shown(values: np.ndarray) -> str:
    return ", ".join(f"{v:.3g}" for v in values)


def element_stiffness(section: Section, length: float) -> np.ndarray:
    """Stiffness of an element for (strain, length times curvature), energy = 1/2 e.C e.

    Residual bending flexibility [MacNeal1978]: the moment varies linearly along the element, M(s) = M - s e1 x N, so its
    flexibility is C^-1 + L^2/12 e1~^T (C^-1)_kk e1~ in the forces. Exact for the linear beam, and free.
    """
    flexible, cross = np.linalg.inv(section.stiffness), np.array([[0.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    flexible[:3, :3] += length**2 / 12.0 * cross.T @ flexible[3:, 3:] @ cross
    s = np.array([1.0, 1.0, 1.0, *[1.0 / length] * 3])
    return length * np.linalg.inv(flexible) * np.outer(s, s)
