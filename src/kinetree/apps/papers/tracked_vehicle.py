"""The tracked vehicle of [Lee1994, sec. 7.1]: a half-round bump at 11 m/s, in relative and in
Cartesian coordinates.

The paper prints the counts and computing times of Table 4 and the acceleration of the seat as a
curve without axes. The data is proposed in `models.tracked_vehicle`. The equilibrium and small
motions are compared with an energy by hand (`tracked_reference`), the run with nine equations by
hand (`tracked_run_reference`), with the other coordinates and with other integrators.
"""

from __future__ import annotations

import time

import numpy as np

import kinetree as kt

from ...models.tracked_vehicle import BUMP_AT, SPEED, STATIONS, tracked_vehicle
from .claim import Claim, agrees
from .references import tracked as by_hand
from .references import tracked_run as run_by_hand

UNTIL, INTERVAL, RTOL = 4.0, 0.002, 1e-9
WITNESSED = 3.0  # s
SEAT = "hull.seat.acceleration.z"
FREQUENCIES = {"pitch": 0.550, "bounce": 1.065, "roll": 1.183}  # Hz, undamped, of the data proposed
SEAT_AT = np.array([-0.2, 1.3, 0.1])  # m, in hull axes, as printed
TENSION, BRIDGE = 25e3, 0.0  # N, N/m of the track band [proposed]
WHEELS = [f"{side}{k}" for side in "LR" for k in range(1, 7)]


def check() -> list[Claim]:
    """All claims about the vehicle."""
    model = tracked_vehicle()
    relative, cartesian = (_run(model, c)[0] for c in ("relative", "cartesian"))
    return [
        *_counts(model),
        *_rest(),
        *_seat(relative),
        _witness(relative),
        _coordinates(relative, cartesian),
        *_methods(model, relative),
        *_energy(relative),
        *_track(relative),
    ]


def with_track(coordinates: str = "relative"):
    """Return the run with a track band on each side."""
    return _run(tracked_vehicle(track=kt.TrackBand(TENSION, BRIDGE)), coordinates)[0]


def _run(model: kt.Model, coordinates: str, **options):
    """Return the run, and its CPU time (s) without the time of compiling."""
    asked = {"rtol": RTOL, "output_interval": INTERVAL, "coordinates": coordinates, **options}
    kt.simulate(model, 0.01, **asked)
    began = time.process_time()
    return kt.simulate(model, UNTIL, **asked), time.process_time() - began


def _counts(model: kt.Model) -> list[Claim]:
    sizes = [kt.assemble(model, coordinates=c).compiled.size for c in ("relative", "cartesian")]
    kinds = [element.spec.kind for element in model.forces.values()]
    parts = [
        len(model.bodies),
        sum(j.joint.kind == "revolute" for j in model.joints.values()),
        kinds.count("torsion-spring"),
        kinds.count("hydropneumatic-unit"),
    ]
    return [
        Claim(
            "bodies, revolute joints, torsion bars, hydropneumatic units",
            [13, 12, 6, 6],
            parts,
            parts == [13, 12, 6, 6],
            "each arm has a wheel and a bump stop",
        ),
        Claim(
            "Table 4: generalized coordinates, relative and Cartesian",
            [19, 91],
            [s["nq"] for s in sizes],
            [s["nq"] for s in sizes] == [19, 91],
            "7 + 12 and 13 x 7",
        ),
        Claim(
            "Table 4: constraints",
            [0, 60],
            [s["ng"] for s in sizes],
            [s["ng"] for s in sizes] == [0, 60],
            "12 x 5",
        ),
    ]


def _rest() -> list[Claim]:
    still, q = tracked_vehicle(0.0, bump=False), by_hand.equilibrium()
    found = kt.equilibrium(still)
    loads = np.array([float(found[f"wheel {name}.load"]) for name in WHEELS])
    weight = 9.81 * sum(body.properties.mass for body in still.bodies.values())
    ours = np.sort(kt.modes(still, state=found).undamped_frequencies)[-15:]
    reference = by_hand.frequencies(q)[3:]
    error = float(np.abs(ours / reference - 1.0).max())
    return [
        Claim(
            "wheel loads at rest, front to rear",
            None,
            np.round(loads[:6], 1),
            agrees(loads, by_hand.wheel_loads(q), rtol=1e-7),
            "N; those of the energy by hand, allowed 1e-7",
        ),
        Claim(
            "wheel loads sum to the weight",
            None,
            round(float(loads.sum()), 3),
            agrees(loads.sum(), weight, rtol=1e-9),
            f"N; the weight is {weight:.3f} N",
        ),
        Claim(
            "undamped frequencies of pitch, bounce and roll",
            None,
            np.round(ours[:3], 4),
            agrees(ours[:3], list(FREQUENCIES.values()), atol=1e-3),
            f"Hz; wheel hop from {ours[3]:.2f} to {ours[-1]:.2f} Hz",
        ),
        Claim(
            "all fifteen frequencies are those of the energy by hand",
            None,
            error,
            error <= 1e-6,
            "largest relative difference; allowed 1e-6",
        ),
    ]


