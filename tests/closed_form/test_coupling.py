"""Couplings of several coordinates: differentials and planetary gears, with their closed forms."""

import numpy as np
import pytest

import kinetree as kt

INERTIA = {"sun": 0.02, "ring": 0.3, "carrier": 0.1}


def shafts(*names: str) -> kt.Model:
    """Rotors on one axis, counted from the housing."""
    m = kt.Model("gearbox", gravity=(0, 0, 0))
    for k, name in enumerate(names):
        m.joint(
            name,
            kt.Revolute(axis="z"),
            m.ground.at(0, 0, 0.1 * k),
            m.body(f"{name} wheel", kt.rotor(INERTIA[name])),
        )
    return m


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_planetary_gear_shares_torque_as_willis_says(coordinates):
    """20 teeth on the sun, 60 on the ring: M vdot = tau - G^T lam with G = (20, 60, -80)."""
    m = shafts("sun", "ring", "carrier")
    m.constraint(
        "planets", kt.PlanetaryGear("sun.angle", "ring.angle", "carrier.angle", teeth=(20, 60))
    )
    m.force("motor", kt.TorsionSpring("sun.angle", torque=3.0))
    m.force("load", kt.TorsionSpring("carrier.angle", torque=-4.0))
    sol = kt.simulate(m, 1.0, rtol=1e-10, progress=False, coordinates=coordinates)
    I, tau, G = (
        np.array([0.02, 0.3, 0.1]),
        np.array([3.0, 0.0, -4.0]),
        np.array([20.0, 60.0, -80.0]),
    )
    lam = (G @ (tau / I)) / (G @ (G / I))
    vdot = (tau - G * lam) / I
    for name, a in zip(INERTIA, vdot):
        np.testing.assert_allclose(
            sol[f"{name}.angle"], 0.5 * a * sol.t**2, atol=1e-8 * np.abs(vdot).max()
        )
    np.testing.assert_allclose(sol["planets.force"], -20.0 * lam, rtol=1e-9)  # effort on the sun
    np.testing.assert_allclose(
        20 * sol["sun.angle"] + 60 * sol["ring.angle"] - 80 * sol["carrier.angle"], 0.0, atol=1e-10
    )
    assert m.topology().mobility == 2


def test_a_held_ring_gives_the_ratio_of_the_gear():
    m = shafts("sun", "ring", "carrier")
    m.constraint(
        "planets", kt.PlanetaryGear("sun.angle", "ring.angle", "carrier.angle", teeth=(20, 60))
    )
    m.constraint("brake", kt.Driver("ring.angle", 0.0))
    m.constraint("motor", kt.Driver("sun.angle", kt.Ramp(8.0)))
    sol = kt.simulate(m, 0.5, progress=False)
    np.testing.assert_allclose(sol["carrier.angle"], sol["sun.angle"] * 20 / (20 + 60), atol=1e-12)


def test_a_differential_splits_torque_evenly_and_lets_the_wheels_differ():
    m = kt.Model("axle", gravity=(0, 0, 0))
    for name, J in {"carrier": 0.1, "left": 0.5, "right": 2.0}.items():
        m.joint(name, kt.Revolute(axis="y"), m.ground, m.body(f"{name} wheel", kt.rotor(J, "y")))
    m.constraint("differential", kt.Differential("carrier.angle", "left.angle", "right.angle"))
    m.force("engine", kt.TorsionSpring("carrier.angle", torque=10.0))
    sol = kt.simulate(m, 1.0, rtol=1e-10, progress=False)
    left, right, carrier = (
        sol[f"{name}.angle.acceleration"][-1] for name in ("left", "right", "carrier")
    )
    assert 0.5 * left == pytest.approx(2.0 * right, rel=1e-9)  # the same torque on both
    assert 2.0 * carrier == pytest.approx(left + right, rel=1e-9)
    assert 0.5 * left + 2.0 * right == pytest.approx(10.0 - 0.1 * carrier, rel=1e-9)


def test_two_terms_are_the_pair_and_an_offset_left_open_is_read_off():
    ends = []
    for coupling in (
        kt.Coupling("sun.angle", "ring.angle", -3.0, 0.2),
        kt.Coupling(terms={"sun.angle": 1.0, "ring.angle": 3.0}, offset=0.2),
        kt.Coupling(terms={"sun.angle": 2.0, "ring.angle": 6.0}, offset=0.4),
    ):
        m = shafts("sun", "ring")
        m.constraint("c", coupling)
        m.force("motor", kt.TorsionSpring("sun.angle", torque=1.0))
        sol = kt.simulate(m, 0.5, rtol=1e-10, progress=False)
        ends.append([sol["sun.angle"][-1], sol["ring.angle"][-1], sol["c.force"][-1]])
    np.testing.assert_allclose(ends[1:], [ends[0]] * 2, rtol=1e-10)
    m = shafts("sun", "ring", "carrier")
    m.joints["sun"].start["angle"] = 0.3
    m.constraint(
        "c", kt.Coupling(terms={"sun.angle": 1.0, "ring.angle": 1.0, "carrier.angle": -2.0})
    )
    assert kt.assemble(m).coordinates["sun.angle"] == pytest.approx(0.3)


def test_a_coupling_said_twice_is_explained():
    m = shafts("sun", "ring", "carrier")
    m.constraint(
        "planets", kt.PlanetaryGear("sun.angle", "ring.angle", "carrier.angle", teeth=(20, 60))
    )
    m.constraint(
        "again", kt.PlanetaryGear("sun.angle", "ring.angle", "carrier.angle", teeth=(1, 3))
    )
    words = str(m.topology())
    assert m.topology().mobility == 2 and "redundant" in words and "again" in words


@pytest.mark.parametrize(
    "terms, words",
    [
        ({"A.angle": 1.0}, "at least two"),
        ("A.angle", "at least two"),
        ({"A.angle": 1.0, "B.angle": 0.0}, "factor of 'B.angle'"),
        ({"A.angle": 1.0, "B.angle": "2"}, "factor of 'B.angle'"),
        ({"A.angle": 1.0, 7: 2.0}, "joint coordinate"),
    ],
)
def test_terms_that_cannot_be_are_refused(terms, words):
    with pytest.raises(kt.ModelError, match=words):
        kt.Coupling(terms=terms)
    with pytest.raises(kt.ModelError, match="terms replace first, second and ratio"):
        kt.Coupling("A.angle", "B.angle", 1.0, terms={"A.angle": 1.0, "B.angle": 1.0})


def test_six_coordinates_are_coupled_in_dense_and_in_sparse_algebra_and_in_all_coordinates():
    m, last, names = kt.Model("chain"), None, [f"j{k}.angle" for k in range(6)]
    for k in range(6):
        body = m.body(f"b{k}", kt.rod(1.0, 0.5, axial=1e-3))
        m.joint(
            f"j{k}",
            kt.Revolute(axis="y"),
            m.ground if last is None else last.end("+"),
            body.end("-"),
            start={"angle": 0.1},
        )
        last = body
    m.constraint("sum", kt.Coupling(terms={name: float(k + 1) for k, name in enumerate(names)}))
    ends = []
    for options in (
        {"sparse": False},
        {"sparse": True},
        {"sparse": True, "coordinates": "cartesian"},
    ):
        sol = kt.simulate(m, 0.3, rtol=1e-9, progress=False, **options)
        ends.append([sol[name][-1] for name in names])
        assert sum((k + 1) * angle for k, angle in enumerate(ends[-1])) == pytest.approx(
            2.1, abs=1e-10
        )
    np.testing.assert_allclose(ends[1:], [ends[0]] * 2, atol=1e-8)  # ten times rtol
