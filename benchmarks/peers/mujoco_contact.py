"""The machines of `contact_machines.py` in MuJoCo, with every setting that may be the fastest.

Every case is a function of step, integrator and time constant of the contacts in steps (two are the
least that is stable), which returns a run. Impedances are the hardest. Driven shafts are flywheels,
since joints have no prescribed motion.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import process_time

import mujoco
import numpy as np

HARD = 'solimp=".999 .9999 1e-6"'


Timed = tuple[float, np.ndarray]


def runner(text: str, steps: int, prepare: Callable, result: Callable) -> Callable[[], Timed]:
    model = mujoco.MjModel.from_xml_string(text)

    def run() -> Timed:
        data = mujoco.MjData(model)
        prepare(data)
        began = process_time()
        mujoco.mj_step(model, data, steps)
        taken = process_time() - began
        ended = data.time > 0.999 * steps * model.opt.timestep  # it starts anew if it is unstable
        return taken, np.asarray(result(data), float) + (0.0 if ended else math.inf)

    return run


def candidates(case: str, until: float, data) -> dict[str, Callable[[int], Timed]]:
    """Every setting of a case: a function of the number of steps that returns seconds and result."""
    mujoco.set_mju_user_warning(lambda text: None)
    build = {
        "block": thrown(False),
        "ball": thrown(True),
        "cam": cam(data),
        "geneva": geneva(data),
        "clearance": clearance(data),
    }[case]

    def at(integrator: str, stiff: float) -> Callable[[int], Timed]:
        return lambda steps: build(until / steps, integrator, stiff, until)()

    stiffs = (2,) if case == "clearance" else (2, 10, 50)
    return {f"{i} {s}": at(i, s) for i in ("Euler", "implicitfast", "RK4") for s in stiffs}


def frame(
    h: float, integrator: str, stiff: float, world: str, gravity: float, more: str = ""
) -> str:
    return (
        f'<mujoco><option gravity="0 0 {-gravity}" timestep="{h!r}" cone="elliptic" '
        f'impratio="10" integrator="{integrator}" tolerance="1e-12" iterations="50"/>'
        f'<default><geom condim="3" solref="{stiff * h!r} 1" {HARD}/></default>'
        f"<worldbody>{world}</worldbody>{more}</mujoco>"
    )


def thrown(ball: bool) -> Callable:
    geom = 'type="sphere" size=".1"' if ball else 'type="box" size=".1 .1 .05"'
    z = 0.1 if ball else 0.05

    def build(h: float, integrator: str, stiff: int, until: float) -> Callable[[], Timed]:
        world = (
            '<geom type="plane" size="9 9 .1" friction=".3 0 0"/>'
            f'<body pos="0 0 {z}"><freejoint/><geom {geom} mass="1" friction=".3 0 0"/></body>'
        )

        def prepare(data) -> None:
            data.qvel[0] = 2.0

        text = frame(h, integrator, stiff, world, 9.81)
        return runner(text, round(until / h), prepare, lambda data: data.qpos[:1])

    return build


def cam(c) -> Callable:
    """Eccentric ball on a shaft, box on a sprung slide."""

    def build(h: float, integrator: str, stiff: int, until: float) -> Callable[[], Timed]:
        world = (
            '<body><joint type="hinge" axis="0 0 1"/>'
            f'<inertial pos="0 0 0" mass="1" diaginertia="1 1 {c.inertia}"/>'
            f'<geom type="sphere" size="{c.radius}" pos="{c.offset} 0 0" mass="0" friction="0 0 0" '
            'contype="1" conaffinity="0"/></body>'
            f'<body pos="0 {c.radius} 0"><joint type="slide" axis="0 1 0" stiffness="{c.stiffness}" '
            f'springref="{-c.preload / c.stiffness - c.radius!r}"/>'
            f'<geom type="box" size=".1 .01 .1" pos="0 .01 0" mass="{c.mass}" friction="0 0 0" '
            'contype="0" conaffinity="1"/></body>'
        )

        def prepare(data) -> None:
            data.qvel[0], data.qvel[1] = c.speed, c.offset * c.speed

        return runner(
            frame(h, integrator, stiff, world, 0.0),
            round(until / h),
            prepare,
            lambda data: (data.qpos[0], data.qpos[1] + c.radius),
        )

    return build


def geneva(c) -> Callable:
    """A pin between two capsules on a wheel."""

    def build(h: float, integrator: str, stiff: int, until: float) -> Callable[[], Timed]:
        common = 'friction="0 0 0"'
        walls = "".join(
            f'<geom type="capsule" fromto="{float(a[0])!r} {float(a[1])!r} 0 {float(b[0])!r} {float(b[1])!r} 0" size="{c.wall}" '
            f'mass="0" contype="0" conaffinity="1" {common}/>'
            for a, b in c.walls
        )
        world = (
            '<body><joint type="hinge" axis="0 0 1"/><inertial pos="0 0 0" mass="1" '
            'diaginertia="1e6 1e6 1e6"/>'
            f'<geom type="sphere" size="{c.pin}" pos="{c.arm * math.cos(c.start)!r} '
            f'{c.arm * math.sin(c.start)!r} 0" mass="0" contype="1" conaffinity="0" {common}/></body>'
            f'<body pos="{c.center!r} 0 0"><joint type="hinge" axis="0 0 1"/>'
            f'<inertial pos="0 0 0" mass=".5" diaginertia="1 1 {c.inertia}"/>{walls}</body>'
        )

        def prepare(data) -> None:
            data.qvel[0] = c.speed

        text = frame(h, integrator, stiff, world, 0.0)
        return runner(text, round(until / h), prepare, lambda data: data.qpos[1:2])

    return build


def clearance(c) -> Callable:
    """Slider-crank whose slider hangs on an elastic tendon with a dead band."""

    def build(h: float, integrator: str, stiff: int, until: float) -> Callable[[], Timed]:
        rod = f'mass="{c.rod}" diaginertia="1e-6 {c.rod * c.length**2 / 12!r} {c.rod * c.length**2 / 12!r}"'
        world = (
            '<body><joint type="hinge" axis="0 0 1"/>'
            f'<inertial pos="0 0 0" mass="1" diaginertia="1 1 {c.inertia}"/>'
            f'<body pos="{c.crank} 0 0"><joint type="hinge" axis="0 0 1"/>'
            f'<inertial pos="{c.length / 2} 0 0" {rod}/><site name="a" pos="{c.length} 0 0"/></body>'
            f'</body><body pos="{c.start} 0 0"><joint type="slide" axis="1 0 0"/>'
            f'<inertial pos="0 0 0" mass="{c.slider}" diaginertia="1 1 1"/><site name="b"/></body>'
        )
        tendon = (
            f'<tendon><spatial stiffness="{c.stiffness}" springlength="0 {c.gap}">'
            '<site site="a"/><site site="b"/></spatial></tendon>'
        )

        def prepare(data) -> None:
            data.qvel[0], data.qvel[1] = c.speed, -c.speed * (1 + c.crank / c.length)

        return runner(
            frame(h, integrator, stiff, world, 0.0, tendon),
            round(until / h),
            prepare,
            lambda data: (data.qpos[0], data.qpos[2] + c.start),
        )

    return build
