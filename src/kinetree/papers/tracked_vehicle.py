"""The tracked vehicle of [Lee1994, sec. 7.1]: a half-round bump at 11 m/s, in relative and in Cartesian coordinates.

The paper prints the counts and computing times of Table 4 and the seat's acceleration as a curve without axes. The data is
proposed in `models.tracked_vehicle`; rest and small motions are compared with an energy by hand (`tracked_reference`), the run
with the other coordinates and other integrators.
"""

from __future__ import annotations

import time

import numpy as np

import kinetree as kt

from ..models.tracked_vehicle import BUMP_AT, SPEED, STATIONS, TORQUE, tracked_vehicle
from . import tracked_reference as by_hand
from .claim import Claim, agrees

UNTIL, INTERVAL, RTOL = 4.0, 0.002, 1e-9
SEAT = "hull.seat.acceleration.z"
FREQUENCIES = {"pitch": 0.550, "bounce": 1.065, "roll": 1.183}  # Hz, undamped, of the data proposed
WHEELS = [f"{side}{k}" for side in "LR" for k in range(1, 7)]


def check() -> list[Claim]:
    """All claims about the vehicle."""
    model = tracked_vehicle()
    relative, cpu = _run(model, "relative")
    cartesian, slower = _run(model, "cartesian")
    return [*_counts(model), *_rest(), *_seat(relative), _coordinates(relative, cartesian), *_methods(model, relative),
            _unseen(model), *_energy(relative), _cost(cpu, slower)]


def figure(path) -> None:
    """Fig. 3a: vertical acceleration of the driver's seat."""
    _run(tracked_vehicle(), "relative")[0].plot(SEAT, path=path)


def _run(model: kt.Model, coordinates: str, **options):
    """The run, and the CPU time (s) of the second one: nothing is compiled or loaded then."""
    asked = {"rtol": RTOL, "output_interval": INTERVAL, "coordinates": coordinates, **options}
    kt.simulate(model, 0.01, **asked)
    began = time.process_time()
    return kt.simulate(model, UNTIL, **asked), time.process_time() - began


def _counts(model: kt.Model) -> list[Claim]:
    sizes = [kt.assemble(model, coordinates=c).compiled.size for c in ("relative", "cartesian")]
    kinds = [element.spec.kind for element in model.forces.values()]
    parts = [len(model.bodies), sum(j.joint.kind == "revolute" for j in model.joints.values()),
             kinds.count("torsion-spring"), kinds.count("hydropneumatic-unit")]
    return [Claim("bodies, revolute joints, torsion bars, hydropneumatic units", [13, 12, 6, 6], parts, parts == [13, 12, 6, 6],
                  "with a wheel and a bump stop at each arm"),
            Claim("Table 4: generalised coordinates, relative and Cartesian", [19, 91], [s["nq"] for s in sizes],
                  [s["nq"] for s in sizes] == [19, 91], "7 + 12 and 13 x 7"),
            Claim("Table 4: constraints", [0, 60], [s["ng"] for s in sizes], [s["ng"] for s in sizes] == [0, 60], "12 x 5")]


def _rest() -> list[Claim]:
    still, q = tracked_vehicle(0.0, bump=False), by_hand.equilibrium()
    found = kt.equilibrium(still)
    loads = np.array([float(found[f"wheel {name}.load"]) for name in WHEELS])
    weight = 9.81 * sum(body.properties.mass for body in still.bodies.values())
    ours = np.sort(kt.modes(still, state=found).undamped_frequencies)[-15:]
    reference = by_hand.frequencies(q)[3:]
    error = float(np.abs(ours / reference - 1.0).max())
    return [
        Claim("static torque of each suspension, as drawn", None, round(TORQUE, 2), agrees(TORQUE, 14676.14, atol=0.01),
              "N m: the wheel's load on 0.406 m less the arm's weight on 0.30 m, 22 degrees down"),
        Claim("wheel loads at rest, front to rear", None, np.round(loads[:6], 1),
              agrees(loads, by_hand.wheel_loads(q), rtol=1e-7), "N; those of the energy by hand to 1e-7"),
        Claim("wheel loads sum to the weight", None, round(float(loads.sum()), 3), agrees(loads.sum(), weight, rtol=1e-9),
              f"N; the weight is {weight:.3f} N"),
        Claim("undamped frequencies of pitch, bounce and roll", None, np.round(ours[:3], 4),
              agrees(ours[:3], list(FREQUENCIES.values()), atol=1e-3), "Hz; wheel hop from "
              f"{ours[3]:.2f} to {ours[-1]:.2f} Hz"),
        Claim("all fifteen frequencies are those of the energy by hand", None, error, error <= 1e-6,
              "largest relative difference; allowed 1e-6")]


