"""Models with generated equations in all functions that run models: integrators, formulations,
events, control, analysis.
"""

import numpy as np
import pytest
from scipy.linalg import eigh

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.errors import ModelError, ResultError
from kinetree.models import ralf
from support.methods import EQUATIONS

from .arms import boom, evaluated

L, RHO, EI, G = 2.0, 3.0, 2000.0, 9.81  # of the boom
UNTIL = 0.02


def swing(integrator: str = "adams", **options) -> np.ndarray:
    model = boom(1).model()
    return kt.simulate(
        model, UNTIL, integrator=integrator, state={"boom_mode1.displacement": 0.02}, **options
    ).y[-1]


def test_an_integrator_that_moves_nodes_is_refused_by_name():
    with pytest.raises(kt.ModelError, match=r"'midpoint' uses nodal coordinates.*'adams'"):
        swing("midpoint", step=0.01)


def test_the_integrator_that_moves_bodies_is_refused_by_name():
    with pytest.raises(kt.ModelError, match=r"'time-stepping' needs bodies, .*'adams'"):
        swing("time-stepping", step=0.01)


@pytest.mark.parametrize("entry", EQUATIONS, ids=lambda entry: entry.name)
def test_every_integrator_runs_it(entry):
    options = {"rtol": 1e-10} if entry.adaptive else {"step": UNTIL / 2000}
    # C h^p, w = 400 1/s
    tolerance = 1e-6 if entry.adaptive or entry.order > 2 else 4e6 * (UNTIL / 2000) ** entry.order
    np.testing.assert_allclose(
        swing(entry.name, **options), swing(rtol=1e-12), rtol=0, atol=tolerance
    )


@pytest.mark.parametrize("name", [f.name for f in FORMULATIONS if f.loops and f.exact])
def test_every_formulation_runs_the_closed_loop(name):
    runs = [
        kt.simulate(ralf.arm().model(), 0.01, formulation=f, rtol=1e-11, output_interval=0.01)
        for f in (name, "augmented")
    ]
    np.testing.assert_allclose(runs[0].y[-1], runs[1].y[-1], rtol=0, atol=1e-8)
    assert runs[0].constraint_error.max() < 1e-10 and runs[0].energy.drift < 1e-8


def test_a_cantilever_under_its_weight_bends_as_textbooks_say():
    """w(l) = rhoA g l^4 / 8 EI, and the torque that holds it, rhoA g l^2 / 2."""
    arm = kt.Arm("beam", G)
    arm.link("beam", "A", length=L, density=RHO, EI=EI, modes=6)
    found = kt.equilibrium(arm.model(), hold=["A.angle"])
    tip = sum(found.assembly.coordinates[f"beam_mode{k}.displacement"] for k in range(1, 7))
    assert tip == pytest.approx(-RHO * G * L**4 / (8 * EI), rel=2e-5)  # six modes
    assert found.efforts["A.angle"] == pytest.approx(RHO * G * L**2 / 2, rel=1e-9)


def test_a_force_at_the_tip_bends_it_too():
    """P l^3 / 3 EI, by a force element on the body of the tip."""
    arm = kt.Arm("beam", 0.0)
    arm.link("beam", "A", length=L, density=RHO, EI=EI, modes=6)
    model = arm.model()
    model.force("push", kt.PointForce((0, 0, 12.0)), model.bodies["beam_tip"])
    found = kt.equilibrium(model, hold=["A.angle"])
    tip = sum(found.assembly.coordinates[f"beam_mode{k}.displacement"] for k in range(1, 7))
    # six modes, which fit this load less well
    assert tip == pytest.approx(12.0 * L**3 / (3 * EI), rel=1e-3)


def test_modes_are_those_of_the_matrices():
    arm = boom(2, gravity=0.0)
    M = evaluated(arm, np.zeros(3), np.zeros(3))[0]
    K = np.zeros((3, 3))
    K[1:, 1:] = arm.links[0].integrals.k
    wanted = np.sqrt(eigh(K, M, eigvals_only=True)[1:]) / (2 * np.pi)
    # differences
    np.testing.assert_allclose(kt.modes(arm.model()).undamped_frequencies[1:], wanted, rtol=1e-6)


def test_a_controller_acts_like_a_spring():
    def law(t, u, x, parameters, xdot, out):
        out[0] = -parameters[0] * (u[0] - 0.4) - parameters[1] * u[1]

    spring, servo = boom(1).model(), boom(1).model()
    spring.force("servo", kt.TorsionSpring("A.angle", 800.0, 40.0, 0.4))
    servo.controller(
        "pd",
        kt.Controller(
            law, inputs=("A.angle", "A.angle.rate"), outputs=("torque",), parameters=(800.0, 40.0)
        ),
    )
    servo.force("servo", kt.TorsionSpring("A.angle", torque="pd.torque"))
    runs = [kt.simulate(model, 0.2, rtol=1e-9) for model in (spring, servo)]
    np.testing.assert_allclose(
        runs[0]["boom_tip.position"], runs[1]["boom_tip.position"], atol=1e-7
    )
    assert runs[0].energy.imbalance < 1e-7


