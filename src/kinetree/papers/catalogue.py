"""The published examples: append only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..errors import no_such
from . import euler, excavator, five_dof, flyball, parallelogram, projection, quarter_car, ralf, ralf_open, rssr
from .claim import Claim


class Entry(NamedTuple):
    """One line of the catalogue."""

    name: str
    summary: str
    source: str
    check: Callable[[], list[Claim]]


PAPERS: tuple[Entry, ...] = (
    Entry("rssr", "RSSR mechanism in relative and Cartesian coordinates", "Lee1994, sec. 7.2", rssr.check),
    Entry("five-dof", "vehicle with five freedoms on a road", "Lee1994, sec. 7.3", five_dof.check),
    Entry("euler-1", "explicit Euler on a stiff system", "Han1994, Table 1", euler.check_table_1),
    Entry("euler-2", "explicit Euler on a stiffer system", "Han1994, Table 2", euler.check_table_2),
    Entry("projection", "the projection method as printed and as corrected", "Kim1997, eqs. (3.7)-(4.13)", projection.check),
    Entry("parallelogram", "null space and folding of the rigid parallelogram", "LeeJoo, eqs. (70)-(72)", parallelogram.check),
    Entry("quarter-car", "body and wheel with a damper that stiffens as time passes", "Han1994, ex. 2", quarter_car.check),
    Entry("flyball", "flyball governor with very stiff springs", "IFToMM A05, Gonzalez2006", flyball.check),
    Entry("excavator", "boom, arm and bucket on hydraulic cylinders that grow stiff", "Han1994, ex. 1", excavator.check),
    Entry("ralf-open", "velocity terms of two flexible links, derived and as printed", "LeeJoo, eqs. (51)-(66)", ralf_open.check),
    Entry("ralf", "manipulator with flexible links in a closed loop", "LeeJoo, eqs. (36)-(50), (67)-(72)", ralf.check),
)


def paper_entry(name: str) -> Entry:
    """The entry of that name."""
    for entry in PAPERS:
        if entry.name == name:
            return entry
    raise no_such("paper", name, [entry.name for entry in PAPERS])