def _seat(run) -> list[Claim]:
    a, t = run[SEAT], run.t
    first = next(float(t[k]) for k in np.flatnonzero(run["wheel L1.deflection1"] > 0.0))
    reach = float(np.sqrt((0.318 + 0.254) ** 2 - 0.304**2))  # of a wheel at rest that touches the bump
    by_speed = (BUMP_AT - STATIONS[0] - reach) / SPEED
    return [
        Claim("Fig. 2: the first wheel meets the bump", None, round(first, 3), agrees(first, by_speed, atol=2.0 * INTERVAL),
              f"s; {BUMP_AT} m less the wheel's place and reach at {SPEED:g} m/s gives {by_speed:.3f} s"),
        Claim("Fig. 3: vertical acceleration of the seat, largest and least", "a curve without axes",
              np.round([a.max(), a.min()], 3), bool(8.0 < a.max() < 16.0 and -12.0 < a.min() < -4.0),
              f"m/s^2, at {t[a.argmax()]:.3f} and {t[a.argmin()]:.3f} s; `--plot` draws it"),
        Claim("the bump takes speed", None, round(float(run["hull.velocity.x"][-1]), 3),
              bool(9.5 < run["hull.velocity.x"][-1] < SPEED), f"m/s at {UNTIL:g} s of {SPEED:g} m/s; nothing drives the vehicle")]


def _coordinates(relative, cartesian) -> Claim:
    error = float(np.abs(relative[SEAT] - cartesian[SEAT]).max() / np.ptp(relative[SEAT]))
    return Claim("Fig. 3: relative and Cartesian coordinates agree", "trends agree (with DADS)", error, error <= 1e-6,
                 f"largest difference of the seat's acceleration over its range at rtol {RTOL:g}; allowed 1e-6")


def _methods(model: kt.Model, relative) -> list[Claim]:
    claims = []
    for name in ("bdf", "dop853"):
        other = kt.simulate(model, UNTIL, rtol=RTOL, output_interval=INTERVAL, integrator=name)
        error = float(np.abs(relative[SEAT] - other[SEAT]).max() / np.ptp(relative[SEAT]))
        claims.append(Claim(f"adams and {name} agree", None, error, error <= 5e-6,
                            "of the range; allowed 5e-6: they share neither steps nor order, and contacts are not smooth"))
    return claims


def _unseen(model: kt.Model) -> Claim:
    lift = []
    for rtol in (1e-3, 1e-9):
        run = kt.simulate(model, UNTIL, rtol=rtol, integrator="bdf", output_interval=INTERVAL)
        lift.append(float(np.max([run[f"arm {name}.wheel.position.z"].max() for name in WHEELS])))
    return Claim("no step passes the bump unseen", None, np.round(lift, 4), abs(lift[0] - lift[1]) < 0.01,
                 "m, highest centre of a wheel, by BDF at rtol 1e-3 and 1e-9: the road bounds the steps")


def _energy(run) -> list[Claim]:
    ledger = run.energy
    lost = -float(ledger.work[-1])
    return [Claim("the energy ledger closes", None, ledger.imbalance, ledger.imbalance <= 1e-7,
                  f"of the energy in motion; {lost / 1e3:.2f} kJ went into dampers and wheels; allowed 1e-7"),
            Claim("no element adds energy", None, max(float(np.max(w)) for w in ledger.by_source.values()),
                  all(float(np.diff(w).max()) <= 1e-6 * lost for w in ledger.by_source.values()),
                  "J, most that any dampers, wheels and stops have put in at any time")]


def _cost(relative: float, cartesian: float) -> Claim:
    return Claim("Table 4: CPU time, Cartesian over relative", "533.99 s / 86.35 s = 6.18",
                 f"{cartesian:.2f} s / {relative:.3f} s = {cartesian / relative:.1f}", cartesian > relative,
                 f"{UNTIL / relative:.0f} and {UNTIL / cartesian:.1f} times faster than real time; the paper compares with DADS")
