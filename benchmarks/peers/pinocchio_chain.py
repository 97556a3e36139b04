"""Open 3-D chain of revolute joints in Pinocchio: forward dynamics by the articulated-body algorithm.

The chain: joint i turns about x, y, z in rotation (i % 3, axes of the parent body) and sits at the far end of the
previous body (the first at the world origin); every body is a bar along its own x. Data in `CHAIN`, shared with MuJoCo.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import pinocchio as pin


class Chain(NamedTuple):
    """One bar of the chain, SI units: inertia about the centre of mass, gravity in world axes."""

    offset: tuple[float, float, float] = (0.3, 0.0, 0.0)
    mass: float = 1.0
    com: tuple[float, float, float] = (0.15, 0.0, 0.0)
    inertia: tuple[float, float, float] = (0.002, 0.008, 0.008)
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)


CHAIN = Chain()


def random_state(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Joint angles, speeds and torques in [-1, 1], the same for every code."""
    q, v, tau = np.random.default_rng(seed).uniform(-1.0, 1.0, (3, n))
    return q, v, tau


def model(n: int) -> pin.Model:
    """The chain of n bodies as a Pinocchio model."""
    m = pin.Model()
    m.gravity.linear = np.array(CHAIN.gravity)
    bar = pin.Inertia(CHAIN.mass, np.array(CHAIN.com), np.diag(CHAIN.inertia))
    joints = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)
    parent = 0
    for i in range(n):
        placement = pin.SE3(np.eye(3), np.array(CHAIN.offset) if i else np.zeros(3))
        parent = m.addJoint(parent, joints[i % 3](), placement, f"joint{i}")
        m.appendBodyToJoint(parent, bar, pin.SE3.Identity())
    return m


def step(n: int, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> Callable[[], np.ndarray]:
    """A call without arguments that does exactly one `pin.aba`, with model, data and state built before."""
    m = model(n)
    return partial(pin.aba, m, m.createData(), *(np.ascontiguousarray(x, dtype=float) for x in (q, v, tau)))


def acceleration(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Joint accelerations of the chain, for checking another code."""
    return step(len(q), q, v, tau)().copy()
