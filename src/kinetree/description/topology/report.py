"""The topology report: spanning tree, cut joints, counts and mobility.

This module counts. Quantities that need mechanics (the rank of the constraint Jacobian, redundant
rows, idle degrees of freedom) are computed by the caller and passed in.

    mobility by counting (Gruebler)  =  coordinates - equations
    mobility by rank                 =  coordinates - rank G
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from ...core.display import Printable
from ...errors import no_such
from .draw import draw_loop, draw_tree, plural, wrap
from .graph import GROUND, Edge, distance_matrix
from .loops import Loop, loops
from .tree import Tree

CHOSEN = {
    "dijkstra": "shortest weighted paths from ground",
    "minimum": "fewest cut equations",
    "shallow": "fewest cut equations, kept close to ground",
}


@dataclass(frozen=True, repr=False)
class TopologyReport(Printable):
    """Spanning tree, cut joints, counts, mobility and redundant constraints of a model.

    Returned by `Model.topology`; ``print`` shows it as text.

    Attributes
    ----------
    name : str
        Name of the model.
    tree : Tree
        The spanning tree and the cut joints.
    extra : tuple of (str, int)
        Drivers, distances and couplings with their numbers of equations.
    rank : int or None
        Rank of the constraint Jacobian G; None if the model cannot be assembled.
    redundant : tuple of (str, int)
        Cut joints and constraints with redundant equations, and how many.
    planar : tuple of str
        Cut joints whose loop moves in one plane.
    idle : tuple of str
        Bodies that can rotate about the line through their joints without moving any other body.
    nearby : int or None
        Rank of the constraint Jacobian next to the given position; None if it is the same there.
    change_point : str
        Description of the change point if the given position is one, else empty.
    displaced : str
        Sentence about bodies that joints moved far from their drawing, else empty.
    beams : tuple of str
        Beams, which the report counts as rigid bodies.
    position_rank : int or None
        Rank of the equations that restrict positions; None if no equation restricts velocities
        alone.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> report = four_bar().topology()
    >>> report.coordinates, report.equations, report.mobility
    (3, 5, 1)
    """

    name: str
    tree: Tree
    extra: tuple[
        tuple[str, int], ...
    ] = ()  # drivers, distances, couplings: name and number of equations
    rank: int | None = None  # numerical rank of the constraint Jacobian G in the given pose
    redundant: tuple[
        tuple[str, int], ...
    ] = ()  # cut joint or extra, and how many of its equations follow from others anywhere
    planar: tuple[str, ...] = ()  # cut joints whose loop moves in one plane
    idle: tuple[
        str, ...
    ] = ()  # bodies that spin idly about the line through their joints, or whole sentences
    nearby: int | None = None  # rank of G in positions next to the given one; None: the same
    change_point: str = ""  # the sentence to say if that is more
    displaced: str = ""  # the sentence about bodies that joints moved far from the drawing
    beams: tuple[str, ...] = ()  # counted as rigid bodies
    position_rank: int | None = None  # rank of the equations of positions, where it differs

    def __post_init__(self) -> None:
        owners = self._owners
        for name, _ in self.redundant:
            if name not in owners:
                raise no_such("constraint", name, owners, f" in model {self.name!r}")

    @property
    def _owners(self) -> dict[str, int]:
        """Number of equations of each cut joint and constraint."""
        return {e.name: e.equations for e in self.tree.cuts} | dict(self.extra)

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """The independent loops, one per cut joint."""
        return loops(self.tree)

    @property
    def coordinates(self) -> int:
        """Number of relative coordinates (velocities) of the tree."""
        return self.tree.coordinates

    @property
    def equations(self) -> int:
        """Number of constraint equations of cut joints and constraints."""
        return self.tree.cut_equations + sum(n for _, n in self.extra)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The ground and all bodies, in the order of the rows of the two matrices below."""
        return (GROUND, *self.tree.order)

    @property
    def distance_matrix(self) -> np.ndarray:
        """Weight of the lightest joint between two nodes, 0 if there is none [Lee1994, sec. 2]."""
        rows = [self.tree.graph.index[name] for name in self.nodes]
        return distance_matrix(self.tree.graph)[np.ix_(rows, rows)]

    @property
    def path_matrix(self) -> np.ndarray:
        """1 if node j is on the path from the ground to node i, else 0 [Lee1994, sec. 2]."""
        return self.tree.pi

    @property
    def gruebler(self) -> int:
        """Mobility by counting: coordinates minus equations."""
        return self.coordinates - self.equations

    @property
    def mobility(self) -> int | None:
        """Mobility by rank: coordinates minus the rank of G; None if the rank is not known."""
        return None if self.rank is None else self.coordinates - self.rank

    @property
    def mobility_nearby(self) -> int | None:
        """Mobility by rank next to the given position; smaller than there at a change point."""
        return self.mobility if self.nearby is None else self.coordinates - self.nearby

    @property
    def mobility_positions(self) -> int | None:
        """Number of independent positions: larger than `mobility`, which counts velocities, if
        wheels roll or blades do not slip sideways.
        """
        if self.position_rank is None:
            return self.mobility
        return self.coordinates - self.position_rank

    @property
    def cartesian(self) -> tuple[int, int]:
        """Numbers of velocities and equations with six coordinates per body, all joints cut but
        those inside flexible bodies, which have the modes.
        """
        inner = [e for e in self.tree.graph.edges if e.inner]
        cut = [e for e in self.tree.graph.edges if not e.inner]
        free = len(self.tree.graph.bodies) - len(inner)
        return 6 * free + sum(e.dofs for e in inner), sum(e.equations for e in cut) + sum(
            n for _, n in self.extra
        )

    def __str__(self) -> str:
        parts = (
            wrap(self.displaced),
            self._heading(),
            draw_tree(self.tree),
            self._cuts(),
            self._counts(),
            self._words(),
        )
        return "\n\n".join(part for part in parts if part)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, names and lists, ready for JSON.

        Returns
        -------
        dict
            All quantities of the report by name.
        """
        return {
            "name": self.name,
            "method": self.tree.method,
            "bodies": list(self.tree.graph.bodies),
            "joints": [_joint_dict(e) for e in self.tree.graph.edges],
            "tree": [
                {**{f.name: getattr(b, f.name) for f in fields(b)}, "joint": b.joint.name}
                for b in self.tree.branches
            ],
            "cuts": [e.name for e in self.tree.cuts],
            "loops": [_loop_dict(loop) for loop in self.loops],
            "coordinates": self.coordinates,
            "cut_equations": self.tree.cut_equations,
            "extra": dict(self.extra),
            "equations": self.equations,
            "cartesian": dict(zip(("coordinates", "equations"), self.cartesian)),
            "gruebler": self.gruebler,
            "rank": self.rank,
            "mobility": self.mobility,
            "mobility_positions": self.mobility_positions,
            "mobility_nearby": self.mobility_nearby,
            "redundant": dict(self.redundant),
            "planar": list(self.planar),
            "idle": list(self.idle),
        }

    def _heading(self) -> str:
        graph = self.tree.graph
        return (
            f"Topology of {self.name!r}: {plural(len(graph.bodies), 'body')}, "
            f"{plural(len(graph.edges), 'joint')}, "
            f"{plural(len(self.tree.cuts), 'independent loop')}\n"
            f"Tree: {self.tree.method} ({CHOSEN[self.tree.method]}), "
            f"{plural(self.tree.depth, 'level')}"
        )

    def _cuts(self) -> str:
        if not self.tree.cuts:
            return "No joint is cut: the model is a tree."
        return "Cut joints\n" + "\n".join(draw_loop(loop) for loop in self.loops)

    def _counts(self) -> str:
        rows = [
            ("relative coordinates", self.coordinates, self.equations),
            ("Cartesian coordinates", *self.cartesian),
        ]
        lines = [f"{'Counts':25}{'velocities':>10}{'equations':>11}"]
        lines += [
            f"  {what:23}{velocities:10}{equations:11}" for what, velocities, equations in rows
        ]
        if self.extra:
            lines.append(
                wrap("  of these from " + ", ".join(f"{name} ({n})" for name, n in self.extra))
            )
        return "\n".join(lines)

    def _words(self) -> str:
        sentences = [
            self._mobility(),
            self._velocities_alone(),
            self._flexible(),
            self.change_point,
            *self._redundancies(),
            *(_idle(what, self.tree) for what in self.idle),
        ]
        return "\n".join(wrap(sentence) for sentence in sentences if sentence)

    def _mobility(self) -> str:
        if self.mobility is None:
            return f"Mobility by counting (Gruebler): {self.gruebler}."
        still = (
            " There are no degrees of freedom: the model stands still or follows its drivers."
            if self.mobility == 0 and not self.beams
            else ""
        )
        if self.mobility_nearby != self.mobility:
            return (
                f"Mobility by counting (Gruebler): {self.gruebler}; by rank of the constraint "
                f"Jacobian: {self.mobility} in this position, {self.mobility_nearby} next to it."
            )
        if self.mobility == self.gruebler:
            return (
                "Mobility by counting (Gruebler) and by rank of the constraint Jacobian: "
                f"{self.mobility}.{still}"
            )
        return (
            f"Mobility by counting (Gruebler): {self.gruebler}; "
            f"by rank of the constraint Jacobian: {self.mobility}.{still}"
        )

    def _velocities_alone(self) -> str:
        """The two mobilities of a model with equations of velocities alone."""
        if self.position_rank is None:
            return ""
        return (
            f"Positions have the mobility {self.mobility_positions}, velocities "
            f"{self.mobility}: some equations restrict velocities alone (non-holonomic)."
        )

    def _flexible(self) -> str:
        """What the counts do not contain if the model has beams."""
        if not self.beams:
            return ""
        if len(self.beams) == 1:
            return (
                f"Beam {self.beams[0]!r} is counted as a rigid body here. In a run it bends and "
                "stretches: the model can vibrate, and the forces in redundant joints follow from "
                "its stiffness."
            )
        return (
            "Beams are counted as rigid bodies here. In a run they bend and stretch: the model can "
            "vibrate, and the forces in redundant joints follow from their stiffness."
        )

    def _redundancies(self) -> list[str]:
        known = sum(n for _, n in self.redundant)
        rank = self.rank if self.nearby is None else self.nearby
        others = 0 if rank is None else self.equations - rank - known
        owners, cuts, planar = self._owners, {e.name for e in self.tree.cuts}, set(self.planar)
        sentences = [
            _redundancy(name, n, owners[name], name in cuts, name in planar)
            for name, n in self.redundant
            if not self.beams
        ]
        if others > 0 and not self.beams:
            sentences.append(
                f"{plural(others, 'equation')} of {self.equations} {_are(others)} redundant: "
                f"the others imply {'it' if others == 1 else 'them'}."
            )
        return sentences


def _redundancy(name: str, n: int, total: int, cut: bool, planar: bool) -> str:
    why = "the other constraints already imply it"
    if cut:
        why = (
            "the geometry of the loop already closes it in these directions (its axes are parallel, "
            "intersect in one point, or coincide)"
        )
    if planar:
        why = "the loop is planar but has spatial joints"
    return (
        f"{_share(n, total)} of {'joint' if cut else 'constraint'} {name!r} {_are(n)} redundant: "
        f"{why}; motion is unaffected, reactions in those directions are not unique."
    )


def _share(n: int, total: int) -> str:
    if n < total:
        return f"{n} of the {total} equations"
    return "The only equation" if total == 1 else f"All {total} equations"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _idle(what: str, tree: Tree) -> str:
    if what in tree.branch:
        return (
            f"Idle degree of freedom: {what} can rotate about the line through its joints without "
            "moving any other body."
        )
    return what


def _joint_dict(joint: Edge) -> dict[str, Any]:
    found = asdict(joint)
    return {**found, "freedoms": found.pop("dofs"), "equations": joint.equations}


def _loop_dict(loop: Loop) -> dict[str, Any]:
    return {
        "cut": loop.cut.name,
        "ancestor": loop.ancestor,
        "bodies": list(loop.bodies),
        "joints": [e.name for e in loop.joints],
        "signs": list(loop.signs),
    }
