"""The rigid parallelogram of [LeeJoo, eqs. (70)-(72)]: its null space, and the positions at which
it is singular.

Links 1 and 2 lead from A over B to C, links 3 and 4 from A over D to C; angles (t1, t2, t3, t4) as
in Fig. 7:

    l1 e(t1) + c e(t1 + t2) = l3 e(t1 + t3) + l4 e(t1 + t3 + t4),     c = +-l3,  l4 = l1     (70)
    V2 = [1 0; 0 a; 0 a; 0 -a],     a = 1 / sqrt(3)                                    (71), (72)
"""

from __future__ import annotations

import math

import numpy as np

import kinetree as kt

from ...analysis.topology import singularity
from ...assembly.prepare import prepare
from ...assembly.result import Assembly
from ...assembly.system import System
from ...engine.formulations.catalogue import formulation
from .claim import Claim, agrees

SAMPLES = 300
BASES = ("projection", "qr", "svd")
JOINTS = ("A", "B", "A3", "D")  # of t1, t2, t3, t4; C closes the loop
NEAR = {
    0.5: 0.22074349,
    0.1: 0.04560059,
    0.01: 0.00456606,
    0.0: 0.0,
}  # t2: second singular value, by NumPy alone
V2 = np.array([[1, 0], [0, 1], [0, 1], [0, -1]]) / np.array([1.0, math.sqrt(3.0)])


def check() -> list[Claim]:
    """All claims about the parallelogram."""
    return [*_null_space(), _counts(), _singular_values(), *_change_point()]


def parallelogram(
    t1: float, t2: float, l1: float = 3.0, l3: float = 0.4, sign: float = 1.0
) -> kt.Model:
    """Return the parallelogram closed at angles t1, t2; with `sign` -1 link 2 points backwards (c =
    -l3), so that t3 = t2 + pi.
    """
    t3 = t2 if sign > 0 else t2 + math.pi
    m = kt.Model("parallelogram")
    one, two, three, four = (
        m.body(f"link{k}", kt.rod(1.0, length, along="x"))
        for k, length in enumerate((l1, l3, l3, l1), 1)
    )
    near, far = ("-", "+") if sign > 0 else ("+", "-")
    z = kt.Revolute(axis="z")
    m.joint("A", z, m.ground, one.end("-"), start={"angle": t1})
    m.joint("B", z, one.end("+"), two.end(near), start={"angle": t2})
    m.joint("A3", z, one.end("-"), three.end("-"), start={"angle": t3})
    m.joint("D", z, three.end("+"), four.end("-"), start={"angle": -t3})
    m.joint("C", z, two.end(far), four.end("+"))
    m.cut("C")
    return m


def projector(assembly: Assembly, basis: str) -> np.ndarray:
    """Return N N^T in the order t1, t2, t3, t4, by the kernels of a formulation."""
    method, work = formulation(basis), assembly.compiled.workspace()
    if method.rhs(
        method.configure(assembly.compiled.tables), work, 0.0, assembly.y, np.zeros_like(assembly.y)
    ):
        return np.full((4, 4), np.nan)
    N = work.N[: len(assembly.v) - int(work.report[0]["rank"])]
    order = [[joint for joint, _ in assembly.compiled.dof_owner].index(name) for name in JOINTS]
    return (N.T @ N)[np.ix_(order, order)]


def _null_space() -> list[Claim]:
    rng, worst = np.random.default_rng(4), dict.fromkeys(BASES, 0.0)
    for _ in range(SAMPLES):
        t1, t2 = rng.uniform(-3.0, 3.0), rng.choice((-1.0, 1.0)) * rng.uniform(0.05, 3.0)
        found = prepare(
            parallelogram(
                t1, t2, rng.uniform(0.5, 4.0), rng.uniform(0.1, 2.0), rng.choice((-1.0, 1.0))
            )
        )
        for basis in BASES:
            worst[basis] = max(
                worst[basis], float(np.abs(projector(found, basis) - V2 @ V2.T).max())
            )
    return [
        Claim(
            f"Fig. 7: eq. (71): the null space, by the basis {basis!r}",
            "V2 V2^T",
            error,
            error <= 1e-12,
            f"largest error of N N^T over {SAMPLES} random parallelograms of both assembly signs; "
            "allowed 1e-12",
        )
        for basis, error in worst.items()
    ]


def _counts() -> Claim:
    found = prepare(parallelogram(0.3, 0.7))
    return Claim(
        "Fig. 7: the rigid parallelogram has two degrees of freedom",
        2,
        found.mobility,
        found.mobility == 2 and len(found.v) == 4,
        "4 angles, 2 equations; the spatial joint that closes it adds 3 redundant ones",
    )


def second_singular_values(angles) -> list[float]:
    """Return the second singular value of the constraint Jacobian of the engine at these angles of
    link 2.
    """
    found = []
    for t2 in angles:
        start = prepare(parallelogram(0.3, t2))
        system = System(start.compiled)
        system.values(0.0, start.q, start.x)
        found.append(float(np.linalg.svd(system.jacobian(), compute_uv=False)[1]))
    return found


def _singular_values() -> Claim:
    ours = second_singular_values(NEAR)
    return Claim(
        "Fig. 7: the second singular value vanishes where the parallelogram folds: t2 = 0.5, 0.1, "
        "0.01, 0",
        None,
        ours,
        agrees(ours, list(NEAR.values()), atol=1e-8),
        "m/rad with l1 = 3 m, l3 = 0.4 m",
    )


def _change_point() -> list[Claim]:
    folded, opened = singularity(parallelogram(0.3, 0.0)), singularity(parallelogram(0.3, 0.5))
    return [
        Claim(
            "the folded position is detected and named",
            None,
            str(folded),
            folded.singular
            and (folded.rank, folded.nearby) == (1, 2)
            and list(folded.loops) == ["C"],
            "not mentioned in the paper, whose V2 is constant there too",
        ),
        Claim(
            "the open position is not reported as folded",
            None,
            str(opened),
            not opened.singular and opened.rank == 2,
        ),
    ]
