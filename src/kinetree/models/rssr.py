"""The RSSR mechanism: revolute, spherical, spherical, revolute; its coupler can rotate idly.
[Lee1994, sec. 7.2]
"""

import math

import numpy as np

import kinetree as kt

from ..kernel.linalg import norm

MASS = 1.0  # kg, every link [stated: Lee1994]
LINK = 0.5  # m, crank and rocker [stated: Lee1994]
ROCKER_PIVOT = np.array([0.6, 0.3, 0.0])  # m [proposed]
CRANK_ANGLE, ROCKER_ANGLE = 0.0, math.radians(45.0)  # at the start [proposed]
SPIN_INERTIA = 1e-4  # kg m^2 of the coupler about its own line [proposed]


def rssr() -> kt.Model:
    """Crank about x through the origin, rocker about y, coupler of 1.0365 m that closes the loop at
    the start; at rest.
    """
    m = kt.Model("rssr", gravity=(0, 0, -9.81))
    tip1 = LINK * np.array([0.0, math.cos(CRANK_ANGLE), math.sin(CRANK_ANGLE)])
    arm3 = LINK * np.array([math.sin(ROCKER_ANGLE), 0.0, math.cos(ROCKER_ANGLE)])
    tip3 = ROCKER_PIVOT + arm3
    line = tip3 - tip1
    length = norm(line)
    crank = m.body("crank", kt.rod(MASS, LINK, along=tip1), position=tip1 / 2)
    coupler = m.body(
        "coupler", kt.rod(MASS, length, along=line, axial=SPIN_INERTIA), position=(tip1 + tip3) / 2
    )
    rocker = m.body("rocker", kt.rod(MASS, LINK, along=arm3), position=ROCKER_PIVOT + arm3 / 2)
    m.joint("A", kt.Revolute(), m.ground, crank, at=(0, 0, 0), axis="x")
    m.joint("B", kt.Spherical(), crank, coupler, at=tip1)
    m.joint("C", kt.Spherical(), coupler, rocker, at=tip3)
    m.joint("D", kt.Revolute(), m.ground, rocker, at=ROCKER_PIVOT, axis="y")
    return m
