"""[Lee1994] Tables 1, 2 and 3."""

from __future__ import annotations

from .. import joint_tables as source
from ..item import CORRECTED, REPRODUCED, Item, Table

_BLOCKS = {
    "moving base": ("I, -d~A_j", "0, A_i^T A_j"),
    "revolute": ("-d~A_j u1'", "A_i^T A_j u1'"),
    "translational": ("A_j u1'", "0"),
    "cylindrical": ("-d~A_j u1', A_j u2'", "A_i^T A_j u1', 0"),
    "universal": ("-d~A_j u1', -d~A_j u2'", "A_i^T A_j [u1', u2']"),
    "spherical": ("-d~A_j [u1', u2', u3']", "A_i^T A_j [u1', u2', u3']"),
}


def _table_1() -> Table:
    rows = [
        (kind, *(f"{ours:g} ({paper:g})" for ours, paper in zip(source.counts(kind), row)))
        for kind, row in source.PRINTED.items()
    ]
    return Table(
        ("joint", "relative coordinates", "cut-joint constraints", "weighting factor"),
        tuple(rows),
        "Ours, and in brackets the paper's.",
    )


def _blocks(which: int, note: str) -> Table:
    found = {kind: source.errors(kind) for kind in source.JOINTS}
    found["moving base"] = (found["revolute"][2], found["revolute"][2], found["revolute"][2])
    rows = [
        (
            kind,
            *_BLOCKS[kind],
            f"{found[kind][which].printed:.1e}",
            f"{found[kind][which].corrected:.1e}",
        )
        for kind in _BLOCKS
        if which == 0 or kind != "moving base"
    ]
    return Table(
        ("joint of body j", "linear rows", "angular rows", "error as printed", "error corrected"),
        tuple(rows),
        note,
    )


_NOTE_2 = (
    "Errors are largest differences from B of the engine for a chain with offset joints, lengths "
    "near 0.5 m; printed: d from origin to origin, corrected: d from the joint point."
)
_NOTE_3 = (
    "Rows of Table 2 with d~A_j replaced by (d~A_j)', A_i^T A_j by (A_i^T A_j)', A_j by A_j'. "
    "Errors are largest differences from the engine; corrected: with the rates of the axes."
)
ITEMS = (
    Item(
        "Lee1994",
        "Table 1",
        "table",
        "joint-tables",
        "Joints: relative coordinates, cut-joint constraints, weighting factors",
        "the joints of the library, with the weights of the distance matrix from which Dijkstra's "
        "algorithm finds the tree",
        REPRODUCED,
        "Counts and weights of the joints are those of the paper. The shortest-path tree does not "
        "always have the fewest constraints; Kinetree also builds a minimum spanning tree and "
        "takes the better one (erratum E-1).",
        tabulate=_table_1,
    ),
    Item(
        "Lee1994",
        "Table 2",
        "table",
        "joint-tables",
        "Blocks B_ij of the velocity transformation",
        "B for each joint, with d_ij between the origins of bodies j and i",
        CORRECTED,
        "With d_ij from the joint point of body j, every block equals that of the engine. With "
        "d_ij from the origin of body j, as printed, the blocks are wrong by the distance between "
        "joint point and origin (erratum E-2).",
        tabulate=lambda: _blocks(0, _NOTE_2),
    ),
    Item(
        "Lee1994",
        "Table 3",
        "table",
        "joint-tables",
        "Blocks of the time derivative of B",
        "the derivative of B for each joint, with axes u' that are constant in body j",
        CORRECTED,
        "The blocks equal those of the engine for all joints except the universal one, whose "
        "first axis moves in body j: its rate is missing (erratum E-3). For spherical joints the "
        "table holds because their velocities are angular velocities.",
        tabulate=lambda: _blocks(1, _NOTE_3),
    ),
)
