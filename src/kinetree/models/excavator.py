"""An excavator: boom, arm and bucket in a plane, three hydraulic cylinders, the bucket driven by a
rocker linkage.

The example of [Han1994, sec. 4], which prints no data except the bulk modulus. In its figure the
largest eigenvalue L of the linearized model exceeds 1500 1/s at about 0.45 s, where the explicit
and implicit integrators cost the same. Points, lengths, masses and inertias are [sourced] from
public constants of a small three-link excavator.

    B boom pivot on the ground, A arm pivot, L bucket pivot, M bucket tip; cylinders C-D (boom), E-F
    (arm), G-H (bucket); rocker J-H on the arm and link K-H on the bucket are joined at H

The linkage is planar but its joints are spatial: hinges at J and L, a cylindrical joint at K and a
ball at H close the loop without redundant equations. Three degrees of freedom. The cylinders start
with the pressures that hold the model at rest. Their forces are the reactions of rods in place of
the cylinders.
"""

from __future__ import annotations

import math

import kinetree as kt

from ..core.checks import number

# m, on the boom from B [sourced]
A = (2.05, 0.0)
D = (1.025, 0.278)
E = (0.977, 0.737)
BOOM_COM = (1.025, 0.384)
# m, on the arm from A [sourced]
F = (-0.251, 0.158)
G = (-0.134, 0.320)
J = (0.88, 0.0)
L = (1.05, 0.0)
ARM_COM = (0.225, 0.227)
# m, on the bucket from L [sourced]
K = (-0.014, 0.164)
M = (0.567, 0.0)
BUCKET_COM = (0.289, 0.166)
# m, foot of the boom cylinder from B; length of rocker and link [sourced]
C = (0.135, -0.264)
LINK = 0.240
MASS = {"boom": 227.343, "arm": 130.123, "bucket": 53.0}  # kg [sourced]
# kg m^2 about the mass center, in the plane [sourced]
INERTIA = {
    "boom": 67.768,
    "arm": 30.258,
    "bucket": 3.021,
}
LINK_MASS = 6.0  # kg, rocker and link each [proposed]
# each relative to the previous body [proposed]
POSE = {
    "boom": 0.0,
    "arm": math.radians(-110.0),
    "bucket": math.radians(-20.0),
}

# m [proposed]
BORE_AND_ROD = {
    "boom": (0.070, 0.040),
    "arm": (0.070, 0.040),
    "bucket": (0.060, 0.035),
}
STROKE, DEAD_VOLUME = 0.6, 2e-4  # m, m^3 [proposed]
SUPPLY, TANK = 2e7, 1e5  # Pa [proposed]
BULK_MODULUS = 1.4e9  # Pa [stated: Han1994]
EXTENSION = {"boom": 0.10, "arm": 0.50, "bucket": 0.10}  # m, at the start [proposed]
LOW_SIDE = 1e6  # Pa, at the start in the chamber with the lower load [proposed]
SEAL_FRICTION = 2000.0  # N s/m [proposed]
# m^2, s: the openings rise to the full area in the time RISE, which determines when L exceeds 1500
# 1/s [proposed]
AREA = 1e-4
RISE = 0.96
# fraction of the area; boom up, arm out, bucket in [proposed]
COMMAND = {
    "boom": 1.0,
    "arm": -0.6,
    "bucket": 0.4,
}
METERING = 0.2  # opening from the supply relative to that to the tank [proposed]


def excavator(opened: float = 1.0) -> kt.Model:
    """The excavator at rest with slowly opening valves; `opened` scales the openings, and 0 keeps
    it at rest.
    """
    opened = number(opened, "excavator: opened", at_least_zero=True)
    m, ends = _linkage()
    forces = _holding_forces()
    for name, (a, b) in ends.items():
        bore, rod = BORE_AND_ROD[name]
        m.force(
            f"{name} cylinder",
            kt.HydraulicCylinder(
                bore,
                rod,
                STROKE,
                DEAD_VOLUME,
                supply=SUPPLY,
                tank=TANK,
                extension=EXTENSION[name],
                bulk_modulus=BULK_MODULUS,
                damping=SEAL_FRICTION,
                pressure=_pressures(bore, rod, forces[name]),
                valve=_valve(opened * COMMAND[name]),
            ),
            a,
            b,
        )
    return m


