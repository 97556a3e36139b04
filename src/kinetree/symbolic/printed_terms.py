"""Velocity and gravity terms of an arm as printed, to show the effect of their errata.   [LeeJoo,
eqs. (28)-(32), (59), (62)-(66)]

    half-coriolis        (31): the sums of (28), (29) take each pair of a joint velocity and a
                         modal velocity once, with C_jk in place of 2 C_jk: half of that coupling
                         is lost
    constant-elastic     (62)-(66): derivatives of the elastic block of M are dropped, because it
                         does not depend on the modal coordinates; it depends on the joint angles
    undeflected-gravity  (59): gravity acts as if the links were straight

With the first two the velocity terms do work: the energy of a free arm grows. With the third
gravity has no potential. M, K and the loops are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from ..description.arm import CONSTANT_ELASTIC, HALF_CORIOLIS, REVOLUTE, UNDEFLECTED_GRAVITY
from ..errors import ModelError
from .planar import Equations, Matrix, christoffel, congruent


@dataclass(frozen=True)
class PrintedEquations(Equations):
    """The equations of an arm with one term as printed."""

    @cached_property
    def exact(self) -> Equations:
        """The same arm with all terms."""
        return Equations(**{f.name: getattr(self, f.name) for f in fields(Equations)})

    @cached_property
    def C(self) -> list[Matrix]:
        """Printed symbols, transformed from joint coordinates to those of the field."""
        printed, S = self._printed_C(), inverse(self.T, self.field)
        turned = [congruent(S, C, self.field.zero) for C in printed]
        n = range(len(S))
        return [
            [
                [
                    sum(
                        (S[a][i] * turned[a][j][k] for a in n if S[a][i] and turned[a][j][k]),
                        self.field.zero,
                    )
                    for k in n
                ]
                for j in n
            ]
            for i in n
        ]

    def change(self, i: int, j: int, k: int):
        return self.exact.change(i, j, k)

    def _printed_C(self) -> list[Matrix]:
        """C_jk(i) in joint and modal coordinates."""
        C, n, joints = self.exact.relative_C, range(len(self.q)), self.rigid
        if self.arm.terms == HALF_CORIOLIS:
            half = self.field.half
            return [
                [
                    [C[i][j][k] * half if (j < joints) != (k < joints) else C[i][j][k] for k in n]
                    for j in n
                ]
                for i in n
            ]
        if self.arm.terms == CONSTANT_ELASTIC:
            M, zero = self.relative_M, self.field.zero
            elastic = [[M[i][j] if min(i, j) >= joints else zero for j in n] for i in n]
            lost = christoffel(
                elastic, lambda p, k: self.diff(p, k) if p else zero, self.field.half
            )
            return [[[C[i][j][k] - lost[i][j][k] for k in n] for j in n] for i in n]
        return C


def printed(e: Equations) -> Equations:
    """The equations with the terms that the arm selects."""
    arm = e.arm
    if any(link.kind != REVOLUTE or link.slope for link in arm.links):
        raise ModelError(
            f"arm {arm.name!r}: terms={arm.terms!r} are printed for links on hinges that do not "
            "turn with the slope of others. Leave terms= out."
        )
    values = {f.name: getattr(e, f.name) for f in fields(Equations)}
    if arm.terms == UNDEFLECTED_GRAVITY:
        values["gravity"] = [_without(p, e.q[e.rigid :], e.field) for p in e.gravity]
    return PrintedEquations(**values)


def _without(p: Any, names: tuple[str, ...], field) -> Any:
    """A polynomial with these symbols set to zero."""
    places, found = [field.place[name] for name in names], field.ring.zero.copy()
    for monomial, factor in p.terms():
        if not any(monomial[i] for i in places):
            found[monomial] = factor
    return found


def inverse(T: Matrix, field) -> Matrix:
    """Inverse of a constant matrix T of the joints that carry each link: ones and zeros with
    determinant one.
    """
    from sympy import Matrix as Numbers

    n = range(len(T))
    found = Numbers([[int(field.one.ring(T[i][j]).coeff(1)) for j in n] for i in n]).inv()
    return [[field.one * int(found[i, j]) for j in n] for i in n]
