"""Joints and springs one at a time, with reactions: Project Chrono's ADAMS validation series.

A bar of 1 kg under g = 9.80665 m/s^2 starts from rest. Numbers: `adams_numbers` (six significant
digits).
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

from . import adams_numbers

GRAVITY = 9.80665
BAR = kt.mass(1.0, (0.04, 0.1, 0.1))
INTERVAL = 0.25


def rx(degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def hung(joint, rotation, at, arm=(2, 0, 0), properties=BAR) -> kt.Model:
    """A bar at `arm` (body axes) from a joint to ground; body and joint frame have the same
    rotation.
    """
    m = kt.Model("bar", gravity=(0, 0, -GRAVITY))
    bar = m.body("bar", properties, position=np.add(at, rotation @ arm), rotation=rotation)
    m.joint("J", joint, m.ground.at(*at, rotation=rotation), bar.at(*np.negative(arm)))
    return m


def loose() -> tuple[kt.Model, tuple]:
    """A bar that moves freely, at (0, 2, 0), and the markers of what ties it to the origin."""
    m = kt.Model("bar", gravity=(0, 0, -GRAVITY))
    bar = m.body("bar", BAR, position=(0, 2, 0))
    m.float(bar)
    return m, (m.ground.at(0, 0, 0), bar)


def revolute():
    return hung(kt.Revolute("z"), rx(-90), (0, 0, 0))


def spherical():
    return hung(kt.Spherical(), rx(0), (0, 0, 0))


def universal():
    return hung(
        kt.Universal("x", "y"), rx(90), (0, 0, 0), (0, 0, -2), kt.mass(1.0, (0.1, 0.1, 0.04))
    )


def cylindrical():
    return hung(kt.Cylindrical("z"), rx(-90), (0, 0, 0))


def prismatic():
    return hung(kt.Translational("z"), rx(-45), (1, 2, 3))


def rotspring():
    m = revolute()
    m.force("spring", kt.TorsionSpring("J.angle", stiffness=200.0, damping=10.0))
    return m


def distance():
    m, ends = loose()
    m.constraint("rod", kt.Distance(), *ends)
    return m


def transpring():
    m, ends = loose()
    m.force("spring", kt.SpringDamper(stiffness=100.0, damping=5.0), *ends)
    return m


CASES = {
    "REVOLUTE_01": revolute,
    "SPHERICAL_01": spherical,
    "UNIVERSAL_01": universal,
    "CYLINDRICAL_02": cylindrical,
    "PRISMATIC_02": prismatic,
    "DISTANCE_01": distance,
    "ROTSPRING_01": rotspring,
    "TRANSPRING_02": transpring,
}
_RUNS = {}


def run(case: str, coordinates: str):
    """One run per case and coordinates, for all columns."""
    if (case, coordinates) not in _RUNS:
        _RUNS[case, coordinates] = kt.simulate(
            CASES[case](), 5.0, coordinates=coordinates, rtol=1e-10, output_interval=INTERVAL
        )
    return _RUNS[case, coordinates]


def printed(case: str) -> dict[str, np.ndarray]:
    """Columns by name; a table may come in two parts with a heading each."""
    columns: dict[str, list[float]] = {}
    for line in getattr(adams_numbers, case).split("\n")[1:-1]:
        words = line.split()
        if words[0] == "t":
            names = words
            columns.update({name: [] for name in names})
        else:
            for name, word in zip(names, words):
                columns[name].append(float(word))
    return {name: np.array(values) for name, values in columns.items()}


def tension(case: str, sol) -> tuple[np.ndarray, np.ndarray]:
    """Force and torque on the ground at its joint point: minus the reaction on the bar, taken from
    its joint point.
    """
    zero = np.zeros((len(sol.t), 3))
    if case in ("DISTANCE_01", "TRANSPRING_02"):
        along = sol["bar.position"] / np.linalg.norm(sol["bar.position"], axis=1)[:, None]
        pull = -sol["rod.force" if case == "DISTANCE_01" else "spring.force"]
        return pull[:, None] * along, zero
    reaction = sol.reactions["J"]
    slid = sol["J.displacement"][:, None] * (rx(-45)[:, 2]) if case == "PRISMATIC_02" else zero
    return -reaction.force, -reaction.torque - np.cross(slid, reaction.force)


def computed(case: str, sol) -> dict[str, np.ndarray]:
    """All 25 columns of a published file."""
    vectors = {
        "": "position",
        "v": "velocity",
        "w": "angular_velocity",
        "a": "acceleration",
        "alpha": "angular_acceleration",
    }
    found = {
        f"{prefix}{k}": sol[f"bar.{name}.{k}"] for prefix, name in vectors.items() for k in "xyz"
    }
    found.update({f"e{k}": sol["bar.quaternion"][:, k] for k in range(4)})
    for prefix, vector in zip("ft", tension(case, sol)):
        found.update({f"{prefix}{k}": vector[:, "xyz".index(k)] for k in "xyz"})
    return found
