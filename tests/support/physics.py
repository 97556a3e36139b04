"""Momentum and energy balances of a machine, written from the user's masses and the motion of the
bodies.
"""

from __future__ import annotations

import numpy as np

from .machine import Machine


def body_numbers(state: Machine, name: str):
    """mass, centre of mass from the body origin in world axes, inertia about it in world axes."""
    mass, R = state.compiled.model.bodies[name].properties, state.pose(name).R
    return mass.mass, R @ mass.com, R @ mass.inertia @ R.T


def momentum_rate(state: Machine, vdot: np.ndarray) -> np.ndarray:
    """Rate of angular momentum about the world origin, then of linear momentum."""
    total = np.zeros(6)
    for name in state.names:
        m, c, I = body_numbers(state, name)
        w, acceleration = state.twist(name)[:3], state.acceleration(name, vdot)
        alpha, a = acceleration[:3], acceleration[3:]
        force = m * (a + np.cross(alpha, c) + np.cross(w, np.cross(w, c)))
        total[:3] += np.cross(state.pose(name).p + c, force) + I @ alpha + np.cross(w, I @ w)
        total[3:] += force
    return total


def momentum(state: Machine) -> np.ndarray:
    """Angular momentum about the world origin, then linear momentum."""
    total = np.zeros(6)
    for name in state.names:
        m, c, I = body_numbers(state, name)
        w, u = np.split(state.twist(name), 2)
        p = m * (u + np.cross(w, c))
        total[:3] += np.cross(state.pose(name).p + c, p) + I @ w
        total[3:] += p
    return total


def energy(state: Machine) -> float:
    """Kinetic energy, weight and what the force elements store."""
    total = state.energy
    for name in state.names:
        m, c, I = body_numbers(state, name)
        w, u = np.split(state.twist(name), 2)
        u = u + np.cross(w, c)
        total += (
            0.5 * m * u @ u
            + 0.5 * w @ I @ w
            - m * np.dot(state.compiled.model.gravity, state.pose(name).p + c)
        )
    return total
