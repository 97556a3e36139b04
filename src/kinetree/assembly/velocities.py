"""Velocities that satisfy the constraints and the given speeds, and otherwise are as small as
possible:

    G v = nu,   S v = given joint speeds (exactly if possible),   J v ~ given body velocities,
                then minimal |v|

Rolling wheels couple the velocity of a body to its rotation. If a constraint restricts velocities
alone, J v of the points has priority over that of the rotations, which follow from the rolling.

All in natural units, angles in radians and lengths relative to the model size: every entry is of
order one, so that values below `_CUT` are rounding errors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..description.lowering.compiled import JointPlace
from ..errors import AssemblyError
from ..kernel.linalg import product, svd
from .sparse_system import SparseSystem
from .sparse_velocities import least_velocities
from .system import System

_CUT = 1e-9  # singular values and rows below this are rounding errors
_MET = 1e-8  # relative to the largest speed in natural units: deviation that counts as none


class Speed(NamedTuple):
    """A joint speed the user gave."""

    place: JointPlace
    label: str
    value: float

    @property
    def name(self) -> str:
        spec = self.place.spec
        return (
            f"{spec.name}.{self.label}.rate"
            if self.label in spec.joint.labels
            else f"{spec.name}.{self.label}"
        )

    @property
    def unit(self) -> str:
        joint = self.place.spec.joint
        return joint.units[joint.speeds.index(self.label)]


class Rates(NamedTuple):
    """Velocities and their residuals."""

    v: np.ndarray
    error: float  # of the constraints, m/s
    missed: float  # largest deviation from the given speeds
    # speeds of joints and bodies that could not be satisfied: (given, found)
    changed: dict[str, tuple[float, float]]


def consistent_velocities(
    system: System, t: float, body_velocities: dict[int, np.ndarray], speeds: list[Speed]
) -> Rates:
    """Velocities for given joint speeds and body velocities (body index -> (6,) target, angular
    first, with NaN where free).
    """
    length, natural = system.length, system.natural
    if (
        not system.compiled.size["ng"]
        and not body_velocities
        and all(speed.place.direct is not None for speed in speeds)
    ):
        return _tree_velocities(system, speeds)
    if (
        not system.rates(t).any()
        and not np.nan_to_num(_flat(body_velocities)).any()
        and not any(speed.value for speed in speeds)
    ):
        return Rates(np.zeros(len(natural)), 0.0, 0.0, {})
    if isinstance(system, SparseSystem):
        v = _sparse_velocities(system, system.rates(t), body_velocities, speeds)
        if v is not None:
            return v
    G, nu = system.jacobian(), system.rates(t)
    S, s = _given_rows(system, speeds)
    unit = np.array([length if speed.unit == "m" else 1.0 for speed in speeds])
    loops, given = (G / natural / length, nu / length), (S / natural / unit[:, None], s / unit)
    w, null = _solve(
        np.vstack([loops[0], given[0]]), np.concatenate([loops[1], given[1]]), system.rounding
    )
    if not (_fits(*loops, w, system.rounding) and _fits(*given, w)):
        # the given speeds contradict the loops: satisfy the loops
        w, null = _solve(*loops, system.rounding)
        _refuse_loops(system, *loops, w)
        _refuse_locked(speeds, *given, w, _movable(system, loops[0]))
        w = w + product(null, _solve(product(given[0], null), given[1] - product(given[0], w))[0])
        null = null[:, :0]
    J, Y = _targets(system, body_velocities)
    rows = np.tile([1.0, 1.0, 1.0, length, length, length], len(body_velocities))[
        np.isfinite(_flat(body_velocities))
    ]
    J_w, Y_w = J / natural / rows[:, None], Y / rows
    for part in _priorities(system, body_velocities):
        step, free = _solve(product(J_w[part], null), Y_w[part] - product(J_w[part], w))
        w, null = w + product(null, step), product(null, free)
    v = w / natural
    changed = {
        speed.name: (speed.value, float(product(row, v)))
        for k, (speed, row) in enumerate(zip(speeds, S))
        if not _fits(given[0][k : k + 1], given[1][k : k + 1], w)
    }
    changed.update(_bodies_changed(system, body_velocities, v))
    return Rates(v, _misfit(G, nu, v), max(_misfit(S, s, v), _misfit(J, Y, v)), changed)


def _priorities(system: System, body_velocities: dict[int, np.ndarray]) -> list[np.ndarray]:
    """Masks of the rows of `_targets` that are satisfied together, the first ones exactly if
    possible: all, or points before rotations.
    """
    given = np.isfinite(_flat(body_velocities))
    if system.holonomic.all():
        return [np.ones(int(given.sum()), bool)]
    points = np.tile(np.arange(6) >= 3, len(body_velocities))[given]
    return [points, ~points]


def _tree_velocities(system: System, speeds: list[Speed]) -> Rates:
    """Velocities without constraints: every speed can be satisfied."""
    v = np.zeros(system.compiled.size["nv"])
    for speed in speeds:
        v[system.dof(speed.place, speed.label)] = speed.value
    return Rates(v, 0.0, 0.0, {})


def _sparse_velocities(
    system: SparseSystem,
    nu: np.ndarray,
    body_velocities: dict[int, np.ndarray],
    speeds: list[Speed],
) -> Rates | None:
    """Velocities by sparse algebra if nothing contradicts and all speeds are those of tree joints;
    otherwise None.
    """
    if any(speed.place.direct is None for speed in speeds):
        return None
    given = {system.dof(speed.place, speed.label): speed.value for speed in speeds}
    aims = {
        i: (system.origin(i) - system.work.bodies[i]["O"], target)
        for i, target in body_velocities.items()
    }
    v = least_velocities(system, nu, aims, given)
    if v is None:
        return None
    missed = max(
        (
            np.nanmax(np.abs(system.velocity(i, v, system.origin(i)) - target), initial=0.0)
            for i, target in body_velocities.items()
        ),
        default=0.0,
    )
    changed = _bodies_changed(system, body_velocities, v)
    if changed and not system.holonomic.all():
        return None  # points have priority over rotations
    error = float(np.abs(system.row_rates(v) - nu).max(initial=0.0))
    return Rates(v, error, float(missed), changed)


def _bodies_changed(
    system: System, body_velocities: dict[int, np.ndarray], v: np.ndarray
) -> dict[str, tuple[float, float]]:
    """Components of given body velocities that could not be satisfied, by channel name:
    (given, found).
    """
    found: dict[str, tuple[float, float]] = {}
    for i, target in body_velocities.items():
        now = system.velocity(i, v, system.origin(i))
        size = np.where(np.arange(6) < 3, 1.0, system.length) * np.abs(v * system.natural).max(
            initial=0.0
        )
        apart = np.abs(now - target) > _MET * (size + np.abs(target)) + (
            system.rounding - _CUT
        ) * np.abs(now)
        for k in np.flatnonzero(apart & np.isfinite(target)):
            what = f"{('angular_velocity', 'velocity')[k // 3]}.{'xyz'[k % 3]}"
            found[f"{system.compiled.bodies[i]}.{what}"] = float(target[k]), float(now[k])
    return found


def _given_rows(system: System, speeds: list[Speed]) -> tuple[np.ndarray, np.ndarray]:
    """S and s of the given joint speeds."""
    S = np.array([system.speed_row(speed.place, speed.label) for speed in speeds])
    return S.reshape(len(speeds), system.compiled.size["nv"]), np.array(
        [speed.value for speed in speeds], float
    )


def _flat(body_velocities: dict[int, np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0), *body_velocities.values()])


def _targets(
    system: System, body_velocities: dict[int, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    rows, values = [np.zeros((0, system.compiled.size["nv"]))], [np.zeros(0)]
    for i, target in body_velocities.items():
        wanted = np.isfinite(target)
        rows.append(system.body_jacobian(i, system.origin(i))[wanted])
        values.append(target[wanted])
    return np.vstack(rows), np.concatenate(values)


def _solve(A: np.ndarray, b: np.ndarray, cut: float = _CUT) -> tuple[np.ndarray, np.ndarray]:
    """Minimum-norm least-squares solution and null space of A, singular values up to `cut` counting
    as zero.
    """
    if not A.size:
        return np.zeros(A.shape[1]), np.eye(A.shape[1])
    U, s, Vt = svd(A)
    rank = int(np.sum(s > cut * max(s[0], 1.0)))
    return product(Vt[:rank].T, product(U[:, :rank].T, b) / s[:rank]), Vt[rank:].T


def _fits(A: np.ndarray, b: np.ndarray, w: np.ndarray, cut: float = _CUT) -> bool:
    fastest = np.abs(w).max(initial=0.0)
    return (
        _misfit(A, b, w) <= _MET * max(fastest, np.abs(b).max(initial=0.0)) + (cut - _CUT) * fastest
    )


def _misfit(A: np.ndarray, b: np.ndarray, v: np.ndarray) -> float:
    return float(np.abs(product(A, v) - b).max(initial=0.0))


def _refuse_loops(system: System, G: np.ndarray, nu: np.ndarray, w: np.ndarray) -> None:
    if not _fits(G, nu, w, system.rounding):
        residual = np.abs(product(G, w) - nu)
        owners = sorted(
            {system.compiled.row_owner[r] for r in np.flatnonzero(residual > 0.1 * residual.max())}
        )
        raise AssemblyError(
            "no velocities satisfy all constraints: a residual of "
            f"{residual.max() * system.length:.3g} m/s remains at {', '.join(map(repr, owners))}. "
            "Two drivers may prescribe the same motion differently; remove one."
        )


def _movable(system: System, G: np.ndarray) -> np.ndarray:
    """Null space of the constraints without drivers, in natural units."""
    constraints = system.compiled.model.constraints
    lasting = [
        not (owner in constraints and constraints[owner].spec.driven)
        for owner in system.compiled.row_owner
    ]
    return _solve(G[lasting], np.zeros(sum(lasting)), system.rounding)[1]


def _refuse_locked(
    speeds: list[Speed], S: np.ndarray, s: np.ndarray, w: np.ndarray, null: np.ndarray
) -> None:
    """Raise an error for a given speed of a degree of freedom that cannot move even without drivers."""
    for speed, row, value in zip(speeds, S, s):
        if np.abs(product(row, null)).max(initial=0.0) <= _CUT and not _fits(
            row[None], np.array([value]), w
        ):
            raise AssemblyError(
                f"joint {speed.place.spec.name!r}: a speed {speed.label!r} of {speed.value:g} "
                f"{speed.unit}/s is given, but the other joints and constraints lock that degree "
                "of freedom. Leave out that speed, or remove the constraint that locks it."
            )
