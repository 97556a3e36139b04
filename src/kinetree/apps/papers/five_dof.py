"""The vehicle with five degrees of freedom of [Lee1994, sec. 7.3]: five histories against the
linear equations of [Haug1979].

The machine has finite geometry, the published equations are linear. So the equations are checked
where both must agree exactly, on a road a thousand times lower (scaled back), and the full road
shows what the geometry adds.
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

from ...models.five_dof import five_dof
from ...models.units import INCH
from .claim import Claim, agrees
from .references.five_dof import histories

UNTIL, INTERVAL, SMALL = 2.5, 0.005, 1e-3
HISTORIES = (  # figure, name, unit, channel, SI per unit, and the extreme by name: value, time
    (8, "seat", "in", "seat.position.z", INCH, {"peak": (13.477, 0.955)}),
    (9, "chassis", "in", "chassis.position.z", INCH, {"peak": (12.256, 0.930)}),
    (
        10,
        "pitch",
        "rad",
        "pitch.angle",
        1.0,
        {"peak": (0.04665, 0.700), "trough": (-0.07960, 1.270)},
    ),
    (11, "front wheel", "in", "front.position.z", INCH, {"peak": (10.635, 0.815)}),
    (12, "rear wheel", "in", "rear.position.z", INCH, {"peak": (10.319, 1.065)}),
)
AT_END = (-1.429, -1.0675, -0.00632, -0.352, -0.0528)  # the five at 2.5 s
SEAT_ACCELERATION = (331.82, 1.505)  # in/s^2, s


def check() -> list[Claim]:
    """All claims about the vehicle."""
    small, full = run_on(SMALL), run_on(1.0)
    z, zddot = histories(small.t)
    ours, large = _displacements(small, SMALL), _displacements(full, 1.0)
    return [
        _counts(),
        *_matches(ours, z),
        *_extremes(small.t, ours),
        _at_end(ours),
        _acceleration(small),
        *_full_road(large, full, z, zddot),
    ]


def run_on(road: float):
    """Return the run on the road with its height multiplied by `road`."""
    return kt.simulate(
        five_dof(road), UNTIL, rtol=1e-10, atol=1e-10 * road, output_interval=INTERVAL
    )


def _displacements(run, road: float) -> np.ndarray:
    """Return the five histories in the units of the paper, scaled to the full height of the road."""
    return np.column_stack(
        [run[channel] / (unit * road) for _, _, _, channel, unit, _ in HISTORIES]
    )


def _counts() -> Claim:
    report = five_dof().topology()
    return Claim(
        "Fig. 6: five degrees of freedom, no constraint",
        5,
        [report.coordinates, report.equations],
        (report.coordinates, report.equations) == (5, 0),
        "velocities and equations",
    )


def _matches(ours: np.ndarray, z: np.ndarray) -> list[Claim]:
    error = np.abs(ours - z).max(axis=0) / np.abs(z).max(axis=0)
    return [
        Claim(
            f"Fig. {figure}: history of the {name} equals that of the linear equations",
            "curves agree",
            float(error[i]),
            error[i] <= 1e-6,
            "largest difference over the largest value, on a road a thousand times lower; allowed "
            "1e-6",
        )
        for i, (figure, name, *_) in enumerate(HISTORIES)
    ]


def _extremes(t: np.ndarray, ours: np.ndarray) -> list[Claim]:
    claims = []
    for i, (figure, name, unit, _, _, extremes) in enumerate(HISTORIES):
        for which, (value, when) in extremes.items():
            k = int(np.argmax(ours[:, i]) if which == "peak" else np.argmin(ours[:, i]))
            found = [_round(ours[k, i], unit), round(float(t[k]), 4)]
            claims.append(
                Claim(
                    f"Fig. {figure}: {which} of the {name} ({unit}, s)",
                    None,
                    found,
                    agrees(found, (value, when), atol=_half_digit(unit)),
                    f"the linear equations give {value} at {when} s, sampled every 5 ms",
                )
            )
    return claims


def _at_end(ours: np.ndarray) -> Claim:
    return Claim(
        "Figs. 8 to 12: seat, chassis, pitch, front and rear wheel at 2.5 s",
        None,
        np.round(ours[-1], 5),
        agrees(ours[-1], AT_END, atol=5.1e-4) and agrees(ours[-1][2], AT_END[2], atol=5.1e-6),
        f"in and rad; the linear equations give {', '.join(map(str, AT_END))}",
    )


def _acceleration(small) -> Claim:
    seat = np.abs(small["seat.acceleration.z"]) / (INCH * SMALL)
    k = int(np.argmax(seat))
    found = [round(float(seat[k]), 2), round(float(small.t[k]), 4)]
    return Claim(
        "peak acceleration of the seat (in/s^2, s)",
        None,
        found,
        agrees(found, SEAT_ACCELERATION, atol=5e-3),
        "the linear equations give 331.82 at 1.505 s, the value known for the published initial "
        "design",
    )


def _full_road(large: np.ndarray, full, z: np.ndarray, zddot: np.ndarray) -> list[Claim]:
    peaks, linear = np.abs(large).max(axis=0), np.abs(z).max(axis=0)
    seat = float(np.abs(full["seat.acceleration.z"]).max() / INCH)
    expected = float(np.abs(zddot[:, 0]).max())
    return [
        Claim(
            "Figs. 8 to 12: on the full road the largest displacements stay within 0.5 % of the "
            "linear equations",
            "curves agree",
            np.round(peaks, 5),
            agrees(peaks, linear, rtol=5e-3),
            f"in and rad; the remaining difference is due to the finite pitch of {peaks[2]:.3f} "
            "rad",
        ),
        Claim(
            "on the full road the peak acceleration of the seat",
            None,
            round(seat, 2),
            agrees(seat, expected, rtol=1e-2),
            f"in/s^2; the linear equations give {expected:.2f}",
        ),
    ]


def _round(value: float, unit: str) -> float:
    return round(float(value), 3 if unit == "in" else 5)


def _half_digit(unit: str) -> float:
    """Return half of the last printed digit of the reference."""
    return 5.1e-4 if unit == "in" else 5.1e-6
