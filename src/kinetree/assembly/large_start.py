"""The start of a large machine by sparse algebra: velocities, change points, motions without
inertia, accelerations.

Each answers what it can be sure of. Where a start is doubtful or contradicts itself, the dense
functions have the last word, which then also name what is wrong.
"""

from __future__ import annotations

import numpy as np

from ..engine.dynamics.kinematics import kinematics
from ..kernel.linalg import eigh, product
from .large import LargeSystem
from .positions import gauss_newton, is_closed

_LEAST = 1e-6  # weight of the smallest velocities against what was asked for
_GIVEN = 1e4  # and of joint speeds that were given
_ROUNDS = 30
_MET = 1e-10  # of the largest speed: what counts as met
_NONE = 1e-10  # inertia for a motion that has none ...
_LIGHTEST = 1e-3  # ... which a push then moves faster than this, of one over it
_STEP = 1e-2  # rad, how far away the rank is looked at


def start_velocities(
    system: LargeSystem,
    nu: np.ndarray,
    J: dict[int, tuple[np.ndarray, np.ndarray]],
    given: dict[int, float],
) -> np.ndarray | None:
    """v with G v = nu, given freedoms exactly, J v ~ Y of bodies, and else as small as can be; None
    if not sure.

        v <- argmin |J v - Y|^2 + G |S v - s|^2 + e |v - v_before|^2     s.t. G v = nu,      s <- s
                                                                         + (given - S v)

    J holds per body the point (from O) and the (6,) target with NaN where free.
    """
    natural = system.natural
    if not J and not any(given.values()) and not nu.any():
        return np.zeros(len(natural))
    wanted = np.zeros(len(natural))
    wanted[list(given)] = _GIVEN
    aims = np.array([given.get(k, 0.0) for k in range(len(natural))])
    system.spare_rows()
    inertias, push = _targets(system, J)
    system.measure_by(natural**2 * (_LEAST + wanted), inertias if J else None)
    system.refactor()
    v, s = np.zeros_like(natural), aims.copy()
    for _ in range(_ROUNDS):
        before = v
        v = system.solve(push + natural**2 * (wanted * s + _LEAST * v), nu)
        s = s + np.where(wanted > 0.0, aims - v, 0.0)
        if np.abs((v - before) * natural).max(initial=0.0) <= _MET * 1e-3 * np.abs(v * natural).max(
            initial=0.0
        ):
            break
    size = max(
        np.abs(part).max(initial=0.0) for part in (v * natural, aims * natural, nu / system.length)
    )
    met = np.abs(system.row_rates(v) - nu).max(initial=0.0) <= _MET * system.length * size
    met &= np.abs(((aims - v) * natural)[wanted > 0.0]).max(initial=0.0) <= _MET * size
    return v if met else None


def _targets(
    system: LargeSystem, J: dict[int, tuple[np.ndarray, np.ndarray]]
) -> tuple[np.ndarray, np.ndarray]:
    """Per body the 6x6 matrix of |J v - Y|^2 in natural units, packed; and J^T Y as a generalised
    force.
    """
    links, hinges = system.tables.links, system.work.dofs["h"]
    inertias, carried = np.zeros((len(links), 21)), np.zeros((len(links), 6))
    scale = np.array([1.0, 1.0, 1.0, *[1.0 / system.length] * 3])
    for i, (arm, target) in J.items():
        map_ = np.eye(6)
        x, y, z = arm
        map_[3:, :3] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]  # v = v_O + w x arm
        rows = (scale[:, None] * map_)[np.isfinite(target)]
        P = product(rows.T, rows)
        inertias[i] = np.concatenate(
            [P[:3, :3][np.triu_indices(3)], P[:3, 3:].ravel(), P[3:, 3:][np.triu_indices(3)]]
        )
        carried[i] = product(rows.T, (scale * target)[np.isfinite(target)])
    push = np.zeros(len(system.natural))
    for i in range(len(links) - 1, 0, -1) if J else ():
        first, count = int(links[i]["iv"]), int(links[i]["nv"])
        push[first : first + count] = product(np.asarray(hinges[first : first + count]), carried[i])
        if links[i]["parent"] > 0:
            carried[links[i]["parent"]] += carried[i]
    return inertias, push


def surely_regular(system: LargeSystem, q: np.ndarray, x: np.ndarray) -> bool:
    """No change point here: the rank is the same at positions next to this one."""
    system.values(system.t, q, x)
    rank = system.spare_rows()[0]
    for n in system.motions(2):
        there = gauss_newton(system, system.t, *system.shift(q, x, _STEP * n), system.natural**2)
        if not is_closed(system, there):
            return False
        system.values(system.t, there.q, there.x)
        if system.spare_rows()[0] != rank:
            return False
        system.values(system.t, q, x)
    return True


def surely_heavy(system: LargeSystem, q: np.ndarray) -> bool:
    """Nothing moves without inertia: with a unit of inertia wherever there is any (weightless.py),
    a push is resisted.
    """
    links, order = system.tables.links.copy(), ([0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2])
    moments, axes = eigh(system.inertias())
    felt = product(axes * (moments > 1e-14 * moments[:, 2:])[:, None, :], axes.swapaxes(1, 2))
    links["I_com"][1:] = felt[:, order[0], order[1]]
    links["mass"] = np.where(links["mass"] > 0.0, 1.0 / system.length**2, 0.0)
    kinematics(system.tables._replace(links=links), system.work, q, np.zeros(len(system.natural)))
    unit = np.array(system.work.bodies["I"])
    system.spare_rows()
    system.measure_by(_NONE * system.natural**2, unit)
    system.refactor()
    push = system.natural * np.random.default_rng(0).normal(size=len(system.natural))
    moved = system.solve(push, np.zeros(len(system.scale))) * system.natural
    return bool(np.abs(moved).max(initial=0.0) <= _LIGHTEST / _NONE)


def missed_accelerations(system: LargeSystem, gamma: np.ndarray) -> np.ndarray:
    """What the rows miss of gamma with the accelerations that meet as many as they can."""
    system.spare_rows()
    vdot = system.solve(np.zeros(len(system.natural)), gamma)
    return np.abs(system.row_rates(vdot) - gamma)
