"""Random roads: sums of sines with the spectra of ISO 8608.

    Gd(n) = Gd(n0) (n / n0)^-2,   n0 = 0.1 cycles/m
    z(x) = sum sqrt(2 Gd(n_k) dn) cos(2 pi n_k x + phase_k)

Gd(n0) is 16, 64, 256, 1024, 4096, 16384 (1e-6 m^3) in the middle of the classes A to F. The two
tracks are alike in waves that are long compared with their distance: the phases of the two are
mixed with the coherence exp(-n track).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.checks import numbers, whole
from ...core.quantities import Metres
from ...errors import ModelError, explains_arguments, no_such
from ...kernel.frames import number
from ...kernel.mathematics import cosines, exponentials
from ..signals.table import Table
from .road import Road

CLASSES = {
    letter: 16e-6 * 4.0**k for k, letter in enumerate("ABCDEFGH")
}  # m^3, at 0.1 cycles per metre
MOST_WAVES = 20_000
PER_WAVE = 8  # knots of the spline per shortest wave


@explains_arguments
def random_road(
    grade: str = "C",
    length: Metres = 200.0,
    seed: int = 0,
    *,
    begin: Metres = 10.0,
    waves: Sequence[Metres] = (0.5, 50.0),
    track: Metres | None = 1.5,
    fade: Metres = 5.0,
) -> Road:
    r"""Generate a random road of an ISO 8608 class.

    Parameters
    ----------
    grade : str, default 'C'
        Class of roughness, from "A" (smooth) to "H" (very rough).
    length : float, default 200.0
        Length of the uneven part (m).
    seed : int, default 0
        Seed of the random numbers; the same seed gives the same road.
    begin : float, default 10.0
        Coordinate x at which the uneven part begins (m).
    waves : (float, float), default (0.5, 50.0)
        Shortest and longest wavelength (m).
    track : float or None, default 1.5
        Distance of the two tracks (m); None gives both tracks the same profile.
    fade : float, default 5.0
        Length over which the road blends into flat ground at both ends (m).

    Returns
    -------
    Road
        The road.

    See Also
    --------
    kt.Road : Road with a given profile.

    Notes
    -----
    .. math::
        G_d(n) = G_d(n_0)\,(n / n_0)^{-2}, \qquad
        z(x) = \sum_k \sqrt{2\,G_d(n_k)\,\Delta n}\; \cos(2 \pi n_k x + \varphi_k)

    :math:`G_d` is the power spectral density of the height (m^3), :math:`n` the spatial frequency,
    with :math:`n_0` = 0.1 cycles/m, and :math:`\varphi_k` are random phases. :math:`G_d(n_0)` is
    16e-6 m^3 for class A and four times as much for each following class. Heights are positive
    upward.

    Examples
    --------
    The road is flat before it begins.

    >>> import kinetree as kt
    >>> road = kt.roads.random_road("B", length=100.0, seed=1)
    >>> print(f"{float(road.height(5.0)):.3f} m")
    0.000 m
    """
    if not isinstance(grade, str) or grade.upper() not in CLASSES:
        raise no_such("road class", grade, CLASSES, " of ISO 8608")
    low, high = sorted(numbers(waves, 2, "random_road: waves").tolist())
    short, long = (
        number(low, "random_road: waves", positive=True),
        number(high, "random_road: waves", positive=True),
    )
    length, fade = (
        number(length, "random_road: length", positive=True),
        number(fade, "random_road: fade", positive=True),
    )
    begin, seed = number(begin, "random_road: begin"), whole(seed, "random_road: seed", least=0)
    if not begin < begin + short / PER_WAVE < begin + length:
        raise ModelError(
            f"random_road: waves of {short:g} m cannot be resolved at {begin:g} m from the "
            "origin, or are longer "
            f"than the road of {length:g} m; begin nearer to the origin, or take other waves."
        )
    if length / short > MOST_WAVES:
        raise ModelError(
            f"random_road: {length:g} m with waves of {short:g} m are more than {MOST_WAVES} "
            "waves; take longer "
            "waves or a shorter road."
        )
    n, step = np.linspace(1.0 / long, 1.0 / short, max(int(1.5 * length / short), 32), retstep=True)
    size = np.sqrt(2.0 * CLASSES[grade.upper()] * step / (n / 0.1) ** 2)
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(0.0, 2.0 * np.pi, (2, len(n)))
    x = np.arange(begin, begin + length + short / PER_WAVE, short / PER_WAVE)
    left = _sum(x, n, size, a)
    right = None
    if track is not None:
        alike = exponentials(-n * number(track, "random_road: track", positive=True))
        right = _sum(x, n, size * alike, a) + _sum(x, n, size * np.sqrt(1.0 - alike**2), b)
    window = np.minimum(np.minimum(x - x[0], x[-1] - x), fade) / fade
    window = window * window * (3.0 - 2.0 * window)
    return Road(_table(x, left * window), None if right is None else _table(x, right * window))


def _sum(x: np.ndarray, n: np.ndarray, size: np.ndarray, phase: np.ndarray) -> np.ndarray:
    return sum(
        (s * cosines(2.0 * np.pi * k * x + p) for k, s, p in zip(n, size, phase)), np.zeros_like(x)
    )


def _table(x: np.ndarray, z: np.ndarray) -> Table:
    return Table(tuple(x), tuple(z))
