"""Equations of motion of a planar arm from its position vectors alone.  [LeeJoo, eqs. (1)-(27)]

    M = sum int J^T J dm,   U = g sum int r_z dm + 1/2 xi^T K xi
    C_jk(i) = 1/2 (d M_ij/d q_k + d M_ik/d q_j - d M_jk/d q_i)

    M vdot + sum C_jk(i) v_j v_k + dU/dq + G^T lam = tau,      g = 0,   G vdot = gamma

They are derived in the absolute angles phi of the links, in which M has one block per branch of the
arm, and transformed to joint coordinates by the constant matrix T of phi = T q: M -> T^T M T,
forces -> T^T f, G -> G T. No term is neglected: all derivatives of M are present, including those
of its elastic block with respect to the joint angles.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..description.arm import EXACT, FIXED, Arm, Link
from ..errors import ModelError
from .field import GROUND, Field, Vector
from .frames import Frames, mode_name

Matrix = list[list[Any]]


@dataclass(frozen=True)
class Equations:
    """The equations of an arm as polynomials in the coordinates of its field; `numbers` has the
    values of its symbols.
    """

    frames: Frames
    M: Matrix
    gravity: list[Any]  # dU/d(coordinate) of gravity
    potential: Any  # U of gravity
    # names of the stiffnesses between modal coordinates, j <= k of a link
    K: dict[tuple[str, str], str]
    loops: list[Any]  # g, two rows per pin: along n and e of the first link
    numbers: dict[str, float]

    @property
    def arm(self) -> Arm:
        return self.frames.arm

    @property
    def field(self) -> Field:
        return self.frames.field

    @property
    def zeros(self) -> list[str]:
        """Symbols that are zero in this arm, such as products of orthogonal modes; gravity may
        change and is not included.
        """
        return sorted(
            name for name, value in self.numbers.items() if value == 0.0 and name != "grav"
        )

    @property
    def q(self) -> tuple[str, ...]:
        """Names of the joint coordinates, then of the modal coordinates."""
        return self.frames.q

    @cached_property
    def T(self) -> Matrix:
        """Matrix T: one row per coordinate of the field, one column per coordinate q."""
        field, rows = self.field, []
        for a in field.angles:
            rows.append([self.frames.rows[a].get(name, field.zero) for name in self.q])
        for length in field.lengths:
            made_of = self.frames.rows.get(length, {length: field.one})
            rows.append([made_of.get(name, field.zero) for name in self.q])
        return rows

    @cached_property
    def jacobian(self) -> Matrix:
        return [
            [self.field.diff(g, k) for k in range(len(self.field.coordinates))] for g in self.loops
        ]

    @cached_property
    def gamma(self) -> list[Any]:
        """-d/dt(G) v."""
        return [-self.field.along(self.field.along(g)) for g in self.loops]

    @cached_property
    def C(self) -> list[Matrix]:
        """Christoffel symbols C[i][j][k] in the coordinates of the field."""
        return christoffel(self.M, lambda p, k: self.field.diff(p, k), self.field.half)

    # --- in joint coordinates

    def diff(self, p, k: int):
        """d p / d q_k."""
        return _dot(
            self.T, k, [self.field.diff(p, row) for row in range(len(self.T))], self.field.zero
        )

    @cached_property
    def relative_M(self) -> Matrix:
        return congruent(self.T, self.M, self.field.zero)

    @cached_property
    def relative_C(self) -> list[Matrix]:
        """C_jk(i) of the paper, in joint and modal coordinates: T is constant, so they transform as
        M does, C -> T T T C.
        """
        turned = [congruent(self.T, C, self.field.zero) for C in self.C]
        n = range(len(self.q))
        return [
            [[_dot(self.T, i, [C[j][k] for C in turned], self.field.zero) for k in n] for j in n]
            for i in n
        ]

    def change(self, i: int, j: int, k: int):
        """d M_ij / d q_k = C_jk(i) + C_ik(j)."""
        return self.relative_C[i][j][k] + self.relative_C[j][i][k]

    @cached_property
    def relative_gravity(self) -> list[Any]:
        return [_dot(self.T, k, self.gravity, self.field.zero) for k in range(len(self.q))]

    @property
    def rigid(self) -> int:
        """Number of joint coordinates; modal coordinates follow them."""
        return sum(link.kind != FIXED for link in self.arm.links)


def derive(arm: Arm) -> Equations:
    """The equations of an arm."""
    frames = Frames(arm)
    if not frames.q:
        raise ModelError(
            f"arm {arm.name!r}: nothing in it can move; give it a link with a joint, or with modes."
        )
    field, n = frames.field, len(frames.field.coordinates)
    M, gravity, potential = [[field.zero] * n for _ in range(n)], [field.zero] * n, field.zero
    up: Vector = {GROUND: (field.zero, field.one)}
    for link in arm.links:
        for r, weigh in _masses(frames, link):
            J = [field.vector_diff(r, k) for k in range(n)]
            potential += field.of["grav"] * weigh(field.dot(up, r))
            for i in range(n):
                if J[i]:
                    gravity[i] += field.of["grav"] * weigh(field.dot(J[i], up))
                    for j in range(i, n):
                        if J[j]:
                            M[i][j] += weigh(field.dot(J[i], J[j]))
        _turning(frames, link, M)
    for i in range(n):
        for j in range(i):
            M[i][j] = M[j][i]
    K, stiffness = _stiffness(arm)
    found = Equations(
        frames, M, gravity, potential, K, _loops(frames), {**frames.names.numbers, **stiffness}
    )
    if arm.terms == EXACT:
        return found
    from .printed_terms import printed  # a late import: printed_terms imports this module

    return printed(found)


def christoffel(M: Matrix, diff, half) -> list[Matrix]:
    """C[i][j][k] = 1/2 (d M_ij/d q_k + d M_ik/d q_j - d M_jk/d q_i).  [LeeJoo, eq. (27)]"""
    n = range(len(M))
    D = {(i, j): [diff(M[i][j], k) for k in n] for i in n for j in n if i <= j}

    def d(i: int, j: int, k: int):
        return D[(i, j) if i <= j else (j, i)][k]

    C = [[[None] * len(M) for _ in n] for _ in n]
    for i in n:
        for j in n:
            for k in n:
                C[i][j][k] = half * (d(i, j, k) + d(i, k, j) - d(j, k, i)) if j <= k else C[i][k][j]
    return C


def congruent(T: Matrix, M: Matrix, zero) -> Matrix:
    """T^T M T."""
    rows, columns = range(len(T)), range(len(T[0]))
    MT = [
        [sum((M[a][b] * T[b][j] for b in rows if M[a][b] and T[b][j]), zero) for j in columns]
        for a in rows
    ]
    return [
        [sum((T[a][i] * MT[a][j] for a in rows if T[a][i] and MT[a][j]), zero) for j in columns]
        for i in columns
    ]


def _dot(T: Matrix, k: int, column: list[Any], zero):
    """Scalar product of column k of T and a column."""
    return sum((row[k] * value for row, value in zip(T, column) if row[k] and value), zero)


# --- masses


def _masses(frames: Frames, link: Link):
    """(position vector, integral over its mass) of a link and of its payloads."""
    if link.mass:
        yield frames.anywhere(link), lambda p: integrate(frames, link, p)
    for j, lump in enumerate(link.lumps, 1):
        if lump.mass:
            mass = frames.field.of[f"mp{link.number}_{j}"]
            yield frames.lump(link, j)[0], lambda p, mass=mass: mass * p


def _turning(frames: Frames, link: Link, M: Matrix) -> None:
    """Add payloads that rotate with the link and with its slope there:  1/2 J (dphi + sum psi_k'
    dxi_k)^2.
    """
    field = frames.field
    for j, lump in enumerate(link.lumps, 1):
        if not lump.inertia:
            continue
        turned = frames.lump(link, j)[1]
        places = {
            field.coordinates.index(name): value
            for name, value in turned.items()
            if value and name in field.coordinates
        }
        for a, x in places.items():
            for b, y in places.items():
                if a <= b:
                    M[a][b] += field.of[f"Jp{link.number}_{j}"] * x * y


def integrate(frames: Frames, link: Link, p):
    """Replace the monomials x^i z^j psi_k .. of a link by its named integrals."""
    field, n = frames.field, link.number
    local = [name for name in (f"x{n}", f"z{n}") if name in field.of]
    places = [field.place[name] for name in local] + [
        field.place[f"psi{n}_{k + 1}"] for k in range(len(link.modes))
    ]
    parts: dict[tuple[int, ...], Any] = {}
    for monomial, factor in p.terms():
        powers, rest = tuple(monomial[i] for i in places), list(monomial)
        for i in places:
            rest[i] = 0
        parts.setdefault(powers, field.ring.zero.copy())[tuple(rest)] = factor
    return sum(
        (rest * field.of[_integral(n, len(local), powers)] for powers, rest in parts.items()),
        field.zero,
    )


def _integral(n: int, axes: int, powers: tuple[int, ...]) -> str:
    """Name of int x^i z^j psi_k psi_l dm."""
    x, z = powers[0], powers[1] if axes == 2 else 0
    modes = [k for k, power in enumerate(powers[axes:], 1) for _ in range(power)]
    if len(modes) == 2:
        return f"n{n}_{modes[0]}_{modes[1]}"
    if len(modes) == 1:
        return f"{'ab'[x]}{n}_{modes[0]}"
    return f"Jz{n}" if z == 2 else f"Sz{n}" if z == 1 else f"{'mSJ'[x]}{n}"


def _stiffness(arm: Arm) -> tuple[dict[tuple[str, str], str], dict[str, float]]:
    """Names and values of K_kl = int EI psi_k'' psi_l'' dx; K is full for modes that are not
    orthogonal in curvature.
    """
    names, numbers = {}, {}
    for link in arm.links:
        for j in range(len(link.modes)):
            for k in range(j, len(link.modes)):
                name = f"k{link.number}_{j + 1}_{k + 1}"
                names[mode_name(link, j + 1), mode_name(link, k + 1)] = name
                numbers[name] = float(link.integrals.k[j, k])
    return names, numbers


def _loops(frames: Frames) -> list[Any]:
    """The gap of every pin along the axes of its first link:  n . (r_M - r_F) and e . (r_M -
    r_F).
    """
    field, rows = frames.field, []
    for k, closure in enumerate(frames.arm.closures, 1):
        F = frames.place(f"F{k}", closure.first, closure.p_first)
        M = frames.place(f"M{k}", closure.second, closure.p_second)
        gap = field.sum(M.origin, {a: (-x, -y) for a, (x, y) in F.origin.items()})
        rows += [
            field.dot({F.angle: (field.zero, field.one)}, gap),
            field.dot({F.angle: (field.one, field.zero)}, gap),
        ]
    return rows
