"""Motions without inertia: what no force can tell how to move, found before a run and named by body
and freedom.

A motion v that the constraints allow has no kinetic energy where every body that it moves has no
inertia for it:

    G v = 0,     v_com = 0 of bodies with mass,     e . w = 0 along every principal axis e with a
                 moment of inertia

Each of these equations is taken without its mass, so that a light body counts as much as a heavy
one: what is asked is whether there is inertia, not how much. (The mass matrix of such a machine has
no inverse along v.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..errors import ModelError
from ..kernel.linalg import eigh, eigvalsh, norm, product, solve, svd
from .large import LargeSystem
from .large_start import surely_heavy
from .system import System
from .systems import system_of

# of the largest principal moment of a body: none, as of an oblique slender rod about its own line
_ROUNDING = 1e-14
_NONE = 1e-10  # of the equations above, without units; positions are closed to 1e-13
_SURE, _FAR = (
    1e-8,
    1e-6,
)  # inertia without units that is no rounding; more where the machine is long, for what cancels there
_MOVES = 1e-3  # of the largest motion: what a body or freedom must do to be named


class Weightless(NamedTuple):
    """A motion without inertia: the body it moves most, its turning (axis in the world) or shift,
    the freedoms it needs.
    """

    body: str
    axis: np.ndarray
    turns: bool
    freedoms: tuple[str, ...]
    slender: bool  # the body has inertia, but none about this axis

    def __str__(self) -> str:
        line = "(" + ", ".join(f"{c:.3g}" for c in self.axis + 0.0) + ")"
        needs = ", ".join(map(repr, self.freedoms))
        if not self.turns:
            return (
                f"body {self.body!r} can move along {line} (by {needs}) and has no mass. Give it "
                "and what it carries "
                "mass, or hold it with joints or constraints."
            )
        what = f"body {self.body!r} can turn about {line} (by {needs}) and has no inertia about that line. "
        if self.slender:
            return what + (
                "A slender rod has none about its own: give it some with kt.rod(..., axial=...) or "
                "another shape, or "
                "hold the spin, with a Universal joint in place of a ball joint."
            )
        return (
            what
            + "Give it some with kt.mass(..., inertia=...) or another shape, or take a joint that "
            "holds this freedom."
        )


def refuse_weightless(system: System, q: np.ndarray, x: np.ndarray) -> None:
    """A start from which a body can move without inertia is no start. (Generated equations have
    inertia of their own.)
    """
    found = weightless(system, q, x) if system.compiled.model.generated is None else None
    if found is not None:
        raise ModelError(
            f"model {system.compiled.model.name!r} cannot be simulated as it starts: {found}"
        )


def lightest(compiled: CompiledModel, y: np.ndarray, least: float = np.inf) -> Weightless | None:
    """The motion with least inertia at a state, however little that is, or if it is as little as
    `least`; else None.
    """
    q, _, x = compiled.split(y)
    return weightless(system_of(compiled), np.ascontiguousarray(q), np.ascontiguousarray(x), least)


def weightless(
    system: System, q: np.ndarray, x: np.ndarray, least: float = _NONE
) -> Weightless | None:
    """A motion without inertia at a position, or None."""
    links, count = system.tables.links[1:], system.compiled.size["nv"]
    moments = eigvalsh(system.inertias())
    if not count or (
        least < np.inf
        and np.all(moments[:, 0] > _ROUNDING * moments[:, 2])
        and np.all(links["mass"] > 0.0)
    ):
        return None  # whatever moves has inertia
    system.values(system.t, q, x)
    if isinstance(system, LargeSystem) and least < np.inf and surely_heavy(system, q):
        return None
    if least < np.inf and _all_heavy(system):
        return None
    turning, shift = _motions(system)
    equations = (
        np.vstack([system.jacobian() / system.length, _felt(system, turning, shift)])
        / system.natural
    )
    if least < 1e-8 and eigvalsh(product(equations.T, equations))[0] > 1e-12 * norm(equations) ** 2:
        return None  # by squares, which is quicker, and sure where so much is left
    padded = np.vstack([equations, np.zeros((max(count - len(equations), 0), count))])
    _, sizes, Vt = svd(padded, full_matrices=False)
    found = sizes[-1] <= least * max(sizes[0], 1.0)
    return _described(system, turning, shift, Vt[-1] / system.natural) if found else None


def _all_heavy(system: System) -> bool:
    """Whether every motion of the tree has inertia, with or without its constraints, by a sweep of
    articulated bodies.

    With one for every inertia, of the equations above,  A^T A = L D L^T  with the blocks  D_i = H_i
                                                         I_i H_i^T  of the joints: it
    is singular only where one of them is. What a joint carries it takes along,  I_parent += I_i -
                                                                                 I_i H_i^T D_i^-1
                                                                                 H_i I_i.
    """
    links, hinges = system.tables.links, np.array(system.work.dofs["h"]) / system.natural[:, None]
    R = np.array(system.work.bodies["R"]).reshape(-1, 3, 3)
    moments, axes = eigh(system.inertias())
    has_moment = moments > _ROUNDING * moments[:, 2:]
    about = (
        product(R[1:], axes) * has_moment[:, None, :]
    )  # principal axes with a moment, in the world
    carried = np.zeros((len(links), 6, 6))
    for i in range(len(links) - 1, 0, -1):
        r, link = system.centre(i) - system.work.bodies[i]["O"], links[i]
        felt = np.zeros((6, 6))
        felt[:3, :3] = about[i - 1].T
        if link["mass"] > 0.0:
            felt[3:, 3:], felt[3:, :3] = (
                np.eye(3) / system.length,
                np.cross(np.eye(3), r).T / system.length,
            )
        whole = carried[i] + product(felt.T, felt)
        H = hinges[link["iv"] : link["iv"] + link["nv"]]
        U = product(whole, H.T)
        D = product(H, U)
        if len(D) and eigvalsh(D)[0] <= _SURE * (1.0 + np.abs(whole).max() * _FAR):
            return False
        carried[link["parent"]] += whole - product(U, solve(D, U.T)) if len(D) else whole
    return True


def _motions(system: System) -> tuple[np.ndarray, np.ndarray]:
    """(nb, 3, nv) each: angular velocity of every body, and velocity of its centre, per speed of
    every freedom; world axes.
    """
    links, bodies, hinges = system.tables.links, system.work.bodies, np.array(system.work.dofs["h"])
    carries = np.zeros((len(links), len(hinges)))  # freedoms between the ground and a body
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
    """Rows of what bodies have inertia against: their centres if they have mass, and turning about
    axes with a moment.
    """
    R = np.array(system.work.bodies["R"][1:]).reshape(-1, 3, 3)
    moments, axes = eigh(system.inertias())
    about = product(
        axes.transpose(0, 2, 1), R.transpose(0, 2, 1), turning
    )  # along the principal axes
    heavy = system.tables.links["mass"][1:] > 0.0
    return np.vstack(
        [
            about[moments > _ROUNDING * moments[:, 2:]],
            shift[heavy].reshape(-1, shift.shape[2]) / system.length,
        ]
    )


def _described(system: System, turning: np.ndarray, shift: np.ndarray, v: np.ndarray) -> Weightless:
    """The body that moves most, and how."""
    turn, move = product(turning, v), product(shift, v)
    turned, moved = np.linalg.norm(turn, axis=1), np.linalg.norm(move, axis=1) / system.length
    i = int(np.argmax(np.maximum(turned, moved)))
    turns = bool(turned[i] >= _MOVES * moved[i])
    axis = turn[i] / turned[i] if turns else move[i] / norm(move[i])
    sign = -1.0 if axis[np.argmax(np.abs(axis))] < 0.0 else 1.0
    size = np.abs(v * system.natural)
    freedoms = [
        f"{joint.removesuffix('@ground')}.{label}"
        for (joint, label), a in zip(system.compiled.freedom_owner, size)
        if a > _MOVES * size.max()
    ]
    slender = bool(system.inertias()[i].any())
    return Weightless(
        system.compiled.bodies[i + 1], np.round(sign * axis, 9), turns, tuple(freedoms), slender
    )
