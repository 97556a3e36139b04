"""[Lee1994] Figs. 2, 3 and Table 4: the tracked vehicle."""

from __future__ import annotations

from functools import cache, partial

import numpy as np

import kinetree as kt

from ....core.figures import new, save
from ....models import tracked_vehicle as model
from ....viewer.picture import draw as draw_model
from ..item import REPRODUCED, Item, Table
from ..references.tracked_run import seat_acceleration
from ..tracked_vehicle import INTERVAL, RTOL, SEAT, TENSION, UNTIL, WITNESSED, with_track
from .costs import cost, seconds
from .curves import OTHER, THIRD, Line, Panel, as_image, panels


@cache
def runs() -> dict:
    """Return the runs without and with the track, in both kinds of coordinates."""
    plain = {
        c: kt.simulate(
            model.tracked_vehicle(), UNTIL, rtol=RTOL, output_interval=INTERVAL, coordinates=c
        )
        for c in ("relative", "cartesian")
    }
    return {"plain": plain, "track": {c: with_track(c) for c in plain}}


def figure_2(path) -> None:
    """Draw (a) the vehicle, (b) the road."""
    figure = new(figsize=(7.2, 7.0), layout="constrained")
    upper, lower = figure.subplots(2, 1, height_ratios=(3, 1))
    as_image(upper, draw_model(model.tracked_vehicle(), None, names=False, size=(7.2, 4.6)))
    upper.set_title(
        "(a) hull, twelve road arms with wheels, six torsion bars, six hydropneumatic units",
        fontsize="medium",
        loc="left",
    )
    x = np.linspace(19.0, 22.6, 1500)
    height = np.sqrt(np.clip(model.BUMP**2 - (x - model.BUMP_AT) ** 2, 0.0, None))
    lower.fill_between(x, height, -0.15, color="0.8")
    lower.plot(x, height, color="0.2")
    lower.set(
        xlabel="distance ahead of the hull's center at the start [m]",
        ylabel="height [m]",
        ylim=(-0.15, 0.6),
    )
    lower.set_aspect("equal")
    lower.set_title(
        "(b) road: half-round bump, radius 10 in = 0.254 m, 20.8 m ahead",
        fontsize="medium",
        loc="left",
    )
    save(figure, path)


def figure_3(path) -> None:
    """Draw (a) relative and (b) Cartesian coordinates, without and with the track."""
    found = runs()
    t = found["plain"]["relative"].t
    t = t[t <= WITNESSED]
    by_hand = Line("nine equations by hand", t, seat_acceleration(t), THIRD)
    panels(
        path,
        [
            Panel(
                "seat acceleration [m/s²]",
                [
                    Line("(a) relative coordinates", run["relative"].t, run["relative"][SEAT]),
                    Line(
                        "(b) Cartesian coordinates",
                        run["cartesian"].t,
                        run["cartesian"][SEAT],
                        OTHER,
                    ),
                    *more,
                ],
                title=title,
            )
            for title, run, more in (
                ("without a track", found["plain"], [by_hand]),
                (f"track, {TENSION / 1e3:g} kN on each side", found["track"], []),
            )
        ],
        xlim=(1.5, 3.0),
    )


def table_4() -> Table:
    """Count coordinates and constraints, and measure the times."""
    machine = model.tracked_vehicle()
    sizes = {
        c: kt.assemble(machine, coordinates=c).compiled.size for c in ("relative", "cartesian")
    }
    found = {
        c: cost(
            partial(
                kt.simulate,
                machine,
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
                "generalized coordinates",
                sizes["relative"]["nq"],
                sizes["cartesian"]["nq"],
                "",
                19,
                91,
                "",
            ),
            (
                "constraint equations",
                sizes["relative"]["ng"],
                sizes["cartesian"]["ng"],
                "",
                0,
                60,
                "",
            ),
            (
                "CPU time, whole call",
                seconds(r.call),
                seconds(c.call),
                f"{c.call / r.call:.2f}",
                "86.35 s",
                "533.99 s",
                "6.18",
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
        "was not available. Times depend on the computer.",
    )


ITEMS = (
    Item(
        "Lee1994",
        "Fig. 2",
        "drawing",
        "tracked-vehicle",
        "(a) The tracked vehicle, (b) the road profile",
        "a vehicle of 13 bodies, 12 revolute joints, 6 torsion bars, 6 hydropneumatic units and a "
        "track, and a bump of radius 10 in 20.8 m ahead",
        REPRODUCED,
        "Bodies, joints, torsion bars, hydropneumatic units and bump are as stated. Masses and "
        "dimensions are not printed; those of a K1 tank are proposed.",
        draw=figure_2,
    ),
    Item(
        "Lee1994",
        "Fig. 3",
        "figure",
        "tracked-vehicle",
        "Vertical acceleration at the driver's seat at 11 m/s, from before the bump on: (a) "
        "relative coordinates, (b) Cartesian coordinates",
        "the trends of the relative method and of DADS agree",
        REPRODUCED,
        "Relative and Cartesian coordinates give one curve, with and without a track, and nine "
        "equations of motion by hand give the same one without. The law of the track is not "
        "printed; a tension of 25 kN lowers the peak from 12.3 to 8.4 m/s².",
        draw=figure_3,
    ),
    Item(
        "Lee1994",
        "Table 4",
        "table",
        "tracked-vehicle",
        "Tracked vehicle: coordinates, constraints, CPU time",
        "19 against 91 coordinates, 0 against 60 constraints, and 6.18 times less CPU time than "
        "DADS",
        REPRODUCED,
        "The counts are those of the paper, and relative coordinates are several times faster. "
        "The factor of the paper compares two programs of 1994 and is printed beside ours.",
        tabulate=table_4,
    ),
)
