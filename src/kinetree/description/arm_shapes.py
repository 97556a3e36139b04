"""Mode shapes of a link, u(x, t) = sum psi_k(x) xi_k(t), and the integrals over the link in its
equations.

Those of the uniform beam are exact, also for large b. With z = b x / l and the frequency equation
of the ends,

    clamped at x = 0    psi = cosh z - cos z - s (sinh z - sin z)
    free at x = 0       psi = cosh z + cos z - s (sinh z + sin z)

Every shape is scaled to one at the tip, or to a largest deflection of one if the tip is fixed, so
that a modal coordinate is a deflection in meters. [LeeJoo, eqs. (9)-(11); Euler-Bernoulli beams in
any textbook of vibrations]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import ModelError, no_such, short
from ..kernel.linalg import eigh, product
from ..kernel.mathematics import cos, cosh, cosines, exp, exponentials, sin, sines, sinh, tanh

_STILL = 1e-9  # of the largest deflection: a tip that moves less stands still
_ROUNDING = 1e-12  # of what an integral could be: one as small is zero


class Shape(NamedTuple):
    """A mode shape as functions of x (m): deflection per modal coordinate, slope (1/m) and
    curvature (1/m^2).
    """

    psi: Callable
    slope: Callable
    curvature: Callable
    root: float = math.nan  # b, of a uniform beam:  w^2 = b^4 EI / (rho A l^4)


@dataclass(frozen=True)
class Integrals:
    """Values of the mode shapes at the tip, and their integrals with mass per length and stiffness."""

    tip: np.ndarray  # psi_k(l)
    slope: np.ndarray  # psi_k'(l)
    a: np.ndarray  # int psi_k rhoA dx
    b: np.ndarray  # int x psi_k rhoA dx
    n: np.ndarray  # int psi_k psi_l rhoA dx
    k: np.ndarray  # int EI psi_k'' psi_l'' dx


def _waves(z, s: float, left: float, k: int, free: bool):
    """The k-th derivative of cosh z -+ cos z - s (sinh z -+ sin z), with left = 1 - s exact."""
    growing, fading = 0.5 * left * exponentials(z), 0.5 * (1.0 + s) * exponentials(-z) * (-1.0) ** k
    turning = cosines(z + 0.5 * math.pi * k) - s * sines(z + 0.5 * math.pi * k)
    return growing + fading + (turning if free else -turning)


def _beam(b: float, length: float, s: float, left: float, free: bool = False) -> Shape:
    w = b / length
    psi, slope, curvature = (
        (lambda x, k=k: w**k * _waves(w * x, s, left, k, free)) for k in range(3)
    )
    return Shape(psi, slope, curvature, b)


def _root(equation: Callable[[float], float], guess: float) -> float:
    from scipy.optimize import brentq  # slow to import

    return float(brentq(equation, guess - 0.6, guess + 0.6, xtol=1e-15, rtol=8.9e-16))


def clamped_free(k: int, length: float) -> Shape:
    b = _root(lambda z: cos(z) + 1.0 / cosh(z), (k - 0.5) * math.pi + (0.3 if k == 1 else 0.0))
    bottom = cosh(b) + cos(b)
    return _beam(b, length, (sinh(b) - sin(b)) / bottom, (exp(-b) + cos(b) + sin(b)) / bottom)


def _held_alike(k: int, length: float, free: bool) -> Shape:
    b = _root(lambda z: cos(z) - 1.0 / cosh(z), (k + 0.5) * math.pi)
    return _beam(b, length, *_shared(b), free)


def _shared(b: float) -> tuple[float, float]:
    """s and 1 - s for a far end that is clamped, pinned, or free like the near one."""
    bottom = sinh(b) - sin(b)
    return (cosh(b) - cos(b)) / bottom, (cos(b) - sin(b) - exp(-b)) / bottom


def clamped_clamped(k: int, length: float) -> Shape:
    return _held_alike(k, length, free=False)


def free_free(k: int, length: float) -> Shape:
    return _held_alike(k, length, free=True)


def clamped_pinned(k: int, length: float) -> Shape:
    b = _root(lambda z: sin(z) - tanh(z) * cos(z), (k + 0.25) * math.pi)
    return _beam(b, length, *_shared(b))


def pinned_pinned(k: int, length: float) -> Shape:
    w = k * math.pi / length
    return Shape(
        lambda x: sines(w * x),
        lambda x: w * cosines(w * x),
        lambda x: -w * w * sines(w * x),
        k * math.pi,
    )


def polynomial(k: int, length: float) -> Shape:
    """Mode shape (x / l)^(k + 1): clamped at the base, not orthogonal."""
    n = k + 1
    return Shape(
        lambda x: (x / length) ** n,
        lambda x: n / length * (x / length) ** (n - 1),
        lambda x: n * (n - 1) / length**2 * (x / length) ** (n - 2),
    )


SHAPES: dict[str, Callable[[int, float], Shape]] = {
    "clamped-free": clamped_free,
    "pinned-pinned": pinned_pinned,
    "clamped-clamped": clamped_clamped,
    "clamped-pinned": clamped_pinned,
    "free-free": free_free,
    "polynomial": polynomial,
}


def shapes(
    kind: str | Sequence, modes: int, length: float, what: str = "mode shapes"
) -> tuple[Shape, ...]:
    """The first modes of a kind, or the user's (psi, slope, curvature), scaled."""
    if isinstance(kind, str):
        if kind not in SHAPES:
            raise no_such("mode shape", kind, SHAPES)
        found = [SHAPES[kind](k, length) for k in range(1, modes + 1)]
    else:
        found = [_given(one, k, length, what) for k, one in enumerate(kind, 1)][:modes]
    return tuple(_scaled(one, length, what) for one in found)


