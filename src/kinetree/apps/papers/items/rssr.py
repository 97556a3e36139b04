"""[Lee1994] Figs. 4, 5 and Table 5: the RSSR mechanism."""

from __future__ import annotations

from functools import partial

import kinetree as kt

from ....models.rssr import rssr
from ....viewer.picture import draw as draw_model
from ..item import CORRECTED, REPRODUCED, Item, Table
from ..references.rssr import crank_centre_acceleration
from ..rssr import UNTIL
from .costs import cost, seconds
from .curves import OTHER, THIRD, Line, Panel, panels


def figure_4(path) -> None:
    """Draw the mechanism with the names of its parts."""
    draw_model(rssr(), path)


def figure_5(path) -> None:
    """Draw (a) relative and (b) Cartesian coordinates, and the equations by hand."""
    a, b = (
        kt.simulate(rssr(), UNTIL, coordinates=c, rtol=1e-9, output_interval=0.005)
        for c in ("relative", "cartesian")
    )
    panels(
        path,
        [
            Panel(
                "z acceleration of body 1 [m/s²]",
                [
                    Line("(a) relative", a.t, a["crank.acceleration.z"]),
                    Line("(b) Cartesian", b.t, b["crank.acceleration.z"], OTHER),
                    Line(
                        "by hand: two angles, one distance",
                        a.t,
                        crank_centre_acceleration(a.t),
                        THIRD,
                    ),
                ],
            )
        ],
        xlim=(0, UNTIL),
        height=3.4,
    )


def table_5() -> Table:
    """Count coordinates and constraints, and measure the times."""
    model = rssr()
    sizes = {c: kt.assemble(model, coordinates=c).compiled.size for c in ("relative", "cartesian")}
    found = {
        c: cost(
            partial(
                kt.simulate,
                model,
                UNTIL,
                rtol=1e-6,
                output_interval=0.01,
                coordinates=c,
                progress=False,
            )
        )
        for c in sizes
    }
    r, c = found["relative"], found["cartesian"]
    return Table(
        ("", "relative", "Cartesian", "ratio", "paper: relative", "paper: DADS", "paper: ratio"),
        (
            (
                "generalized coordinates (as velocities)",
                sizes["relative"]["nv"],
                sizes["cartesian"]["nv"],
                "",
                5,
                28,
                "",
            ),
            (
                "the same with Euler parameters",
                sizes["relative"]["nq"],
                f"{sizes['cartesian']['nq']}, with the ground 28",
                "",
                "",
                28,
                "",
            ),
            (
                "constraint equations",
                sizes["relative"]["ng"],
                sizes["cartesian"]["ng"],
                "",
                1,
                16,
                "",
            ),
            (
                "CPU time, whole call",
                seconds(r.call),
                seconds(c.call),
                f"{c.call / r.call:.2f}",
                "0.86 s",
                "4.76 s",
                "5.53",
            ),
            (
                "CPU time, solver alone",
                seconds(r.solver),
                seconds(c.solver),
                f"{c.solver / r.solver:.2f}",
                "",
                "",
                "",
            ),
        ),
        f'{UNTIL:g} s of motion at rtol 1e-6; all columns without "paper" are Kinetree; DADS '
        "was not available.",
    )


ITEMS = (
    Item(
        "Lee1994",
        "Fig. 4",
        "drawing",
        "rssr",
        "The RSSR mechanism",
        "two revolute and two spherical joints; links 1 and 3 of 0.5 m",
        REPRODUCED,
        "Joints, masses of 1 kg and links of 0.5 m are as stated; pivots and length of the "
        "coupler are proposed.",
        draw=figure_4,
    ),
    Item(
        "Lee1994",
        "Fig. 5",
        "figure",
        "rssr",
        "Acceleration of body 1 along z over 2 s: (a) relative, (b) Cartesian coordinates",
        "both curves agree; the relative one is not smooth because its output steps differ",
        REPRODUCED,
        "Relative coordinates, Cartesian coordinates and equations by hand give one curve. It is "
        "smooth because all are sampled at the same times. Geometry and initial state are "
        "proposed.",
        draw=figure_5,
    ),
    Item(
        "Lee1994",
        "Table 5",
        "table",
        "rssr",
        "RSSR mechanism: coordinates, constraints, CPU time",
        "5 against 28 coordinates, 1 against 16 constraints, and 5.53 times less CPU time than DADS",
        CORRECTED,
        "One joint is cut, and it is spherical: there are 3 constraint equations and not 1 "
        "(erratum E-6). The other counts are those of the paper. Relative coordinates are faster, "
        "for a mechanism of this size by a smaller factor than in the paper.",
        tabulate=table_5,
    ),
)
