"""The open chain of `chain` in MuJoCo: forward dynamics by `mj_forward`, nothing but smooth
dynamics.

The model has no geoms, so no contacts; contact, constraint, actuator and sensor work is switched
off, and the torques enter through `qfrc_applied`. MuJoCo factorises the joint-space mass matrix, of
order n^3 for a chain.
"""

from collections.abc import Callable
from functools import partial

import mujoco
import numpy as np

from .chain import COM, GRAVITY, INERTIA, MASS, OFFSET

AXES = ("1 0 0", "0 1 0", "0 0 1")
OFF = (
    "constraint",
    "contact",
    "limit",
    "equality",
    "frictionloss",
    "actuation",
    "sensor",
    "warmstart",
)


def mjcf(n: int) -> str:
    """MJCF text of the chain of n bodies."""
    bar = f'<inertial mass="{MASS}" pos="{_text(COM)}" diaginertia="{_text(INERTIA)}"/>'
    bodies = "".join(
        f'<body pos="{_text(OFFSET) if i else "0 0 0"}"><joint type="hinge" axis="{AXES[i % 3]}"/>{bar}'
        for i in range(n)
    )
    flags = " ".join(f'{name}="disable"' for name in OFF)
    option = f'<option gravity="{_text(GRAVITY)}"><flag {flags}/></option>'
    return f"<mujoco>{option}<worldbody>{bodies}{'</body>' * n}</worldbody></mujoco>"


def step(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> tuple[Callable[[], None], np.ndarray]:
    """A call without arguments that does one `mj_forward`, and the view of `qacc` it fills (filled
    once already).
    """
    m = mujoco.MjModel.from_xml_string(mjcf(len(q)))
    d = mujoco.MjData(m)
    d.qpos[:], d.qvel[:], d.qfrc_applied[:] = q, v, tau
    call = partial(mujoco.mj_forward, m, d)
    call()
    return call, d.qacc


def acceleration(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Joint accelerations of the chain, for checking another code."""
    return step(q, v, tau)[1].copy()


def _text(values: tuple[float, ...]) -> str:
    return " ".join(map(repr, values))
