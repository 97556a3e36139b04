"""Joints and springs one at a time, with reactions: Project Chrono's ADAMS validation series.

A bar of 1 kg under g = 9.80665 m/s^2 starts from rest. Numbers: `adams_numbers` (six significant
digits).

Tolerances are relative to the largest number printed for the vector. Positions, orientations and
velocities: 1e-5, the sixth digit. Accelerations and reactions: 2e-4, since ADAMS (index-3 BDF) does
not control them: PRISMATIC_02 falls with a constant g/2 and is printed with 4.90332 to 4.90372.
SPHERICAL_01 and UNIVERSAL_01 are the swing of REVOLUTE_01 again, but there ADAMS drifted by up to
8.4e-4 m from it, hence 1e-3; all four are held against the exact pendulum as well.
"""

import adams_numbers
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipj, ellipk

import kinetree as kt

GRAVITY = 9.80665
BAR = kt.mass(1.0, (0.04, 0.1, 0.1))
PRINTED, ACCELERATION, DRIFTED = 1e-5, 2e-4, 1e-3
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


def tolerance(case: str, column: str) -> float:
    if case in ("SPHERICAL_01", "UNIVERSAL_01"):
        return DRIFTED
    return ACCELERATION if column[0] in "aft" else PRINTED


def size(reference: dict[str, np.ndarray], column: str) -> float:
    """The largest number of the vector a column belongs to."""
    vector = column.rstrip("xyz0123")
    return max(
        np.abs(values).max()
        for name, values in reference.items()
        if name.rstrip("xyz0123") == vector
    )


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("case", CASES)
def test_motion_and_reactions_are_those_adams_printed(case, coordinates):
    sol = run(case, coordinates)
    reference, found = printed(case), computed(case, sol)
    rows = np.round(reference.pop("t") / INTERVAL).astype(int)
    for column, values in found.items():
        expected = reference.get(column, np.zeros(len(rows)))
        allowed = tolerance(case, column) * size(reference, column) if column in reference else 1e-8
        assert_allclose(values[rows], expected, rtol=0, atol=allowed, err_msg=column)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("case", ["REVOLUTE_01", "SPHERICAL_01", "UNIVERSAL_01", "CYLINDRICAL_02"])
def test_four_kinds_of_joint_let_the_bar_swing_like_the_exact_pendulum(case, coordinates):
    """sin(psi/2) = k sn(K - w0 t), k^2 = 1/2, w0^2 = m g l / (I + m l^2), psi from the vertical."""
    sol = run(case, coordinates)
    w0 = np.sqrt(2.0 * GRAVITY / (0.1 + 4.0))
    psi = 2.0 * np.arcsin(np.sqrt(0.5) * ellipj(ellipk(0.5) - w0 * sol.t, 0.5)[0])
    p = sol["bar.position"]
    assert_allclose(p[:, 1 if case == "UNIVERSAL_01" else 0], 2.0 * np.sin(psi), rtol=0, atol=1e-7)
    assert_allclose(p[:, 2], -2.0 * np.cos(psi), rtol=0, atol=1e-7)
