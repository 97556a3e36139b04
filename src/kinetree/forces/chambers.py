"""The two chambers of a hydraulic cylinder: its numbers, the oil in them, what flows in and out (hydraulic_cylinder.py)."""

from ..num.jit import inline
from .valve import rooted

ATMOSPHERE, FLOOR, GAP = 1e5, 1e4, 100.0  # Pa: of free air; about where a torn chamber stays; above it, where 1/B is constant
_LEAST = 0.1  # of its dead volume is left in a chamber, however far beyond its end a trial state lies
(AREA1, AREA2, STROKE, VOLUME1, VOLUME2, BULK, AIR, COEFFICIENT, TRANSITION, OPEN, DEAD_BAND, SUPPLY, DRAW, TANK, LEAKAGE,
 DAMPING, STOP, STOP_DAMPING, OFFSET, SIGN, LINE) = range(21)  # numbers of a cylinder in the pool


@inline
def compliance(n, p):
    """1/B(P)."""
    gap = max(p - FLOOR, GAP)
    return 1.0 / n[BULK] + n[AIR] / (gap * gap)


@inline
def chamber_volumes(n, extension):
    return (max(n[VOLUME1] + n[AREA1] * extension, _LEAST * n[VOLUME1]),
            max(n[VOLUME2] + n[AREA2] * (n[STROKE] - extension), _LEAST * n[VOLUME2]))


@inline
def edge_flows(n, a, supply, p1, p2):
    """Flows over the four edges of the valve, and past the piston from 1 to 2."""
    K, width = n[COEFFICIENT], n[TRANSITION]
    return (K * a[0] * rooted(supply - p1, width), K * a[1] * rooted(p1 - n[TANK], width),
            K * a[2] * rooted(supply - p2, width), K * a[3] * rooted(p2 - n[TANK], width), n[LEAKAGE] * (p1 - p2))


@inline
def stop_force(n, extension, rate):
    """F = k d (1 + c d'), never negative, at a depth d in either stop.  [Hunt1975, with a linear spring]"""
    if extension < 0.0:
        return -n[STOP] * extension * max(1.0 - n[STOP_DAMPING] * rate, 0.0)
    if extension > n[STROKE]:
        return n[STOP] * (n[STROKE] - extension) * max(1.0 + n[STOP_DAMPING] * rate, 0.0)
    return 0.0
