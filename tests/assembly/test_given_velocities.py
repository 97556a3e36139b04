"""Given coordinates and speeds are kept as nearly as the constraints allow; values that were not
given change.
"""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import kinetree as kt
from support.linkages import LENGTHS, four_bar_rocker

BASE = np.array([1.1, 0.0])
UP = 1  # which of the two assemblies


def angle(vector: np.ndarray) -> float:
    """Angle about y, which lowers a point on the x axis."""
    return float(-np.arctan2(vector[1], vector[0]))


def pins(crank: float) -> tuple[np.ndarray, np.ndarray]:
    """B and C of the four-bar in its plane (x, z)."""
    return LENGTHS["crank"] * np.array([np.cos(crank), -np.sin(crank)]), four_bar_rocker(crank)[UP]


def drawn(crank: float, start: dict[str, float]) -> kt.Model:
    """The four-bar drawn closed at an angle of its crank, with given coordinates of joints A and D."""
    m, (B, C) = kt.Model("four-bar"), pins(crank)
    body = {}
    for name, tail, tip in (("crank", 0.0 * B, B), ("coupler", B, C), ("rocker", BASE, C)):
        x, z = 0.5 * (tail + tip)
        body[name] = m.body(
            name,
            kt.rod(1.0, LENGTHS[name], axial=1e-3),
            position=(x, 0, z),
            rotation=("y", angle(tip - tail)),
        )
    hinge = kt.Revolute(axis="y")
    m.joint("A", hinge, m.ground, body["crank"].end("-"), start={"angle": start["A"]})
    m.joint("B", hinge, body["crank"].end("+"), body["coupler"].end("-"))
    m.joint("C", hinge, body["coupler"].end("+"), body["rocker"].end("+"))
    m.joint(
        "D", hinge, m.ground.at(BASE[0], 0, 0), body["rocker"].end("-"), start={"angle": start["D"]}
    )
    return m


@pytest.mark.parametrize("gap", [1e-3, -2e-3])
def test_starts_that_contradict_each_other_share_the_gap_and_the_others_follow(gap):
    """Least squares of the two given angles by hand; the coupler, whose angle was not given, turns
    as far as necessary.
    """
    given_A, given_D = 0.5, angle(pins(0.5)[1] - BASE) + gap
    found = kt.assemble(drawn(0.5, {"A": given_A, "D": given_D})).coordinates
    best = minimize_scalar(
        lambda a: (a - given_A) ** 2 + (angle(pins(a)[1] - BASE) - given_D) ** 2,
        bounds=(0.45, 0.55),
        method="bounded",
        options={"xatol": 1e-12},
    )
    tolerance = 5.0 * gap**2  # the search is Gauss-Newton: right to first order
    assert found["A.angle"] == pytest.approx(best.x, abs=tolerance)
    assert found["D.angle"] == pytest.approx(angle(pins(best.x)[1] - BASE), abs=tolerance)
    assert abs(best.x - given_A) > 20.0 * tolerance  # so that the test can fail


def test_the_velocity_of_a_body_does_not_change_the_compromise_of_contradicting_speeds():
    """Contradictory speeds of crank and rocker are satisfied by least squares, whatever velocity
    the coupler is given.
    """

    def speeds(**coupler):
        m = kt.Model("four-bar")
        bars = [
            m.body(name, kt.rod(1.0, length, axial=1e-3), **more)
            for name, length, more in (
                ("crank", 0.5, {}),
                ("coupler", 1.2, coupler),
                ("rocker", 0.75, {}),
            )
        ]
        m.joint(
            "A",
            kt.Revolute(axis="y"),
            m.ground,
            bars[0].end("-"),
            start={"angle": 0.5},
            speed={"angle": 1.0},
        )
        m.joint("B", kt.Revolute(axis="y"), bars[0].end("+"), bars[1].end("-"))
        m.joint("C", kt.Revolute(axis="y"), bars[1].end("+"), bars[2].end("+"))
        m.joint(
            "D",
            kt.Revolute(axis="y"),
            m.ground.at(1.1, 0, 0),
            bars[2].end("-"),
            speed={"angle": 3.0},
        )
        return kt.assemble(m)

    alone, told = speeds(), speeds(velocity=(5.0, 0.0, 5.0))
    assert alone.velocity_missed > 0.1
    np.testing.assert_allclose(told.v, alone.v, rtol=0, atol=1e-12)


@pytest.mark.parametrize("turns", [0.0, 0.3, 2.3, -1.8, 17.45])
@pytest.mark.parametrize("pitch", [0.01, -0.02])
def test_the_turns_of_a_screw_are_measured_from_the_displacement_of_its_body(turns, pitch):
    angle = 2.0 * np.pi * turns
    m = kt.Model("screw")
    nut = m.body("nut", kt.sphere(1.0, 0.1), position=(0, 0, pitch * turns), rotation=("z", angle))
    m.joint("thread", kt.Screw(axis="z", pitch=pitch), m.ground, nut)
    assert kt.assemble(m).coordinates["thread.angle"] == pytest.approx(angle, abs=1e-9)
    m.float(nut)
    m.cut("thread")
    receipt = kt.assemble(m)  # at the cut too: drawn closed, nothing has to move
    assert (
        receipt.coordinates["thread.angle"] == pytest.approx(angle, abs=1e-9) and not receipt.moved
    )
