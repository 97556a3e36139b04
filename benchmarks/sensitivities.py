"""Accuracy and cost of `kt.sensitivities`.

    python benchmarks/sensitivities.py [--json]

Derivatives of a run with respect to k parameters, compared with those of a precise run. `error` is
the largest over the outputs of |dc - dc_ref| / |dc_ref|, with each derivative times the size of its
parameter, and `tolerances` the same in units of rtol. CPU milliseconds: `bare` is one run of a
prepared model to its end, `loop` the run with derivatives without what is made before and after it,
`per run` loop / ((1 + k) bare), and `whole` the call.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import kinetree as kt
from common import arguments, show, told
from kinetree.models import excavator as digger
from kinetree.models import tracked_vehicle as tracked
from kinetree.models.quarter_car import quarter_car
from kinetree.studies.sensitivities import derive


def four_bar(m1=0.5, m2=1.0, m3=0.75, l1=0.5, l2=1.2, l3=0.75, ground=1.1, g=9.81):
    m = kt.Model("four-bar", gravity=(0, 0, -g))
    a = m.body("crank", kt.rod(m1, l1, along="x"))
    b = m.body("coupler", kt.rod(m2, l2, along="x"))
    c = m.body("rocker", kt.rod(m3, l3, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, a.end("-"), start={"angle": -0.3})
    m.joint("B", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute(axis="y"), b.end("+"), c.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(ground, 0, 0), c.end("-"))
    return m


def rssr(link=0.5, across=0.3, ahead=0.6, mass=1.0, g=9.81):
    m = kt.Model("rssr", gravity=(0, 0, -g))
    tip, pivot = link * np.array([0.0, 1.0, 0.0]), np.array([ahead, across, 0.0])
    arm = link * math.sqrt(0.5) * np.array([1.0, 0.0, 1.0])
    line = pivot + arm - tip
    a = m.body("crank", kt.rod(1.0, link, along=tip), position=tip / 2)
    length = float(np.linalg.norm(line))
    b = m.body("coupler", kt.rod(mass, length, along=line, axial=1e-4), position=tip + line / 2)
    c = m.body("rocker", kt.rod(1.0, link, along=arm), position=pivot + arm / 2)
    m.joint("A", kt.Revolute(), m.ground, a, at=(0, 0, 0), axis="x")
    m.joint("B", kt.Spherical(), a, b, at=tip)
    m.joint("C", kt.Spherical(), b, c, at=pivot + arm)
    m.joint("D", kt.Revolute(), m.ground, c, at=pivot, axis="y")
    return m


HELD = digger._holding_forces()


def excavator(
    bulk=digger.BULK_MODULUS, supply=digger.SUPPLY, opened=1.0, seal=digger.SEAL_FRICTION
):
    m, ends = digger._linkage()
    for name, (a, b) in ends.items():
        bore, rod = digger.BORE_AND_ROD[name]
        cylinder = kt.HydraulicCylinder(
            bore,
            rod,
            digger.STROKE,
            digger.DEAD_VOLUME,
            supply=supply,
            tank=digger.TANK,
            extension=digger.EXTENSION[name],
            bulk_modulus=bulk,
            damping=seal,
            pressure=digger._pressures(bore, rod, HELD[name]),
            valve=digger._valve(opened * digger.COMMAND[name]),
        )
        m.force(f"{name} cylinder", cylinder, a, b)
    return m


def quarter(damper=1000.0, rate=2.302585, body=400.0, wheel=40.0):
    return quarter_car(kt.Exponential(damper, rate=rate), body=body, wheel=wheel)


def rod(length=1.2, height=0.5, e=0.6, g=9.81):
    m = kt.Model("falling rod", gravity=(0, 0, -g))
    body = m.body("rod", kt.rod(2.0, length, along="x", axial=1e-3), position=(0, 0, height))
    m.float(body)
    post = kt.Event(
        "rod.end+.position.z",
        direction=-1,
        then=lambda t, s: {"rod.end+.velocity.z": -e * s["rod.end+.velocity.z"]},
        name="post",
    )
    return m, [post]


def vehicle(speed=tracked.SPEED):
    return tracked.tracked_vehicle(speed)


class Case(NamedTuple):
    make: Callable[..., Any]
    outputs: tuple[str, ...]
    until: float
    rtol: float = 1e-6
    options: dict[str, Any] = {}
    precise: dict[str, Any] = {"rtol": 1e-12, "integrator": "dop853"}


CASES = {
    "four-bar": Case(four_bar, ("final A.angle", "final D.rate"), 1.0),
    "four-bar, tight": Case(four_bar, ("final A.angle", "final D.rate"), 1.0, 1e-8),
    "RSSR": Case(rssr, ("final A.angle", "final D.angle"), 1.0),
    "excavator, hydraulics": Case(
        excavator,
        ("final arm.position.z", "final bucket.position.x"),
        0.5,
        precise={"rtol": 1e-11},
    ),
    "quarter car, switching": Case(
        quarter,
        ("final heave.displacement", "final travel.displacement"),
        2.25,  # far from the zeros of both outputs
        options={"integrator": "switching"},
        precise={"rtol": 1e-11, "integrator": "dop853"},
    ),
    "bouncing rod": Case(rod, ("final rod.position.z", "final rod.angular_velocity.y"), 0.4),
    "tracked vehicle": Case(
        vehicle, ("final hull.position.z", "final hull.velocity.z"), 1.8, precise={"rtol": 1e-10}
    ),
}


class TimedRun:
    """The time loop of a run with derivatives, which adds up its CPU seconds."""

    seconds, plain = 0.0, staticmethod(derive.integrate)

    def __call__(self, *given: Any, **named: Any) -> Any:
        began = time.process_time()
        found = self.plain(*given, **named)
        TimedRun.seconds += time.process_time() - began
        return found


def bare_run(case: Case) -> Callable[[], object]:
    """One run of the model without derivatives, prepared."""
    made, events = case.make(), ()
    if isinstance(made, tuple):
        made, events = made
    prepared = kt.prepare(made, rtol=case.rtol, events=events, **case.options)
    if events:
        return lambda: prepared.run(case.until, output_interval=case.until, progress=False)
    return lambda: prepared.advance(case.until)


def measured(name: str, case: Case, repeat: int) -> dict[str, Any]:
    told(name)

    def derivatives(**options: Any) -> kt.Sensitivities:
        return kt.sensitivities(case.make, case.outputs, until=case.until, **options)

    usual = {"rtol": case.rtol, **case.options}
    found, precise = derivatives(**usual), derivatives(**case.precise)
    sizes = np.abs(list(found.parameters.values()))
    off = np.linalg.norm((found.matrix - precise.matrix) * sizes, axis=1)
    error = float((off / np.linalg.norm(precise.matrix * sizes, axis=1)).max())
    once, whole, loop, bare = bare_run(case), math.inf, math.inf, math.inf
    once()
    for _ in range(repeat):
        began = time.process_time()
        once()
        bare = min(bare, time.process_time() - began)
        TimedRun.seconds, began = 0.0, time.process_time()
        derivatives(**usual)
        whole, loop = min(whole, time.process_time() - began), min(loop, TimedRun.seconds)
    k = len(sizes)
    return {
        "case": name,
        "k": k,
        "rtol": case.rtol,
        "steps": found.steps,
        "error": error,
        "tolerances": error / case.rtol,
        "bare": 1e3 * bare,
        "loop": 1e3 * loop,
        "per run": loop / ((1 + k) * bare),
        "whole": 1e3 * whole,
    }


def main() -> None:
    given = arguments(__doc__, repeat=5)
    derive.integrate = TimedRun()
    names = [name for name in CASES if not given.only or name in given.only]
    rows = [measured(name, CASES[name], given.repeat) for name in names]
    show(rows, given.json, "CPU milliseconds; errors by the derivatives of a precise run")


if __name__ == "__main__":
    main()
