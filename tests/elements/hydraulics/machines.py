"""One cylinder on one sliding mass: the cylinder's extension is the slide's displacement less one
metre.
"""

from __future__ import annotations

import math

import kinetree as kt

BORE, ROD, STROKE, DEAD, BETA = 0.07, 0.04, 0.6, 2e-4, 1.4e9
A1, A2 = 0.25 * math.pi * BORE**2, 0.25 * math.pi * (BORE**2 - ROD**2)
SUPPLY, TANK = 2e7, 1e5
K = 0.62 * math.sqrt(2.0 / 860.0)


def volumes(extension):
    return DEAD + A1 * extension, DEAD + A2 * (STROKE - extension)


def cylinder(**options) -> kt.HydraulicCylinder:
    options = {"supply": SUPPLY, "closed_length": 1.0, **options}
    return kt.HydraulicCylinder(BORE, ROD, STROKE, DEAD, **options)


def slider(
    mass: float = 3000.0,
    at: float = 0.3,
    speed: float = 0.0,
    load=0.0,
    pump: kt.Pump | None = None,
    **options,
) -> kt.Model:
    """A mass pushed along x by the cylinder against a load (N along x, positive pulls the cylinder
    open).
    """
    m = kt.Model("slider", gravity=(0, 0, 0))
    body = m.body("mass", kt.sphere(mass, 0.1))
    m.joint(
        "slide",
        kt.Translational(axis="x"),
        m.ground,
        body,
        start={"displacement": 1.0 + at},
        speed={"displacement": speed},
    )
    if pump is not None:
        m.force("pump", pump)
        options["supply"] = "pump"
    m.force("cylinder", cylinder(**options), m.ground, body)
    m.force("load", kt.PointForce((load, 0.0, 0.0)), body)
    return m
