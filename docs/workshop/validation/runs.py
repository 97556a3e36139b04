"""The runs behind the cases, each computed once."""

from __future__ import annotations

from functools import cache

import numpy as np

import kinetree as kt
from kinetree.models.flyball_governor import flyball_governor

from ..problems import (
    adams_joints,
    beams,
    flexible_slider_crank,
    four_bar_chain,
    heavy_top,
    hydraulic_arm,
    modelica,
    simple_pendulum,
    squeezer,
    stiff_equations,
)

RUNS = {  # model, time in s, rtol, sampling interval in s
    "pendulum": (simple_pendulum.pendulum, 100.0, 1e-12, 0.5),
    "two four-bars": (lambda: four_bar_chain.chain(2), 10.0, 1e-11, 0.05),
    "forty four-bars": (lambda: four_bar_chain.chain(40), 20.0, 1e-9, 0.05),
    "squeezer": (squeezer.squeezer, 0.05, 1e-12, 1e-4),
    "top": (heavy_top.top, 2.0, 1e-11, 0.5),
    "modelica pendulum": (modelica.pendulum, 5.0, 1e-10, 0.01),
    "modelica double pendulum": (modelica.double_pendulum, 3.0, 1e-10, 0.3),
    "modelica slider-crank": (modelica.four_bar, 5.0, 1e-11, 0.25),
    "arm": (hydraulic_arm.lifted_arm, 0.4, 1e-9, 0.1),
}


@cache
def run(name: str):
    """Return the run of one problem with the default methods."""
    model, until, rtol, interval = RUNS[name]
    return kt.simulate(model(), until, rtol=rtol, output_interval=interval, progress=False)


def value(name: str, channel: str, t: float, component: int | None = None) -> float:
    """Return a channel of a run at a time."""
    sol = run(name)
    found = sol[channel][int(np.argmin(np.abs(sol.t - t)))]
    return float(found if component is None else found[component])


def of_run(name: str, channel: str, t: float, component: int | None = None):
    """Return a function that returns a channel of a run at a time."""
    return lambda: value(name, channel, t, component)


@cache
def governor():
    """Return the stiff governor, by BDF."""
    return kt.simulate(flyball_governor(), 10.0, integrator="bdf", rtol=1e-11, output_interval=0.1)


def adams(case: str, column: str, t: float) -> float:
    """Return our value of a column of the ADAMS joint series."""
    sol = adams_joints.run(case, "relative")
    return float(adams_joints.computed(case, sol)[column][round(t / adams_joints.INTERVAL)])


def printed(case: str, column: str, t: float) -> float:
    """Return the published value of that column."""
    columns = adams_joints.printed(case)
    return float(columns[column][int(np.argmin(np.abs(columns["t"] - t)))])


@cache
def crank() -> np.ndarray:
    """Return the end of the flexible slider-crank, in the order of its published end."""
    model, until = flexible_slider_crank.slider_crank(), flexible_slider_crank.UNTIL
    sol = kt.simulate(model, until, integrator="dop853", rtol=1e-10, output_interval=until)
    return flexible_slider_crank.state(sol)[-1]


@cache
def bend(elements: int) -> np.ndarray:
    """Return the displacement of the tip of the 45 degree bend under 600 lb."""
    model = beams.cantilever(beams.arc, beams.BEND, elements, (0, 0, 600.0))
    return beams.tip(model, elements, load_steps=6) - beams.arc(1.0)


@cache
def thick() -> np.ndarray:
    """Return shortening, deflection and rotation of the thick cantilever."""
    found = kt.deflect(beams.thick(), load_steps=4)
    p, q = found["b.16.position"], found["b.16.quaternion"]
    return np.array([5.0 - p[0], p[2], 2.0 * np.arccos(q[0])])


@cache
def composite() -> np.ndarray:
    """Return the displacement of the tip of the composite cantilever."""
    return beams.tip(beams.composite(), 16) - [10.0, 0.0, 0.0]


@cache
def flight():
    """Return the flying beam with EI = 500."""
    return kt.simulate(
        beams.flying_beam(500.0, 160),
        5.5,
        integrator="energy-conserving",
        step=1.25e-3,
        output_interval=0.05,
    )


@cache
def stiff(name: str) -> np.ndarray:
    """Return the end values of a stiff equation, by BDF at rtol 1e-10."""
    return stiff_equations.solve(name, 1e-10, integrator="bdf")[0].y[-1]
