"""Shapes of the excavator: boom, arm and bucket relative to their pivots, and the undercarriage.
All [proposed].
"""

from __future__ import annotations

import math

from kinetree import look

Ring = list[tuple[float, float]]  # points (x, z) in the plane of the mechanism


def plate(
    ring: Ring, wide: float, y: float = 0.0, round: float = 0.02, paint: str = "yellow"
) -> look.Plate:
    """A plate in the plane of the mechanism."""
    return look.Plate([(x, y, z) for x, z in ring], wide, round, paint=paint)


def sheets(ring: Ring, wide: float) -> list[look.Box]:
    """Sheets across the plane, from point to point."""
    found = []
    for (x0, z0), (x1, z1) in zip(ring, ring[1:]):
        sides = (math.hypot(x1 - x0, z1 - z0) + 0.02, wide, 0.03)
        middle = (0.5 * (x0 + x1), 0, 0.5 * (z0 + z1))
        found.append(
            look.Box(sides, middle, ("y", [-math.atan2(z1 - z0, x1 - x0)]), paint="yellow")
        )
    return found


BOOM: Ring = [
    (-0.09, -0.06),
    (0.1, -0.09),
    (0.92, 0.22),
    (1.12, 0.22),
    (2.0, -0.09),
    (2.13, -0.03),
    (2.12, 0.09),
    (1.25, 0.52),
    (1.03, 0.79),
    (0.92, 0.79),
    (0.78, 0.5),
    (-0.06, 0.09),
]
ARM: Ring = [
    (-0.32, 0.13),
    (-0.19, 0.38),
    (-0.08, 0.37),
    (0.25, 0.14),
    (1.1, 0.06),
    (1.12, -0.04),
    (1.03, -0.08),
    (0.0, -0.11),
    (-0.1, -0.04),
]
BOWL: Ring = [(-0.09, 0.2), (0.06, 0.33), (0.27, 0.36), (0.45, 0.24), (0.56, 0.02)]
CHEEK: Ring = [
    (-0.08, -0.05),
    (0.06, -0.05),
    (0.56, 0.0),
    (0.46, 0.22),
    (0.28, 0.34),
    (0.07, 0.31),
    (-0.1, 0.19),
]
FOOT: Ring = [(-0.35, -0.75), (0.12, -0.75), (0.2, -0.3), (0.14, -0.2), (0.08, 0.06), (-0.06, 0.06)]

LOOKS = {
    "boom": [plate(BOOM, 0.2)],
    "arm": [*(plate(ARM, 0.04, y) for y in (-0.14, 0.14)), plate(ARM[3:8], 0.26)],
    "bucket": [
        *(plate(CHEEK, 0.03, y) for y in (-0.26, 0.26)),
        *sheets(BOWL, 0.52),
        *(
            look.Box((0.12, 0.05, 0.035), (0.6, y, -0.02), ("y", [1.2]), paint="steel")
            for y in (-0.2, -0.07, 0.07, 0.2)
        ),
    ],
}

CARRIER = [
    *(look.Box((2.3, 0.4, 0.42), (-0.9, y, -1.4), paint="dark") for y in (-0.72, 0.72)),  # tracks
    look.Box((1.6, 1.1, 0.2), (-0.9, 0, -1.3), paint="steel"),
    look.Cylinder((-0.9, 0, -1.2), (-0.9, 0, -1.05), 0.45, paint="dark"),  # turntable
    look.Box((1.7, 1.5, 0.3), (-0.95, 0, -0.9), paint="yellow"),
    look.Box((0.7, 1.5, 0.55), (-1.45, 0, -0.48), paint="yellow"),
    look.Box((0.85, 0.6, 0.95), (-0.62, 0.44, -0.28), paint="glass"),  # cab
    *(plate(FOOT, 0.07, y, 0.03, "dark") for y in (-0.17, 0.17)),
]
