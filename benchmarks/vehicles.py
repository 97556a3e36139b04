"""The tracked vehicle over its bump and the car in its lane change, ours in both coordinates and
Exudyn beside them, in one run.

Both programs get the same bodies, joints and laws. `difference` is how far their histories lie
apart, over the range, when each is converged. For the times both solve to the same `error` against
our run at rtol 1e-10, over the range of one history (the seat's height or the yaw rate): ours with
the loosest tolerance, Exudyn with the longest step that reaches it. Seconds are of CPU: ours of the
whole call of kt.simulate, Exudyn's of its solver without those in its Python callbacks (tyres,
wheels, drives); the crossing into Python is counted.
"""

import math
import time

import numpy as np

import kinetree as kt
from common import arguments, show
from kinetree.models.car import SMOOTH, car
from kinetree.models.tracked_vehicle import SEAT, tracked_vehicle
from peers.exudyn_vehicles import OUT, Vehicle

ERROR = 1e-3  # of the range
RTOLS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
# until, every, channel, (body, what, point, component), our integrator, steps of Exudyn, its
# finest, the paper's ratio
CASES = {
    "tracked-vehicle": (
        4.0,
        0.001,
        "hull.seat.position.z",
        ("hull", OUT.Position, SEAT, 3),
        "adams",
        (2e-3, 1e-3, 5e-4, 2.5e-4),
        5e-4,
        6.18,
    ),
    "lane-change": (
        10.0,
        0.01,
        "chassis.angular_velocity.z",
        ("chassis", OUT.AngularVelocity, (0, 0, 0), 3),
        "switching",
        (1e-2, 5e-3, 4e-3, 3e-3, 2e-3, 1e-3),
        1e-3,
        3.27,
    ),
}


def built(name: str) -> tuple[kt.Model, Vehicle]:
    if name == "tracked-vehicle":
        m = tracked_vehicle()
        return m, Vehicle(m)
    m = car()
    return m, Vehicle(m, (lambda t: swing(SMOOTH, t)[0], lambda t: swing(SMOOTH, t)[1]))


def swing(signal: kt.SmoothSine, t: float) -> tuple[float, float]:
    """Value and rate of the rack, by the formula of kt.SmoothSine."""
    a, w = signal.amplitude * 4.0 / (3.0 * math.sqrt(3.0)), 2.0 * math.pi / signal.period
    u = w * (t - signal.begin)
    if not 0.0 < u < 2.0 * math.pi:
        return 0.0, 0.0
    return a * (math.sin(u) - 0.5 * math.sin(2.0 * u)), a * w * (math.cos(u) - math.cos(2.0 * u))


COUNTS = ("accepted", "rejected", "evaluations", "iterations", "jacobians", "factorisations")


def ours(
    m: kt.Model, until: float, every: float, channel: str, reference, repetitions: int, **options
) -> tuple[float, float, dict[str, int]]:
    """Seconds of the whole call, error and counts of the loosest tolerance that is good enough."""
    for rtol in RTOLS:
        asked = {"rtol": rtol, "output_interval": every, **options}
        run = kt.simulate(m, until, **asked)
        error = apart(run[channel], reference)
        if error <= ERROR:
            break
    seconds = min(cpu(lambda: kt.simulate(m, until, **asked)) for _ in range(repetitions))
    return seconds, error, {name: run.statistics[name] for name in COUNTS}


def cpu(call) -> float:
    """Seconds of CPU time: the machine may be busy with other things."""
    began = time.process_time()
    call()
    return time.process_time() - began


def exudyn(name: str, h: float) -> tuple[float, float, np.ndarray]:
    """Seconds, seconds in Python, and the history on the samples."""
    until, every, _, (body, what, point, component), *_ = CASES[name]
    _, vehicle = built(name)
    sensor = vehicle.watch(body, what, point)
    vehicle.mbs.Assemble()
    seconds, in_python = vehicle.run(until, h, every)
    data = vehicle.mbs.GetSensorStoredData(sensor)
    t = np.linspace(0.0, until, round(until / every) + 1)
    return seconds, in_python, np.interp(t, data[:, 0], data[:, component])


def apart(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).max() / np.ptp(b))


def row(name: str, repetitions: int) -> dict:
    until, every, channel, _, integrator, steps, finest, paper = CASES[name]
    m, _ = built(name)
    reference = kt.simulate(m, until, rtol=1e-10, output_interval=every)[channel]
    own, error, counts = ours(
        m, until, every, channel, reference, repetitions, integrator=integrator
    )
    cartesian, *_ = ours(
        m,
        until,
        every,
        channel,
        reference,
        max(repetitions // 5, 1),
        coordinates="cartesian",
        integrator=integrator,
    )
    for h in steps:
        seconds, in_python, history = exudyn(name, h)
        if apart(history, reference) <= ERROR:
            break
    difference = apart(exudyn(name, finest)[2], reference)
    return {
        "case": name,
        "ours": own,
        "cartesian": cartesian,
        "exudyn": seconds - in_python,
        "exudyn_with_python": seconds,
        "error": error,
        "exudyn_error": apart(history, reference),
        "exudyn_step": h,
        "difference": difference,
        "exudyn_over_ours": (seconds - in_python) / own,
        "cartesian_over_ours": cartesian / own,
        "paper_dads_over_theirs": paper,
        "real_time_factor": until / own,
        "steps": counts.pop("accepted"),
        "factorizations": counts.pop("factorisations"),
        **counts,
        "steps_exudyn": round(until / h),
    }


if __name__ == "__main__":
    asked = arguments(__doc__.splitlines()[0])
    began = time.perf_counter()
    rows = [row(name, asked.repeat) for name in CASES]
    show(
        rows,
        asked.json,
        f"seconds of CPU to an error of {ERROR:g} of the range; exudyn without its callbacks; "
        f"difference: both converged. All of it took {time.perf_counter() - began:.0f} s.",
    )
