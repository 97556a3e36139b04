"""Motions without inertia: what no force can tell how to move, found before a run and named by body and freedom.

A motion v that the constraints allow has no kinetic energy where every body that it moves has no inertia for it:

    G v = 0,     v_com = 0 of bodies with mass,     e . w = 0 along every principal axis e with a moment of inertia

Each of these equations is taken without its mass, so that a light body counts as much as a heavy one: what is asked is
whether there is inertia, not how much. (The mass matrix of such a machine has no inverse along v.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..compile.compiled import CompiledModel
from ..errors import ModelError
from .system import System

_ROUNDING = 1e-14  # of the largest principal moment of a body: none, as of an oblique slender rod about its own line
_NONE = 1e-10  # of the equations above, without units; positions are closed to 1e-13
_MOVES = 1e-3  # of the largest motion: what a body or freedom must do to be named


class Weightless(NamedTuple):
    """A motion without inertia: the body it moves most, its turning (axis in the world) or shift, the freedoms it needs."""

    body: str
    axis: np.ndarray
    turns: bool
    freedoms: tuple[str, ...]
    slender: bool  # the body has inertia, but none about this axis

    def __str__(self) -> str:
        line = "(" + ", ".join(f"{c:.3g}" for c in self.axis + 0.0) + ")"
        needs = ", ".join(map(repr, self.freedoms))
        if not self.turns:
            return (f"body {self.body!r} can move along {line} (by {needs}) and has no mass. Give it and what it carries "
                    "mass, or hold it with joints or constraints.")
        what = f"body {self.body!r} can turn about {line} (by {needs}) and has no inertia about that line. "
        if self.slender:
            return what + ("A slender rod has none about its own: give it some with kt.rod(..., axial=...) or another shape, or "
                           "hold the spin, with a Universal joint in place of a ball joint.")
        return what + "Give it some with kt.mass(..., inertia=...) or another shape, or take a joint that holds this freedom."


def refuse_weightless(system: System, q: np.ndarray, x: np.ndarray) -> None:
    """A start from which a body can move without inertia is no start."""
    found = weightless(system, q, x)
    if found is not None:
        raise ModelError(f"model {system.compiled.model.name!r} cannot be simulated as it starts: {found}")


def lightest(compiled: CompiledModel, y: np.ndarray) -> Weightless | None:
    """The motion with least inertia at a state, however little that is; None for a machine without freedoms."""
    q, _, x = compiled.split(y)
    return weightless(System(compiled), np.ascontiguousarray(q), np.ascontiguousarray(x), least=np.inf)


def weightless(system: System, q: np.ndarray, x: np.ndarray, least: float = _NONE) -> Weightless | None:
    """A motion without inertia at a position, or None."""
    system.values(0.0, q, x)
    jacobians = [system.body_jacobian(i, system.centre(i)) for i in range(1, len(system.compiled.bodies))]
    rows = [system.jacobian() / system.length, *(_felt(system, i, J) for i, J in enumerate(jacobians, 1))]
    equations = np.vstack(rows) / system.natural
    count = equations.shape[1]
    if not count:
        return None
    _, s, Vt = np.linalg.svd(np.vstack([equations, np.zeros((max(count - len(equations), 0), count))]), full_matrices=False)
    return _described(system, jacobians, Vt[-1] / system.natural) if s[-1] <= least * max(s[0], 1.0) else None


def _felt(system: System, i: int, J: np.ndarray) -> np.ndarray:
    """Rows of what body i has inertia against: its centre if it has mass, and turning about axes with a moment."""
    moments, axes = np.linalg.eigh(system.inertia(i))
    turning = axes[:, moments > _ROUNDING * max(moments.max(), 0.0)].T @ J[:3]
    return np.vstack([turning, J[3:] / system.length]) if system.tables.links[i]["mass"] > 0.0 else turning


def _described(system: System, jacobians: list[np.ndarray], v: np.ndarray) -> Weightless:
    """The body that moves most, and how."""
    moved = np.array([J @ v for J in jacobians])
    turning, shift = np.linalg.norm(moved[:, :3], axis=1), np.linalg.norm(moved[:, 3:], axis=1) / system.length
    i = int(np.argmax(np.maximum(turning, shift)))
    turns = bool(turning[i] >= _MOVES * shift[i])
    direction = moved[i, :3] if turns else moved[i, 3:]
    axis = direction / np.linalg.norm(direction)
    sign = -1.0 if axis[np.argmax(np.abs(axis))] < 0.0 else 1.0
    size = np.abs(v * system.natural)
    freedoms = [f"{joint.removesuffix('@ground')}.{label}" for (joint, label), a in zip(system.compiled.freedom_owner, size)
                if a > _MOVES * size.max()]
    slender = bool(system.inertia(i + 1).any())
    return Weightless(system.compiled.bodies[i + 1], np.round(sign * axis, 9), turns, tuple(freedoms), slender)
