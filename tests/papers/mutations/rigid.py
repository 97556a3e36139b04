"""[Lee1994] and the rigid mechanism of [LeeJoo]."""

from __future__ import annotations

import numpy as np

import kinetree as kt
from kinetree.apps.papers import five_dof, joint_tables, parallelogram, rssr, tracked_vehicle
from kinetree.apps.papers.claim import Claim
from kinetree.models import five_dof as five_dof_data
from kinetree.models import tracked_vehicle as tracked_data

from .tools import (
    Mutation,
    altered,
    both,
    gravity,
    loose,
    one_more_body,
    options,
    times,
    value,
    wrapped,
)

RSSR = (
    Mutation(
        "rssr",
        "one more body",
        altered(rssr, "rssr", one_more_body),
        (
            "Table 5: relative coordinates",
            "Table 5: Cartesian coordinates",
            "Table 5: Cartesian constraint",
        ),
        lambda: rssr._topology(rssr.rssr()),
    ),
    Mutation(
        "rssr",
        "universal joints in the place of balls",
        value(kt, "Spherical", lambda: kt.Universal(axis1="x", axis2="y")),
        ("Table 5: one joint is cut", "Table 5: constraint equations", "Fig. 4: the coupler"),
        lambda: rssr._topology(rssr.rssr()),
    ),
    Mutation(
        "rssr",
        "gravity of the moon",
        altered(rssr, "rssr", gravity(1.0 / 6.0)),
        ("Fig. 5: vertical", "Fig. 5: range"),
    ),
    Mutation(
        "rssr", "a loose tolerance", loose(), ("energy drift", "Fig. 5: relative and Cartesian")
    ),
    Mutation(
        "rssr",
        "Baumgarte's equations, which do not close a loop",
        options(formulation="baumgarte", rtol=1e-4),
        ("constraint error",),
    ),
)

FIVE_DOF = (
    Mutation(
        "five-dof",
        "springs of both axles a third stiffer",
        both(
            *(
                lambda patch, end=end: patch.setitem(five_dof_data.SPRING, end, 400.0)
                for end in ("front", "rear")
            )
        ),
        (
            *(f"Fig. {n}: history" for n in range(8, 13)),
            *(f"Fig. {n}: peak" for n in range(8, 13)),
            "Fig. 10: trough",
            "at 2.5 s",
            "peak acceleration of the seat (",
            "on the full road the largest",
            "on the full road the peak",
        ),
    ),
    Mutation(
        "five-dof",
        "seat damper 1 % stronger",
        lambda patch: patch.setitem(five_dof_data.DAMPER, "seat", 10.1),
        ("Fig. 8: history", "Fig. 9: history"),
    ),
    Mutation(
        "five-dof",
        "one more body",
        altered(five_dof, "five_dof", one_more_body),
        ("Fig. 6: five degrees",),
        lambda: [five_dof._counts()],
    ),
)


def _tracked_witness() -> list[Claim]:
    model = tracked_vehicle.tracked_vehicle()
    return [tracked_vehicle._witness(tracked_vehicle._run(model, "relative")[0])]


TRACKED = (
    Mutation(
        "tracked-vehicle",
        "one more body",
        altered(tracked_vehicle, "tracked_vehicle", one_more_body),
        ("bodies, revolute", "Table 4: generalized", "Table 4: constraints"),
        lambda: tracked_vehicle._counts(tracked_vehicle.tracked_vehicle()),
    ),
    Mutation(
        "tracked-vehicle",
        "a hull 5 % heavier",
        times(tracked_data, "HULL", 1.05),
        ("wheel loads at rest", "undamped frequencies", "all fifteen"),
        tracked_vehicle._rest,
    ),
    Mutation(
        "tracked-vehicle",
        "gravity of 9.7 m/s^2",
        altered(tracked_vehicle, "tracked_vehicle", gravity(9.7 / 9.81)),
        ("wheel loads sum",),
        tracked_vehicle._rest,
    ),
    Mutation(
        "tracked-vehicle",
        "the bump half a meter farther, the seat a meter farther back",
        both(value(tracked_data, "BUMP_AT", 21.3), value(tracked_data, "SEAT", (-0.2, 0.3, 0.1))),
        ("the first wheel meets", "vertical acceleration at the seat"),
        lambda: tracked_vehicle._seat(
            tracked_vehicle._run(tracked_vehicle.tracked_vehicle(), "relative", rtol=1e-5)[0]
        ),
    ),
    Mutation(
        "tracked-vehicle",
        "a loose tolerance",
        both(value(tracked_vehicle, "UNTIL", 2.2), loose(1e-3)),
        (
            "Fig. 3: relative and Cartesian",
            "adams and bdf",
            "adams and dop853",
            "the energy balance",
            "no element adds",
        ),
    ),
    Mutation(
        "tracked-vehicle",
        "1 % less pitch inertia",
        value(tracked_data, "INERTIA", (0.99 * 236e3, 70e3, 267e3)),
        ("Fig. 3: the curve is that of nine equations",),
        _tracked_witness,
    ),
    Mutation(
        "tracked-vehicle",
        "torsion bars 1 % stiffer",
        times(tracked_data, "BAR", 1.01),
        ("Fig. 3: the curve is that of nine equations",),
        _tracked_witness,
    ),
    Mutation(
        "tracked-vehicle",
        "a track without tension",
        value(tracked_vehicle, "TENSION", 0.0),
        ("Fig. 3: a track",),
        lambda: tracked_vehicle._track(
            tracked_vehicle._run(tracked_vehicle.tracked_vehicle(), "relative")[0]
        ),
    ),
)


