"""The topology report of a model: tree, cut joints, counts and mobility as text.

This module counts. The caller computes what needs mechanics: the rank of the constraint Jacobian,
redundant equations, and idle degrees of freedom.

    mobility by counting (Gruebler)  =  coordinates - equations
    mobility by rank                 =  coordinates - rank G
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from functools import cached_property

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
    """What the topology says, and what the mechanics adds if it was asked."""

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

    def __post_init__(self) -> None:
        owners = self._owners
        for name, _ in self.redundant:
            if name not in owners:
                raise no_such("constraint", name, owners, f" in model {self.name!r}")

    @property
    def _owners(self) -> dict[str, int]:
        """Who brings how many equations."""
        return {e.name: e.equations for e in self.tree.cuts} | dict(self.extra)

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        return loops(self.tree)

    @property
    def coordinates(self) -> int:
        return self.tree.coordinates

    @property
    def equations(self) -> int:
        return self.tree.cut_equations + sum(n for _, n in self.extra)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The ground and all bodies, in the order of the rows and columns of the two matrices
        below.
        """
        return (GROUND, *self.tree.order)

    @property
    def distance_matrix(self) -> np.ndarray:
        """Weight of the lightest joint between two nodes, 0 where there is none.  [Lee1994, sec. 2,
        "D"]
        """
        rows = [self.tree.graph.index[name] for name in self.nodes]
        return distance_matrix(self.tree.graph)[np.ix_(rows, rows)]

    @property
    def path_matrix(self) -> np.ndarray:
        """1 where node j lies on the path from the ground to node i, both included, else 0.
        [Lee1994, sec. 2]
        """
        return self.tree.pi

    @property
    def gruebler(self) -> int:
        """Mobility by counting."""
        return self.coordinates - self.equations

    @property
    def mobility(self) -> int | None:
        """Mobility by rank, if the rank is known."""
        return None if self.rank is None else self.coordinates - self.rank

    @property
    def mobility_nearby(self) -> int | None:
        """Mobility by rank next to the given position: less than there where that is a change
        point.
        """
        return self.mobility if self.nearby is None else self.coordinates - self.nearby

    @property
    def cartesian(self) -> tuple[int, int]:
        """Velocities and equations if every body had six coordinates of its own and every joint
        were cut.
        """
        graph = self.tree.graph
        return 6 * len(graph.bodies), sum(e.equations for e in graph.edges) + sum(
            n for _, n in self.extra
        )

    def __str__(self) -> str:
        parts = (self._heading(), draw_tree(self.tree), self._cuts(), self._counts(), self._words())
        return "\n\n".join(part for part in parts if part)

    def to_dict(self) -> dict:
        """Plain numbers, names and lists, ready for JSON."""
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
            self.change_point,
            *self._redundancies(),
            *(_idle(what, self.tree) for what in self.idle),
        ]
        return "\n".join(wrap(sentence) for sentence in sentences if sentence)

    def _mobility(self) -> str:
        if self.mobility is None:
            return f"Mobility by counting (Gruebler): {self.gruebler}."
        still = (
            " No degree of freedom is left: the model stands still or follows its drivers."
            if self.mobility == 0
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

    def _redundancies(self) -> list[str]:
        known = sum(n for _, n in self.redundant)
        rank = self.rank if self.nearby is None else self.nearby
        others = 0 if rank is None else self.equations - rank - known
        owners, cuts, planar = self._owners, {e.name for e in self.tree.cuts}, set(self.planar)
        sentences = [
            _redundancy(name, n, owners[name], name in cuts, name in planar)
            for name, n in self.redundant
        ]
        if others > 0:
            sentences.append(
                f"{plural(others, 'equation')} of {self.equations} {_are(others)} redundant: "
                f"the others imply {'it' if others == 1 else 'them'}."
            )
        return sentences


def _redundancy(name: str, n: int, total: int, cut: bool, planar: bool) -> str:
    why = "the other constraints already imply it"
    if cut:
        why = (
            "the geometry alone closes the loop in these directions (axes that are parallel, "
            "intersect in one point, or coincide)"
        )
    if planar:
        why = "the loop is planar but built from spatial joints"
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
            f"Idle degree of freedom: {what} can spin about the line through its joints without "
            "moving anything else."
        )
    return what


def _joint_dict(joint: Edge) -> dict:
    found = asdict(joint)
    return {**found, "freedoms": found.pop("dofs"), "equations": joint.equations}


def _loop_dict(loop: Loop) -> dict:
    return {
        "cut": loop.cut.name,
        "ancestor": loop.ancestor,
        "bodies": list(loop.bodies),
        "joints": [e.name for e in loop.joints],
        "signs": list(loop.signs),
    }
