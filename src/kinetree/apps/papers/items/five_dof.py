"""[Lee1994] Figs. 6 to 12: the vehicle with five degrees of freedom, in inches."""

from __future__ import annotations

from functools import cache

import numpy as np

from ....models.five_dof import five_dof
from ....models.units import INCH
from ....viewer.picture import draw as draw_model
from ..five_dof import HISTORIES, UNTIL, run_on
from ..item import REPRODUCED, Item
from ..references.five_dof import SPEED, histories, road
from .curves import OTHER, Line, Panel, panels

_RELATIVE = {  # against the chassis: channel, and the same in linear coordinates
    8: ("seat slide.displacement", (1, -1, -10, 0, 0)),
    11: ("front slide.displacement", (0, -1, -40, 1, 0)),
    12: ("rear slide.displacement", (0, -1, 80, 0, 1)),
}


@cache
def found() -> tuple:
    """Return the run on the full road, and the linear equations by hand."""
    run = run_on(1.0)
    return run, histories(run.t)[0]


def figure_6(path) -> None:
    """Draw the vehicle."""
    draw_model(five_dof(), path, names=False)


def figure_7(path) -> None:
    """Draw the height of the road."""
    x = np.linspace(-60.0, 760.0, 800)
    panels(
        path,
        [Panel("height [in]", [Line("road", x, [road(s)[0] for s in x])], ylim=(-1, 12))],
        "distance [in]",
    )


def history(number: int, path) -> None:
    """Draw (a) the linear equations, (b) relative coordinates; below, where there is one, the
    displacement relative to the chassis.
    """
    run, z = found()
    k = [row[0] for row in HISTORIES].index(number)
    _, name, unit, channel, scale, _ = HISTORIES[k]
    what = "pitch angle" if unit == "rad" else f"{name}, vertical"
    shown = [
        Panel(
            f"{what} [{unit}]",
            [
                Line("(b) relative coordinates", run.t, run[channel] / scale),
                Line("(a) linear equations by hand", run.t, z[:, k], OTHER),
            ],
        )
    ]
    if number in _RELATIVE:
        slide, row = _RELATIVE[number]
        shown.append(
            Panel(
                "against the chassis [in]",
                [
                    Line("(b) relative coordinates", run.t, run[slide] / INCH),
                    Line("(a) linear equations by hand", run.t, z @ np.array(row), OTHER),
                ],
            )
        )
    panels(path, shown, xlim=(0, UNTIL))


def _history_item(number: int, caption: str) -> Item:
    both = (
        " The text of the paper speaks of relative displacements, its captions of vertical ones; "
        "both are drawn."
        if number in _RELATIVE
        else ""
    )
    return Item(
        "Lee1994",
        f"Fig. {number}",
        "figure",
        "five-dof",
        f"{caption} over 2.5 s at 450 in/s: (a) analytic equations, (b) relative coordinates",
        "the analytic and the relative solution agree",
        REPRODUCED,
        "The two curves differ by less than 0.5 %, because the linear equations assume a small "
        f"pitch; on a road a thousand times lower they agree to 1e-6.{both}",
        draw=lambda path: history(number, path),
    )


ITEMS = (
    Item(
        "Lee1994",
        "Fig. 6",
        "drawing",
        "five-dof",
        "The vehicle with five degrees of freedom",
        "chassis, driver's seat, front and rear wheel joined by translational joints with "
        "spring-damper-actuators",
        REPRODUCED,
        "Bodies and joints are as stated. The paper prints no data; those of the classical "
        "problem are proposed.",
        draw=figure_6,
    ),
    Item(
        "Lee1994",
        "Fig. 7",
        "drawing",
        "five-dof",
        f"The road, passed at {SPEED:g} in/s",
        "the profile that the wheels follow",
        REPRODUCED,
        "The paper prints no data; drawn are those of the classical problem, y0 = 5 in, l1 = 360 "
        "in, l2 = 144 in.",
        draw=figure_7,
    ),
    _history_item(8, "Vertical displacement of the driver's seat"),
    _history_item(9, "Vertical displacement of the chassis"),
    _history_item(10, "Pitch of the chassis"),
    _history_item(11, "Vertical displacement of the front wheel"),
    _history_item(12, "Vertical displacement of the rear wheel"),
)
