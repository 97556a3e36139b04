"""[Han1994] Figs. 7 to 10 and Table 4: the quarter car with a damper that stiffens."""

from __future__ import annotations

from functools import partial

from ....models.quarter_car import quarter_car
from ....viewer.picture import draw as draw_model
from ..item import CORRECTED, REPRODUCED, Item
from ..quarter_car import INTERVAL, RTOL, UNTIL
from .three_methods import Example, costs, history, stiffness, table

EXAMPLE = Example(
    quarter_car, UNTIL, INTERVAL, RTOL, "body.acceleration.z", "acceleration of the mass [m/s²]"
)
PAPER = {"PECE": 38.25, "BDF": 6.89, "SM": 15.46}


def figure_7(path) -> None:
    """Draw the quarter car."""
    draw_model(quarter_car(), path)


ITEMS = (
    Item(
        "Han1994",
        "Fig. 7",
        "drawing",
        "quarter-car",
        "The quarter car",
        "body and wheel with spring, damper and tyre; the damper is not constant",
        CORRECTED,
        "The damper is read as 1000 x 10^t N s/m, the only reading of the illegible exponent that "
        "passes L = 1500 1/s at 1.7 s (erratum E-30).",
        draw=figure_7,
    ),
    Item(
        "Han1994",
        "Fig. 8",
        "figure",
        "quarter-car",
        "L over time",
        "L exceeds 1500 1/s at about 1.7 s",
        CORRECTED,
        "With the damper 1000 x 10^t (erratum E-30) L passes 1500 1/s at 1.72 s; masses and "
        "springs are proposed.",
        draw=partial(stiffness, EXAMPLE),
    ),
    Item(
        "Han1994",
        "Fig. 9",
        "figure",
        "quarter-car",
        "Cost per interval of 0.05 s of PECE, BDF and the switching method, in evaluations",
        "PECE is good at first, BDF when the car is over-damped; SM changes near 1.7 s",
        REPRODUCED,
        "PECE is cheaper only at first, and its cost grows with L. BDF stays cheap. SM changes at "
        "1.74 s.",
        draw=partial(costs, EXAMPLE, ("PECE", "BDF", "SM")),
    ),
    Item(
        "Han1994",
        "Fig. 10",
        "figure",
        "quarter-car",
        "Vertical acceleration of the mass by three methods",
        "the differences are negligible",
        REPRODUCED,
        "The three curves coincide with each other and with two linear equations by hand.",
        draw=partial(history, EXAMPLE),
    ),
    Item(
        "Han1994",
        "Table 4",
        "table",
        "quarter-car",
        "CPU time of the quarter car",
        "PECE 38.25 s, BDF 6.89 s, SM 15.46 s: BDF is the cheapest",
        REPRODUCED,
        "The order is that of the paper: BDF, SM, PECE, in evaluations of the right-hand side and "
        "in time.",
        tabulate=partial(table, EXAMPLE, PAPER),
    ),
)
