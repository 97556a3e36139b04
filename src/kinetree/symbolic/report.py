"""The equations of an arm in words: what is in them, where zeros are and why, and which rules of structure hold.

    (33)  C_jk(i) = C_kj(i)                       always
    (34)  C_ji(i) = 1/2 dM_ii/dq_j                zero where M_ii does not depend on q_j
    (35)  C_jk(i) = -C_ji(k)                      exactly where dM_ik/dq_j = 0, since C_jk(i) + C_ji(k) = dM_ik/dq_j      [LeeJoo]

    P_jk(i) = C_jk(i) of two joints, Q_jk(i) = 2 C_jk(i) of a joint and a mode, R_jk(i) = C_jk(i) of two modes      (28)-(32)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .planar import Equations
from .readable import Reader, angle

Entry = tuple[int, int, int]


@dataclass(frozen=True)
class Report:
    """Structure of the equations of an arm; `print(report)` tells it."""

    equations: Equations
    owners: dict[str, str]  # joint of each coordinate

    @cached_property
    def reader(self) -> Reader:
        return Reader(self.equations)

    @property
    def count(self) -> int:
        return len(self.equations.q)

    @cached_property
    def depends(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """Entries of M that are not zero, and the coordinates each depends on."""
        e, n = self.equations, range(self.count)
        return {(i, j): tuple(k for k in n if e.diff(e.relative_M[i][j], k)) for i in n for j in n if e.relative_M[i][j]}

    @cached_property
    def reflection_fails(self) -> list[Entry]:
        """(i, j, k), i < k, counted from one, where (35) does not hold."""
        e, n = self.equations, range(self.count)
        return [(i + 1, j + 1, k + 1) for j in n for i in n for k in n if i < k and e.diff(e.relative_M[i][k], j)]

    @cached_property
    def distinct(self) -> dict[Any, list[Entry]]:
        """Velocity terms that are not zero, each with the entries (i, j, k), j <= k, that have it but for the sign."""
        found: dict[Any, list[Entry]] = {}
        for i, C in enumerate(self.equations.relative_C):
            for j in range(self.count):
                for k in range(j, self.count):
                    if C[j][k]:
                        key = -C[j][k] if -C[j][k] in found else C[j][k]
                        found.setdefault(key, []).append((i + 1, j + 1, k + 1))
        return found

    def blocks(self, i: int) -> tuple[list[list], list[list], list[list]]:
        """P(i), Q(i), R(i) of equation i, counted from zero; Q has the factor two of the mixed products."""
        C, r, n = self.equations.relative_C[i], self.equations.rigid, self.count
        return ([row[:r] for row in C[:r]], [[2 * c for c in row[r:]] for row in C[:r]], [C[j][r:] for j in range(r, n)])

    # --- in words -------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return "\n".join([*self._head(), *self._vectors(), *self._inertia(), *self._velocity(), *self._forces(), *self._loops(),
                          *self._symbols()])

    def _head(self) -> list[str]:
        e = self.equations
        counts = f"{self.count} coordinates ({e.rigid} joints, {self.count - e.rigid} modes), {len(e.loops)} loop equations"
        rows = [f"Equations of motion of {e.arm.name!r}: {counts}.", "", "Coordinates"]
        return rows + [f"  {k:>3} {name:8} {self.owners[name]}" for k, name in enumerate(e.q, 1)]

    def _vectors(self) -> list[str]:
        """Position vectors as sums of e and n, unit vectors along and across an angle."""
        e, rows = self.equations, ["", "Position vectors (e along, n across the angle in brackets)"]
        for link in e.arm.links:
            parts = []
            for a, (x, y) in e.frames.anywhere(link).items():
                turned = angle(e, a)
                parts += [f"({p.as_expr()}) {letter}({turned})" for p, letter in ((x, "e"), (y, "n")) if p]
            rows.append(f"  r{link.number} {link.name}: " + " + ".join(parts))
        return rows

    def _inertia(self) -> list[str]:
        """Pattern of M: a dot for zero, c for a constant, x for what changes."""
        n, found = range(self.count), self.depends
        rows = ["", "Mass matrix (. zero, c constant, x changes with the position)"]
        marks = [" ".join("." if (i, j) not in found else "x" if found[i, j] else "c" for j in n) for i in n]
        rows += [f"  {mark}   {name}" for mark, name in zip(marks, self.equations.q)]
        zero = sum(1 for i in n for j in n if (i, j) not in found)
        used = sorted({k for ks in found.values() for k in ks})
        names = ", ".join(self.equations.q[k] for k in used) or "nothing"
        idle = ", ".join(name for k, name in enumerate(self.equations.q) if k not in used)
        rows.append(f"  {zero} of {self.count**2} entries are zero: nothing that moves with one of the two coordinates moves "
                    "with the other. M depends on " + names + "." + (f" It does not depend on {idle}." if idle else ""))
        return rows

    def _velocity(self) -> list[str]:
        n, total = self.count, self.count**3
        entries = sum(2 - (j == k) for places in self.distinct.values() for _, j, k in places)
        quiet = [i + 1 for i in range(n) for j in range(n) if j <= i and j in self.depends.get((i, i), ())]
        rows = ["", "Velocity terms  sum C_jk(i) v_j v_k",
                f"  {entries} of {total} C_jk(i) are not zero; but for signs and symmetry {len(self.distinct)} are distinct:"]
        for p, places in self.distinct.items():
            where = ", ".join(f"C({i})_{j},{k}" for i, j, k in places[:6]) + (", ..." if len(places) > 6 else "")
            rows.append(f"    {self.reader(p)}    at {where}")
        rows.append("  the others vanish: none of M_ij, M_ik, M_jk changes with the third coordinate, or the changes cancel")
        rows.append("  (33) C_jk(i) = C_kj(i) holds")
        rows.append("  (34) C_ji(i) = 1/2 dM_ii/dq_j is zero for all j <= i" if not quiet else
                    f"  (34) C_ji(i) is not zero for some j <= i in equations {', '.join(map(str, sorted(set(quiet))))}")
        fails = self.reflection_fails
        listed = ", ".join(map(str, fails[:12])) + (", ..." if len(fails) > 12 else "")
        rows.append(f"  (35) C_jk(i) = -C_ji(k) fails where dM_ik/dq_j is not zero, (i, j, k): {listed}" if fails else
                    "  (35) C_jk(i) = -C_ji(k) holds everywhere")
        return rows

    def _forces(self) -> list[str]:
        e = self.equations
        rows = ["", "Gravity dU/dq"]
        rows += [f"  {name:8} {self.reader(g)}" for name, g in zip(e.q, e.relative_gravity) if g] or ["  none"]
        rows += ["", "Stiffness between modal coordinates (zero where the modes are orthogonal in curvature)"]
        return rows + ([f"  {a} {b}: {k} = {e.numbers[k]:.6g} N/m" for (a, b), k in e.K.items()] or ["  none"])

    def _loops(self) -> list[str]:
        e = self.equations
        rows = []
        for k, closure in enumerate(e.arm.closures):
            rows += ["", f"Loop closed by {closure.name!r}: the gap across and along {closure.first.name!r}"]
            rows += [f"  0 = {self.reader(g)}" for g in e.loops[2 * k:2 * k + 2]]
        return rows

    def _symbols(self) -> list[str]:
        e, rows = self.equations, ["", "Symbols (SI units)"]
        return rows + [f"  {name:10} {value:.10g}" for name, value in e.numbers.items()]
