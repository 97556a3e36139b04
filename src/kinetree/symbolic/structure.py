"""Structure of equations of motion: zeros, their causes, and the rules that hold  [LeeJoo].

(33)  C_jk(i) = C_kj(i)                       always
(34)  C_ji(i) = 1/2 dM_ii/dq_j                zero where M_ii does not depend on q_j
(35)  C_jk(i) = -C_ji(k)                      exactly where dM_ik/dq_j = 0, since
                                              C_jk(i) + C_ji(k) = dM_ik/dq_j
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

Entry = tuple[int, int, int]
MOST, LONGEST = 40, 800  # number of velocity terms listed, and characters of each


class Structure:
    """Structure of M and C."""

    equations: Any  # has q, relative_M, relative_C, and change(i, j, k) = dM_ij/dq_k
    holonomic = True  # whether all velocities are rates of coordinates, so that (34) and (35) hold

    def read(self, p: Any) -> Any:
        """A polynomial as an expression."""
        raise NotImplementedError

    @property
    def count(self) -> int:
        return len(self.equations.q)

    @cached_property
    def depends(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """Entries of M that are not zero, and the coordinates each depends on."""
        e, n = self.equations, range(self.count)
        upper = {
            (i, j): tuple(k for k in n if e.change(i, j, k))
            for i in n
            for j in n
            if i <= j and e.relative_M[i][j]
        }
        return {
            (i, j): upper[min(i, j), max(i, j)]
            for i in n
            for j in n
            if (min(i, j), max(i, j)) in upper
        }

    @cached_property
    def reflection_fails(self) -> list[Entry]:
        """(i, j, k), i < k, counted from one, where (35) does not hold."""
        n = range(self.count)
        return [
            (i + 1, j + 1, k + 1)
            for j in n
            for i in n
            for k in n
            if i < k and j in self.depends.get((i, k), ())
        ]

    @cached_property
    def distinct(self) -> dict[Any, list[Entry]]:
        """Nonzero velocity terms, each with the entries (i, j, k), j <= k, that are equal to it
        except for the sign.
        """
        found: dict[Any, list[Entry]] = {}
        for i, C in enumerate(self.equations.relative_C):
            for j in range(self.count):
                for k in range(j, self.count):
                    if C[j][k]:
                        key = -C[j][k] if -C[j][k] in found else C[j][k]
                        found.setdefault(key, []).append((i + 1, j + 1, k + 1))
        return found

    def inertia(self) -> list[str]:
        """Pattern of M: a dot for zero, c for a constant, x for a variable entry."""
        n, found = range(self.count), self.depends
        rows = ["", "Mass matrix (. zero, c constant, x changes with the position)"]
        marks = [
            " ".join("." if (i, j) not in found else "x" if found[i, j] else "c" for j in n)
            for i in n
        ]
        rows += [f"  {mark}   {name}" for mark, name in zip(marks, self.equations.q)]
        zero = sum(1 for i in n for j in n if (i, j) not in found)
        used = sorted({k for ks in found.values() for k in ks})
        names = ", ".join(self.equations.q[k] for k in used) or "nothing"
        idle = ", ".join(name for k, name in enumerate(self.equations.q) if k not in used)
        rows.append(
            f"  {zero} of {self.count**2} entries are zero: nothing moves with both coordinates, "
            "or the two move it at right angles. M depends on "
            + names
            + "."
            + (f" It does not depend on {idle}." if idle else "")
        )
        return rows

    def velocity(self) -> list[str]:
        """Text on the velocity terms and the rules that hold."""
        entries = sum(2 - (j == k) for places in self.distinct.values() for _, j, k in places)
        count = f"{len(self.distinct)} {'is' if len(self.distinct) == 1 else 'are'} distinct"
        rows = [
            "",
            "Velocity terms  sum C_jk(i) v_j v_k",
            f"  {entries} of {self.count**3} C_jk(i) are not zero; but for signs and symmetry "
            f"{count}:",
        ]
        for p, places in list(self.distinct.items())[:MOST]:
            where = ", ".join(f"C({i})_{j},{k}" for i, j, k in places[:6]) + (
                ", ..." if len(places) > 6 else ""
            )
            rows.append(f"    {self._text(p)}    at {where}")
        if len(self.distinct) > MOST:
            rows.append(f"    and {len(self.distinct) - MOST} more")
        if entries < self.count**3:
            rows.append(
                "  the others vanish: none of M_ij, M_ik, M_jk changes with the third coordinate, "
                "or the changes cancel"
            )
        rows.append("  (33) C_jk(i) = C_kj(i) holds")
        return rows + (
            self._rules()
            if self.holonomic
            else [
                "  (34), (35) are for speeds that are rates of coordinates, which those of ball "
                "joints are not"
            ]
        )

    def _text(self, p) -> str:
        """An expression, or its length if it is too long."""
        text = str(self.read(p)) if len(p) <= LONGEST // 8 else ""
        return text if text and len(text) <= LONGEST else f"({len(p)} terms)"

    def _rules(self) -> list[str]:
        n, rows = range(self.count), []
        quiet = [i + 1 for i in n for j in n if j <= i and j in self.depends.get((i, i), ())]
        rows.append(
            "  (34) C_ji(i) = 1/2 dM_ii/dq_j is zero for all j <= i"
            if not quiet
            else "  (34) C_ji(i) is not zero for some j <= i in equations "
            f"{', '.join(map(str, sorted(set(quiet))))}"
        )
        fails = self.reflection_fails
        listed = ", ".join(map(str, fails[:12])) + (", ..." if len(fails) > 12 else "")
        rows.append(
            f"  (35) C_jk(i) = -C_ji(k) fails where dM_ik/dq_j is not zero, (i, j, k): {listed}"
            if fails
            else "  (35) C_jk(i) = -C_ji(k) holds everywhere"
        )
        return rows