def _seat(run) -> list[Claim]:
    a, t = run[SEAT], run.t
    carried = float(np.abs(carried_to_seat(run) - a).max())
    first = next(float(t[k]) for k in np.flatnonzero(run["wheel L1.deflection1"] > 0.0))
    reach = float(
        np.sqrt((0.318 + 0.254) ** 2 - 0.304**2)
    )  # of a wheel at rest that touches the bump
    by_speed = (BUMP_AT - STATIONS[0] - reach) / SPEED
    return [
        Claim(
            "Figs. 2, 3: the first wheel meets the bump",
            None,
            round(first, 3),
            agrees(first, by_speed, atol=2.0 * INTERVAL),
            f"s; {BUMP_AT} m less position and reach of the wheel at {SPEED:g} m/s gives "
            f"{by_speed:.3f} s",
        ),
        Claim(
            "Fig. 3: vertical acceleration at the seat, (-0.2, 1.3, 0.1) on body 1",
            "a curve without axes",
            carried,
            carried <= 1e-9,
            "m/s^2, largest difference from a + alpha x d + w x (w x d) of the hull, with d = "
            f"(-0.2, 1.3, 0.1); the curve runs from {a.min():.3f} to {a.max():.3f} m/s^2; allowed "
            "1e-9, the rounding of accelerations near 10",
        ),
    ]


def carried_to_seat(run) -> np.ndarray:
    """Return the vertical acceleration of the seat, computed from the motion of the center of the
    hull.
    """
    from ...kernel.frames import quaternion_matrix

    found = []
    for q, a, w, alpha in zip(
        run["hull.quaternion"],
        run["hull.acceleration"],
        run["hull.angular_velocity"],
        run["hull.angular_acceleration"],
    ):
        d = quaternion_matrix(q) @ SEAT_AT
        found.append((a + np.cross(alpha, d) + np.cross(w, np.cross(w, d)))[2])
    return np.array(found)


def _track(model_run) -> list[Claim]:
    """The paper states a track but not its law: here it is a band under tension between idler,
    wheels and sprocket.
    """
    band = with_track()
    peaks = [float(run[SEAT].max()) for run in (model_run, band)]
    return [
        Claim(
            "Fig. 3: a track under tension lowers the peak at the seat",
            "a track passes forces on",
            np.round(peaks, 3),
            peaks[1] < 0.9 * peaks[0],
            f"m/s^2, without a track and with one of {TENSION / 1e3:g} kN; the band distributes "
            "the load of a lifted wheel to its neighbors",
        )
    ]


def _witness(run) -> Claim:
    """The vehicle without a track, compared with nine equations by hand in its plane of symmetry."""
    seen = run.t <= WITNESSED
    reference = run_by_hand.seat_acceleration(run.t[seen])
    error = float(np.abs(run[SEAT][seen] - reference).max() / np.ptp(reference))
    return Claim(
        "Fig. 3: the curve is that of nine equations of motion by hand",
        "a curve without axes",
        error,
        error <= 1e-5,
        f"largest difference over the range up to {WITNESSED:g} s, all wheels having passed the "
        "bump; allowed 1e-5, ten times what the two integrators differ by where wheels touch down",
    )


def _coordinates(relative, cartesian) -> Claim:
    error = float(np.abs(relative[SEAT] - cartesian[SEAT]).max() / np.ptp(relative[SEAT]))
    return Claim(
        "Fig. 3: relative and Cartesian coordinates agree",
        "trends agree (with DADS)",
        error,
        error <= 1e-6,
        f"largest difference of the seat's acceleration over its range at rtol {RTOL:g}; allowed "
        "1e-6",
    )


def _methods(model: kt.Model, relative) -> list[Claim]:
    claims = []
    for name in ("bdf", "dop853"):
        other = kt.simulate(model, UNTIL, rtol=RTOL, output_interval=INTERVAL, integrator=name)
        error = float(np.abs(relative[SEAT] - other[SEAT]).max() / np.ptp(relative[SEAT]))
        claims.append(
            Claim(
                f"adams and {name} agree",
                None,
                error,
                error <= 5e-6,
                "of the range; allowed 5e-6: they share neither steps nor order, and contacts are "
                "not smooth",
            )
        )
    return claims


def _energy(run) -> list[Claim]:
    ledger = run.energy
    lost = -float(ledger.work[-1])
    return [
        Claim(
            "the energy balance closes",
            None,
            ledger.imbalance,
            ledger.imbalance <= 1e-7,
            f"of the energy in motion; {lost / 1e3:.2f} kJ went into dampers and wheels; allowed "
            "1e-7",
        ),
        Claim(
            "no element adds energy",
            None,
            max(float(np.max(w)) for w in ledger.by_source.values()),
            all(float(np.diff(w).max()) <= 1e-6 * lost for w in ledger.by_source.values()),
            "J, largest work that any damper, wheel or stop has added at any time",
        ),
    ]
