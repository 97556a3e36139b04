"""Inertia of joint coordinates: the same motion as a rotor on the ground that a coupling turns.

A rotor with the inertia J about a fixed axis, with the angle of the joint, has the kinetic energy
1/2 J v^2 and nothing else: that is exactly what `inertia=` adds.
"""

import numpy as np
import pytest

import kinetree as kt
from support.flexible_bars import bar

AXES = ("y", "z", "x")


def chain(n, own, closed=False):
    """A chain with inertia at every hinge: of the coordinate, or as rotors."""
    m = kt.Model("chain")
    place = m.ground.at(0, 0, 0)
    for k in range(n):
        link = m.body(f"link {k}", kt.box(mass=1.0 + 0.1 * k, sides=(0.3, 0.1, 0.06)))
        J, axis = 0.02 + 0.01 * (k % 4), "y" if closed else AXES[k % 3]
        m.joint(
            f"J{k}",
            kt.Revolute(axis=axis),
            place,
            link.at(-0.15, 0, 0),
            start={"angle": 0.2 + 0.1 * (k % 3)},
            speed={} if closed else {"angle": 0.5 - 0.1 * k},
            inertia={"angle": J} if own else {},
        )
        m.force(f"spring {k}", kt.TorsionSpring(f"J{k}.angle", stiffness=5.0, damping=0.1))
        if not own:
            rotor(m, f"J{k}", J)
        place = link.at(0.15, 0, 0)
    if closed:
        m.joint("end", kt.PointOnLine(axis="x"), m.ground.at(0, 0, 0), place)
    return m


def rotor(m, joint, J):
    """A rotor on the ground with the angle of a joint."""
    wheel = m.body(f"{joint} rotor", kt.mass(1.0, (J, J, J)))
    m.joint(f"{joint} axle", kt.Revolute(axis="z"), m.ground, wheel)
    m.constraint(f"{joint} shaft", kt.Coupling(f"{joint}.angle", f"{joint} axle.angle", ratio=1.0))


def largest_difference(a, b, n):
    return max(np.abs(a[f"J{k}.angle"] - b[f"J{k}.angle"]).max() for k in range(n))


@pytest.mark.parametrize("formulation", ["tree", "augmented", "svd"])
def test_every_formulation_of_a_tree_moves_like_the_model_with_rotors(formulation):
    reference = kt.simulate(chain(4, own=False), until=0.5, rtol=1e-10)
    sol = kt.simulate(chain(4, own=True), until=0.5, rtol=1e-10, formulation=formulation)
    # the tolerance per step, 1e-10, over some hundred steps
    assert largest_difference(reference, sol, 4) < 1e-8
    assert sol.energy.imbalance < 1e-8
    assert np.allclose(sol.energy.kinetic, reference.energy.kinetic, atol=1e-8)


@pytest.mark.parametrize("options", [{}, {"sparse": True}, {"sparse": False}])
@pytest.mark.parametrize("integrator", ["bdf", "bdf-direct"])
def test_implicit_steps_of_a_long_chain_converge_to_the_same_motion(integrator, options):
    if integrator == "bdf-direct" and options:
        pytest.skip("bdf-direct has no choice of the matrix")
    n = 12  # 24 states: solved by articulated bodies
    reference = kt.simulate(chain(n, own=True), until=0.2, rtol=1e-10)
    sol = kt.simulate(chain(n, own=True), until=0.2, rtol=1e-8, integrator=integrator, **options)
    assert largest_difference(reference, sol, n) < 1e-6  # a hundred times the tolerance per step
    if options != {"sparse": False}:
        # Newton's equations have the inertia on both sides: one iteration per step, nearly
        assert sol.result.evaluations < 2 * sol.result.accepted


@pytest.mark.parametrize("sparse", [True, False])
def test_loops_with_dense_and_sparse_factors_move_like_the_model_with_rotors(sparse):
    n = 5
    options = {"until": 0.3, "rtol": 1e-9, "formulation": "augmented", "sparse": sparse}
    a, b = (kt.simulate(chain(n, own, closed=True), **options) for own in (True, False))
    assert largest_difference(a, b, n) < 1e-7  # a hundred times the tolerance per step
    assert a.constraint_error.max() < 1e-11


def test_inverse_dynamics_needs_the_torque_of_the_inertia():
    """Of a wheel without weight: torque = (I + J) angular acceleration."""
    m = kt.Model("wheel", gravity=(0, 0, 0))
    wheel = m.body("wheel", kt.mass(1.0, (0.2, 0.2, 0.3)))
    m.joint("A", kt.Revolute(axis="z"), m.ground, wheel, inertia={"angle": 0.5})
    m.constraint("drive", kt.Driver("A.angle", kt.Table([0, 1, 2], [0, 1, 4])))
    sol = kt.simulate(m, until=1.0, rtol=1e-10)
    torque = 0.8 * sol["A.angle.acceleration"]
    assert np.allclose(np.abs(sol["drive.force"]), np.abs(torque), atol=1e-9)


