"""The open chain of `chain` in Pinocchio: forward dynamics by the articulated-body algorithm,
`pin.aba`.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import pinocchio as pin

from .chain import COM, GRAVITY, INERTIA, MASS, OFFSET

WORLD = pin.Convention.WORLD
JOINTS = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)


def model(n: int) -> pin.Model:
    """The chain of n bodies as a Pinocchio model."""
    m = pin.Model()
    m.gravity.linear = np.array(GRAVITY)
    bar = pin.Inertia(MASS, np.array(COM), np.diag(INERTIA))
    parent = 0
    for i in range(n):
        placement = pin.SE3(np.eye(3), np.array(OFFSET) if i else np.zeros(3))
        parent = m.addJoint(parent, JOINTS[i % 3](), placement, f"joint{i}")
        m.appendBodyToJoint(parent, bar, pin.SE3.Identity())
    return m


def step(q: np.ndarray, v: np.ndarray, tau: np.ndarray, *convention) -> Callable[[], np.ndarray]:
    """A call without arguments that does exactly one `pin.aba`, with model, data and state built
    before; WORLD if asked for.
    """
    m = model(len(q))
    return partial(
        pin.aba,
        m,
        m.createData(),
        *(np.ascontiguousarray(x, dtype=float) for x in (q, v, tau)),
        *convention,
    )


def acceleration(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Joint accelerations of the chain, for checking another code."""
    return step(q, v, tau)().copy()
