"""Names have the same meaning everywhere: states of linear equations, inputs of controllers,
channels, start values.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly import massless
from kinetree.assembly.prepare import prepare
from kinetree.assembly.sparse_system import system_of
from kinetree.description.named import rates

KINDS = (
    kt.Revolute("z"),
    kt.Translational("x"),
    kt.Cylindrical("z"),
    kt.Universal("x", "y"),
    kt.Screw("z", pitch=0.3),
    kt.PlanarTranslational("x", "y"),
    kt.SpatialTranslational(),
    kt.Planar("z"),
)


def against(kind, start=None) -> kt.Model:
    """A joint from b to a in a tree that runs from a to b."""
    m = kt.Model("against")
    a, b = (m.body(name, kt.box(mass=1.0, sides=(0.3, 0.4, 0.5))) for name in "ab")
    m.joint("R", kt.Revolute("y"), m.ground, a, start={"angle": 0.2})
    m.joint("J", kind, b.at(0.1, 0.2, 0.3), a.at(0.3, 0, 0.1), start=start)
    return m


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_states_of_a_joint_against_the_tree_are_its_coordinates_and_rates(kind):
    """C of these outputs is the identity on the states of the same names, and A agrees with
    channels differentiated in time.
    """
    labels = list(kind.coordinates)
    names = [f"J.{label}{tail}" for tail in ("", ".rate") for label in labels]
    found = kt.linearize(against(kind, dict(zip(labels, (0.4, 0.3, 0.7)))), outputs=names)
    C = found.C[:, [found.states.index(name) for name in names]]
    np.testing.assert_allclose(C, np.eye(len(names)), atol=1e-9)  # differences of order four


def test_states_of_a_ball_joint_against_the_tree_are_its_own_speeds():
    names = [f"J.w{axis}" for axis in "xyz"]
    found = kt.linearize(
        against(kt.Spherical(), {"quaternion": (0.6, 0.0, 0.8, 0.0)}), outputs=names
    )
    C = found.C[:, [found.states.index(f"{name}.rate") for name in names]]
    np.testing.assert_allclose(C, np.eye(3), atol=1e-9)  # differences of order four


@pytest.mark.parametrize("kind", KINDS[5:], ids=lambda kind: kind.kind)
def test_eigenvalues_do_not_depend_on_the_direction_of_a_joint(kind):
    def hung(turned: bool) -> np.ndarray:
        m = kt.Model("hung")
        a, b = (m.body(name, kt.box(mass=1.0, sides=(0.3, 0.4, 0.5))) for name in "ab")
        m.joint("R", kt.Revolute("y"), m.ground.at(0.1, 0, 0.4), a)
        m.joint("J", kind, *((b, a) if turned else (a, b)))
        m.force("spring", kt.Bushing((50.0, 60.0, 70.0, 5.0, 6.0, 7.0)), a, b)
        return np.sort_complex(kt.linearize(m).eigenvalues)

    # a double root at rest is accurate to the square root of 1e-12
    np.testing.assert_allclose(hung(True), hung(False), atol=1e-6)


def pendulum() -> kt.Model:
    m = kt.Model("p")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="z"))
    m.joint(
        "h",
        kt.Revolute(axis="y"),
        m.ground,
        rod.end("+"),
        start={"angle": 0.2},
        speed={"angle": 0.7},
    )
    return m


def test_a_controller_measures_a_rate_by_either_name_that_channels_have():
    m = pendulum()

    def both(t, u, x, p, xdot, out):
        out[0], out[1] = u[0], u[1]

    m.controller(
        "c", kt.Controller(both, inputs=("h.rate", "h.angle.rate"), outputs=("short", "long"))
    )
    sol = kt.simulate(m, 0.05, integrator="rk4", step=0.01, progress=False)
    for name in ("c.short", "c.long"):
        np.testing.assert_allclose(sol[name], sol["h.rate"], rtol=1e-12)


def test_a_body_name_is_not_a_channel_and_its_channels_are_listed():
    sol = kt.simulate(pendulum(), 0.02, integrator="rk4", step=0.01, progress=False)
    with pytest.raises(
        KeyError, match=r"'rod' has \d+ channels, name one of them: rod.position"
    ) as caught:
        sol["rod"]
    assert "Did you mean" not in str(caught.value)


def test_an_unknown_input_is_named_as_the_user_wrote_it():
    m = kt.Model("f")
    m.float(m.body("b", kt.box(1.0, (1, 1, 1))))
    with pytest.raises(
        kt.ModelError, match=r"no input named 'b.free.z' .* joint 'b.free' \(free\) .*PointForce"
    ):
        kt.linearize(m, inputs=["b.free.z"])


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_velocity_transformation_takes_states(coordinates):
    m = pendulum()
    sol = kt.simulate(m, 0.05, coordinates=coordinates, integrator="rk4", step=0.01, progress=False)
    s = sol.at(0.03)
    by_numbers = kt.velocity_transformation(m, s.q, s.v, coordinates=coordinates)
    by_state = kt.velocity_transformation(m, s, coordinates=coordinates)
    np.testing.assert_allclose(by_state.B, by_numbers.B, atol=1e-12)
    np.testing.assert_allclose(by_state.Y[:3], s["rod.velocity"][0], atol=1e-9)
    with pytest.raises(kt.ModelError, match="shape"):
        kt.velocity_transformation(m, np.zeros((2, 99)))


def test_a_chain_of_slender_rods_is_found_to_have_inertia_without_a_dense_matrix(monkeypatch):
    """Rods have no inertia about their line, but hinges across the line do not rotate about it."""
    m, before = kt.Model("chain"), None
    for k in range(12):
        rod = m.body(f"b{k}", kt.rod(mass=0.1, length=0.1, along="x"))
        m.joint(f"j{k}", kt.Revolute("y"), before.end("+") if before else m.ground, rod.end("-"))
        before = rod
    monkeypatch.setattr(
        massless, "_motions", lambda system: pytest.fail("all motions were written down")
    )
    found = prepare(m)
    assert massless.massless_motion(system_of(found.compiled), found.q, found.x) is None


@pytest.mark.parametrize("hinge,heavy", [("x", False), ("y", True), ((1.0, 1e-3, 0.0), True)])
def test_a_rod_on_a_hinge_along_its_line_has_no_inertia(hinge, heavy):
    m = kt.Model("spin")
    rod = m.body("rod", kt.rod(mass=0.1, length=0.1, along="x"))
    m.joint("j", kt.Revolute(hinge), m.ground, rod.end("-"))
    found = prepare(m)
    assert (massless.massless_motion(system_of(found.compiled), found.q, found.x) is None) == heavy


def test_a_free_rotation_of_a_load_is_named():
    m = kt.Model("hanging load")
    boom = m.beam(
        "boom",
        [(0, 0, 5), (6, 0, 5)],
        kt.Section.tube(0.1, 0.09, E=2.1e11, density=7850.0),
        elements=2,
    )
    m.joint("wall", kt.Fixed(), m.ground, boom, at=(0, 0, 5))
    load = m.body("load", kt.box(300.0, (0.5, 0.5, 0.5)), position=(6, 0, 2))
    m.float(load)
    m.force("rope", kt.Cable(stiffness=4e5, length=2.7), boom.end("+"), load.at(0, 0, 0.25))
    with pytest.raises(
        kt.SimulationError,
        match=r"nothing resists these motions: body 'load' can turn about \(0, 0, 1\)",
    ):
        kt.deflect(m)


@pytest.mark.parametrize(
    "kind",
    [*KINDS, kt.Spherical(), kt.Free(), kt.PointOnLine("z"), kt.PointOnPlane("z")],
    ids=lambda k: k.kind,
)
def test_every_speed_that_is_a_channel_can_be_given_as_a_start_and_read_by_controllers(kind):
    """States, inputs of controllers and channels have the same names."""

    def made() -> kt.Model:
        m = kt.Model("m", gravity=(0, 0, 0))
        m.joint("left", kind, m.ground, m.body("b", kt.box(1.0, (0.3, 0.4, 0.5))))
        return m

    for label, speed in rates(kind).items():
        name = f"left.{label}"
        found = kt.simulate(made(), 0.01, state={name: 0.3})
        assert found[name][0] == pytest.approx(0.3), name
        if speed not in kind.scalars:
            continue
        m = made()
        m.controller(
            "c", kt.Controller(copied, inputs=(name, f"left.{speed}"), outputs=("rate", "value"))
        )
        m.force("f", kt.TorsionSpring(f"left.{speed}", torque="c.rate"))
        run = kt.simulate(m, 0.01, state={name: 0.3})
        np.testing.assert_array_equal(run["c.rate"], run[name])
        np.testing.assert_array_equal(run["c.value"], run[f"left.{speed}"])


def copied(t, u, x, parameters, xdot, out):
    for k in range(len(u)):
        out[k] = u[k]


@pytest.mark.parametrize(
    "ask",
    [
        lambda m: kt.simulate(m, 0.1, state={"letf.angle": 1.0}),
        lambda m: kt.inverse_dynamics(m, [0.0], [0.0], [0.0], drives=["letf.angle"]),
        lambda m: (
            m.force("f", kt.TorsionSpring("letf.angle", stiffness=1.0)),
            kt.simulate(m, 0.1),
        ),
        lambda m: (m.constraint("d", kt.Driver("letf.angle", kt.Ramp(1.0))), kt.simulate(m, 0.1)),
    ],
    ids=["state", "drive", "force", "driver"],
)
def test_a_misspelt_joint_gives_the_same_message_in_every_function(ask):
    m = kt.Model("m")
    m.joint("left", kt.Revolute("y"), m.ground, m.body("b", kt.rod(1.0, 1.0)).end("-"))
    with pytest.raises(
        kt.NameNotFound, match=r"no joint named 'letf' in model 'm'.*Did you mean 'left'"
    ):
        ask(m)
