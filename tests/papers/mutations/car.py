"""[Kim1997]."""

from __future__ import annotations

import dataclasses

import kinetree as kt
from kinetree.apps.papers import lane_change, projection, rear_dampers
from kinetree.apps.papers.claim import Claim
from kinetree.apps.papers.rssr import rssr
from kinetree.models import car as data
from kinetree.models.vehicles.hard_points import Part

from .tools import (
    Mutation,
    altered,
    both,
    loose,
    one_more_body,
    options,
    simulated,
    swapped,
    times,
    value,
)

SWAP = {
    "projection": "projection-literal",
    "projection-literal": "projection",
    "projection-literal-drive": "projection",
}


def _weightless() -> kt.Model:
    made = rssr()
    made.gravity = 0.0 * made.gravity
    return made


def _exchanged(asked: dict) -> dict:
    """Of runs with a fixed step: with a variable one the printed method takes ever smaller steps."""
    fixed = asked.get("integrator") == "adams-fixed"
    return asked | ({"formulation": SWAP[asked["formulation"]]} if fixed else {"rtol": 1e-4})


PROJECTION = (
    Mutation(
        "projection",
        "the corrected method by the name of the printed one, and the reverse; a loose tolerance",
        lambda patch: simulated(patch, _exchanged),
        (
            "a free pendulum loses",
            "damping is of first order",
            "with the basis renormalized",
            "with variable step",
            "wrong limit",
            "integrating velocities",
            "eq. (4.11)",
        ),
        lambda: [*projection._damping(), *projection._drivers(), projection._sign()],
    ),
    Mutation(
        "projection",
        "a mechanism that stands still",
        value(projection, "rssr", _weightless),
        ("the printed derivative",),
        lambda: [projection._derivative()],
    ),
)

STRUT = dataclasses.replace(data.FRONT, strut=data.FRONT.strut._replace(damping=200.0))
AXLE = dataclasses.replace(data.REAR, strut=data.REAR.strut._replace(damping=150.0))


def _chassis(mass: float = 1.0, roll: float = 1.0, yaw: float = 1.0):
    m, (x, y, z) = data.CHASSIS
    return value(data, "CHASSIS", Part(mass * m, (roll * x, y, yaw * z)))


def _formulations() -> list[Claim]:
    model = lane_change.car()
    first = lane_change._run(model, formulation="augmented")
    others = {name: lane_change._run(model, formulation=name) for name in lane_change.FORMULATIONS}
    return [
        *lane_change._agree(first, others),
        lane_change._cartesian(),
        *lane_change._printed(),
        lane_change._energy(first),
    ]


def _closed() -> list[Claim]:
    return [lane_change._closed(lane_change._run(lane_change.car()), {})]


def _short(until: float = 6.0):
    return value(lane_change, "UNTIL", until)


LANE_CHANGE = (
    Mutation(
        "lane-change",
        "20 % less yaw inertia",
        _chassis(yaw=0.8),
        ("Fig. 10: lateral acceleration compared", "Fig. 13: yaw rate compared"),
        lane_change._witness,
    ),
    Mutation(
        "lane-change",
        "20 % less roll inertia",
        _chassis(roll=0.8),
        ("Fig. 12: roll rate compared",),
        lane_change._witness,
    ),
    Mutation(
        "lane-change",
        "tyres 20 % softer to the side",
        times(data, "CORNERING", 0.8),
        ("Fig. 11: lateral displacement compared", "at 40 km/h", "at 100 km/h"),
        lambda: [*lane_change._witness(), *lane_change._bicycle()],
    ),
    Mutation(
        "lane-change",
        "a chassis 5 % heavier",
        _chassis(mass=1.05),
        ("wheel loads at rest",),
        lane_change._rest,
    ),
    Mutation(
        "lane-change",
        "one more body",
        altered(lane_change, "car", one_more_body),
        ("degrees of freedom with the rack", "Table 1: velocities"),
        lambda: lane_change._counts(lane_change.car()),
    ),
    Mutation(
        "lane-change",
        "rear dampers on balls at both ends, fifty times as heavy",
        both(
            value(rear_dampers, "TUBE", (75.0, (1.0, 1.0, 0.05))),
            value(rear_dampers, "ROD", (50.0, (0.5, 0.5, 0.025))),
            value(rear_dampers, "FOOT", kt.Spherical()),
        ),
        ("Fig. 3: degrees of freedom", "Fig. 3: damper bodies"),
        rear_dampers.check,
    ),
    Mutation(
        "lane-change",
        "hardly any dampers, and a rack that swings by 2 cm",
        both(
            value(data, "FRONT", STRUT),
            value(data, "REAR", AXLE),
            value(lane_change, "SINE", kt.Sine(-0.02, 0.25, begin=4.0, end=8.0)),
        ),
        ("Fig. 8: the rack", "Fig. 9: dropped", "Fig. 9: vertical acceleration changes"),
        lane_change._settled,
    ),
    Mutation(
        "lane-change",
        "a loose tolerance",
        both(_short(), loose(1e-2)),
        (
            *(f"{name} agrees" for name in lane_change.FORMULATIONS),
            "Figs. 9 to 13: relative and Cartesian",
            *(
                f"{name} for the sine as printed"
                for name in (
                    "lateral acceleration",
                    "lateral displacement",
                    "roll rate",
                    "yaw rate",
                )
            ),
            "the energy balance",
        ),
        _formulations,
    ),
    Mutation(
        "lane-change",
        "Baumgarte's equations, which do not close a loop",
        both(_short(), options(formulation="baumgarte", rtol=1e-2, max_step=0.05)),
        ("every formulation satisfies",),
        _closed,
    ),
    Mutation(
        "lane-change",
        "QR by the name of the printed method",
        both(_short(8.0), swapped("formulation", {"projection-literal": "qr"})),
        (
            "Fig. 4: constraint",
            "Fig. 5: constraint",
            "Fig. 6: while steering",
            "Fig. 7: while steering",
        ),
        lambda: [*lane_change._violations(), *lane_change._steps()],
    ),
    Mutation(
        "lane-change",
        "a tolerance of 1e-12 where 1e-6 is claimed",
        options(rtol=1e-12),
        ("Fig. 6: at rtol 1e-6",),
        lane_change._steps,
    ),
    Mutation(
        "lane-change",
        "the printed method by the name of the corrected one",
        both(_short(), swapped("formulation", {"projection": "projection-literal"})),
        ("Fig. 4: the same", "Fig. 5: the same"),
        lane_change._violations,
    ),
)

MUTATIONS = (*PROJECTION, *LANE_CHANGE)
