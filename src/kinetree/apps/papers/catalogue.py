"""The examples of the papers, in the order in which they were added (append only)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...errors import no_such
from . import (
    beam,
    euler,
    excavator,
    five_dof,
    flyball,
    joint_tables,
    lane_change,
    parallelogram,
    projection,
    quarter_car,
    ralf,
    ralf_open,
    rssr,
    springs,
    tracked_vehicle,
)
from .claim import Claim


class Entry(NamedTuple):
    """One line of the catalogue."""

    name: str
    summary: str
    source: str
    check: Callable[[], list[Claim]]
    figure: Callable[[Any], None] | None = None  # its main figure, written to a path


PAPERS: tuple[Entry, ...] = (
    Entry(
        "rssr",
        "RSSR mechanism in relative and Cartesian coordinates",
        "Lee1994, sec. 7.2",
        rssr.check,
    ),
    Entry(
        "five-dof",
        "vehicle with five degrees of freedom on a road",
        "Lee1994, sec. 7.3",
        five_dof.check,
    ),
    Entry("euler-1", "explicit Euler on a stiff system", "Han1994, Table 1", euler.check_table_1),
    Entry("euler-2", "explicit Euler on a stiffer system", "Han1994, Table 2", euler.check_table_2),
    Entry(
        "projection",
        "the projection method as printed and as corrected",
        "Kim1997, eqs. (3.7)-(4.13)",
        projection.check,
    ),
    Entry(
        "parallelogram",
        "null space and folding of the rigid parallelogram",
        "LeeJoo, eqs. (70)-(72)",
        parallelogram.check,
    ),
    Entry(
        "quarter-car",
        "body and wheel with a damper that stiffens as time passes",
        "Han1994, ex. 2",
        quarter_car.check,
    ),
    Entry(
        "flyball",
        "flyball governor with very stiff springs",
        "IFToMM A05, Gonzalez2006",
        flyball.check,
        flyball.figure,
    ),
    Entry(
        "excavator",
        "boom, arm and bucket on hydraulic cylinders that grow stiff",
        "Han1994, ex. 1",
        excavator.check,
    ),
    Entry(
        "ralf-open",
        "velocity terms of two flexible links, derived and as printed",
        "LeeJoo, eqs. (51)-(66)",
        ralf_open.check,
    ),
    Entry(
        "ralf",
        "manipulator with flexible links in a closed loop",
        "LeeJoo, eqs. (36)-(50), (67)-(72)",
        ralf.check,
    ),
    Entry(
        "tracked-vehicle",
        "hull on twelve road arms crossing a bump",
        "Lee1994, sec. 7.1",
        tracked_vehicle.check,
    ),
    Entry(
        "lane-change",
        "car with McPherson struts and a twist axle",
        "Kim1997, sec. 6",
        lane_change.check,
    ),
    Entry(
        "spring-linear",
        "mass on a linear spring with three rules of one step",
        "Yun2005, ex. 1",
        springs.check_linear,
    ),
    Entry(
        "spring-quartic",
        "mass on a quartic spring: where energy is lost and won",
        "Yun2005, ex. 2",
        springs.check_quartic,
    ),
    Entry(
        "flexible-joint",
        "two bodies with a quartic and a torsion spring between them",
        "Yun2005, ex. 3",
        springs.check_joint,
    ),
    Entry(
        "joint-tables",
        "weights of the joints, blocks of B and Bdot",
        "Lee1994, Tables 1-3",
        joint_tables.check,
    ),
    Entry(
        "beam",
        "free and pinned beams in space with large rotations",
        "Yun2005, sec. 2",
        beam.check,
        beam.figure,
    ),
)


def paper_entry(name: str) -> Entry:
    """Return the entry of that name."""
    for entry in PAPERS:
        if entry.name == name:
            return entry
    raise no_such("paper", name, [entry.name for entry in PAPERS])
