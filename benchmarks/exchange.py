"""Exported and loaded models beside MuJoCo: steps of a C library, and environments of gymnasium.

    python benchmarks/exchange.py [--json]

The rows with a `run` are those of c_steps.py: an arm of six links from one URDF file, stepped in C by
both programs. They need a C compiler.

The rows with an `environment` are steps per second of `kt.gym.Env` beside MuJoCo's own. Both read
the file inverted_pendulum.xml of gymnasium, and an action lasts two steps of 0.02 s, with the
Runge-Kutta method of order four in both. `mujoco` is gymnasium's InvertedPendulum-v5, `mujoco_bare`
the same without gymnasium's checks and limits. `error` is that of the angle after 0.4 s under a
constant force, in rad, against a run with tolerance 1e-12 by the same program.
"""

from __future__ import annotations

from pathlib import Path

import gymnasium
import numpy as np

import c_steps
import kinetree as kt
from common import arguments, best_of, show, told

FILE = Path(gymnasium.__file__).parent / "envs/mujoco/assets/inverted_pendulum.xml"
STEPS = 200  # per timed call
ACTION = 0.04  # s
OBSERVED = ("slider.displacement", "hinge.angle", "slider.displacement.rate", "hinge.angle.rate")
METHODS = {
    "ours_rk4": {"integrator": "rk4", "step": 0.02},
    "ours_dopri5": {"integrator": "dopri5", "rtol": 1e-6},
    "ours_adams": {"integrator": "adams", "rtol": 1e-8},
}
PUSH, LONG = 0.3, 10  # action and steps for the error


def environment(**options: object) -> kt.gym.Env:
    return kt.gym.Env(
        kt.load_robot(FILE, actuators=True),
        actions={"slide": (-3.0, 3.0)},
        observations=OBSERVED,
        reward=lambda observation, action: 1.0,
        ends=lambda observation: abs(observation[1]) > 0.2,
        start={"hinge.angle": (-0.01, 0.01)},
        interval=ACTION,
        **options,
    )


def steps(env: gymnasium.Env) -> None:
    action = np.zeros(1, np.float32)
    env.reset(seed=0)
    for _ in range(STEPS):
        _, _, ended, late, _ = env.step(action)
        if ended or late:
            env.reset()


def ours_after(options: dict) -> float:
    stepper = kt.Stepper(kt.load_robot(FILE, actuators=True), ("hinge.angle",), **options)
    for _ in range(LONG):
        angle = stepper.step(ACTION, slide=PUSH)[0]
    return float(angle)


def mujoco_after(steps_per_action: int) -> float:
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(FILE))
    model.opt.timestep = ACTION / steps_per_action
    data = mujoco.MjData(model)
    data.ctrl[:] = PUSH
    for _ in range(LONG * steps_per_action):
        mujoco.mj_step(model, data)
    return float(data.qpos[1])


def main() -> None:
    given = arguments(__doc__ or "")
    theirs = gymnasium.make("InvertedPendulum-v5")
    envs = {
        "mujoco": theirs,
        "mujoco_bare": theirs.unwrapped,
        **{name: environment(**options) for name, options in METHODS.items()},
    }
    told("steps of the environments")
    best = best_of({name: lambda env=env: steps(env) for name, env in envs.items()}, given.repeat)
    converged = ours_after({"rtol": 1e-12, "atol": 1e-13})
    fine = mujoco_after(2000)
    errors = {name: abs(ours_after(options) - converged) for name, options in METHODS.items()}
    errors |= dict.fromkeys(("mujoco", "mujoco_bare"), abs(mujoco_after(2) - fine))
    rows = [
        {
            "environment": name,
            "steps_per_second": STEPS / seconds,
            "over_mujoco": best["mujoco"] / seconds,
            "error": errors[name],
        }
        for name, seconds in best.items()
    ]
    stepped = c_steps.rows(given.repeat) if c_steps.compiler() else []
    if given.json:
        show(stepped + rows, True, "")
        return
    if stepped:
        show(
            stepped,
            False,
            f"{c_steps.STEPS} steps of {c_steps.STEP:g} s, or as the tolerance says\n",
        )
    show(rows, False, f"converged angles differ by {abs(converged - fine):.1e} rad")


if __name__ == "__main__":
    main()