def _given(one, k: int, length: float, what: str) -> Shape:
    """A mode of the user, with a check of its derivatives."""
    if not (isinstance(one, Sequence) and len(one) == 3 and all(callable(f) for f in one)):
        raise ModelError(
            f"{what}: mode {k} must be three functions of x: deflection, slope and curvature; got "
            f"{short(one)}."
        )
    psi, slope, curvature = (_called(f, f"{what}: mode {k}") for f in one)
    x, h = np.linspace(0.1, 0.9, 9) * length, 1e-4 * length
    for name, f, derivative in (("slope", psi, slope), ("curvature", slope, curvature)):
        seen, given = (f(x + h) - f(x - h)) / (2.0 * h), derivative(x)
        if not np.abs(seen - given).max() <= 1e-5 * max(
            np.abs(given).max(), np.abs(f(x)).max() / length
        ):
            raise ModelError(
                f"{what}: the {name} of mode {k} is not the derivative of what stands before it."
            )
    return Shape(psi, slope, curvature)


def _called(f: Callable, what: str) -> Callable:
    """Values of a user function at numbers or arrays, whether it accepts arrays or not."""

    def at(x):
        x = np.asarray(x, float)
        try:
            return np.asarray(f(x), float) + 0.0 * x
        except TypeError:  # a function of numbers only, such as math.sin
            return np.vectorize(f, otypes=[float])(x)

    def named(x):
        try:
            return at(x)
        except Exception as error:
            raise ModelError(
                f"{what}: its function fails at x = {np.ravel(x)[0]:g}: {error}"
            ) from error

    return named


def _scaled(one: Shape, length: float, what: str) -> Shape:
    """Scale to one at the tip, or to a largest deflection of one."""
    most = float(np.abs(one.psi(np.linspace(0.0, length, 1001))).max())
    tip = float(one.psi(length))
    if not most > 0.0:
        raise ModelError(f"{what}: a mode that deflects nowhere.")
    by = 1.0 / (tip if abs(tip) > _STILL * most else most)
    psi, slope, curvature = ((lambda x, f=f: by * f(x)) for f in one[:3])
    return Shape(psi, slope, curvature, one.root)


def _gauss(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights of Gauss quadrature on [-1, 1], from the eigenvectors of a tridiagonal
    matrix. [Golub2013, sec. 10.2]
    """
    k = np.arange(1, n)
    beside = k / np.sqrt(4.0 * k * k - 1.0)
    x, Z = eigh(np.diag(beside, 1) + np.diag(beside, -1))
    w = 2.0 * Z[0] ** 2
    return 0.5 * (x - x[::-1]), 0.5 * (w + w[::-1])


def integrals(modes: Sequence[Shape], length: float, density: float, stiffness: float) -> Integrals:
    """Integrals by Gauss-Legendre quadrature, exact to rounding for the modes above."""
    x, w = _gauss(40 + 8 * len(modes))
    x, w = 0.5 * length * (x + 1.0), 0.5 * length * w
    psi = np.array([one.psi(x) for one in modes]).reshape(-1, len(x))
    bend = np.array([one.curvature(x) for one in modes]).reshape(-1, len(x))
    tip = np.array([float(one.psi(length)) for one in modes])
    tip[np.abs(tip) <= _STILL] = 0.0
    slope = np.array([float(one.slope(length)) for one in modes])
    a = product(density * psi, w)
    a[np.abs(a) <= _ROUNDING * density * length] = 0.0
    return Integrals(
        tip,
        slope,
        a,
        product(density * psi, w * x),
        _without_rounding(product(density * (psi * w), psi.T)),
        _without_rounding(product(stiffness * (bend * w), bend.T)),
    )


def _without_rounding(A: np.ndarray) -> np.ndarray:
    """Set integrals to zero that differ from zero by rounding only."""
    size = np.sqrt(np.diag(A))
    return np.where(np.abs(A) <= _ROUNDING * np.outer(size, size), 0.0, A)
