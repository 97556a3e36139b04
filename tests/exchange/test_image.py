"""Images run by their own kernels: the same bits as `simulate`, inputs, breaks, budgets, outputs."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.exchange.image import run_here
from kinetree.exchange.image.build import checked_readings, image_of
from kinetree.exchange.image.image import Image, ImageError
from kinetree.exchange.image.prepare import blocks_of
from kinetree.models.catalogue import MODELS
from kinetree.simulation.prepared import prepare

RIGID = ("four-bar", "rssr", "five-dof", "quarter-car", "excavator", "heavy-top", "bicycle")
BUILD = {entry.name: entry.build for entry in MODELS}


def blocks(model, until, **options):
    return blocks_of(prepare(model, **options)._plan, until)


@pytest.mark.parametrize("name", RIGID)
def test_a_run_has_the_bits_of_simulate(name):
    """five-dof has breaks of its road inside the run, which cross segments."""
    found = blocks(BUILD[name](), 0.3)
    sol = kt.simulate(BUILD[name](), 0.3)
    assert run_here.advance(found, 0.3) == 0
    assert np.array_equal(found.session.y[: len(sol.result.y)], sol.result.y)
    assert found.run.memory[0]["evaluations"] == sol.result.evaluations


@pytest.mark.parametrize("integrator", ["dop853", "bdf", "switching", "dopri5", "rk4"])
def test_every_kind_of_integrator_has_the_bits_of_simulate(integrator):
    options = {"integrator": integrator} | ({"step": 1e-3} if integrator == "rk4" else {})
    found = blocks(BUILD["four-bar"](), 0.2, **options)
    end = prepare(BUILD["four-bar"](), **options).advance(0.2)
    assert run_here.advance(found, 0.2, exact=True) == 0
    y = np.concatenate([end.q, end.v, end.x])
    assert np.array_equal(found.session.y[: len(y)], y)


def test_states_between_steps_are_those_of_samples():
    found = blocks(BUILD["quarter-car"](), 1.0)
    sol = kt.simulate(BUILD["quarter-car"](), 1.0, output_interval=0.1)
    n = len(sol.result.y)
    for t, y in zip(sol.t[1:], sol.result.samples_y[1:]):
        assert run_here.advance(found, t) == 0
        assert np.array_equal(found.session.y[:n], y[:n])


def test_a_budget_of_steps_divides_a_run_without_changing_it():
    whole, parts = blocks(BUILD["rssr"](), 0.3), blocks(BUILD["rssr"](), 0.3)
    run_here.advance(whole, 0.3)
    calls = 1
    while run_here.advance(parts, 0.3, most=3) == 100:
        calls += 1
    assert calls > 3
    assert np.array_equal(whole.session.y, parts.session.y)


def thrown(push):
    m = kt.Model("thrown", gravity=(0, 0, 0))
    block = m.body("block", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
    m.joint("rail", kt.Translational("x"), m.ground, block)
    m.force("push", kt.PointForce((push, 0.0, 0.0)), block)
    return m


def test_an_input_that_is_a_ramp_gives_the_motion_under_a_ramp():
    """x = a t^2 / (2 m) + b t^3 / (6 m), set in two pieces as an importer does."""
    found = blocks(thrown(kt.Input("push", 1.0, unit="N")), 2.0)
    assert run_here.advance(found, 1.0) == 0
    found.tables.signals.flags.writeable = True
    row = found.tables.signals.view(np.ndarray)[0]
    row["a"], row["b"], row["begin"] = 1.0, 3.0, 1.0
    found.session.state[0]["restart"] = 1
    assert run_here.advance(found, 2.0) == 0
    # position and velocity at 1 s: 1/4, 1/2; then 1/4 + 1/2 + (1/2 + 3/6) / 2
    assert found.session.y[0] == pytest.approx(1.25, rel=1e-9)  # a cubic: the method is exact


def test_simulate_holds_an_input_at_its_start():
    sol = kt.simulate(thrown(kt.Input("push", 4.0)), 1.0)
    assert sol["block.position.x"][-1] == pytest.approx(1.0, rel=1e-8)  # 4/2 * 1/2
    less = kt.simulate(thrown(kt.Input("push", 4.0, factor=-0.5)), 1.0)
    assert less["block.position.x"][-1] == pytest.approx(-0.5, rel=1e-8)


def sampled():
    def controller(t, u, x, p, xnext, out):
        out[0] = -4.0 * u[0] - 1.0 * u[1]

    m = kt.Model("held", gravity=(0, 0, 0))
    block = m.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    m.joint("rail", kt.Translational("x"), m.ground, block, start={"displacement": 1.0})
    inputs = ("rail.displacement", "rail.displacement.rate")
    m.controller("pd", kt.Controller(controller, inputs=inputs, outputs=("f",), period=0.05))
    m.force("push", kt.PointForce(("pd.f", 0.0, 0.0)), block)
    return m


def test_sampled_controllers_take_their_samples():
    found, sol = blocks(sampled(), 1.02), kt.simulate(sampled(), 1.02)
    assert run_here.advance(found, 1.02) == 0
    assert np.array_equal(found.session.y[: len(sol.result.y)], sol.result.y)


def test_a_run_goes_on_after_the_end_it_was_prepared_for():
    found = blocks(BUILD["pendulum"](), 0.5, rtol=1e-8)
    sol = kt.simulate(BUILD["pendulum"](), 3.0, rtol=1e-10)
    assert run_here.advance(found, 3.0) == 0
    assert found.session.y[0] == pytest.approx(sol.q[-1, 0], abs=1e-6)  # 100 tolerances


@pytest.mark.parametrize("name", ["four-bar", "rssr", "excavator", "tracked-vehicle"])
def test_outputs_are_the_channels_of_simulate(name):
    """All kinds: joints of the tree and cut ones, bodies, points, forces, energies."""
    model = BUILD[name]()
    sol = kt.simulate(model, 0.02)
    unsupported = ("energy.work", "constraint.", "step.", "H.q", "H.w", "C.q", "C.w")
    names = [one for one in sol.channels if not one.startswith(unsupported)]
    prepared = prepare(model)
    readings = checked_readings(prepared, 1.0, names)  # raises where one differs
    assert len(readings) > len(names) > 50


def test_the_check_of_outputs_finds_a_wrong_one():
    prepared = prepare(BUILD["four-bar"]())
    readings = checked_readings(prepared, 1.0, ["A.angle"])
    wrong = [readings[0]._replace(terms=((1, 1, 1.0),))]  # the next coordinate
    sol = prepared.run(0.02, progress=False)
    with pytest.raises(kt.ModelError, match=r"differs from the channel"):
        run_here.compare(blocks_of(prepared._plan, 1.0, wrong), wrong, sol)


def test_a_saved_image_is_read_back(tmp_path):
    image = image_of(BUILD["four-bar"](), outputs=["A.angle"])
    again = Image.load(image.save(tmp_path / "four-bar.ktimage"))
    assert again.header == image.header
    for name in ("content", "moves", "calls"):
        assert np.array_equal(getattr(again, name), getattr(image, name))
    (tmp_path / "other").write_bytes(b"something else, long enough")
    with pytest.raises(ImageError, match=r"does not begin with KTIMAGE1"):
        Image.load(tmp_path / "other")


def plain_force():
    m = thrown(1.0)
    with pytest.warns(UserWarning, match="cannot be compiled"):
        m.force("odd", kt.PointForce((lambda t: float(f"{t}"), 0.0, 0.0)), m.bodies["block"])
        m.topology()
        kt.simulate(m, 0.01)
    return m


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "build, words",
    [
        (BUILD["flexible-four-bar"], "beams and the structural integrators"),
        (plain_force, "runs as plain Python"),
    ],
)
def test_what_an_image_cannot_contain_is_refused(build, words):
    with pytest.raises(kt.ModelError, match=words):
        image_of(build())
