"""Contact stiffness of elastic bodies by the theory of Hertz."""

from __future__ import annotations

import math

from ...core.checks import number
from ...errors import ModelError, explains_arguments


@explains_arguments
def hertz(
    radius_a: float,
    radius_b: float = math.inf,
    *,
    E: float | tuple[float, float],
    poisson: float | tuple[float, float] = 0.3,
) -> float:
    r"""Return the contact stiffness of two elastic balls, or of a ball on a plane.

    Parameters
    ----------
    radius_a : float
        Radius of the first ball (m).
    radius_b : float, default inf
        Radius of the second ball (m); infinite for a plane, negative for a hollow.
    E : float or (float, float)
        Young's modulus of both bodies, or of each (Pa).
    poisson : float or (float, float), default 0.3
        Poisson's ratio of both bodies, or of each.

    Returns
    -------
    float
        The stiffness k (N/m^1.5) of the force :math:`k\,d^{1.5}` at the depth d.

    Raises
    ------
    ModelError
        If a number is not valid, or if the hollow is narrower than the ball.

    See Also
    --------
    kt.Contact : Contact between two shapes.

    Notes
    -----
    .. math::
        k = \frac{4}{3}\,E^* \sqrt{R}, \qquad
        \frac{1}{E^*} = \frac{1 - \nu_a^2}{E_a} + \frac{1 - \nu_b^2}{E_b}, \qquad
        \frac{1}{R} = \frac{1}{R_a} + \frac{1}{R_b}

    [Johnson1985, ch. 4]

    Examples
    --------
    A steel ball of 10 mm radius on a steel plate.

    >>> import kinetree as kt
    >>> print(f"{kt.shapes.hertz(0.01, E=2.1e11):.3g}")
    1.54e+10
    """
    radius_a = number(radius_a, "hertz: radius_a", positive=True)
    if not (isinstance(radius_b, float) and radius_b == math.inf):
        radius_b = number(radius_b, "hertz: radius_b")
        if radius_b == 0.0 or 1.0 / radius_a + 1.0 / radius_b <= 0.0:
            raise ModelError(
                f"hertz: a hollow must be wider than the ball of radius {radius_a:g} m, got "
                f"radius_b = {radius_b:g}."
            )
    soft = 0.0
    for modulus, ratio in zip(_both(E, "E"), _both(poisson, "poisson")):
        modulus = number(modulus, "hertz: E", positive=True)
        ratio = number(ratio, "hertz: poisson")
        if not -1.0 < ratio <= 0.5:
            raise ModelError(f"hertz: poisson must lie between -1 and 0.5, got {ratio:g}.")
        soft += (1.0 - ratio * ratio) / modulus
    return 4.0 / (3.0 * soft) / math.sqrt(1.0 / radius_a + 1.0 / radius_b)


def _both(value: float | tuple[float, float], what: str) -> tuple[float, float]:
    """One value for both bodies, or one for each."""
    if isinstance(value, (tuple, list)):
        if len(value) != 2:
            raise ModelError(f"hertz: {what} must be a number or two numbers, got {len(value)}.")
        return value[0], value[1]
    return value, value