def _weights(patch) -> None:
    for joint in ("Revolute", "Translational", "Universal", "Cylindrical", "Spherical"):
        patch.setattr(getattr(kt, joint), "weight", 9.0 if joint == "Spherical" else 1.1)


KINDS = ("revolute", "translational", "universal", "cylindrical", "spherical")
TABLES = (
    Mutation(
        "joint-tables",
        "other weights of the joints",
        _weights,
        (*(f"Table 1: {kind}" for kind in KINDS), "Table 1: the shortest-path"),
        lambda: [*joint_tables._weights(), *joint_tables._tree()],
    ),
    Mutation(
        "joint-tables",
        "rotations the other way round in the blocks by hand",
        wrapped(joint_tables, "quaternion_matrix", lambda real, q: real(q).T),
        (
            *(f"Table 2: the block of a {kind}" for kind in (*KINDS, "moving base")),
            *(f"Table 3: the block of a {kind}" for kind in KINDS),
        ),
    ),
)


def _quadrilateral(real, t1, t2, l1=3.0, l3=0.4, sign=1.0) -> kt.Model:
    """Link 4 a tenth longer."""
    m = kt.Model("quadrilateral")
    one, two, three, four = (
        m.body(f"link{k}", kt.rod(1.0, length, along="x"))
        for k, length in enumerate((l1, l3, l3, 1.1 * l1), 1)
    )
    hinge = kt.Revolute(axis="z")
    m.joint("A", hinge, m.ground, one.end("-"), start={"angle": t1})
    m.joint("B", hinge, one.end("+"), two.end("-"), start={"angle": t2})
    m.joint("A3", hinge, one.end("-"), three.end("-"), start={"angle": t2})
    m.joint("D", hinge, three.end("+"), four.end("-"), start={"angle": -t2})
    m.joint("C", hinge, two.end("+"), four.end("+"))
    m.cut("C")
    return m


class _Middle:
    """Random numbers in the middle of their ranges."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def uniform(self, low: float, high: float) -> float:
        return 0.5 * (low + high)

    def choice(self, values: tuple) -> float:
        return values[-1]

    def normal(self, size: int) -> np.ndarray:
        return np.linspace(-1.0, 1.0, size)


PARALLELOGRAM = (
    Mutation(
        "parallelogram",
        "link 4 a tenth longer",
        both(
            value(parallelogram, "SAMPLES", 1),
            value(np.random, "default_rng", _Middle),
            wrapped(parallelogram, "parallelogram", _quadrilateral),
        ),
        tuple(f"by the basis '{name}'" for name in parallelogram.BASES),
        parallelogram._null_space,
    ),
    Mutation(
        "parallelogram",
        "link 1 a tenth longer",
        wrapped(parallelogram, "parallelogram", lambda real, t1, t2: real(t1, t2, 3.3)),
        ("the second singular value",),
        lambda: [parallelogram._singular_values()],
    ),
    Mutation(
        "parallelogram",
        "one more body",
        altered(parallelogram, "parallelogram", one_more_body),
        ("two degrees of freedom",),
        lambda: [parallelogram._counts()],
    ),
    Mutation(
        "parallelogram",
        "folded where it should be open, and open where it should be folded",
        wrapped(parallelogram, "parallelogram", lambda real, t1, t2: real(t1, 0.5 - t2)),
        ("the folded position", "the open position"),
        parallelogram._change_point,
    ),
)

MUTATIONS = (*RSSR, *FIVE_DOF, *TRACKED, *TABLES, *PARALLELOGRAM)