def _linkage() -> tuple[kt.Model, dict]:
    """Bodies and joints, and the end points of each cylinder."""
    m = kt.Model("excavator")
    m.surround(*_look().CARRIER)
    boom, arm, bucket = (
        _link(m, name, com)
        for name, com in (("boom", BOOM_COM), ("arm", ARM_COM), ("bucket", BUCKET_COM))
    )
    rocker, link = (
        m.body(name, kt.rod(LINK_MASS, LINK, along="x", axial=1e-3)) for name in ("rocker", "link")
    )
    to_rocker, to_link = _linkage_angles()
    m.joint("B", kt.Revolute(axis="-y"), m.ground, boom, start={"angle": POSE["boom"]})
    m.joint("A", kt.Revolute(axis="-y"), _at(boom, A), arm, start={"angle": POSE["arm"]})
    m.joint("L", kt.Revolute(axis="-y"), _at(arm, L), bucket, start={"angle": POSE["bucket"]})
    m.joint("J", kt.Revolute(axis="-y"), _at(arm, J), rocker.end("-"), start={"angle": to_rocker})
    m.joint("K", kt.Cylindrical(axis="-y"), _at(bucket, K), link.end("-"), start={"angle": to_link})
    m.joint("H", kt.Spherical(), rocker.end("+"), link.end("+"))  # closes the loop
    return m, {
        "boom": (_at(m.ground, C), _at(boom, D)),
        "arm": (_at(boom, E), _at(arm, F)),
        "bucket": (_at(arm, G), rocker.end("+")),
    }


def _look():
    """The shapes; imported on demand because plates and boxes take time to build."""
    from . import excavator_look

    return excavator_look


def _link(m: kt.Model, name: str, com: tuple[float, float]):
    """A body with its pivot as origin; only the inertia in the plane matters for the motion."""
    J_y = INERTIA[name]
    points = {"tip": (M[0], 0, M[1])} if name == "bucket" else None
    return m.body(
        name,
        kt.mass(MASS[name], inertia=(J_y / 2, J_y, J_y / 2), com=(com[0], 0, com[1])),
        points=points,
        look=_look().LOOKS[name],
    )


def _at(body, point: tuple[float, float]):
    return body.at(point[0], 0, point[1])


def _linkage_angles() -> tuple[float, float]:
    """Directions J to H relative to the arm, and K to H relative to the bucket: H lies above the
    line from J to K.
    """
    c, s = math.cos(POSE["bucket"]), math.sin(POSE["bucket"])
    along, up = L[0] + c * K[0] - s * K[1] - J[0], L[1] + s * K[0] + c * K[1] - J[1]
    line, rise = math.atan2(up, along), math.acos(math.hypot(along, up) / (2.0 * LINK))
    return line + rise, line + math.pi - rise - POSE["bucket"]


def _holding_forces() -> dict[str, float]:
    """Force (N) of each cylinder that keeps the model at rest."""
    m, ends = _linkage()
    for name, (a, b) in ends.items():
        m.constraint(name + " rod", kt.Distance(), a, b)
    held = kt.equilibrium(m)
    return {name: float(held[f"{name} rod.force"]) for name in ends}


def _pressures(bore: float, rod: float, push: float) -> tuple[float, float]:
    """Pressures with P1 A1 - P2 A2 = push, the lower one at LOW_SIDE."""
    piston, ring = 0.25 * math.pi * bore**2, 0.25 * math.pi * (bore**2 - rod**2)
    if push > LOW_SIDE * (piston - ring):
        return (push + LOW_SIDE * ring) / piston, LOW_SIDE
    return LOW_SIDE, (LOW_SIDE * piston - push) / ring


def _valve(command: float) -> kt.Valve:
    """Openings that increase with time: extending for a positive command, retracting for a negative
    one.
    """
    out = kt.Ramp(abs(command) * AREA / RISE, end=RISE)
    into = kt.Ramp(METERING * abs(command) * AREA / RISE, end=RISE)
    return kt.Valve(openings=(into, 0.0, 0.0, out) if command > 0.0 else (0.0, out, into, 0.0))
