"""The open arm of RALF: its velocity terms as derived and as printed. [LeeJoo, eqs. (51)-(66)]"""

from __future__ import annotations

from functools import cache

import numpy as np

import kinetree as kt

from ...models import ralf
from ...symbolic.planar import Equations, christoffel
from .claim import Claim
from .references.ralf import OpenArm, matrices

START = np.array(
    [0.3, 0.8, 0.01, 0.0, 0.01, 0.0, 0.3, -0.5, 0.0, 0.0, 0.0, 0.0]
)  # theta1, theta2, modal coordinates, speeds
REASON = (
    "the derivative of the elastic block of M along theta2 is dropped there, because the block "
    "does not depend on the modal coordinates; it depends on theta2"
)
Entry = tuple[int, int, int]


@cache
def equations() -> Equations:
    return ralf.arm(closed=False).equations()


def check() -> list[Claim]:
    """All claims about the open arm."""
    return [_counts(), _matrices(), *_printed(), *_blocks(), *_rules(), *_energy()]


def _counts() -> Claim:
    e = equations()
    return Claim(
        "Figs. 4, 5: coordinates of the open arm with two modes per link",
        6,
        len(e.q),
        len(e.q) == 6,
        ", ".join(e.q),
    )


def printed_terms() -> dict:
    """Return the terms d of `ralf_reference` in the symbols of the derivation."""
    e = equations()
    of, zero = e.field.of, e.field.zero
    P, a = [of["P1_1"], of["P1_2"]], [of["a2_1"], of["a2_2"]]
    xi1, xi2 = [of["xi1_1"], of["xi1_2"]], [of["xi2_1"], of["xi2_2"]]
    s2, c2, l1, S = of["s1_2"], of["c1_2"], of["l1"], of["S2"]

    def modal(link: int, xi, k: int):
        return sum((of[f"n{link}_{min(k, l) + 1}_{max(k, l) + 1}"] * xi[l] for l in (0, 1)), zero)

    U, u1 = a[0] * xi2[0] + a[1] * xi2[1], P[0] * xi1[0] + P[1] * xi1[1]
    d3, d5 = [p * (S * s2 + U * c2) for p in P], [modal(2, xi2, k) for k in (0, 1)]
    return {
        "d11": -l1 * (S * s2 + U * c2) + u1 * (S * c2 - U * s2),
        "d3": d3,
        "d5": d5,
        "d2": [modal(1, xi1, k) + of["m2"] * P[k] * u1 + d3[k] for k in (0, 1)],
        "d4": [a[k] * (u1 * c2 - l1 * s2) + d5[k] for k in (0, 1)],
        "d6": [P[0] * ak * s2 for ak in a],
        "d7": [P[1] * ak * s2 for ak in a],
    }


def differing(C, D) -> list[Entry]:
    """Return (i, j, k) of the entries C_jk(i) that differ, j <= k, counted from one."""
    n = range(len(C))
    return [
        (i + 1, j + 1, k + 1)
        for i in n
        for j in n
        for k in n
        if j <= k and C[i][j][k] != D[i][j][k]
    ]


def _matrices() -> Claim:
    e = equations()
    wrong = differing(e.relative_C, matrices(printed_terms(), e.field.zero))
    return Claim(
        "Figs. 4, 5: C(1) to C(6), corrected: all 216 entries",
        "d11 .. d7k",
        216 - len(wrong),
        not wrong,
        "exact equality of polynomials, modal integrals left as symbols",
    )


def _printed() -> list[Claim]:
    e = equations()
    printed = matrices(printed_terms(), e.field.zero, e.field.half)
    wrong = differing(e.relative_C, printed)

    M = e.relative_M
    elastic = {id(M[i][j]) for i in range(2, 6) for j in range(2, 6)}
    dropped = christoffel(
        M, lambda p, k: e.field.zero if id(p) in elastic else e.diff(p, k), e.field.half
    )
    return [
        Claim(
            "Figs. 4, 5: entries C_jk(i) that (62)-(66) print otherwise, as (i, j, k)",
            "+-d6k/2, +-d7k/2",
            wrong,
            len(wrong) == 12,
            "; ".join(
                f"C({i})_{j}{k} is {e.relative_C[i - 1][j - 1][k - 1] or 0}, printed "
                f"{printed[i - 1][j - 1][k - 1]}"
                for i, j, k in wrong
            ),
        ),
        Claim(
            "Figs. 4, 5: dropping dD/dtheta2 gives the printed entries, and no others change",
            None,
            differing(dropped, printed),
            not differing(dropped, printed),
            REASON,
        ),
    ]


