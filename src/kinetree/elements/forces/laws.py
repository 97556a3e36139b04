"""Force laws of one coordinate x (a length or an angle), for spring-damper-actuators.

    F = -[ c1 s + c2 s^2 + ... | table(s) | user(t, x, xdot) ] - c(t) xdot + a(t),      s = x - rest

`a(t)` is the actuator; a linear spring is a polynomial with one coefficient. A user law returns the
whole spring and damper force in the direction of growing x.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...core.checks import check_flags, check_rows
from ...core.quantities import CoordinateEffort, CoordinateValue, UserClass
from ...errors import ModelError, short
from ...kernel.decorators import inline
from ...kernel.frames import numbers
from ...kernel.intrinsics import call_law
from ...kernel.tables.fault import checked
from ...kernel.usercode.registry import address_of
from ..controllers.inputs import input_value
from ..signals.table import curve, piecewise_cubic

POLYNOMIAL, TABLE, USER = range(3)
ACTUATOR, DAMPING = range(2)  # its inputs


@dataclass(frozen=True)
class Polynomial(UserClass):
    r"""Spring force as a polynomial of the extension.

    Parameters
    ----------
    *coefficients : float
        Coefficients c1, c2, ... of the powers of the extension (N/m, N/m^2, ...; N m/rad, ... for
        an angle).

    See Also
    --------
    kt.Characteristic : Spring force through measured points.
    kt.SpringDamper : Spring between two markers.
    kt.TorsionSpring : Spring on a joint coordinate.

    Notes
    -----
    .. math::
        F(s) = c_1 s + c_2 s^2 + \ldots, \qquad s = x - x_0

    :math:`x` is the length or angle and :math:`x_0` its free value. F is positive where the spring
    resists extension (N, or N m), opposite to the channel `force` of the spring.

    Examples
    --------
    A spring that stiffens:  F = 1000 s + 2e5 s^3.  At s = 0.1 m it pulls with 300 N.

    >>> import kinetree as kt
    >>> model = kt.Model("spring", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)), position=(1.1, 0, 0))
    >>> free = model.float(block)
    >>> law = kt.Polynomial(1000.0, 0.0, 2e5)
    >>> spring = model.force("spring", kt.SpringDamper(length=1.0, law=law), model.ground, block)
    >>> sol = kt.simulate(model, until=0.01)
    >>> print(f"{sol['spring.force'][0]:.1f} N")
    -300.0 N
    """

    _internal = ("lower", "reflected")
    coefficients: tuple[float, ...]

    def __init__(self, *coefficients: float) -> None:
        if not coefficients:
            raise ModelError("Polynomial: give at least one coefficient.")
        object.__setattr__(
            self, "coefficients", tuple(numbers(coefficients, len(coefficients), "Polynomial"))
        )

    def reflected(self) -> Polynomial:
        """Return the law -F(-s)."""
        return Polynomial(*(c if k % 2 == 0 else -c for k, c in enumerate(self.coefficients)))

    def lower(self, row, to) -> None:
        row["mode"], row["first"], row["count"] = (
            POLYNOMIAL,
            to.pool(self.coefficients),
            len(self.coefficients),
        )


@dataclass(frozen=True)
class Characteristic(UserClass):
    r"""Spring force through measured points, constant beyond the first and the last point.

    Parameters
    ----------
    extensions : sequence of float
        Increasing extensions (m, or rad for an angle).
    forces : sequence of float
        Forces at these extensions (N, or N m for an angle), positive where the spring resists
        extension.
    smooth : bool, default True
        Whether the points are joined by a cubic spline or by straight lines.

    See Also
    --------
    kt.Polynomial : Spring force as a polynomial.
    kt.SpringDamper : Spring between two markers.
    kt.TorsionSpring : Spring on a joint coordinate.

    Notes
    -----
    .. math::
        F(s) = \mathrm{spline}(s; s_k, F_k), \qquad s = x - x_0

    :math:`x` is the length or angle, :math:`x_0` its free value, and :math:`(s_k, F_k)` are the
    points. F is positive where the spring resists extension (N, or N m), opposite to the channel
    `force` of the spring.

    Examples
    --------
    A rope: it pulls when stretched and never pushes.

    >>> import kinetree as kt
    >>> model = kt.Model("rope", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)), position=(1.05, 0, 0))
    >>> free = model.float(block)
    >>> law = kt.Characteristic([-1.0, 0.0, 1.0], [0.0, 0.0, 2000.0], smooth=False)
    >>> rope = model.force("rope", kt.SpringDamper(length=1.0, law=law), model.ground, block)
    >>> sol = kt.simulate(model, until=0.01)
    >>> print(f"{sol['rope.force'][0]:.1f} N")
    -100.0 N
    """

    _internal = ("lower", "reflected")
    extensions: Sequence[CoordinateValue]
    forces: Sequence[CoordinateEffort]
    smooth: bool = True

    def __post_init__(self) -> None:
        check_rows(self, extensions=None)
        x = self.extensions
        check_rows(self, forces=len(x))
        check_flags(self, "smooth")
        if len(x) < 2 or any(b <= a for a, b in zip(x[:-1], x[1:])):
            raise ModelError("Characteristic: extensions must be at least two and increase.")

    def reflected(self) -> Characteristic:
        """Return the law -F(-s)."""
        return replace(
            self,
            extensions=[-x for x in reversed(self.extensions)],
            forces=[-f for f in reversed(self.forces)],
        )

    def lower(self, row, to) -> None:
        row["mode"], row["count"] = TABLE, len(self.extensions)
        row["first"] = to.pool(piecewise_cubic(self.extensions, self.forces, self.smooth))


def reflected(law: Any, what: str) -> Any:
    """Return the law -F(-s), which is the same law for the opposite sign of s."""
    if law is None or isinstance(law, (Polynomial, Characteristic)):
        return law and law.reflected()
    raise ModelError(f"{what}: a law in Python cannot be reflected; write another function.")


def pulls_only(law: Any, longest: float) -> bool:
    """Return whether a law is that of a rope: no force when short, and a pull at some length up to
    `longest` (m).
    """
    if isinstance(law, Characteristic):
        x, resists = np.asarray(law.extensions, float), np.asarray(law.forces, float)
        return bool(
            resists[0] == 0.0
            and np.all(resists[x <= 0.0] == 0.0)
            and np.all(resists >= 0.0)
            and resists.max() > 0.0
        )
    if not callable(law):
        return False
    try:
        pushes = np.array([float(law(0.0, x, 0.0)) for x in np.linspace(0.0, longest, 33)])
    except Exception:  # a user law that cannot be evaluated here
        return False
    return bool(pushes[0] == 0.0 and np.all(pushes <= 0.0) and pushes.min() < 0.0)


def lower_law(row, to, law, stiffness: float, damping, actuator, what: str) -> None:
    """Write a law, a damper and an actuator (numbers, time functions or outputs of controllers)
    into a force record.
    """
    row["input"][ACTUATOR], row["input"][DAMPING] = (
        to.input(actuator, f"{what}: actuator"),
        to.input(damping, f"{what}: damping"),
    )
    if law is None:
        Polynomial(stiffness).lower(row, to)
    elif isinstance(law, (Polynomial, Characteristic)):
        law.lower(row, to)
    elif callable(law):
        row["mode"], row["address"] = USER, address_of(law, "law")
    else:
        raise ModelError(
            f"{what}: law must be a Polynomial, a Characteristic or a function (t, x, xdot), got "
            f"{short(law)}."
        )


@inline
def law_value(pool, mode, first, count, s):
    """Force of a polynomial or characteristic in the pool at the extension s."""
    if mode == POLYNOMIAL:
        total = 0.0
        for k in range(count - 1, -1, -1):
            total = (total + pool[first + k]) * s
        return total
    return curve(pool, first, count, s)[0]


@inline
def law_integral(pool, mode, first, count, s):
    """Integral of the force from 0 to s."""
    if mode == POLYNOMIAL:
        total = 0.0
        for k in range(count - 1, -1, -1):
            total = (total + pool[first + k] / (k + 2)) * s
        return total * s
    return curve_integral(pool, first, count, s)


@inline
def divided_law(pool, mode, first, count, a, b):
    """(U(b) - U(a)) / (b - a) of its integral U; for nearly equal a and b the force at their
    mean.
    """
    if abs(b - a) < 1e-6 * (abs(a) + abs(b)) or a == b:
        return law_value(pool, mode, first, count, 0.5 * (a + b))
    return (
        law_integral(pool, mode, first, count, b) - law_integral(pool, mode, first, count, a)
    ) / (b - a)


@inline
def spring(force, pool, s):
    """Spring force at the extension s."""
    return law_value(pool, force.mode, force.first, force.count, s)


@inline
def law_force(tables, work, force, t, x, xdot):
    """Force in the direction of growing x."""
    actuator = input_value(tables, work, t, force.input[ACTUATOR])
    if force.mode == USER:
        return actuator + checked(work.report[0], call_law(force.address, (t, x, xdot)))
    c = input_value(tables, work, t, force.input[DAMPING])
    return actuator - spring(force, tables.pool, x - force.rest) - c * xdot


@inline
def law_energy(force, pool, x):
    """Energy stored in the spring; that of a user law is unknown and counted as zero."""
    return (
        law_integral(pool, force.mode, force.first, force.count, x - force.rest)
        if force.mode != USER
        else 0.0
    )


@inline
def law_rest(tables, work, force, t, x, xdot):
    """The part of the law that does not derive from its energy."""
    total = law_force(tables, work, force, t, x, xdot)
    return total if force.mode == USER else total + spring(force, tables.pool, x - force.rest)


@inline
def law_over(tables, work, force, t, x_i, x_f, x, xdot):
    """Mean force over a step from x_i to x_f: the spring by its discrete gradient, the rest at the
    mean x
    and its rate.

        (E_i - E_f) / (x_f - x_i),      or the spring force at the mean if the two are nearly equal
    """
    other = law_rest(tables, work, force, t, x, xdot)
    if force.mode == USER:
        return other
    change, size = x_f - x_i, abs(x_f) + abs(x_i) + abs(force.rest)
    if abs(change) < 1e-6 * size or change == 0.0:
        return other - spring(force, tables.pool, 0.5 * (x_i + x_f) - force.rest)
    return (
        other - (law_energy(force, tables.pool, x_f) - law_energy(force, tables.pool, x_i)) / change
    )


@inline
def curve_integral(pool, first, count, s):
    """Integral of the characteristic from 0 to s."""
    return primitive(pool, first, count, s) - primitive(pool, first, count, 0.0)


@inline
def primitive(pool, first, count, s):
    """Integral of the piecewise cubic from its first breakpoint to s; constant beyond both ends."""
    total = 0.0
    for k in range(count - 1):
        a, b = pool[first + k], pool[first + k + 1]
        i, w = first + count + 4 * k, min(max(s, a), b) - a
        total += (
            ((pool[i] / 4.0 * w + pool[i + 1] / 3.0) * w + pool[i + 2] / 2.0) * w + pool[i + 3]
        ) * w
    low, high = pool[first], pool[first + count - 1]
    if s < low:
        total += (s - low) * curve(pool, first, count, low)[0]
    if s > high:
        total += (s - high) * curve(pool, first, count, high)[0]
    return total
