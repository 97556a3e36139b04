"""The two chambers of a hydraulic cylinder: parameters, bulk modulus of the oil, and flows
(hydraulic_cylinder.py).

    1/B(P) = 1/beta + (alpha + max(alpha_s - alpha, 0) below(P)) p_atm
                      / max(P - P_floor, delta)^2  max(1, P_thin / (P - P_v))
    below(P) = (p_atm - P) / (p_atm - P_floor),  between 0 and 1

The oil contains a volume fraction alpha of free air, measured at p_atm, which follows the
isothermal gas law.  [Merritt1967, ch. 2] Below the pressure at which the oil was saturated, that of
the atmosphere, dissolved air is released: mineral oil dissolves about a tenth of its volume, of
which at least a fraction alpha_s is taken to be free at P_floor, however well the oil was degassed.
A chamber that is pulled open therefore has a bulk modulus of delta^2 / (alpha_s p_atm) = 1 kPa at
most and stays near P_floor. If its volume grows by powers of ten it approaches the vapor pressure
P_v, where B is zero, and never reaches it.
"""

from ...kernel.decorators import inline
from .valve import rooted

ATMOSPHERE, FLOOR, GAP = (
    1e5,
    1e4,
    100.0,
)  # Pa: p_atm; P_floor, about where a torn chamber stays; delta above it
RELEASED, THIN, VAPOR = (
    1e-4,
    5e3,
    10.0,
)  # alpha_s; P_thin and P_v in Pa, the latter of mineral oil when warm
_BARELY = 1e-3  # Pa above P_v: for trial states that lie below it
_LEAST = (
    0.1  # of its dead volume is left in a chamber, however far beyond its end a trial state lies
)
(
    AREA1,
    AREA2,
    STROKE,
    VOLUME1,
    VOLUME2,
    BULK,
    AIR,
    COEFFICIENT,
    TRANSITION,
    OPEN,
    DEAD_BAND,
    SUPPLY,
    DRAW,
    TANK,
    LEAKAGE,
    DAMPING,
    STOP,
    STOP_DAMPING,
    OFFSET,
    SIGN,
    LINE,
) = range(21)  # numbers of a cylinder in the pool


@inline
def compliance(n, p):
    """1/B(P)."""
    gap, below = max(p - FLOOR, GAP), min(max((ATMOSPHERE - p) / (ATMOSPHERE - FLOOR), 0.0), 1.0)
    air = n[AIR] + max(RELEASED * ATMOSPHERE - n[AIR], 0.0) * below
    return 1.0 / n[BULK] + air / (gap * gap) * max(THIN / max(p - VAPOR, _BARELY), 1.0)


@inline
def chamber_volumes(n, extension):
    return (
        max(n[VOLUME1] + n[AREA1] * extension, _LEAST * n[VOLUME1]),
        max(n[VOLUME2] + n[AREA2] * (n[STROKE] - extension), _LEAST * n[VOLUME2]),
    )


@inline
def edge_flows(n, a, supply, p1, p2):
    """Flows through the four edges of the valve, and leakage from chamber 1 to chamber 2."""
    K, width = n[COEFFICIENT], n[TRANSITION]
    return (
        K * a[0] * rooted(supply - p1, width),
        K * a[1] * rooted(p1 - n[TANK], width),
        K * a[2] * rooted(supply - p2, width),
        K * a[3] * rooted(p2 - n[TANK], width),
        n[LEAKAGE] * (p1 - p2),
    )


@inline
def stop_force(n, extension, rate):
    """F = k d (1 + c d'), never negative, at a depth d in either stop.  [Hunt1975, with a linear
    spring]
    """
    if extension < 0.0:
        return -n[STOP] * extension * max(1.0 - n[STOP_DAMPING] * rate, 0.0)
    if extension > n[STROKE]:
        return n[STOP] * (n[STROKE] - extension) * max(1.0 + n[STOP_DAMPING] * rate, 0.0)
    return 0.0