def _blocks() -> list[Claim]:
    """P, Q and R of (30)-(32) from the blocks of M; j and k are two angles, an angle and a mode, or
    two modes.
    """
    e, half = equations(), equations().field.half
    M, C, angles, modes = e.relative_M, e.relative_C, (0, 1), (2, 3, 4, 5)

    def block(i: int, j: int, k: int):
        return e.diff(M[i][j], k) + e.diff(M[i][k], j) - e.diff(M[j][k], i)

    def wrong(first, second, factor, times: int) -> int:
        return sum(
            bool(factor * block(i, j, k) - times * C[i][j][k])
            for i in range(6)
            for j in first
            for k in second
        )

    found = {
        "P": wrong(angles, angles, half, 1),
        "Q": wrong(angles, modes, 1, 2),
        "R": wrong(modes, modes, half, 1),
    }
    printed = wrong(angles, modes, half, 2)
    return [
        Claim(
            "Figs. 1, 2, 3: blocks P, Q and R of (30)-(32), corrected",
            "P, Q, R",
            list(found.values()),
            not any(found.values()),
            "entries that differ from C_jk, 2 C_jk and C_jk, exact equality of polynomials",
        ),
        Claim(
            "Figs. 1, 2, 3: entries of Q as printed, with 1/2, that are wrong",
            "Q with 1/2",
            printed,
            printed > 0,
            "the sum over an angle and a mode runs once, so that Q must be 2 C_jk (erratum E-15)",
        ),
    ]


def _rules() -> list[Claim]:
    """Eqs. (33) to (35): where they hold, and where they do not."""
    e, n = equations(), range(6)
    C, M = e.relative_C, e.relative_M
    symmetric = all(C[i][j][k] == C[i][k][j] for i in n for j in n for k in n)
    loud = [(i + 1, j + 1) for i in n for j in n if j <= i and C[i][j][i]]
    fails = [
        (i + 1, j + 1, k + 1)
        for j in n
        for i in n
        for k in n
        if j <= i < k and C[i][j][k] + C[k][j][i]
    ]
    identity = all(C[i][j][k] + C[k][j][i] == e.diff(M[i][k], j) for i in n for j in n for k in n)
    expected = [(i, 2, k) for i, k in ((2, 3), (2, 4), (3, 5), (3, 6), (4, 5), (4, 6))]
    return [
        Claim(
            "Figs. 1, 2, 3: (33): C_jk(i) = C_kj(i)",
            "holds",
            "holds" if symmetric else "fails",
            symmetric,
        ),
        Claim(
            "Figs. 1, 2, 3: (34): C_ji(i) = 0 for j <= i",
            "zero for j <= i",
            loud,
            not loud,
            "(i, j) where it is not zero",
        ),
        Claim(
            "Figs. 1, 2, 3: (35): C_jk(i) = -C_ji(k) fails at (i, j, k)",
            "not always valid",
            fails,
            fails == expected and identity,
            "it holds exactly where dM_ik/dq_j = 0, since C_jk(i) + C_ji(k) = dM_ik/dq_j",
        ),
    ]


def _energy() -> list[Claim]:
    arm = OpenArm()
    model = ralf.arm(closed=False, gravity=0.0, name="ralf-open").model()
    names = [
        "A.angle",
        "B.angle",
        *(f"{link}_mode{k}.displacement" for link in ("lower", "upper") for k in (1, 2)),
    ]
    state = {**dict(zip(names, START)), "A.rate": START[6], "B.rate": START[7]}
    drift = kt.simulate(model, 0.2, state=state, rtol=1e-12).energy.drift
    dropped, once = arm.gain(START, 0.05, 0.5), arm.gain(START, 0.1, once=True)
    exact = arm.gain(START, 0.05)
    return [
        Claim(
            "free motion without gravity conserves its energy over 0.2 s",
            None,
            drift,
            drift <= 1e-9,
            "generated equations; largest change against the energy in motion, allowed 1e-9",
        ),
        Claim(
            "the corrected matrices by hand conserve it too, over 0.05 s",
            None,
            abs(exact - 1.0),
            abs(exact - 1.0) <= 1e-9,
            "masses by quadrature, DOP853",
        ),
        Claim(
            "with the printed matrices it grows: energy after 0.05 s over that at the start",
            None,
            dropped,
            dropped > 1.5,
            "power 1/2 theta2' xi'^T (dD/dtheta2) xi' is added that no force explains",
        ),
        Claim(
            "with (31) as printed, without the factor 2, it is not conserved: after 0.1 s",
            None,
            once,
            abs(once - 1.0) > 0.1,
            "the mixed sum in (28), (29) runs over (rigid, elastic) once",
        ),
    ]
