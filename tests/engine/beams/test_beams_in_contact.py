"""Contact of a beam: a cantilever whose tip rests on a stop, and a beam that lies on a ball."""

import math

import pytest

import kinetree as kt

S = kt.shapes
RADIUS, LENGTH, E, DENSITY = 0.005, 1.0, 2e11, 7870.0
LOAD = DENSITY * math.pi * RADIUS**2 * 9.81  # N/m


def propped(elements: int, middle: bool) -> kt.Model:
    """A beam under its weight on a stop, at its tip as a ball or at its middle as a capsule."""
    m = kt.Model("propped")
    section = kt.Section.circle(RADIUS, E=E, density=DENSITY)
    arm = m.beam("arm", [(0, 0, 0), (LENGTH, 0, 0)], section, elements=elements, damping=2e-3)
    law = kt.Contact(1e7, exponent=1.0, restitution=0.3, friction=0.2)
    if middle:
        m.joint("left", kt.Revolute("y"), m.ground, arm.end("-"))
        m.joint("right", kt.PointOnLine("x"), m.ground, arm.end("+"))
        shape = S.Capsule(RADIUS, 0.05).on(arm.at(LENGTH / 2, 0, 0, rotation=("y", math.pi / 2)))
        stop = S.Ball(RADIUS).on(m.ground.at(LENGTH / 2, 0, -2 * RADIUS))
    else:
        m.joint("clamp", kt.Fixed(), m.ground, arm.end("-"))
        shape = S.Ball(RADIUS).on(arm.end("+"))
        stop = S.HalfSpace().on(m.ground.at(0, 0, -RADIUS))
    m.contact("stop", stop, shape, law)
    return m


@pytest.mark.parametrize("integrator", ["energy-conserving", "generalized-alpha"])
def test_the_stop_carries_three_eighths_of_the_weight_of_a_cantilever(integrator):
    errors = []
    for elements in (8, 16):
        m = propped(elements, middle=False)
        sol = kt.simulate(m, 3.0, step=2e-3, integrator=integrator, output_interval=0.5)
        errors.append(sol["stop.normal"][-1] / (0.375 * LOAD * LENGTH) - 1.0)
    limit = (4.0 * errors[1] - errors[0]) / 3.0  # elements are of second order in their length
    assert abs(limit) < 1.5e-3  # the beam also shears, and the stop gives way
    assert abs(errors[1]) < 0.5 * abs(errors[0])


def test_a_support_in_the_middle_carries_five_eighths():
    m = propped(16, middle=True)
    sol = kt.simulate(m, 2.0, step=2e-3, output_interval=0.5)
    assert sol["stop.normal"][-1] == pytest.approx(0.625 * LOAD * LENGTH, rel=5e-3)
