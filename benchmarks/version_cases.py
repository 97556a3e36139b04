"""The runs that two_versions.py compares: reads names of cases, writes CPU seconds, steps and the
last state of each run.
"""

import json
import sys
import time
import warnings

import numpy as np

import kinetree as kt
from kinetree.assembly.build import build
from kinetree.engine.dynamics.forward import forward_dynamics
from kinetree.kernel.decorators import kernel
from kinetree.models.catalogue import MODELS, model_entry

SECTION = kt.Section.circle(radius=0.01, E=2e9, density=2000.0)


@kernel
def repeated(tables, work, q, v, tau, vdot, count):
    for _ in range(count):
        forward_dynamics(tables, work, q, v, tau, vdot)


def thrown():
    m = kt.Model("thrown", gravity=(0, 0, 0))
    m.float(
        m.beam("arm", [(0, 0, 0), (1, 0, 0)], SECTION, elements=4),
        speed={"wx": 3.0, "wy": 5.0, "wz": 20.0, "vx": 1.0},
    )
    return m


def hinged(joint):
    m = kt.Model("hinged")
    m.joint(
        "pin",
        joint,
        m.ground,
        m.beam("arm", [(0, 0, 0), (1, 0, 0)], SECTION, elements=8, damping=1e-3).end("-"),
    )
    return m


def chain(n):
    m = kt.Model("chain")
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        body = m.body(f"b{i}", kt.mass(1.0, (0.02, 0.03, 0.04), (0.1, 0.02, 0.03)))
        m.joint(f"j{i}", kt.Revolute(axis="xyz"[i % 3]), place, body)
        place = body.at(0.3, 0.1, 0.05)
    compiled = build(m)
    q, v, tau, vdot = np.linspace(-1.0, 1.0, n), np.linspace(1.0, -0.5, n), np.zeros(n), np.zeros(n)
    call, count = (compiled.tables, compiled.workspace(), q, v, tau, vdot), 40000 // n

    def run():
        repeated(*call, count)
        return count, vdot

    return run


def simulated(model, until, **options):
    def run():
        result = kt.simulate(model, until, progress=False, **options).result
        return result.accepted, result.y

    return run


def named(name, until, **options):
    return lambda: simulated(model_entry(name).build(), until, **options)


CASES = {
    "four-bar": named("four-bar", 5.0),
    "rssr": named("rssr", 4.0),
    "excavator": named("excavator", 1.0),
    "andrews": named("andrews", 0.05),
    "car": named("car", 1.0),
    "tracked-vehicle": named("tracked-vehicle", 0.5),
    "quarter-car, bdf": named("quarter-car", 2.5, integrator="bdf"),
    "flexible-four-bar": named("flexible-four-bar", 0.2),
    "flexible-slider-crank": named("flexible-slider-crank", 0.1),
    "planar beam": lambda: simulated(hinged(kt.Revolute(axis="y")), 0.3),
    "spatial beam": lambda: simulated(hinged(kt.Spherical()), 0.3),
    "thrown beam": lambda: simulated(thrown(), 0.2, rtol=1e-5),
    **{f"forward dynamics, {n}": (lambda n=n: chain(n)) for n in (6, 30, 100)},
}


def main() -> None:
    warnings.simplefilter("ignore")
    until, ready = float(sys.argv[1]), {}
    cases = (
        {entry.name: named(entry.name, min(entry.until, until)) for entry in MODELS}
        if until > 0.0
        else CASES
    )
    print(json.dumps(list(cases)), flush=True)
    for line in sys.stdin:
        name = line.strip()
        if name not in ready:
            ready[name] = cases[name]()
            ready[name]()
        began = time.process_time()
        steps, state = ready[name]()
        print(
            json.dumps(
                [time.process_time() - began, int(steps), np.asarray(state).ravel().tolist()]
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