def test_modes_have_the_inertia():
    """omega^2 = k / (I + J)."""
    m = kt.Model("wheel", gravity=(0, 0, 0))
    wheel = m.body("wheel", kt.mass(1.0, (0.2, 0.2, 0.3)))
    m.joint("A", kt.Revolute(axis="z"), m.ground, wheel, inertia={"angle": 0.5})
    m.force("spring", kt.TorsionSpring("A.angle", stiffness=20.0))
    frequency = kt.modes(m).frequencies[0]
    assert abs(2 * np.pi * frequency - np.sqrt(20.0 / 0.8)) < 1e-6  # difference quotients


def test_a_body_without_mass_moves_with_the_inertia_of_its_joint_alone():
    m = kt.Model("rotor", gravity=(0, 0, 0))
    m.joint("A", kt.Revolute(), m.ground, m.body("b", kt.mass(0.0)), inertia={"angle": 2.0})
    m.force("motor", kt.TorsionSpring("A.angle", torque=6.0))
    assert abs(kt.simulate(m, until=1.0)["A.angle"][-1] - 1.5) < 1e-9  # 6 / 2 / 2 t^2


def test_equal_inertias_of_a_ball_joint_are_those_of_a_sphere():
    def ball(I, J):
        m = kt.Model("ball")
        body = m.body("b", kt.mass(1.0, np.array((0.3, 0.2, 0.1)) + I, com=(0, 0, -0.5)))
        joint = kt.Spherical()
        inertia = dict.fromkeys(("wx", "wy", "wz"), J) if J else {}
        m.joint(
            "A", joint, m.ground, body, speed={"wx": 1.0, "wy": 2.0, "wz": 3.0}, inertia=inertia
        )
        return kt.simulate(m, until=0.5, rtol=1e-10)

    a, b = ball(0.0, 0.4), ball(0.4, 0.0)
    assert np.abs(a["A.qx"] - b["A.qx"]).max() < 1e-9


@pytest.mark.parametrize(
    ("inertia", "message"),
    [
        ({"angel": 1.0}, "angel"),
        ({"angle": -1.0}, "inertia of 'angle'"),
        ([1.0], "must be a dict"),
    ],
)
def test_wrong_inertias_are_refused(inertia, message):
    m = kt.Model("m")
    body = m.body("b", kt.mass(1.0))
    with pytest.raises(kt.KinetreeError, match=message):
        m.joint("A", kt.Revolute(), m.ground, body, inertia=inertia)


def test_different_inertias_of_a_ball_joint_are_refused():
    m = kt.Model("m")
    with pytest.raises(kt.ModelError, match="must be equal"):
        m.joint("A", kt.Spherical(), m.ground, m.body("b", kt.mass(1.0)), inertia={"wx": 1.0})


@pytest.mark.parametrize(
    "options",
    [{"coordinates": "cartesian"}, {"integrator": "midpoint"}, {"integrator": "time-stepping"}],
)
def test_what_has_no_place_for_the_inertia_refuses_it(options):
    with pytest.raises(kt.ModelError, match=r"inertia=.*kt.Coupling"):
        kt.simulate(chain(2, own=True), until=0.1, **options)


def test_the_inertia_is_saved(tmp_path):
    again = kt.load(chain(2, own=True).save(tmp_path / "chain.yaml"))
    assert again.joints["J1"].inertia == {"angle": 0.03}


def swinging_bar(own):
    """A flexible bar on a hinge with inertia."""
    m = kt.Model("bar")
    rod = m.flexible("rod", bar()[0])
    inertia = {"angle": 0.03} if own else {}
    m.joint("J0", kt.Revolute(axis="y"), m.ground, rod.at("-"), inertia=inertia)
    if not own:
        rotor(m, "J0", 0.03)
    return m


@pytest.mark.parametrize("formulation", ["tree", "augmented"])
def test_a_hinge_of_a_flexible_body_has_inertia(formulation):
    options = {"until": 0.05, "rtol": 1e-9}
    own = kt.simulate(swinging_bar(True), formulation=formulation, **options)
    rotors = kt.simulate(swinging_bar(False), **options)
    # 100 tolerances; without inertia= the angle differs by more than its hundredth
    np.testing.assert_allclose(own["J0.angle"], rotors["J0.angle"], rtol=0.0, atol=1e-7)
