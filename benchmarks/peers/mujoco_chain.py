"""The open chain of `pinocchio_chain` in MuJoCo: forward dynamics by `mj_forward`, nothing but smooth dynamics.

The model has no geoms, so no contacts; contact, constraint, sensor and energy work is switched off, and the torques
enter through `qfrc_applied`. The chain is generated as MJCF text.
"""

from collections.abc import Callable
from functools import partial

import mujoco
import numpy as np

from .pinocchio_chain import CHAIN

AXES = ("1 0 0", "0 1 0", "0 0 1")


def _text(values: tuple[float, ...]) -> str:
    return " ".join(map(repr, values))


def mjcf(n: int) -> str:
    """MJCF text of the chain."""
    flags = " ".join(f'{name}="disable"' for name in ("constraint", "contact", "limit", "equality", "frictionloss",
                                                      "sensor", "actuation", "warmstart"))
    bar = f'<inertial mass="{CHAIN.mass}" pos="{_text(CHAIN.com)}" diaginertia="{_text(CHAIN.inertia)}"/>'
    body = "".join(
        f'<body pos="{_text(CHAIN.offset) if i else "0 0 0"}"><joint type="hinge" axis="{AXES[i % 3]}"/>{bar}'
        for i in range(n)
    )
    option = f'<option gravity="{_text(CHAIN.gravity)}"><flag {flags}/></option>'
    return f"<mujoco>{option}<worldbody>{body}{'</body>' * n}</worldbody></mujoco>"


def step(n: int, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> tuple[Callable, np.ndarray]:
    """A call without arguments that does one `mj_forward`, and the view of `qacc` it fills (filled once already)."""
    m = mujoco.MjModel.from_xml_string(mjcf(n))
    d = mujoco.MjData(m)
    d.qpos[:], d.qvel[:], d.qfrc_applied[:] = q, v, tau
    call = partial(mujoco.mj_forward, m, d)
    call()
    return call, d.qacc


def acceleration(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Joint accelerations of the chain, for checking another code."""
    return step(len(q), q, v, tau)[1].copy()
