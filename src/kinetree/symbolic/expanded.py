"""Expanded equations of rigid bodies in space: M and C_jk(i) as polynomials, so that zeros are
exact.

Generators are cosines, sines and quaternions. The rules sin^2 = 1 - cos^2 and w^2 = 1 - x^2 - y^2 -
z^2 are applied at once, so that each result is unique and a sum that vanishes is zero. The
recursion is that of spatial.py; C follows from it as

    h_i(q, v) = sum C_jk(i) v_j v_k        at vdot = 0, without gravity: half of d^2 h_i / dv_j dv_k

which is (27) of [LeeJoo] if velocities are rates of coordinates, and also holds for ball joints,
whose velocities are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..description.lowering.compiled import LoweredModel
from .spatial import ZERO, Spatial
from .structure import Structure
from .tape import Tape


class TooLarge(Exception):
    """Raised if the equations have too many terms to be read."""

    MOST = 2000


class Ring(Tape):
    """A tape that expands products: results are polynomials."""

    def __init__(self, known: Tape, speeds: int) -> None:
        from sympy import QQ
        from sympy.polys.rings import ring

        super().__init__()
        balls = [f"{c}{k + 1}" for k in sorted(known.balls) for c in ("qw", "qx", "qy", "qz")]
        turns = [f"{f}{k + 1}" for k in sorted(known.turns) for f in ("cos", "sin")]
        speed = [f"v{k + 1}" for k in range(speeds)]
        names = [
            *(f"q{k + 1}" for k in sorted(known.slides)),
            *turns,
            *balls,
            *speed,
            *sorted(known.numbers),
        ]
        self.ring, *generators = ring(names, QQ)
        self.of = dict(zip(names, generators))
        self.place = {name: k for k, name in enumerate(names)}
        self.half = QQ(1, 2)
        self._squares = {
            self.place[f"sin{k + 1}"]: 1 - self.of[f"cos{k + 1}"] ** 2 for k in known.turns
        }
        self._squares |= {
            self.place[f"qw{k + 1}"]: 1
            - sum(self.of[f"{c}{k + 1}"] ** 2 for c in ("qx", "qy", "qz"))
            for k in known.balls
        }

    def number(self, name: str, value: float) -> Any:
        found = super().number(name, value)
        return int(found) if found.is_Integer else self.of[name]

    def keep(self, expression) -> Any:
        """The polynomial without squares of sines."""
        p = self.ring(expression)
        for place, square in self._squares.items():
            if any(monomial[place] > 1 for monomial in p):
                p = sum((self._replaced(m, c, place, square) for m, c in p.terms()), self.ring.zero)
        if len(p) > TooLarge.MOST:
            raise TooLarge
        return p

    def _replaced(self, monomial: tuple[int, ...], factor, place: int, square):
        pairs, left = divmod(monomial[place], 2)
        return (
            self.ring({(*monomial[:place], left, *monomial[place + 1 :]): factor}) * square**pairs
        )

    def coordinate(self, k: int) -> Any:
        return self.of[f"q{k + 1}"]

    def speed(self, k: int) -> Any:
        return self.of[f"v{k + 1}"]

    def cosine_and_sine(self, k: int) -> tuple[Any, Any]:
        return self.of[f"cos{k + 1}"], self.of[f"sin{k + 1}"]

    def quaternion(self, k: int) -> tuple[Any, Any, Any, Any]:
        w, x, y, z = (self.of[f"{c}{k + 1}"] for c in ("qw", "qx", "qy", "qz"))
        return w, x, y, z


@dataclass(frozen=True)
class Expanded:
    """M and C in the degrees of freedom of the model; `rates[k]` has the derivative of each
    generator along degree of freedom k.
    """

    q: tuple[str, ...]
    relative_M: list[list[Any]]
    relative_C: list[list[list[Any]]]
    rates: list[dict[str, Any]]
    tape: Ring

    def change(self, i: int, j: int, k: int):
        """Derivative of M_ij along degree of freedom k."""
        return self.diff(self.relative_M[i][j], k)

    def diff(self, p, k: int):
        """Derivative of p along degree of freedom k."""
        of = self.tape.of
        return self.tape.keep(
            sum(
                (p.diff(of[name]) * rate for name, rate in self.rates[k].items()),
                self.tape.ring.zero,
            )
        )


class Terms(Structure):
    """Structure of the expanded equations."""

    def __init__(self, equations: Expanded) -> None:
        self.equations = equations
        self.holonomic = not any(name.startswith("qw") for name in equations.tape.of)

    @cached_property
    def _meanings(self) -> dict[Any, Any]:
        import sympy

        found = {}
        for name in self.equations.tape.of:
            if name[:3] in ("cos", "sin"):
                found[sympy.Symbol(name)] = getattr(sympy, name[:3])(sympy.Symbol(f"q{name[3:]}"))
        return found

    def read(self, p: Any) -> Any:
        """A polynomial as an expression, with cosines and sines factored out if that is shorter."""
        import sympy

        found = p.as_expr()
        trigs = sorted((s for s in self._meanings if s in found.free_symbols), key=str)
        return (sympy.collect(found, trigs) if trigs else found).xreplace(self._meanings)


def expanded(spatial: Spatial, description: LoweredModel) -> Expanded:
    """The expanded equations of a tree; raises TooLarge if they have too many terms."""
    n = spatial.nv
    tape = Ring(spatial.tape, n)
    same = Spatial(description.tables.links, np.zeros(3), tape)
    M = [
        [tape.ring(entry) for entry in same.efforts([0] * n, [int(j == k) for j in range(n)], ZERO)]
        for k in range(n)
    ]
    h = [tape.ring(p) for p in same.efforts([tape.speed(k) for k in range(n)], [0] * n, ZERO)]
    letter = "v" if spatial.tape.balls else "q"
    C = [_quadratic(p, tape, n) for p in h]
    return Expanded(
        tuple(f"{letter}{k + 1}" for k in range(n)), M, C, _rates(description, tape), tape
    )


def _quadratic(p, tape: Ring, n: int) -> list[list[Any]]:
    """C_jk of one equation."""
    first = tape.place["v1"]
    parts: dict[tuple[int, int], Any] = {}
    for monomial, factor in p.terms():
        speeds = [k for k in range(n) for _ in range(monomial[first + k])]
        rest = (*monomial[:first], *[0] * n, *monomial[first + n :])
        parts.setdefault((speeds[0], speeds[1]), tape.ring.zero.copy())[rest] = factor
    C = [[tape.ring.zero] * n for _ in range(n)]
    for (j, k), value in parts.items():
        C[j][k] = C[k][j] = value if j == k else tape.half * value
    return C


def _rates(description: LoweredModel, tape: Ring) -> list[dict[str, Any]]:
    """Derivatives of the generators along every degree of freedom:  d cos = -sin,  d sin = cos,
    dq/dt = q (0, w) / 2 of a quaternion.
    """
    found: list[dict[str, Any]] = []
    for i in range(1, len(description.tables.links)):
        link, joint = description.tables.links[i], description.joint_class(i)
        for k in range(len(joint.coordinates)):
            own, name = int(link["iq"]) + k + 1, {}
            if f"cos{own}" in tape.of:
                name = {f"cos{own}": -tape.of[f"sin{own}"], f"sin{own}": tape.of[f"cos{own}"]}
            found.append(name | ({f"q{own}": tape.ring.one} if f"q{own}" in tape.of else {}))
        if joint.ball:
            first = int(link["iq"]) + len(joint.coordinates) + 1
            w, x, y, z = (tape.half * tape.of[f"{c}{first}"] for c in ("qw", "qx", "qy", "qz"))
            names = [f"{c}{first}" for c in ("qw", "qx", "qy", "qz")]
            found += [
                dict(zip(names, turn)) for turn in ((-x, w, z, -y), (-y, -z, w, x), (-z, y, -x, w))
            ]
    return found
