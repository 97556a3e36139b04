"""Tables 1, 2 and 3 of [Lee1994]: weights and counts of the joints, and the blocks of B and Bdot as
printed and corrected.

For a row body i and the joint of body j, with d from j to i and axes u' in the frame of j, the
tables print for rotations

    B_ij    = ( -d~ A_j u',                        A_i^T A_j u' )
    Bdot_ij = ( -(ddot~ A_j + d~ Adot_j) u',       (Adot_i^T A_j + A_i^T Adot_j) u' )

and ( A_j u', 0 ), ( Adot_j u', 0 ) for translations. Here the blocks are written in NumPy and
compared with those of the engine, which computes them by recursion over the tree.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import kinetree as kt

from ...engine.beams.rotations import skew
from ...kernel.frames import quaternion_matrix
from .claim import Claim, agrees

PRINTED = {
    "revolute": (1, 5, 1.5),
    "translational": (1, 5, 1.0),
    "universal": (2, 4, 2.1),
    "cylindrical": (2, 4, 2.0),
    "spherical": (3, 3, 3.0),
}  # Table 1: coordinates, cut-joint constraints, weight
AXIS = (0.3, 0.9, -0.3)  # of hinges and slides, in both bodies
JOINTS = {
    "revolute": kt.Revolute(axis=AXIS),
    "translational": kt.Translational(axis=AXIS),
    "universal": kt.Universal(axis1="x", axis2="y"),
    "cylindrical": kt.Cylindrical(axis=AXIS),
    "spherical": kt.Spherical(),
}
START = {
    "revolute": {"angle": 0.7},
    "translational": {"displacement": 0.4},
    "universal": {"angle1": 0.3, "angle2": -0.9},
    "cylindrical": {"displacement": 0.2, "angle": 0.5},
    "spherical": {},
}
BODIES = ("base", "j", "i")
ROUNDING, STEP = (
    1e-13,
    1e-6,
)  # of numbers near one; of the difference that gives the rates of the axes, s
FOOT = np.array([-0.2, 0.1, 0.4])  # m: the joint on body j, away from its origin


class Block(NamedTuple):
    """Errors of one block compared with the engine: as printed, and corrected."""

    printed: float
    corrected: float


def check() -> list[Claim]:
    """All claims about the tables."""
    found = {kind: errors(kind) for kind in JOINTS}
    return [*_weights(), *_tree(), *_table_2(found), *_table_3(found)]


def counts(kind: str) -> tuple[int, int, float]:
    """Return coordinates of a joint in the tree, constraint equations if it is cut, and weight, as
    the engine has them.
    """
    m = kt.Model("ring", gravity=(0, 0, 0))
    a, b = m.body("a", kt.sphere(1.0, 0.1)), m.body("b", kt.sphere(1.0, 0.1))
    m.float(a)
    m.joint("kept", JOINTS[kind], a, b)
    m.joint("cut", JOINTS[kind], a, b)
    m.cut("cut")
    tree = m.topology().tree
    return int(tree.coordinates - 6), int(tree.cut_equations), float(JOINTS[kind].weight)


def chain(kind: str) -> kt.Model:
    """Return a moving base with body j on the joint and body i on body j, with general offsets."""
    m = kt.Model("chain", gravity=(0, 0, 0))
    base, j, i = (
        m.body(name, kt.sphere(1.0, 0.1), rotation=("z", 0.8) if name == "base" else None)
        for name in BODIES
    )
    m.float(base)
    m.joint("joint", JOINTS[kind], base.at(0.3, 0.2, 0.1), j.at(*FOOT), start=START[kind])
    m.joint(
        "last",
        kt.Revolute(axis="z"),
        j.at(0.5, 0.2, 0.1),
        i.at(-0.1, 0.3, 0.2),
        start={"angle": 0.6},
    )
    return m


def errors(kind: str) -> tuple[Block, Block, Block]:
    """Return the largest errors of B of the joint, of Bdot of the joint, and of B of the base."""
    model = chain(kind)
    found = kt.assemble(model)
    v = np.random.default_rng(1).normal(size=len(found.v))
    now = kt.velocity_transformation(model, found.q, v)
    later, before = (
        kt.velocity_transformation(model, _moved(found, v, s * STEP), v) for s in (1.0, -1.0)
    )
    place = _Place(model, now)
    columns = [k for k, name in enumerate(now.columns) if name.startswith("joint.")]
    udot = (later.B - before.B)[now.rows("j")][3:][:, columns] / (2.0 * STEP)
    B, Bdot = ((A[now.rows("i")][:, columns]) for A in (now.B, now.Bdot))
    at_origin, at_joint = (place.blocks(columns, d) for d in (np.zeros(3), FOOT))
    whole = place.with_axis_rates(at_joint[1], columns, udot)
    base = place.base_block()
    return (
        Block(_gap(at_origin[0], B), _gap(at_joint[0], B)),
        Block(_gap(at_joint[1], Bdot), _gap(whole, Bdot)),
        Block(
            _gap(base[:, 3:], now.B[now.rows("i")][:, 3:6]),
            _gap(base[:, 3:], now.B[now.rows("i")][:, 3:6]),
        ),
    )


def _gap(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).max())


def _moved(found, v: np.ndarray, h: float) -> np.ndarray:
    """Return the coordinates after a time h; rotations of spherical joints to first order."""
    q = found.q.copy()
    wide = (
        len(found.q) - len(found.v) > 1
    )  # a spherical joint in the tree: its axes are fixed in body j at any rotation
    if not wide:
        q[7:] += h * v[6:]
    return q


class _Place:
    """Poses and velocities of bodies i and j, from the positions of the engine and Y = B v."""

    def __init__(self, model: kt.Model, now) -> None:
        start = kt.simulate(model, 1e-3, output_interval=1e-3, progress=False)
        self.A = {name: quaternion_matrix(start[f"{name}.quaternion"][0]) for name in BODIES}
        self.r = {name: start[f"{name}.position"][0] for name in BODIES}
        Y = {name: now.Y[now.rows(name)] for name in BODIES}
        self.rdot = {name: y[:3] for name, y in Y.items()}
        self.Adot = {name: self.A[name] @ skew(y[3:]) for name, y in Y.items()}
        own = now.B[now.rows("j")]
        self.u, self.slides = own[3:], np.array([not np.any(column) for column in own[3:].T])

    def blocks(self, columns, foot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return B_ij and Bdot_ij as the tables print them, with d from a point of body j."""
        A, Adot = self.A, self.Adot
        d = self.r["i"] - self.r["j"] - A["j"] @ foot
        ddot = self.rdot["i"] - self.rdot["j"] - Adot["j"] @ foot
        B, Bdot = [], []
        for k in columns:
            u = np.array(AXIS) / np.linalg.norm(AXIS) if self.slides[k] else self.u[:, k]
            if self.slides[k]:
                B.append([*(A["j"] @ u), 0, 0, 0])
                Bdot.append([*(Adot["j"] @ u), 0, 0, 0])
                continue
            B.append([*(-skew(d) @ A["j"] @ u), *(A["i"].T @ A["j"] @ u)])
            Bdot.append(
                [
                    *(-(skew(ddot) @ A["j"] + skew(d) @ Adot["j"]) @ u),
                    *((Adot["i"].T @ A["j"] + A["i"].T @ Adot["j"]) @ u),
                ]
            )
        return np.array(B).T, np.array(Bdot).T

    def with_axis_rates(self, Bdot: np.ndarray, columns, udot: np.ndarray) -> np.ndarray:
        """Return Table 3 with the terms of axes that move in body j."""
        d = self.r["i"] - self.r["j"] - self.A["j"] @ FOOT
        more = np.vstack([-skew(d) @ self.A["j"] @ udot, self.A["i"].T @ self.A["j"] @ udot])
        more[:, self.slides[columns]] = 0.0
        return Bdot + more

    def base_block(self) -> np.ndarray:
        """Return [I, -d~ A_j; 0, A_i^T A_j] of a moving base."""
        d, A = self.r["i"] - self.r["base"], self.A
        return np.block(
            [[np.eye(3), -skew(d) @ A["base"]], [np.zeros((3, 3)), A["i"].T @ A["base"]]]
        )


