"""Return of a closed position towards the coordinates that the user gave.

Gauss-Newton steps close the loops, each with the smallest change; their sum is not the smallest
change from the start. If given coordinates contradict each other, for example because they were
rounded, they may end far from their values although a position next to them exists. From the closed
position, steps along the constraints bring them back:

    min (s - d)^T W (s - d)   s.t.  G s = 0:      s = d - W^-1 G^T (G W^-1 G^T)^+ G d

d are the distances of the given coordinates to their values, W the metric of the assembly.
"""

from __future__ import annotations

import numpy as np

from .convert import named_coordinates
from .positions import Closed, close, is_closed
from .system import System

_STEPS = 30
_LONGEST = 0.3  # step, in radians or sizes of the model
_GAIN = 1.0 - 1e-6  # part of the squared distance: a step that leaves more is the last one


def nearest(system: System, found: Closed, weights: np.ndarray) -> Closed:
    """A closed position whose given coordinates are as near to their values as steps from `found`
    lead; it is on the same branch.
    """
    d = _distances(system, found)
    for _ in range(_STEPS):
        before = float(np.sum(weights * d * d))
        if before == 0.0:
            break
        system.values(found.t, found.q, found.x)
        step = d + system.least_step(system.row_rates(d), weights)
        step *= min(1.0, _LONGEST / max(float(np.abs(step * system.natural).max()), 1e-300))
        q, x = system.shift(found.q, found.x, step)
        trial = close(system, found.t, q, x, weights)
        after = _distances(system, trial)
        if not is_closed(system, trial) or not np.sum(weights * after * after) < _GAIN * before:
            break
        found, d = trial, after
    system.values(found.t, found.q, found.x)
    return found


def _distances(system: System, found: Closed) -> np.ndarray:
    """Given values of coordinates in the tree less their present values; zero for all others."""
    here, joints = named_coordinates(system, found.q, found.x), system.compiled.model.joints
    d = np.zeros(len(system.natural))
    for k, (joint, label) in enumerate(system.compiled.dof_owner):
        spec = joints.get(joint)
        if spec is not None and label in spec.start and label in spec.joint.scalars:
            d[k] = spec.start[label] - here[f"{joint}.{label}"]
    return d
