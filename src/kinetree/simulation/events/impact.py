"""The state after an event: given speeds, and the smallest change that the constraints allow.

    M (v+ - v-) = -G^T Lam - J^T P,     G v+ = nu,     J v+ = w

[Lee1994, eqs. (27)-(29), with the additional rows J]. The rows J belong to the given speeds w: an
impulse P acts along each of them, and the joints react with impulses of their own. A Newton impact
of two bodies is {"tip.velocity.z": -e * before}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...assembly.system import System
from ...engine.equations.interface import evaluate_equations as equations
from ...errors import ModelError, SimulationError, no_such, short
from ...kernel.frames import number
from ...kernel.linalg import lstsq, product, svd
from ...results import channels
from .batch import Batch

_MET = 1e-8  # of the speeds: what counts as met
_CUT = 1e-9


def changed(batch: Batch, t: float, y: np.ndarray, returned: Any, what: str) -> np.ndarray:
    """The state with the changes that a user's function returned; `what` begins messages."""
    after, compiled = y.copy(), batch.compiled
    q, v, x = compiled.split(after)
    if isinstance(returned, Mapping):
        speeds = {}
        for name, value in returned.items():
            if name in compiled.states:
                x[compiled.states[name].ix] = number(value, f"{what}: {name}")
            else:
                speeds.update(_components(batch, name, value, what))
        rows, wanted = (
            _rows(batch, t, y, tuple(speeds), what),
            np.array(list(speeds.values()), float),
        )
        if not speeds:
            return after
    else:
        given = _velocities(returned, len(v), what)
        rows, wanted = np.zeros((0, len(v))), np.zeros(0)
        v[:] = given
    v[:] = _consistent(batch.system, t, q, v.copy(), x, rows, wanted, what)
    return after


def _velocities(returned: Any, count: int, what: str) -> np.ndarray:
    try:
        given = np.array(returned, float)
    except (TypeError, ValueError):
        given = np.zeros(0)
    if given.shape != (count,) or not np.isfinite(given).all():
        raise ModelError(
            f"{what} must be a dict of speeds and states, {count} velocities or None, got "
            f"{short(returned)}."
        )
    return given


def _components(batch: Batch, name: str, value: Any, what: str) -> dict[str, float]:
    """A speed, or the components of a velocity vector."""
    channel, component = channels.find(batch.solution.channels, name, batch.compiled.model.name)
    if channel.unit not in ("m/s", "rad/s"):
        known = [
            full
            for full, unit in channels.expanded(batch.solution.channels).items()
            if unit in ("m/s", "rad/s")
        ]
        raise no_such(
            "speed or state", name, [*known, *batch.compiled.states], f" that {what} could change"
        )
    if not channel.components or component is not None:
        return {name: number(value, f"{what}: {name}")}
    values = np.broadcast_to(np.asarray(value, float), len(channel.components))
    return {
        f"{name}.{k}": number(one, f"{what}: {name}.{k}")
        for k, one in zip(channel.components, values)
    }


def _rows(batch: Batch, t: float, y: np.ndarray, names: tuple[str, ...], what: str) -> np.ndarray:
    """J of the speeds: channels at unit velocities, in which they are linear."""
    nv = batch.compiled.size["nv"]
    states = np.repeat(y[None], nv + 2, axis=0)
    v = batch.compiled.split(states)[1]
    v[1:-1] = np.eye(nv)
    v[0] = 0.0
    batch.set_states(np.full(nv + 2, t), states)
    J = np.zeros((len(names), nv))
    for k, name in enumerate(names):
        value = batch.values(name)
        J[k] = value[1:-1] - value[0]
        size = np.abs(value).max() + float(product(np.abs(J[k]), np.abs(v[-1])))
        if abs(value[0]) > _CUT * size or abs(product(J[k], v[-1]) - value[-1]) > 1e-6 * size:
            raise ModelError(
                f"{what}: {name!r} is no speed of the machine; give speeds of joints, bodies or "
                "points."
            )
    return J


def _consistent(
    system: System, t: float, q, v, x, J: np.ndarray, wanted: np.ndarray, what: str
) -> np.ndarray:
    """The velocities closest to v in the mass norm with G v = nu and J v = wanted."""
    equations(system.tables, system.work, t, np.ascontiguousarray(q), v, np.ascontiguousarray(x))
    M = np.tril(system.work.M) + np.tril(system.work.M, -1).T
    A = np.vstack([system.jacobian(), J * system.length]) / system.natural
    b = np.concatenate([system.rates(t), wanted * system.length]) - product(A, v * system.natural)
    if not len(A):
        return v
    U, s, Vt = svd(A)
    rank = int(np.sum(s > _CUT * max(s[0], 1e-300)))
    step = product(Vt[:rank].T, product(U[:, :rank].T, b) / s[:rank])
    left = np.abs(product(A, step) - b).max(initial=0.0)
    if left > _MET * max(
        float(product(np.abs(A), np.abs(v * system.natural)).max()), np.abs(b).max()
    ):
        raise SimulationError(
            f"{what}: the speeds asked for contradict each other, or the joints and constraints, "
            "by "
            f"{left / system.length:.3g} (rad/s, or sizes of the machine per second). Ask for "
            "fewer.",
            t,
        )
    N, scaled = Vt[rank:].T, M / np.outer(system.natural, system.natural)
    free = lstsq(product(N.T, scaled, N), product(-N.T, scaled, step), rcond=1e-13)
    return v + (step + product(N, free)) / system.natural
