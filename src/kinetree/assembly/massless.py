"""Motions without inertia, for which the mass matrix is singular; found before a run and reported
with body and degrees of freedom.

A motion v that the constraints allow has no kinetic energy if

    G v = 0,    v_com = 0 for bodies with mass,    e . w = 0 for principal axes e with a moment of
                                                             inertia,
    v_k = 0 for joint coordinates with inertia

Each of these equations is taken without its mass, so that a light body counts as much as a heavy
one: only the existence of inertia matters, not its size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..engine.dynamics.kinematics import kinematics
from ..errors import ModelError
from ..kernel.linalg import eigh, eigvalsh, norm, product, solve, svd
from ..kernel.tables.joint_inertia import joint_inertias
from .sparse_system import SparseSystem, system_of
from .system import System

# Relative to the largest principal moment of a body: counts as zero, as for an oblique slender rod
# about its own line.
_ROUNDING = 1e-14
_NONE = 1e-10  # smallest singular value of the equations above; positions are closed to 1e-13
_SURE = 1e-8  # inertia without units that is certainly no rounding error ...
_FAR = 1e-6  # ... plus this times the largest entry: cancellation in long models
_MOVES = 1e-3  # relative to the largest motion: smaller motions are not listed
_REGULARIZATION = 1e-10  # inertia added for a motion that has none ...
_LIGHTEST = 1e-3  # ... which a unit force then moves by more than this over the inertia added


class MasslessMotion(NamedTuple):
    """A motion without inertia: the body that moves most, the axis of its rotation or translation
    in the world, and the degrees of freedom involved.
    """

    body: str
    axis: np.ndarray
    turns: bool
    dofs: tuple[str, ...]
    slender: bool  # the body has inertia, but none about this axis

    def __str__(self) -> str:
        line = "(" + ", ".join(f"{c:.3g}" for c in self.axis + 0.0) + ")"
        needs = ", ".join(map(repr, self.dofs))
        if not self.turns:
            return (
                f"body {self.body!r} can move along {line} (by {needs}) and has no mass. Give it "
                "or the bodies it carries mass, or hold it with joints or constraints."
            )
        what = (
            f"body {self.body!r} can turn about {line} (by {needs}) and has no inertia about that "
            "line. "
        )
        if self.slender:
            return what + (
                "A slender rod has none about its own line: give it some with "
                "kt.rod(..., axial=...) or another shape, or prevent the spin, with a Universal "
                "joint in place of a ball joint."
            )
        return (
            what
            + "Give it some with kt.mass(..., inertia=...) or another shape, or use a joint that "
            "locks this degree of freedom."
        )


def refuse_massless_motion(system: System, q: np.ndarray, x: np.ndarray) -> None:
    """Raise an error if a body can move without inertia at the start. (Generated equations have
    their own inertia.)
    """
    found = massless_motion(system, q, x) if system.compiled.model.generated is None else None
    if found is not None:
        raise ModelError(
            f"model {system.compiled.model.name!r} cannot be simulated as it starts: {found}"
        )


def lightest(
    compiled: CompiledModel, y: np.ndarray, least: float = np.inf
) -> MasslessMotion | None:
    """The motion with least inertia at a state, if that is not more than `least`; else None."""
    q, _, x = compiled.split(y)
    return massless_motion(
        system_of(compiled), np.ascontiguousarray(q), np.ascontiguousarray(x), least
    )


def massless_motion(
    system: System, q: np.ndarray, x: np.ndarray, least: float = _NONE
) -> MasslessMotion | None:
    """A motion without inertia at a position, or None."""
    links, count = system.tables.links[1:], system.compiled.size["nv"]
    moments = eigvalsh(system.inertias())
    if not count or (
        least < np.inf
        and np.all(moments[:, 0] > _ROUNDING * moments[:, 2])
        and np.all(links["mass"] > 0.0)
    ):
        return None  # every body has inertia about every axis
    system.values(system.t, q, x)
    if isinstance(system, SparseSystem) and least < np.inf and _resists(system, q):
        return None
    if least < np.inf and _tree_has_inertia(system):
        return None
    turning, shift = _motions(system)
    equations = (
        np.vstack([system.jacobian() / system.length, _felt(system, turning, shift)])
        / system.natural
    )
    if least < 1e-8 and eigvalsh(product(equations.T, equations))[0] > 1e-12 * norm(equations) ** 2:
        return None  # the normal equations are faster, and reliable that far from singular
    padded = np.vstack([equations, np.zeros((max(count - len(equations), 0), count))])
    _, sizes, Vt = svd(padded, full_matrices=False)
    found = sizes[-1] <= least * max(sizes[0], 1.0)
    return _described(system, turning, shift, Vt[-1] / system.natural) if found else None


def _tree_has_inertia(system: System) -> bool:
    """Whether every motion of the tree has inertia even without constraints, by an articulated-body
    sweep.

    With all inertias set to one, the equations A above satisfy  A^T A = L D L^T  with the blocks
    D_i = H_i I_i H_i^T  of the joints, which is singular only if one of the blocks is. A parent
    receives  I_parent += I_i - I_i H_i^T D_i^-1 H_i I_i.
    """
    links = system.tables.links
    hinges = np.array(system.work.dofs["h"][: len(system.natural)]) / system.natural[:, None]
    R = np.array(system.work.bodies["R"]).reshape(-1, 3, 3)
    moments, axes = eigh(system.inertias())
    has_moment = moments > _ROUNDING * moments[:, 2:]
    # principal axes with a moment, in the world
    about = product(R[1:], axes) * has_moment[:, None, :]
    carried = np.zeros((len(links), 6, 6))
    for i in range(len(links) - 1, 0, -1):
        r, link = system.centre(i) - system.work.bodies[i]["O"], links[i]
        felt = np.zeros((6, 6))
        felt[:3, :3] = about[i - 1].T
        if link["mass"] > 0.0:
            felt[3:, 3:] = np.eye(3) / system.length
            felt[3:, :3] = np.cross(np.eye(3), r).T / system.length
        whole = carried[i] + product(felt.T, felt)
        H = hinges[link["iv"] : link["iv"] + link["nv"] * (link["flexible"] == 0)]
        U = product(whole, H.T)
        D = product(H, U)
        if len(D) and eigvalsh(D)[0] <= _SURE * (1.0 + np.abs(whole).max() * _FAR):
            return False
        carried[link["parent"]] += whole - product(U, solve(D, U.T)) if len(D) else whole
    return True


def _resists(system: SparseSystem, q: np.ndarray) -> bool:
    """Whether every motion that the constraints allow has inertia: with all inertias set to one, a
    random force causes no large motion.
    """
    links, order = system.tables.links.copy(), ([0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2])
    moments, axes = eigh(system.inertias())
    felt = product(axes * (moments > _ROUNDING * moments[:, 2:])[:, None, :], axes.swapaxes(1, 2))
    links["I_com"][1:] = felt[:, order[0], order[1]]
    links["mass"] = np.where(links["mass"] > 0.0, 1.0 / system.length**2, 0.0)
    kinematics(system.tables._replace(links=links), system.work, q, np.zeros(len(system.natural)))
    unit = np.array(system.work.bodies["I"])
    system.redundant_rows()
    system.set_metric(_REGULARIZATION * system.natural**2, unit)
    push = system.natural * np.random.default_rng(0).normal(size=len(system.natural))
    moved = system.solve(push, np.zeros(len(system.scale))) * system.natural
    return bool(np.abs(moved).max(initial=0.0) <= _LIGHTEST / _REGULARIZATION)


def _motions(system: System) -> tuple[np.ndarray, np.ndarray]:
    """(nb, 3, nv) Jacobians of the angular velocity of every body and of the velocity of its center
    of mass, in world axes.
    """
    links, bodies = system.tables.links, system.work.bodies
    hinges = np.array(system.work.dofs["h"][: system.compiled.size["nv"]])
    carries = np.zeros((len(links), len(hinges)))  # dofs between ground and a body
    for i in range(1, len(links)):
        carries[i] = carries[links[i]["parent"]]
        carries[i, links[i]["iv"] : links[i]["iv"] + links[i]["nv"]] = 1.0
    arms = np.array([system.centre(i) - bodies[i]["O"] for i in range(1, len(links))]).reshape(
        -1, 1, 3
    )
    turning = carries[1:, :, None] * hinges[None, :, :3]
    shift = carries[1:, :, None] * hinges[None, :, 3:] + np.cross(turning, arms)
    return turning.transpose(0, 2, 1), shift.transpose(0, 2, 1)


def _felt(system: System, turning: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Rows for motions with inertia: centers of bodies with mass, and rotation about principal axes
    with a moment.
    """
    R = np.array(system.work.bodies["R"][1:]).reshape(-1, 3, 3)
    moments, axes = eigh(system.inertias())
    # components along the principal axes
    about = product(axes.transpose(0, 2, 1), R.transpose(0, 2, 1), turning)
    heavy = system.tables.links["mass"][1:] > 0.0
    modes = np.eye(turning.shape[2])[  # which move mass inside a flexible body
        [k for f in system.tables.flexible for k in range(f["iv"], f["iv"] + f["n"])]
    ]
    return np.vstack(
        [
            about[moments > _ROUNDING * moments[:, 2:]],
            shift[heavy].reshape(-1, shift.shape[2]) / system.length,
            np.diag(system.natural)[joint_inertias(system.tables) > 0.0],
            modes / system.length,
        ]
    )


def _described(
    system: System, turning: np.ndarray, shift: np.ndarray, v: np.ndarray
) -> MasslessMotion:
    """Describe a motion by the body that moves most."""
    turn, move = product(turning, v), product(shift, v)
    turned, moved = np.linalg.norm(turn, axis=1), np.linalg.norm(move, axis=1) / system.length
    i = int(np.argmax(np.maximum(turned, moved)))
    turns = bool(turned[i] >= _MOVES * moved[i])
    axis = turn[i] / turned[i] if turns else move[i] / norm(move[i])
    sign = -1.0 if axis[np.argmax(np.abs(axis))] < 0.0 else 1.0
    size = np.abs(v * system.natural)
    dofs = [
        f"{joint.removesuffix('@ground')}.{label}"
        for (joint, label), a in zip(system.compiled.dof_owner, size)
        if a > _MOVES * size.max()
    ]
    slender = bool(system.inertias()[i].any())
    return MasslessMotion(
        system.compiled.bodies[i + 1], np.round(sign * axis, 9), turns, tuple(dofs), slender
    )
