"""Rigid contacts of machines with closed loops: impacts act through the loops, which stay closed."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS

EXACT = [f.name for f in FORMULATIONS if f.exact and f.loops]


def slider_crank(torque, angle=-1.2):
    m = kt.Model("slider-crank")
    crank = m.body("crank", kt.rod(1.0, 0.1), position=(0.05, 0, 0))
    rod = m.body("rod", kt.rod(1.5, 0.3), position=(0.25, 0, 0))
    piston = m.body("piston", kt.box(2.0, (0.05, 0.05, 0.05)), position=(0.4, 0, 0))
    m.joint("A", kt.Revolute("y"), m.ground, crank, at=(0, 0, 0), start={"angle": angle})
    m.joint("B", kt.Revolute("y"), crank, rod, at=(0.1, 0, 0))
    m.joint("C", kt.Revolute("y"), rod, piston, at=(0.4, 0, 0))
    m.joint("D", kt.Translational("x"), m.ground, piston, at=(0.4, 0, 0))
    m.force("motor", kt.TorsionSpring("A.angle", torque=torque))
    return m


def with_wall(m, x, law):
    wall = kt.shapes.HalfSpace().on(m.ground.at(x, 0, 0, rotation=("y", -math.pi / 2)))
    m.contact("wall", wall, kt.shapes.Ball(0.025).on(m.bodies["piston"]), law)
    return m


def test_a_machine_pressed_on_a_wall_has_the_load_of_virtual_work():
    m = with_wall(slider_crank(20.0, angle=-0.6), 0.405, kt.RigidContact())
    sol = kt.simulate(m, 2.0, rtol=1e-9)
    assert sol["A.angle.rate"][-1] == 0.0
    # F dx + tau da + gravity = 0 along the one degree of freedom
    a = sol["A.angle"][-1]
    rod = math.asin(0.1 * math.sin(a) / 0.3)
    da_dx = 1.0 / (-0.1 * math.sin(a) - 0.1 * math.cos(a) * math.tan(rod))
    z = lambda a: -0.1 * math.sin(a)  # noqa: E731  end of the crank
    weight = 9.81 * (1.0 * 0.5 + 1.5 * 0.5) * (z(a + 1e-6) - z(a - 1e-6)) / 2e-6
    assert_allclose(sol["wall.normal"][-1], (20.0 - weight) * da_dx, rtol=1e-7)


@pytest.mark.parametrize(
    "coordinates, formulation",
    [*(("relative", name) for name in EXACT), ("cartesian", "augmented"), ("cartesian", "qr")],
)
def test_all_formulations_give_the_same_impacts(coordinates, formulation):
    def run(**given):
        m = slider_crank(kt.Sine(5.0, frequency=2.0))
        with_wall(m, 0.405, kt.RigidContact(restitution=0.6))
        return kt.simulate(m, 1.0, rtol=1e-9, **given)

    sol, other = run(coordinates=coordinates, formulation=formulation), run(integrator="dop853")
    assert len(sol.events["wall.impact"].t) >= 3
    assert_allclose(sol.events["wall.impact"].t, other.events["wall.impact"].t, atol=1e-6)
    assert_allclose(sol["A.angle"][-1], other["A.angle"][-1], atol=1e-6)
    assert sol.constraint_error.max() < 1e-11 * 0.4
    assert sol.energy.imbalance < 1e-7


def test_loops_stay_closed_and_energy_balances_over_a_thousand_impacts():
    m = slider_crank(kt.Sine(60.0, frequency=2.0))
    m.force("stop", kt.JointStop("D.displacement", -0.19, -0.02, restitution=0.8))
    sol = kt.simulate(m, 60.0, rtol=1e-10, integrator="dop853", output_interval=0.5)
    assert len(sol.events["stop.impact"].t) >= 1000
    assert sol.constraint_error.max() < 1e-11 * 0.4
    assert sol["stop.gap"].min() > -1e-12
    assert sol.energy.imbalance < 1e-9


MASS_M, J_M, MASS_S, J_S, STIFFNESS = 0.0003, 5e-9, 0.0045, 7e-7, 0.0056
R_0, R_M, H_M, L_M, L_G, H_S, L_S = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201


def linear_woodpecker():
    """The woodpecker of [Pfeiffer1996] with linear gaps: y, phi of the sleeve and psi of the bird.

    Linear combinations of the three coordinates are positions of bodies on rails.
    """
    m = kt.Model("linear woodpecker")
    start = {
        "y.displacement": (0.0, -0.3411),
        "phi.angle": (-(R_M - R_0) / H_M, 0.0),
        "psi.angle": (-0.2788, -7.4583),
    }

    def values(terms, offset=0.0):
        found = [sum(a * start[name][k] for name, a in terms.items()) for k in (0, 1)]
        return {"start": offset + found[0], "speed": found[1]}

    def rail(name, mass, axis, at, terms, offset=0.0, parent=None):
        body = m.body(f"{name} body", kt.mass(mass, (mass * 1e-6,) * 3), position=at)
        now = {key: {"displacement": value} for key, value in values(terms, offset).items()}
        m.joint(name, kt.Translational(axis), parent or m.ground, body, at=at, **now)
        return body

    def relation(name, terms, offset=0.0):
        own = {name: 1.0, **{other: -a for other, a in terms.items()}}
        m.constraint(f"{name.split('.')[0]} relation", kt.Coupling(terms=own, offset=offset))

    def rotor(name, inertia, x, terms):
        body = m.body(f"{name} rotor", kt.mass(1e-6, (inertia,) * 3), position=(x, 0, 0))
        now = {key: {"angle": value} for key, value in values(terms).items()}
        m.joint(name, kt.Revolute("-y"), m.ground, body, at=(x, 0, 0), **now)

    rail("y", MASS_M, "z", (0, 0, 0), {"y.displacement": 1.0})
    rotor("phi", J_M, 0.1, {"phi.angle": 1.0})
    rotor("psi", J_S, 0.2, {"psi.angle": 1.0})
    rotor("bend", 1e-14, 0.3, bend := {"psi.angle": 1.0, "phi.angle": -1.0})
    relation("bend.angle", bend)
    m.force("spring", kt.TorsionSpring("bend.angle", stiffness=STIFFNESS))
    center = {"y.displacement": 1.0, "phi.angle": L_M, "psi.angle": L_G}
    rail("center", MASS_S, "z", (0.4, 0, 0), center)
    relation("center.displacement", center)
    beak = {"y.displacement": 1.0, "phi.angle": L_M, "psi.angle": L_G - L_S}
    sleeve = {"y.displacement": 1.0, "phi.angle": R_M}
    for k, (name, restitution, gap, terms, offset) in enumerate(
        (
            ("beak", 0.5, {"psi.angle": -H_S}, beak, L_M + L_G - L_S - R_0),
            ("lower", 0.0, {"phi.angle": H_M}, sleeve, R_M - R_0),
            ("upper", 0.0, {"phi.angle": -H_M}, sleeve, R_M - R_0),
        )
    ):
        at = (0.6 + 0.1 * k, 0, 0)
        along = rail(f"{name} z", 1e-9, "z", at, terms)
        relation(f"{name} z.displacement", terms)
        tip = rail(f"{name} x", 1e-9, "x", at, gap, offset, along)
        relation(f"{name} x.displacement", gap, offset)
        pole = m.ground.at(at[0] - 1e-3, 0, 0, rotation=("y", math.pi / 2))
        law = kt.RigidContact(restitution, friction=0.3)
        m.contact(name, kt.shapes.HalfSpace().on(pole), kt.shapes.Ball(1e-3).on(tip), law)
    return m


def test_the_woodpecker_follows_the_published_series():
    # Siconos 4.4, Examples/Mechanics/Woodpecker: y, phi, psi and their rates at 0.2998 s, by time
    # stepping with h = 2e-5 s from a start that penetrates by 9e-7 m; here the gap is zero, and the
    # tips have 1e-9 kg, which leaves the differences allowed below
    sol = kt.simulate(linear_woodpecker(), 0.2998, rtol=1e-8)
    assert_allclose(sol["y.displacement"][-1], -0.04130, rtol=2e-3)
    assert_allclose(sol["y.displacement.rate"][-1], -0.262, rtol=2e-3)
    assert_allclose(sol["phi.angle"][-1], -(R_M - R_0) / H_M, rtol=1e-9)
    assert_allclose(sol["psi.angle"][-1], -0.3394, rtol=6e-3)
    assert_allclose(sol["psi.angle.rate"][-1], -8.30, rtol=4e-3)
    assert [len(sol.events[f"{name}.impact"].t) for name in ("beak", "upper", "lower")] == [2, 4, 4]
    assert sol.energy.imbalance < 1e-6


def test_a_run_goes_on_from_any_of_its_states():
    m = with_wall(slider_crank(5.0), 0.405, kt.RigidContact(restitution=0.6))
    whole = kt.simulate(m, 1.0, rtol=1e-10)
    for t in (0.4, 0.9):
        rest = kt.simulate(m, 1.0, state=whole.at(t), rtol=1e-10)
        assert_allclose(rest["A.angle"][-1], whole["A.angle"][-1], atol=1e-7)
    prepared = kt.prepare(m, rtol=1e-10)
    assert_allclose(prepared.advance(1.0).q, whole.q[-1], atol=1e-7)


@pytest.mark.parametrize("integrator", ["bdf-direct", "midpoint", "generalized-alpha"])
def test_integrators_that_cannot_stop_at_impacts_refuse(integrator):
    m = with_wall(slider_crank(5.0), 0.405, kt.RigidContact())
    with pytest.raises(kt.ModelError, match="cannot stop at the impacts of 'wall'"):
        kt.simulate(m, 1.0, integrator=integrator)


@pytest.mark.parametrize("analysis", [kt.linearize, kt.equilibrium])
def test_analyses_without_modes_refuse_rigid_contacts(analysis):
    m = with_wall(slider_crank(5.0), 0.405, kt.RigidContact())
    with pytest.raises(kt.ModelError, match="'wall' of model 'slider-crank' is rigid"):
        analysis(m)


def test_user_events_and_contacts_are_found_in_one_run():
    m = with_wall(slider_crank(kt.Sine(5.0, frequency=2.0)), 0.405, kt.RigidContact(0.6))
    alone = kt.simulate(m, 1.0, rtol=1e-9)
    sol = kt.simulate(
        m, 1.0, rtol=1e-9, events=kt.Event("A.angle.rate", name="turns", restart=True)
    )
    assert_allclose(sol.events["wall.impact"].t, alone.events["wall.impact"].t, atol=1e-7)
    hits = set(np.round(sol.events["wall.impact"].t, 6))
    assert hits <= set(np.round(sol.events["turns"].t, 6))  # the rate changes its sign there too


def wheel_angle(a, arm=0.1):
    """Angle of a wheel with four slots, 0 where the pin enters at the angle -pi / 4 of the crank."""
    return -np.arctan2(arm * np.sin(a), math.sqrt(2.0) * arm - arm * np.cos(a)) - math.pi / 4


def geneva(arm=0.1, clearance=5e-5, start=-0.8):
    """Crank with a pin in one slot of a wheel with four; walls of the slot are capsules."""
    center, pin, wall = arm * math.sqrt(2.0), 0.005, 0.003
    m = kt.Model("geneva", gravity=(0, 0, 0))
    crank = m.body("crank", kt.rod(0.2, arm, along="x"), position=(arm / 2, 0, 0))
    wheel = m.body("wheel", kt.cylinder(0.5, arm, 0.01, along="z"), position=(center, 0, 0))
    m.joint("A", kt.Revolute("z"), m.ground, crank, at=(0, 0, 0), start={"angle": start})
    m.joint("B", kt.Revolute("z"), m.ground, wheel, at=(center, 0, 0))
    m.constraint("motor", kt.Driver("A.angle", kt.Ramp(2 * math.pi, start=start)))
    inner, outer, way = center - arm - 0.006, arm - 0.002, 1.25 * math.pi
    way += 0.0 if start < -math.pi / 4 else wheel_angle(start)  # the wheel waits for the pin
    e = np.array([math.cos(way), math.sin(way), 0.0])
    f, up = np.array([-e[1], e[0], 0.0]), np.array([0.0, 0.0, 1.0])
    for side in (1.0, -1.0):
        middle = 0.5 * (inner + outer) * e + side * (pin + wall + clearance) * f
        place = wheel.at(*middle, rotation=np.column_stack([f, up, e]))
        slot = kt.shapes.Capsule(wall, outer - inner).on(place)
        m.contact(
            f"wall {side:+.0f}", slot, kt.shapes.Ball(pin).on(crank.end("+")), kt.RigidContact()
        )
    return m


def test_a_geneva_wheel_follows_its_pin_within_the_clearance():
    arm, center = 0.1, 0.1 * math.sqrt(2.0)
    sol = kt.simulate(geneva(), 0.2, rtol=1e-6)
    a = sol["A.angle"]
    exact = wheel_angle(a)
    inside = a > -math.pi / 4 + 0.1
    # the pin is 5e-5 m beside the middle of the slot, at least 0.041 m from the axle
    assert np.abs(sol["B.angle"] - exact)[inside].max() < 1.2 * 5e-5 / (center - arm)
    assert sol["B.angle"][-1] < -0.6


@pytest.mark.parametrize("rtol", [1e-2, 1e-2 / 2**6, 1e-5, 1e-8])
def test_a_pin_with_hardly_any_play_takes_few_steps(rtol):
    """A shape that slides along another one at a small distance does not shorten the steps, and the
    change from one wall to the other, where the load vanishes, is passed at any tolerance.
    """
    m = geneva(clearance=1e-7, start=-0.7)
    sol = kt.simulate(m, 1.2 / (2 * math.pi), rtol=rtol, output_interval=0.01)
    exact = wheel_angle(sol["A.angle"]) - wheel_angle(-0.7)
    assert np.abs(sol["B.angle"] - exact).max() < 2e-7 / (0.1 * (math.sqrt(2.0) - 1.0))
    assert sol.steps.steps.sum() < 1000