def _weights() -> list[Claim]:
    return [
        Claim(
            f"Table 1: {kind} joint: relative coordinates, cut-joint constraints, weight",
            list(row),
            list(counts(kind)),
            counts(kind) == row,
            "counted in a tree with the joint once kept and once cut",
        )
        for kind, row in PRINTED.items()
    ]


def ring() -> kt.Model:
    """Ground - S - 1 - R - 2 - R - 3 - R - 4 - R - ground."""
    m = kt.Model("ring", gravity=(0, 0, 0))
    at = [np.array([np.cos(a), np.sin(a), 0.1 * a]) for a in (0.0, 0.6, 1.7, 3.0, 4.4)]
    bodies = [
        m.ground,
        *(
            m.body(f"{k}", kt.sphere(1.0, 0.1), position=0.5 * (at[k - 1] + at[k]))
            for k in range(1, 5)
        ),
    ]
    axes = [None, (0.1, 1, 0.3), (1, 0.2, 0), (0.3, 0, 1), (0, 1, 1)]
    for k in range(5):
        joint = kt.Spherical() if k == 0 else kt.Revolute()
        where = {"at": at[k]} if k == 0 else {"at": at[k], "axis": axes[k]}
        m.joint(f"J{k}", joint, bodies[k], bodies[(k + 1) % 5], **where)
    return m


