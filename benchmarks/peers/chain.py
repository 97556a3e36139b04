"""Open 3-D chain of revolute joints: data and random states, the same for every code.

Joint i turns about x, y, z in rotation (i % 3, axes of the parent body) and sits at the far end of
the previous body, `offset` away (the first at the world origin); every body is a bar along its own
x. SI units.
"""

import numpy as np

OFFSET = (0.3, 0.0, 0.0)
MASS = 1.0
COM = (0.15, 0.0, 0.0)
INERTIA = (0.002, 0.008, 0.008)  # about the centre of mass
GRAVITY = (0.0, 0.0, -9.81)


def random_state(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Joint angles, speeds and torques in [-1, 1]."""
    q, v, tau = np.random.default_rng(seed).uniform(-1.0, 1.0, (3, n))
    return q, v, tau
