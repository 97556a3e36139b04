"""M, f, G and gamma at a state, and Jacobians of points, against runs and differences."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.errors import ModelError, NameNotFound
from kinetree.models.four_bar import four_bar
from kinetree.models.rssr import rssr


@pytest.mark.parametrize(
    "model, coordinates", [(rssr, "relative"), (four_bar, "relative"), (four_bar, "cartesian")]
)
def test_accelerations_are_those_of_the_run(model, coordinates):
    sol = kt.simulate(model(), 0.2, rtol=1e-8, coordinates=coordinates)
    found = kt.equations(model(), state=sol.at(0.1), coordinates=coordinates)
    wanted = sol.at(0.1).vdot[0]
    # the state between two samples
    np.testing.assert_allclose(found.vdot, wanted, rtol=0, atol=1e-6 * np.abs(wanted).max())
    np.testing.assert_allclose(
        found.M @ found.vdot + found.G.T @ found.lam, found.f, atol=1e-9 * np.abs(found.f).max()
    )
    np.testing.assert_allclose(
        found.G @ found.vdot, found.gamma, atol=1e-9 * max(1.0, np.abs(found.gamma).max())
    )
    assert (
        np.abs(found.g).max() < 1e-9
        and len(found.freedoms) == len(found.M)
        and len(found.rows) == len(found.g)
    )


def test_the_energy_is_half_v_m_v():
    sol = kt.simulate(rssr(), 0.1, rtol=1e-8)
    found = kt.equations(rssr(), state=sol.at(0.1))
    assert 0.5 * found.v @ found.M @ found.v == pytest.approx(sol["energy.kinetic"][-1], rel=1e-9)


def arm() -> kt.Model:
    m = kt.Model("arm")
    first = m.body(
        "first", kt.rod(1.0, 1.0, along="x", axial=0.01), points={"tip": (0.5, 0.0, 0.1)}
    )
    second = m.body("second", kt.box(1.0, (0.1, 0.2, 0.3)))
    m.joint("A", kt.Spherical(), m.ground.at(0, 0, 1), first.end("-"))
    m.joint("B", kt.Cylindrical(axis="y"), second.at(0.1, 0, 0), first.end("+"))
    return m


def test_a_jacobian_times_the_speeds_is_the_velocity_of_the_point():
    speeds = {"A.wx": 0.3, "A.wy": -0.5, "A.wz": 0.7, "B.angle.rate": 1.1}
    m = arm()
    found = kt.equations(m, state=speeds)
    sol = kt.simulate(m, 1e-3, state=speeds)
    for place, channels in (
        ("first.tip", ("first.angular_velocity", "first.tip.velocity")),
        (m.bodies["second"], ("second.angular_velocity", "second.velocity")),
    ):
        V = found.jacobian(place) @ found.v
        np.testing.assert_allclose(
            V, np.concatenate([sol[name][0] for name in channels]), atol=1e-12
        )
    assert not found.jacobian(m.ground).any()
    np.testing.assert_allclose(
        found.jacobian(m.bodies["first"].point("tip")), found.jacobian("first.tip")
    )


def test_a_force_at_a_point_is_its_jacobian_transposed():
    m, F = arm(), np.array([3.0, -2.0, 5.0])
    pushed = arm()
    pushed.force("push", kt.PointForce(tuple(F)), pushed.bodies["first"].point("tip"))
    before, after = kt.equations(m), kt.equations(pushed)
    np.testing.assert_allclose(
        after.f - before.f, before.jacobian("first.tip")[3:].T @ F, atol=1e-12
    )


def test_generated_equations_are_supported_and_mistakes_are_named():
    model = kt.Arm("boom")
    model.link("boom", "A", length=1.0, density=2.0, EI=100.0, modes=1)
    found = kt.equations(model.model())
    assert (
        found.freedoms == ("A.angle", "boom_mode1.displacement")
        and found.M.shape == (2, 2)
        and "A.angle" in str(found)
    )
    with pytest.raises(NameNotFound, match="Did you mean 'first'"):
        kt.equations(arm()).jacobian("frist")
    with pytest.raises(ModelError, match="give a body, a marker"):
        kt.equations(arm()).jacobian(3)


def test_geared_rotors_have_their_inertia_times_the_square_of_the_ratio():
    """tau = (J1 + n^2 J2) alpha; rotors without mass have no weight."""
    m = kt.Model("gears")
    one, two = m.body("one", kt.rotor(0.2)), m.body("two", kt.rotor(0.05, mass=3.0))
    m.joint("A", kt.Revolute(axis="z"), m.ground, one)
    m.joint("B", kt.Revolute(axis="z"), m.ground.at(1, 0, 0), two)
    m.constraint("mesh", kt.Gear("A.angle", "B.angle", teeth=(40, 10)))
    m.force("motor", kt.TorsionSpring("A.angle", torque=2.0))
    found = kt.equations(m)
    assert found.freedoms == ("A.angle", "B.angle")
    # 2 N m over 0.2 + 4^2 0.05 kg m^2; the second rotor turns four times as fast
    np.testing.assert_allclose(found.vdot, (2.0, -8.0), rtol=1e-12)
    assert one.properties.mass == 0.0 and two.properties.outline.radius == pytest.approx(
        np.sqrt(0.1 / 3.0)
    )
    with pytest.raises(ModelError, match="rotor: inertia must be positive"):
        kt.rotor(0.0)