def test_an_event_stops_it_where_the_tip_passes_a_height():
    low = kt.Event("boom_tip.position.z", level=0.5, terminal=True, name="low")
    run = kt.simulate(boom(1).model(), 1.0, events=low, rtol=1e-9)
    assert run.t[-1] < 1.0 and run["boom_tip.position.z"][-1] == pytest.approx(0.5, abs=1e-7)
    assert len(run.events["low"].t) == 1


def test_the_energy_balance_of_a_link_with_a_driven_joint_closes():
    model = boom(2).model()
    model.constraint("drive", kt.Driver("A.angle", kt.Sine(0.1, 3.0, offset=0.4)))
    run = kt.simulate(model, 0.3, rtol=1e-10)
    np.testing.assert_allclose(run["A.angle"], 0.4 + 0.1 * np.sin(6 * np.pi * run.t), atol=1e-9)
    assert run.energy.imbalance < 1e-7 and np.abs(run["boom.deflection.100"]).max() > 1e-3


def test_deflections_follow_the_shapes():
    run = kt.simulate(boom(2).model(), 0.05, rtol=1e-8)
    modal = np.column_stack([run[f"boom_mode{k}.displacement"] for k in (1, 2)])
    shapes = boom(2).links[0].modes
    for k, per_cent in enumerate((25, 50, 75, 100)):
        wanted = modal @ [float(one.psi(per_cent / 100 * L)) for one in shapes]
        np.testing.assert_allclose(run["boom.deflection"][:, k], wanted, atol=1e-15)
    a = run["A.angle"]
    tip = np.column_stack([L * np.cos(a) - wanted * np.sin(a), L * np.sin(a) + wanted * np.cos(a)])
    np.testing.assert_allclose(run["boom_tip.position"][:, [0, 2]], tip, atol=1e-13)


def test_impossible_requests_are_refused():
    model = boom(1).model()
    with pytest.raises(ModelError, match="coordinates='cartesian' is not possible"):
        kt.simulate(model, 0.1, coordinates="cartesian")
    with pytest.raises(ModelError, match="an algorithm for rigid bodies"):
        kt.simulate(model, 0.1, formulation="tree")
    run = kt.simulate(model, 0.001)
    with pytest.raises(ResultError, match="momentum cannot be computed"):
        _ = run.momentum
    with pytest.raises(ResultError, match="do not follow from its bodies"):
        _ = run.reactions["A"]
    sideways = boom(1).model()
    sideways.gravity = np.array([9.81, 0.0, 0.0])
    with pytest.raises(ModelError, match="gravity along z"):
        kt.simulate(sideways, 0.1)
    model.joint(
        "late",
        kt.Revolute(axis="y"),
        model.bodies["boom_tip"],
        model.body("box", kt.sphere(1.0, 0.1)),
    )
    with pytest.raises(ModelError, match="'late' was added later"):
        kt.simulate(model, 0.1)


def test_modes_with_and_without_a_moving_tip_are_coupled_in_the_factors_too():
    """The tree of the model does not contain this coupling; accelerations must."""
    own = [
        (lambda x: x**2, lambda x: 2 * x, lambda x: 2 + 0 * x),
        (lambda x: x**2 * (L - x), lambda x: 2 * L * x - 3 * x**2, lambda x: 2 * L - 6 * x),
    ]
    arm = kt.Arm("mixed", G)
    arm.link("beam", "A", length=L, density=RHO, EI=EI, modes=2, shape=own, start=0.3)
    run = kt.simulate(arm.model(), 1e-4)
    order = [
        [joint for joint, _ in run.compiled.dof_owner].index(name)
        for name in ("A", "beam_mode1", "beam_mode2")
    ]
    M, f, _ = evaluated(arm, np.array([0.3, 0.0, 0.0]), np.zeros(3))
    assert abs(M[1, 2]) > 0.3 * np.sqrt(M[1, 1] * M[2, 2])
    np.testing.assert_allclose(run.vdot[0][order], np.linalg.solve(M, f), rtol=1e-10)


def test_later_additions_to_an_arm_do_not_change_earlier_models():
    arm = boom(1)
    before = arm.model()
    arm.payload(arm.links[0], 5.0)
    found = [
        kt.equilibrium(model, hold=["A.angle"]).efforts["A.angle"]
        for model in (before, arm.model())
    ]
    # with the contribution of the deflected tip
    assert found[1] - found[0] == pytest.approx(5.0 * G * L * np.cos(0.4), rel=0.1)


def test_a_run_of_the_closed_arm_is_shown_with_the_force_in_its_pin(tmp_path):
    run = kt.simulate(ralf.arm().model(), 0.005)
    assert list(run.reactions) == ["C"] and np.linalg.norm(run["C.force"], axis=1).min() > 1.0
    page = tmp_path / "arm.html"
    run.animate(page)
    assert "C.force" in page.read_text()


def test_gravity_may_change_after_the_equations_were_written():
    still, late = boom(1, gravity=0.0).model(), boom(1, gravity=9.81).model()
    kt.simulate(still, 1e-3)
    still.gravity = late.gravity
    np.testing.assert_array_equal(kt.simulate(still, 1e-3).y, kt.simulate(late, 1e-3).y)
