"""The tippe top turns over, and keeps the integral of Jellett whatever the friction."""

import math

import numpy as np

import kinetree as kt

S = kt.shapes
R, MASS, BELOW = 0.02, 0.02, 0.004  # m, kg; the center of mass lies below the center of the ball
I_1, I_3 = 0.4 * MASS * R * R, 0.38 * MASS * R * R


def tippe_top() -> kt.Model:
    m, tilt = kt.Model("tippe top"), 0.1
    center = np.array([0.0, 0.0, R])
    place = center - BELOW * np.array([math.sin(tilt), 0.0, math.cos(tilt)])
    top = m.body(
        "top",
        kt.mass(MASS, (I_1, I_1, I_3)),
        position=place,
        rotation=("y", tilt),
        angular_velocity=(0, 0, 150.0),
    )
    m.float(top)
    law = kt.Contact(1e8, restitution=0.3, friction=0.3)
    m.contact("table", S.HalfSpace().on(m.ground), S.Ball(R).on(top.at(0, 0, BELOW)), law)
    return m


def test_a_tippe_top_turns_over_and_keeps_the_integral_of_jellett():
    """L . r is constant, r from the center of mass to the contact [Ebenfeld1995]: the base is a
    ball, so that the torque r x F of any contact force has no part that changes it.
    """
    sol = kt.simulate(tippe_top(), 1.2, rtol=1e-6, output_interval=0.01)
    w, x, y, z = sol["top.quaternion"].T
    axis = np.column_stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    tilt = np.degrees(np.arccos(axis[:, 2]))
    assert tilt[0] < 6.0
    assert tilt[-1] > 120.0
    rate = sol["top.angular_velocity"]
    along = np.einsum("ij,ij->i", rate, axis)[:, None] * axis
    L = I_1 * (rate - along) + I_3 * along
    arm = BELOW * axis - R * np.array([0.0, 0.0, 1.0])
    jellett = np.einsum("ij,ij->i", L, arm)
    # the contact sinks in by 1e-4 R
    np.testing.assert_allclose(jellett, jellett[0], rtol=2e-4)
    assert np.ptp(sol.energy.total) > 0.1 * sol.energy.total[0]  # friction has taken much of it
    assert sol.energy.imbalance < 1e-6
