"""Fronts: the order in which groups of rows take coordinates, for a local basis of the null space.

A group of rows G_c x = r_c, those of one joint or constraint, takes the coordinates T that it
contains and gives those that it leaves free, in a basis of its own, which any method for small
matrices can compute:

    x_T = Y y + N z,     G_c Y = 1,   G_c N = 0

This is a front. Later rows contain z where they contained a coordinate of T. The basis of the whole
model is the product of all N and is never formed. Coordinates enter where they are few, as in the
multifrontal QR factorization of a sparse matrix [Davis2006, ch. 5]; if N is orthonormal, these are
its factors: G^T = Q R.

The number of rows of a group that are independent of those before it is determined at a projected
state. A group that connects two parts of a model which were not connected has full rank at every
position. Other groups close loops. If rows of one group depend on rows of another, the two share a
front, because their rows must be selected together.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...kernel.algebra.elimination_order import Joined, Ties
from ...kernel.linalg import pivoted_qr, product
from .paths import Shape
from .sampled_rows import Rows

# thresholds for the remaining part of a row that depends on others; the first that gives the known
# rank is used
BARS = (1e-9, 1e-8, 1e-7, 1e-6)
SHARED = 1e-7  # coefficient of a row in a combination below which it is rounding
PASSED = 1_000_000  # total number of passed fronts above which the model has no local basis


@dataclass
class Front:
    """Rows that take coordinates and give those they leave free, numbered from `first_given` on."""

    rows: np.ndarray
    taken: list[int]
    passed: list[int]  # earlier fronts that these rows pass, in order
    closes: bool
    first_given: int = 0
    rank: int = 0
    consumer: int = -1  # the front that takes the coordinates of this one
    basis: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # Y and N, one row each
    # components of the selected rows along the y of `passed`
    fill: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def free(self) -> int:
        """Number of free coordinates."""
        return len(self.taken) - self.rank

    @property
    def given(self) -> range:
        """Numbers of the free coordinates."""
        return range(self.first_given, self.first_given + self.free)


class Fronts:
    """All fronts in their order; `groups` lists the groups of each front.

    The construction stops when `flops` exceeds the limit.
    """

    def __init__(
        self,
        shape: Shape,
        rows: Rows,
        shared: Sequence[Sequence[int]],
        bar: float,
        limit: float = np.inf,
    ) -> None:
        self.shape, self.given, self.bar, self.limit, self.flops = shape, rows, bar, limit, 0.0
        self.nv, self.found = shape.begin[-1], list[Front]()
        self.owner = [-1] * self.nv  # the front that took a coordinate
        self.next, self.n_passed, self.dependencies = self.nv, 0, list[set[int]]()
        self.joined = Joined(Ties())
        self.groups = [list(one) for one in shared]
        self.place = {c: n for n, one in enumerate(self.groups) for c in one}
        self.support = [
            sorted({int(k) for c in one for k in rows.supports[c]}) for one in self.groups
        ]
        heap = [(len(m), n) for n, m in enumerate(self.support)]
        heapq.heapify(heap)
        while heap and not self.too_expensive:
            size, n = heapq.heappop(heap)
            now = self._size(n)
            if heap and now > max(size, heap[0][0]):
                heapq.heappush(heap, (now, n))
            else:
                self._add(n)

    @property
    def rank(self) -> int:
        """Number of independent rows."""
        return sum(front.rank for front in self.found)

    @property
    def too_expensive(self) -> bool:
        """Whether the fronts take more work than is allowed."""
        return self.flops > self.limit or self.n_passed > PASSED

    def motion(self, rng: np.random.Generator) -> np.ndarray:
        """A random small motion that all rows allow, in natural units; zero if there is none."""
        w = rng.normal(size=self.next)
        for front in reversed(self.found):
            w[front.taken] = product(front.basis[front.rank :].T, w[list(front.given)])
        return w[: self.nv] / max(float(np.abs(w[: self.nv]).max(initial=0.0)), 1e-300)

    def _parts(self, n: int) -> tuple[list[int], list[int], list[int]]:
        """Free coordinates of a group, the fronts it passes, and the last of these.

        The group takes the coordinates that the last fronts gave.
        """
        raw, passed, tops = list[int](), set[int](), set[int]()
        for k in self.support[n]:
            front = self.owner[k]
            if front < 0:
                raw.append(k)
            while front >= 0 and front not in passed:
                passed.add(front)
                if self.found[front].consumer < 0:
                    tops.add(front)
                front = self.found[front].consumer
        return raw, sorted(passed), sorted(tops)

    def _size(self, n: int) -> int:
        """Number of coordinates that group n would take now."""
        raw, _, tops = self._parts(n)
        return len(raw) + sum(self.found[k].free for k in tops)

    def _connects(self, n: int) -> bool:
        """Connect the parts of the model on which a group acts.

        Returns whether the group connects two parts that were not connected.
        """
        ends = sorted({self.joined.top(i) for c in self.groups[n] for i in self.shape.ends[c]})
        for i in ends[1:]:
            self.joined.join(ends[0], i)
        return len(ends) == 2 and len(self.groups[n]) == 1

    def _add(self, n: int) -> None:
        """Add group n as the next front."""
        raw, reach, tops = self._parts(n)
        ins = raw + [i for k in tops for i in self.found[k].given]
        first = self.given.group_first
        rows = np.concatenate([np.arange(first[c], first[c + 1]) for c in self.groups[n]])
        front = Front(rows, ins, reach, not self._connects(n))
        self._factor(front, n)
        if not front.rank:
            return
        me, front.first_given = len(self.found), self.next
        self.next += front.free
        for k in raw:
            self.owner[k] = me
        for k in tops:
            self.found[k].consumer = me
        self.found.append(front)
        self.n_passed += len(reach)
        size, passed = len(ins), sum(len(self.found[k].taken) ** 2 for k in reach)
        self.flops += (
            len(rows) * passed
            + 4.0 * size * front.rank**2
            + 8.0 * size * front.free**2
            + 2.0 * size**2 * front.free
        )

    def reduced_rows(self, front: Front, groups: Iterable[int]) -> tuple[np.ndarray, np.ndarray]:
        """The rows of a front over its coordinates, and along the y of the fronts they pass."""
        ids = sorted(
            {i for k in front.passed for i in (*self.found[k].taken, *self.found[k].given)}.union(
                front.taken
            )
        )
        at = {i: n for n, i in enumerate(ids)}
        W, row, fill = np.zeros((len(front.rows), len(ids))), 0, []
        for c in groups:
            part = self.given.of(c)
            W[row : row + len(part), [at[int(k)] for k in self.given.supports[c]]] = part
            row += len(part)
        for k in front.passed:
            one = self.found[k]
            passed = product(W[:, [at[i] for i in one.taken]], one.basis.T)
            fill.append(passed[:, : one.rank])
            W[:, [at[i] for i in one.given]] = passed[:, one.rank :]
        return W[:, [at[i] for i in front.taken]], np.hstack([np.zeros((len(W), 0)), *fill])

    def _factor(self, front: Front, n: int) -> None:
        """Rank, basis and dependencies on other fronts of a front."""

        A, fill = self.reduced_rows(front, self.groups[n])
        if not A.size:
            return
        Q, R, order = pivoted_qr(A.T, full=True)
        left = np.abs(np.diag(R))
        front.rank = p = int((left > self.bar).sum())
        Y = np.zeros((p, len(Q)))
        for k in reversed(range(p)):  # R Y = Q^T
            Y[k] = (Q[:, k] - product(R[k, k + 1 : p], Y[k + 1 :])) / R[k, k]
        front.basis, front.fill = np.vstack([Y, Q[:, p:].T]), fill[order[:p]]
        if front.closes:
            for k in order[p:]:
                self._combination(front, n, product(A[k], Y.T), fill[k])

    def _split(self, front: Front, along: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Components along the y of the passed fronts, front by front."""
        at = 0
        for k in front.passed:
            yield k, along[at : at + self.found[k].rank]
            at += self.found[k].rank

    def _combination(self, front: Front, n: int, own: np.ndarray, along: np.ndarray) -> None:
        """Record the fronts that close loops and contribute to a dependent row; `own` are its
        coefficients in its front.
        """
        parts = dict(self._split(front, along - product(own, front.fill)))
        todo, share = sorted(parts), set[int]()
        while todo:
            k = todo.pop()
            one, lam = self.found[k], parts[k]
            if np.abs(lam).max(initial=0.0) <= SHARED:
                continue
            if one.closes:
                share.add(k)
            for j, fill in self._split(one, product(lam, one.fill)):
                if j not in parts:
                    parts[j] = np.zeros(self.found[j].rank)
                    todo = sorted([*todo, j])
                parts[j] = parts[j] - fill
        if share:
            self.dependencies.append(
                {n, *(self.place[self.given.row_group[int(self.found[k].rows[0])]] for k in share)}
            )


def fronts_of(
    shape: Shape,
    rows: Rows,
    wanted: int,
    limit: float = np.inf,
    shared: Sequence[Sequence[int]] | None = None,
) -> Fronts | None:
    """Fronts with the known number of independent rows (-1: not known); None beyond the limit."""
    for bar in BARS:
        groups = [[c] for c in range(len(rows.group_first) - 1)] if shared is None else shared
        while True:
            found = Fronts(shape, rows, groups, bar, limit)
            if found.too_expensive:
                return None
            if not found.dependencies:
                break
            groups = merge_groups(found)
        if wanted < 0 or found.rank == wanted:
            return found
    return None


def merge_groups(found: Fronts) -> list[list[int]]:
    """Merge the groups that depend on each other."""
    sets = Joined(Ties())
    for dependency in found.dependencies:
        one, *others = sorted(dependency)
        for other in others:
            sets.join(other, one)
    together: dict[int, list[int]] = {}
    for n, groups in enumerate(found.groups):
        together.setdefault(sets.top(n), []).extend(groups)
    return [sorted(one) for one in together.values()]
