"""[Han1994]."""

from __future__ import annotations

import functools

import kinetree as kt
from kinetree.apps.papers import euler, excavator, quarter_car, three_methods
from kinetree.apps.papers.claim import Claim
from kinetree.apps.papers.references import quarter_car as quarter_car_reference
from kinetree.models import excavator as excavator_data

from .tools import Apply, Mutation, altered, both, loose, one_more_body, times, value, wrapped

ROWS = tuple(f"{h}: the {which}" for h in ("1e-2", "1e-4", "1e-6") for which in ("printed", "true"))


def _equation_4_misread(t, y, ydot):
    ydot[0] = 997.0 * y[0] + 1998.0 * y[1]
    ydot[1] = -999.0 * y[0] - 1999.0 * y[1]


EULER = (
    Mutation(
        "euler-1",
        "997 for 998 in eq. (4)",
        value(euler, "EQUATION_4", euler.EQUATION_4._replace(f=_equation_4_misread)),
        ("eigenvalues", "exact row", *ROWS, "stable for h", "PECE needs"),
    ),
    Mutation(
        "euler-2",
        "eq. (4) in the place of (7)",
        value(euler, "EQUATION_7", euler.EQUATION_7._replace(f=euler._equation_4)),
        (
            "eigenvalues",
            "exact row",
            *ROWS,
            "labelled h = 1e-5",
            "Euler converges",
            "stable for h",
            "PECE needs",
        ),
    ),
)


def _smaller_L(patch) -> None:
    real = three_methods.radius
    for module in (three_methods, excavator, quarter_car):
        patch.setattr(module, "radius", lambda *args: 0.9 * real(*args))


def _methods(swap: dict[str, str]) -> Apply:
    def apply(patch) -> None:
        for name, other in swap.items():
            patch.setitem(three_methods.METHODS, name, {"integrator": other})

    return apply


EVERY = tuple(f"by {name}" for name in three_methods.METHODS)
QUARTER_CAR = (
    Mutation(
        "quarter-car",
        "L of the linear equations 10 % too small",
        _smaller_L,
        ("L at 0", "L is the spectral radius", "L passes", "the estimate of L"),
    ),
    Mutation(
        "quarter-car",
        "a wheel of 60 kg in the equations by hand",
        value(quarter_car_reference, "M2", 60.0),
        ("the damper is", *EVERY),
    ),
    Mutation(
        "quarter-car",
        "a lighter wheel in the model",
        wrapped(quarter_car, "quarter_car", lambda real: real(wheel=30.0)),
        ("L at 0", "changes from PECE to BDF", *EVERY),
    ),
    Mutation(
        "quarter-car",
        "BDF by Adams and Adams by BDF",
        _methods({"PECE": "bdf", "BDF": "adams"}),
        ("Table 4: cost", "Fig. 9: PECE is cheaper"),
    ),
    Mutation(
        "quarter-car",
        "the calibrated method is Adams",
        _methods({"SM, calibrated": "adams"}),
        ("Table 4: calibrated",),
    ),
    Mutation(
        "quarter-car",
        "one more body",
        altered(quarter_car, "quarter_car", one_more_body),
        ("two degrees of freedom",),
        lambda: [quarter_car._counts(quarter_car.quarter_car())],
    ),
)


def _shut() -> list[Claim]:
    model, how = excavator.excavator(), {"rtol": 1e-6, "output_interval": 0.05}
    run = kt.simulate(model, 1.0, **how)
    return [
        excavator._stiffness(model, run),
        excavator._extensions(run),
        excavator._switch(kt.simulate(model, 1.0, integrator="switching", calibrate=False, **how)),
    ]


def _pressed() -> list[Claim]:
    return [
        excavator._pressures(
            kt.simulate(excavator.excavator(), 1.0, rtol=1e-6, output_interval=0.01)
        )
    ]


def _balanced() -> list[Claim]:
    return excavator._account(
        kt.simulate(excavator.excavator(), 0.5, rtol=1e-8, output_interval=0.001)
    )


def _one_sign(real, *args, printed_sign: bool = False, **kwargs):
    return real(*args, **kwargs)


EXCAVATOR = (
    Mutation(
        "excavator",
        "L of the linear equations 10 % too small",
        _smaller_L,
        ("L passes 1500", "the estimate of L"),
    ),
    Mutation(
        "excavator",
        "valves that stay shut",
        wrapped(excavator, "excavator", lambda real: real(0.0)),
        ("L grows", "pistons move", "follows PECE"),
        _shut,
    ),
    Mutation(
        "excavator",
        "oil half as stiff",
        times(excavator_data, "BULK_MODULUS", 0.5),
        ("L passes 1500",),
    ),
    Mutation(
        "excavator",
        "BDF by Adams and Adams by BDF",
        _methods({"PECE": "bdf", "BDF": "adams"}),
        ("Figs. 4, 5",),
    ),
    Mutation(
        "excavator",
        "the switching method never switches",
        _methods({"SM": "adams"}),
        ("Fig. 5: the switching", "Table 3: SM"),
    ),
    Mutation(
        "excavator",
        "a loose tolerance",
        both(loose(1e-2)),
        (*(f"Fig. 6: acceleration of the hoe, {by}" for by in EVERY), "pump work"),
    ),
    Mutation(
        "excavator",
        "the friction of the seals left out",
        value(excavator, "_friction", lambda run, name: 0.0 * run.t),
        ("the mechanical part",),
        _balanced,
    ),
    Mutation(
        "excavator",
        "a supply of three times the pressure",
        times(excavator_data, "SUPPLY", 3.0),
        ("pressures stay",),
        _pressed,
    ),
    Mutation(
        "excavator",
        "no cylinder with the sign as printed",
        lambda patch: patch.setattr(
            kt, "HydraulicCylinder", functools.partial(_one_sign, kt.HydraulicCylinder)
        ),
        ("eq. (18)",),
        lambda: [excavator._printed_sign()],
    ),
    Mutation(
        "excavator",
        "one more body",
        altered(excavator, "excavator", one_more_body),
        ("three degrees of freedom",),
        lambda: [excavator._counts(excavator.excavator())],
    ),
)

MUTATIONS = (*EULER, *QUARTER_CAR, *EXCAVATOR)
