"""Velocities that satisfy the constraints, with the speeds the user gave, and else as small as can
be.

    G v = nu,   S v = given joint speeds  (exactly if possible),   J v ~ given body velocities,
                then least |v|

All in natural units, angles in radians and lengths in sizes of the machine: every entry is a number
near one, so that what is below `_CUT` is rounding, whatever else the rows hold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..description.lowering.compiled import JointPlace
from ..errors import AssemblyError
from ..kernel.linalg import product, svd
from .large import LargeSystem
from .large_start import start_velocities
from .system import System

_CUT = 1e-9  # singular values and rows below this are rounding
_MET = (
    1e-8  # of the largest speed, in radians or sizes of the machine per second: what counts as met
)


class Speed(NamedTuple):
    """A joint speed the user gave."""

    place: JointPlace
    label: str
    value: float

    @property
    def name(self) -> str:
        spec = self.place.spec  # as the channels are called
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
    """Velocities and how well they fit."""

    v: np.ndarray
    error: float  # of the constraints, m/s
    missed: float  # largest deviation from what the user gave
    changed: dict[
        str, tuple[float, float]
    ]  # speeds of joints and bodies that could not be had: (asked for, found)


def consistent_velocities(
    system: System, t: float, body_velocities: dict[int, np.ndarray], speeds: list[Speed]
) -> Rates:
    """`body_velocities`: body index -> (6,) target, angular first, with NaN where free."""
    length, natural = system.length, system.natural
    if (
        not system.compiled.size["ng"]
        and not body_velocities
        and all(speed.place.direct is not None for speed in speeds)
    ):
        return _of_tree(system, speeds)
    if (
        not system.rates(t).any()
        and not np.nan_to_num(_flat(body_velocities)).any()
        and not any(speed.value for speed in speeds)
    ):
        return Rates(np.zeros(len(natural)), 0.0, 0.0, {})
    if isinstance(system, LargeSystem):
        v = _of_large(system, system.rates(t), body_velocities, speeds)
        if v is not None:
            return v
    G, nu = system.jacobian(), system.rates(t)
    S, s = _asked(system, speeds)
    unit = np.array([length if speed.unit == "m" else 1.0 for speed in speeds])
    loops, given = (G / natural / length, nu / length), (S / natural / unit[:, None], s / unit)
    w, null = _solve(
        np.vstack([loops[0], given[0]]), np.concatenate([loops[1], given[1]]), system.rounding
    )
    if not (
        _fits(*loops, w, system.rounding) and _fits(*given, w)
    ):  # the given speeds contradict the loops: keep the loops
        w, null = _solve(*loops, system.rounding)
        _refuse_loops(system, *loops, w)
        _refuse_locked(speeds, *given, w, _movable(system, loops[0]))
        w, null = (
            w + product(null, _solve(product(given[0], null), given[1] - product(given[0], w))[0]),
            null[:, :0],
        )
    J, Y = _targets(system, body_velocities)
    rows = np.tile([1.0, 1.0, 1.0, length, length, length], len(body_velocities))[
        np.isfinite(_flat(body_velocities))
    ]
    J_w = J / natural / rows[:, None]
    w = w + product(null, _solve(product(J_w, null), Y / rows - product(J_w, w))[0])
    v = w / natural
    changed = {
        speed.name: (speed.value, float(product(row, v)))
        for k, (speed, row) in enumerate(zip(speeds, S))
        if not _fits(given[0][k : k + 1], given[1][k : k + 1], w)
    }
    changed.update(_bodies_changed(system, body_velocities, v))
    return Rates(v, _misfit(G, nu, v), max(_misfit(S, s, v), _misfit(J, Y, v)), changed)


def _of_tree(system: System, speeds: list[Speed]) -> Rates:
    """Without constraints every speed can be had."""
    v = np.zeros(system.compiled.size["nv"])
    for speed in speeds:
        v[system.freedom(speed.place, speed.label)] = speed.value
    return Rates(v, 0.0, 0.0, {})


def _of_large(
    system: LargeSystem, nu: np.ndarray, body_velocities: dict[int, np.ndarray], speeds: list[Speed]
) -> Rates | None:
    """The same by sparse algebra where nothing contradicts and all speeds are those of freedoms;
    else None.
    """
    if any(speed.place.direct is None for speed in speeds):
        return None
    given = {system.freedom(speed.place, speed.label): speed.value for speed in speeds}
    aims = {
        i: (system.origin(i) - system.work.bodies[i]["O"], target)
        for i, target in body_velocities.items()
    }
    v = start_velocities(system, nu, aims, given)
    if v is None:
        return None
    missed = max(
        (
            np.nanmax(np.abs(system.velocity(i, v, system.origin(i)) - target), initial=0.0)
            for i, target in body_velocities.items()
        ),
        default=0.0,
    )
    return Rates(
        v,
        float(np.abs(system.row_rates(v) - nu).max(initial=0.0)),
        float(missed),
        _bodies_changed(system, body_velocities, v),
    )


def _bodies_changed(
    system: System, body_velocities: dict[int, np.ndarray], v: np.ndarray
) -> dict[str, tuple[float, float]]:
    """Components of velocities given with bodies that could not be had, named as the channels are:
    (asked for, found).
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
            name = f"{system.compiled.bodies[i]}.{('angular_velocity', 'velocity')[k // 3]}.{'xyz'[k % 3]}"
            found[name] = float(target[k]), float(now[k])
    return found


def _asked(system: System, speeds: list[Speed]) -> tuple[np.ndarray, np.ndarray]:
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
    """Least solution in the sense of least squares, and the null space; what is rounding counts as
    nothing.
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
            f"no velocities satisfy all constraints: {', '.join(map(repr, owners))} ask for "
            f"{residual.max() * system.length:.3g} m/s more than the machine can do. Two drivers "
            "may prescribe the same motion "
            "differently; remove one."
        )


def _movable(system: System, G: np.ndarray) -> np.ndarray:
    """Motions that the machine can make without its drivers, in natural units."""
    constraints = system.compiled.model.constraints
    lasting = [
        not (owner in constraints and constraints[owner].spec.driven)
        for owner in system.compiled.row_owner
    ]
    return _solve(G[lasting], np.zeros(sum(lasting)), system.rounding)[1]


def _refuse_locked(
    speeds: list[Speed], S: np.ndarray, s: np.ndarray, w: np.ndarray, null: np.ndarray
) -> None:
    """A speed of a freedom that cannot move, even without drivers, cannot be had, not even nearly."""
    for speed, row, value in zip(speeds, S, s):
        if np.abs(product(row, null)).max(initial=0.0) <= _CUT and not _fits(
            row[None], np.array([value]), w
        ):
            raise AssemblyError(
                f"joint {speed.place.spec.name!r}: a speed {speed.label!r} of {speed.value:g} "
                f"{speed.unit}/s is asked for, but "
                "the other joints and constraints lock that freedom. Leave out that speed, or set "
                "the freedom free."
            )
