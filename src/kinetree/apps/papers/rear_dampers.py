"""The rear dampers of [Kim1997, Fig. 3] as bodies: a tube on the axle and a rod on the chassis,
with a translational joint between them.

The paper names the translational joint and the spherical one on the chassis. The lower end is not
named; a universal joint leaves the car its 14 degrees of freedom. `models.car` has the dampers as
force elements without mass, which is quicker.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import kinetree as kt

from ...models.car import LOADS, REAR, SINE, SPEED, TYRE, car
from .claim import Claim

TUBE, ROD = (1.5, (0.02, 0.02, 1e-3)), (1.0, (0.01, 0.01, 5e-4))  # kg, kg m^2 [proposed]
FOOT = kt.Universal(axis1="x", axis2="y")  # on the axle [proposed]
OFFSET = 0.1  # m from the ends of a damper to the mass centers of its parts [proposed]


def car_with_damper_bodies() -> kt.Model:
    """The car of the lane change, its rear dampers as four bodies more."""
    m = car(steer=SINE)
    raised = np.array([0.0, 0.0, TYRE["radius"] - 0.5 * sum(LOADS) / TYRE["stiffness"]])
    for name, side in (("RL", 1.0), ("RR", -1.0)):
        low, top = (
            np.array(p) * [1.0, side, 1.0] + raised for p in (REAR.spring_low, REAR.spring_top)
        )
        along = (top - low) / np.linalg.norm(top - low)
        tube, rod = (
            m.body(f"{part} {name}", kt.mass(*data), position=at, velocity=(SPEED, 0.0, 0.0))
            for part, data, at in (
                ("damper tube", TUBE, low + OFFSET * along),
                ("damper rod", ROD, top - OFFSET * along),
            )
        )
        m.joint(f"damper foot {name}", FOOT, m.bodies[f"axle {name}"], tube, at=low)
        m.joint(
            f"damper slide {name}", kt.Translational(), tube, rod, at=0.5 * (low + top), axis=along
        )
        m.joint(f"damper top {name}", kt.Spherical(), rod, m.bodies["chassis"], at=top)
    return m


def check() -> list[Claim]:
    """Degrees of freedom of the car with damper bodies, and how little they change its motion."""
    model = car_with_damper_bodies()
    found = kt.assemble(model)
    counts = [found.mobility, len(found.redundant)]
    options: dict[str, Any] = {"rtol": 1e-7, "integrator": "switching", "formulation": "projection"}
    bodies, forces = (
        kt.simulate(m, 8.5, output_interval=0.02, progress=False, **options)[
            "chassis.angular_velocity.z"
        ]
        for m in (model, car(steer=SINE))
    )
    change = float(np.abs(bodies - forces).max() / np.abs(forces).max())
    return [
        Claim(
            "Fig. 3: degrees of freedom with the rear dampers as bodies, redundant equations",
            None,
            counts,
            counts == [14, 0],
            "a damper on a universal, a translational and a spherical joint adds none",
        ),
        Claim(
            "Fig. 3: damper bodies hardly change the yaw rate",
            None,
            change,
            change <= 5e-3,
            "largest change over the largest yaw rate; allowed 0.5 %, as the four bodies weigh 5 "
            "kg of 1688 kg",
        ),
    ]
