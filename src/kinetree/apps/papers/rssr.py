"""The RSSR mechanism of [Lee1994, sec. 7.2]: Table 5 and the vertical acceleration of body 1 (Fig.
5).

The paper states masses and two lengths; the rest of the data is proposed in `models.rssr`. The
reference for the motion is therefore computed by hand, in two angles and one distance
(`rssr_reference`).
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

from ...models.rssr import rssr
from .claim import Claim, agrees
from .references.rssr import crank_centre_acceleration

UNTIL, INTERVAL = 2.0, 0.01
MARKS = [0, 50, 100, 150, 200]  # samples at 0, 0.5, 1, 1.5, 2 s


def check() -> list[Claim]:
    """All claims about the mechanism."""
    model = rssr()
    relative, cartesian = (_run(model, coordinates) for coordinates in ("relative", "cartesian"))
    return [
        *_topology(model),
        *_motion(relative),
        *_constraints(relative),
        _agreement(relative, cartesian),
    ]


def _run(model: kt.Model, coordinates: str):
    return kt.simulate(model, UNTIL, coordinates=coordinates, rtol=1e-9, output_interval=INTERVAL)


def _topology(model: kt.Model) -> list[Claim]:
    report = model.topology()
    cuts = report.tree.cuts
    cartesian = kt.assemble(model, coordinates="cartesian").compiled.size
    return [
        Claim(
            "Table 5: relative coordinates",
            5,
            report.coordinates,
            report.coordinates == 5,
            "one per revolute, three (as velocities) for the spherical joint that stays in the tree",
        ),
        Claim(
            "Table 5: one joint is cut, a spherical one",
            1,
            len(cuts),
            [e.kind for e in cuts] == ["spherical"],
            f"joint {cuts[0].name}",
        ),
        Claim(
            "Table 5: constraint equations",
            1,
            report.equations,
            report.equations == 3,
            "the paper counts the cut joint; a cut spherical joint has three equations (erratum "
            "E-6)",
        ),
        Claim(
            "Fig. 4: the coupler can spin about its axis",
            "passive freedom of body 2",
            list(report.idle),
            report.mobility == 2 and report.idle == ("coupler",),
            "5 velocities - 3 equations = 2 degrees of freedom: the motion and the spin",
        ),
        Claim(
            "Table 5: Cartesian coordinates",
            28,
            cartesian["nq"],
            cartesian["nq"] + 7 == 28,
            "seven per body: the paper counts the ground as a body, Kinetree the three that move",
        ),
        Claim(
            "Table 5: Cartesian constraint equations",
            16,
            cartesian["ng"],
            cartesian["ng"] == 16,
            "2 x 5 + 2 x 3",
        ),
    ]


def _motion(run) -> list[Claim]:
    ours, reference = run["crank.acceleration.z"], crank_centre_acceleration(run.t)
    marks, extremes = ours[MARKS], np.array([ours.min(), ours.max()])
    expected = [reference.min(), reference.max()]
    return [
        Claim(
            "Fig. 5: vertical acceleration of the center of body 1 at 0, 0.5, 1, 1.5, 2 s",
            None,
            np.round(marks, 4),
            agrees(marks, reference[MARKS], atol=5e-5),
            f"m/s^2; two angles and one distance by hand give {_four(reference[MARKS])}",
        ),
        Claim(
            "Fig. 5: range of that acceleration",
            None,
            np.round(extremes, 3),
            agrees(extremes, expected, atol=5e-4),
            f"m/s^2; by hand {expected[0]:.3f} to {expected[1]:.3f}",
        ),
    ]


def _constraints(run) -> list[Claim]:
    worst, drift = run.constraint_error.max(), run.energy.drift
    return [
        Claim(
            "constraint error at every accepted step",
            None,
            worst,
            worst <= 1e-10,
            "m; allowed 1e-10",
        ),
        Claim(
            "energy drift over 2 s",
            None,
            drift,
            abs(drift) <= 1e-7,
            "relative to the energy in motion; allowed 1e-7 at rtol 1e-9",
        ),
    ]


def _agreement(relative, cartesian) -> Claim:
    names = [
        f"{body}.{what}"
        for body in ("crank", "coupler", "rocker")
        for what in ("position", "velocity")
    ]
    worst = max(float(np.abs(relative[name] - cartesian[name]).max()) for name in names)
    return Claim(
        "Fig. 5: relative and Cartesian coordinates give the same motion",
        "curves agree",
        worst,
        worst <= 1e-6,
        "m and m/s, largest difference of any body over 2 s at rtol 1e-9; allowed 1e-6",
    )


def _four(values: np.ndarray) -> str:
    return ", ".join(f"{v:.4f}" for v in values)
