"""Polynomials in lengths and in cosines and sines of angle differences, with their derivatives.

    c_ab = cos(phi_b - phi_a),   s_ab = sin(phi_b - phi_a)
    d c_ab / d phi_b = -s_ab = -d c_ab / d phi_a,   and so on

A plane vector is a sum over angles, r = sum x_a e(phi_a) + y_a n(phi_a), stored as {a: (x_a, y_a)}.
Products of two vectors are linear in c_ab and s_ab, so that no simplification is needed and `p ==
0` is exact. Angle 0 is that of the ground, phi_0 = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from ..errors import ModelError

Vector = dict[str, tuple[Any, Any]]
GROUND = "0"


class Field:
    """The polynomial ring of an arm: its coordinates are all angles except that of the ground, then
    the lengths.
    """

    def __init__(
        self,
        angles: Sequence[str],
        lengths: Sequence[str],
        local: Sequence[str],
        parameters: Sequence[str],
    ) -> None:
        from sympy import QQ
        from sympy.polys.rings import ring

        self.angles, self.lengths = tuple(angles), tuple(lengths)
        self.coordinates = (*(f"phi{a}" for a in angles), *lengths)
        self.speeds = tuple(f"d{name}" for name in self.coordinates)
        self.pairs = tuple(combinations((GROUND, *angles), 2))
        self.trigs = tuple(f"{f}{a}_{b}" for a, b in self.pairs for f in "cs")
        names = (*lengths, *self.speeds, *self.trigs, *local, *parameters)
        if len(set(names)) < len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise ModelError(f"the symbols {', '.join(twice)} would mean two things.")
        self.ring, *generators = ring(names, QQ)
        self.of = dict(zip(names, generators))
        self.place = {name: k for k, name in enumerate(names)}
        self.zero, self.one, self.half = self.ring.zero, self.ring.one, QQ(1, 2)

    @cached_property
    def _touching(self) -> dict[str, list[tuple[str, str, int]]]:
        """For each angle: the trigonometric generators that contain it, their derivatives, and the
        signs.
        """
        found: dict[str, list[tuple[str, str, int]]] = {a: [] for a in self.angles}
        for a, b in self.pairs:
            for which, sign in ((a, -1), (b, 1)):
                if which != GROUND:
                    found[which] += [
                        (f"c{a}_{b}", f"s{a}_{b}", -sign),
                        (f"s{a}_{b}", f"c{a}_{b}", sign),
                    ]
        return found

    # --- calculus

    def diff(self, p, k: int):
        """d p / d (coordinate k)."""
        if not p:
            return p
        if k >= len(self.angles):
            return p.diff(self.of[self.coordinates[k]])
        used = {i for monomial in p for i, power in enumerate(monomial) if power}
        out = self.zero
        for name, turned, sign in self._touching[self.angles[k]]:
            if self.place[name] in used:
                out += sign * p.diff(self.of[name]) * self.of[turned]
        return out

    def along(self, p):
        """dp/dt = sum d p / d (coordinate k) times its velocity."""
        return sum(
            (self.diff(p, k) * self.of[speed] for k, speed in enumerate(self.speeds)), self.zero
        )

    # --- vectors

    def vector_diff(self, r: Vector, k: int) -> Vector:
        """d r / d (coordinate k), without zero terms."""
        out = {}
        for a, (x, y) in r.items():
            xk, yk = self.diff(x, k), self.diff(y, k)
            if k < len(self.angles) and self.angles[k] == a:
                xk, yk = xk - y, yk + x
            if xk or yk:
                out[a] = (xk, yk)
        return out

    def dot(self, r: Vector, s: Vector):
        """Scalar product of two vectors."""
        out = self.zero
        for a, (x, y) in r.items():
            for b, (z, w) in s.items():
                even, odd = x * z + y * w, y * z - x * w
                if a == b:
                    out += even
                    continue
                first, second, sign = (a, b, 1) if (a, b) in self.pairs else (b, a, -1)
                if even:
                    out += even * self.of[f"c{first}_{second}"]
                if odd:
                    out += sign * odd * self.of[f"s{first}_{second}"]
        return out

    def sum(self, *vectors: Vector) -> Vector:
        out: Vector = {}
        for r in vectors:
            for a, (x, y) in r.items():
                before = out.get(a, (self.zero, self.zero))
                out[a] = (before[0] + x, before[1] + y)
        return out