def _tree() -> list[Claim]:
    from ...description.topology.spanning import dijkstra_tree, minimum_tree

    graph = ring().topology().tree.graph
    found = [
        [tree.coordinates, tree.cut_equations]
        for tree in (dijkstra_tree(graph), minimum_tree(graph))
    ]
    return [
        Claim(
            "Table 1: the shortest-path tree is not always the one with the fewest constraints",
            "shortest path by Dijkstra",
            [f"{c} coordinates, {e} constraints" for c, e in found],
            found == [[6, 5], [4, 3]],
            "ring of one spherical and four revolute joints, by Dijkstra and by the minimum "
            "spanning tree (erratum E-1)",
        )
    ]


def _table_2(found: dict) -> list[Claim]:
    claims = [
        Claim(
            f"Table 2: the block of a {kind} joint with d from the joint point",
            "d between the origins",
            [blocks[0].printed, blocks[0].corrected],
            blocks[0].corrected <= ROUNDING
            and (blocks[0].printed > 0.1) == (kind != "translational"),
            "largest error of B, as printed and corrected (erratum E-2); a translation does not "
            "depend on d",
        )
        for kind, blocks in found.items()
    ]
    base = found["revolute"][2].corrected
    return [
        *claims,
        Claim(
            "Table 2: the block of a moving base",
            "[I, -d~A_j; 0, A_i^T A_j]",
            base,
            base <= ROUNDING,
            "largest error of its angular columns",
        ),
    ]


def _table_3(found: dict) -> list[Claim]:
    claims = []
    for kind, blocks in found.items():
        wrong = kind == "universal"
        note = (
            "the first axis of a universal joint moves in body j, which the table leaves out "
            "(erratum E-3)"
            if wrong
            else "the axes are fixed in body j, also those of a spherical joint, whose velocities "
            "are its angular velocity"
        )
        claims.append(
            Claim(
                f"Table 3: the block of a {kind} joint",
                "u' constant",
                [blocks[1].printed, blocks[1].corrected],
                agrees(blocks[1].corrected, 0.0, atol=1e-8) and (blocks[1].printed > 0.1) == wrong,
                f"largest error of Bdot, as printed and with the rates of the axes; {note}; "
                "allowed 1e-8, the error of a central difference",
            )
        )
    return claims
